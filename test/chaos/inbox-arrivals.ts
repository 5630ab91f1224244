import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayAccount } from './gateway-oracle.ts';
import type { InboxPlan, Reading } from './inbox-schedule.ts';
import type { Place } from './people.ts';
import type { Stand } from './stand.ts';

/** One message that the gateway has taken in for an account. */
export interface Arrived {
  readonly round: number;
  readonly id: string;
  /** The chat that the account is linked to. */
  readonly chat: number;
  readonly account: string;
  readonly line: string;
  readonly sender: string;
  readonly text: string;
  /** Epoch ms, when the gateway had it. */
  readonly at: number;
  /** Epoch seconds, as the gateway dates it; known from its list afterwards. */
  readonly date?: number;
}

/** Has people write to the lines as planned. Resolves when the last message is there. */
export async function runArrivals(
  stand: Stand,
  places: readonly Place[],
  { round, arrivals }: Pick<InboxPlan, 'round' | 'arrivals'>,
  signal: AbortSignal,
): Promise<Arrived[]> {
  const arrived: Arrived[] = [];
  await inTime(arrivals, signal, async (arrival) => {
    const { chat, account } = placeOf(places, arrival);
    const line = lineOf(account, arrival.line);
    const { sender, text } = arrival;
    const id = await stand.inbox.arrive(account, { sender, line, text });
    arrived.push({ round, id, chat, account: account.username, line, sender, text, at: Date.now() });
  });
  return arrived;
}

/** Has another program fetch messages as planned. Returns how many it got, and so marked read. */
export async function runReadings(
  stand: Stand,
  places: readonly Place[],
  readings: readonly Reading[],
  signal: AbortSignal,
): Promise<number> {
  let fetched = 0;
  const under: Promise<void>[] = [];
  await inTime(readings, signal, (reading) => {
    const { account } = placeOf(places, reading);
    const line = reading.line === null ? null : lineOf(account, reading.line);
    const fetching = stand.inbox.fetch(account, reading.version, line).then(
      (count) => void (fetched += count),
      // A fault of the gateway met this program instead: it may have marked messages all the same.
      () => undefined,
    );
    under.push(fetching);
    return Promise.resolve();
  });
  await Promise.all(under);
  return fetched;
}

async function inTime<T extends { readonly at: number }>(
  acts: readonly T[],
  signal: AbortSignal,
  act: (one: T) => Promise<void>,
): Promise<void> {
  const began = performance.now();
  for (const one of acts) {
    const ms = one.at - (performance.now() - began);
    if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await act(one);
  }
}

function placeOf(places: readonly Place[], { place }: { readonly place: number }): Place {
  const found = places[place % places.length];
  if (found === undefined) throw new Error('there is no place');
  return found;
}

function lineOf({ line, otherLines = [] }: GatewayAccount, index: number): string {
  const lines = [line, ...otherLines];
  return lines[index % lines.length] ?? line;
}
