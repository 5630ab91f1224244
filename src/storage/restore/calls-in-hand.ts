import { nameOf, type HeldCall } from '../sending/call-writes.ts';

/** What this process knows of its own calls, which no database can take from it. */
export interface CallsInHand {
  /** Which start of the server the fence may trust; null: nobody watches, as in a test. */
  server: string | null;
  /** A call comes to the fence. */
  take(call: HeldCall): void;
  /** The fence let it go: whatever the database says from now on, it may have left. */
  left(call: HeldCall): void;
  /** It came back and has surely not left. */
  back(call: HeldCall): void;
  /** What came of it is written down. */
  drop(call: HeldCall): void;
  /** What came of it found no row to be written to. */
  miss(call: HeldCall): void;
  has(call: HeldCall): boolean;
  /** Calls that have left since the database was last seen to know of them. */
  proofs(): readonly HeldCall[];
  /** The database has been seen to know of these. */
  known(calls: readonly HeldCall[]): void;
  /** The database has lost what it knew of them: what comes of those that are out finds no row, and that is known. */
  forget(): void;
  /** Told when a call is missed. */
  onMiss(listener: () => void): void;
}

export function createCallsInHand(): CallsInHand {
  const inHand = new Set<string>();
  const proofs = new Map<string, HeldCall>();
  let told = (): void => undefined;
  return {
    server: null,
    take: (call) => void inHand.add(nameOf(call)),
    left: (call) => void proofs.set(nameOf(call), call),
    back: (call) => void proofs.delete(nameOf(call)),
    drop: (call) => void inHand.delete(nameOf(call)),
    miss(call) {
      proofs.set(nameOf(call), call);
      told();
    },
    has: (call) => inHand.has(nameOf(call)),
    proofs: () => [...proofs.values()],
    known(calls) {
      for (const call of calls) proofs.delete(nameOf(call));
    },
    forget() {
      inHand.clear();
      proofs.clear();
    },
    onMiss(listener) {
      told = listener;
    },
  };
}
