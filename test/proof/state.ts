import {
  ATTEMPT_MOVES,
  ATTEMPT_STATES,
  UNPROVEN,
  heardLate,
  type AttemptState,
  type CallOutcome,
} from '../../src/domain/attempt.ts';
import { DRAFT_MOVES, DRAFT_STATES } from '../../src/domain/draft.ts';
import { JOB_MOVES, JOB_STATES } from '../../src/domain/job.ts';
import type { Moves } from '../../src/domain/machine.ts';
import type { Guard } from './guards.ts';

/*
 * What can happen to a send, in steps as small as a statement, a byte or a press. The moves are the product's own tables;
 * what its statements ask besides are the guards (guards.ts). A state is an array of small numbers.
 */

/** What is searched: how many of each, and which troubles there are. */
export interface World {
  /** Calls of the first send. */
  readonly calls: number;
  readonly processes: number;
  /** So often a call is taken at most. */
  readonly takes: number;
  /** There can be a second send, of one call, equal to the first's first: one that comes of it, or somebody else's. */
  readonly second?: 'of the first' | 'of somebody else';
  /** The first send is still a draft: whether it needs a second person's yes, and whether it is to leave later. */
  readonly draft?: { readonly approval: boolean; readonly later: boolean };
  /** Pause, stop, resume and the switch. */
  readonly interrupts?: boolean;
  readonly kills?: number;
  /** So often a process is cut off from the database's locks, while it goes on. */
  readonly cuts?: number;
  /** Statements come late, of those who have given up or died. */
  readonly late?: boolean;
  /** The gateway refuses for the state of the account too: what is refused so goes on with its job. */
  readonly refusals?: boolean;
  /** Lists are read, and people are asked. */
  readonly lists?: boolean;
  /** An older copy of the database comes back: under processes that live, or by the operator, with none. */
  readonly copy?: 'live' | 'operator';
}

export type State = Uint8Array;
/** Takes a step: what it is called, where it leads, and what of it is wrong by itself. */
export type Emit = (label: string, next: State, wrong: string | null) => void;

const numbered = <S extends string>(names: readonly S[]) =>
  Object.fromEntries(names.map((name, at) => [name, at + 1])) as Record<S, number>;

export const C = numbered(ATTEMPT_STATES);
export const J = numbered(JOB_STATES);
export const D = numbered(DRAFT_STATES);
/** What the second send is. */
export const K = numbered(['resend', 'change', 'undone', 'equal']);
/** How far a process is with a call: 0, none of it. */
export const P = numbered(['held', 'at_fence', 'permitted', 'written', 'said_yes', 'said_no', 'record']);
/** The last phase is one for each outcome that is being written down. */
export const OUTCOMES = [
  'not_sent',
  'accepted',
  'rejected',
  'rejected',
  'unknown',
] as const satisfies readonly CallOutcome[];
export const R = {
  not_sent: P.record,
  accepted: P.record + 1,
  rejected: P.record + 2,
  for_account: P.record + 3,
  unknown: P.record + 4,
};
/** The epoch of a call whose row is no more. */
export const GONE = 15;
export const IN_DOUBT = new Set(UNPROVEN.map((state) => C[state]));

type Table = { readonly [move: string]: Uint8Array };
function compile(moves: Moves<string>, states: readonly string[]): Table {
  const rowOf = (leads: Readonly<Record<string, string | undefined>>) =>
    Uint8Array.from([0, ...states.map((from) => states.indexOf(leads[from] ?? '') + 1)]);
  return Object.fromEntries(
    Object.entries(moves).map(([name, leads]) => [name, rowOf(leads as Record<string, string>)]),
  );
}

/**
 * Where each number of a state stands, the tables as they are now, and what all the steps ask for.
 * @param without guards that are left out
 */
export function createFields(world: World, without: ReadonlySet<Guard>) {
  const { processes, takes, second } = world;
  const rows = world.calls + (second === undefined ? 0 : 1);
  const sends = second === undefined ? 1 : 2;
  const asks = (guard: Guard) => !without.has(guard);
  const [attempt, job, draft] = [
    compile(ATTEMPT_MOVES, ATTEMPT_STATES),
    compile(JOB_MOVES, JOB_STATES),
    compile(DRAFT_MOVES, DRAFT_STATES),
  ];
  const late = OUTCOMES.map((outcome) =>
    [false, true].map((byPerson) => [
      0,
      ...ATTEMPT_STATES.map((state) => numberOf(heardLate(state, outcome, byPerson))),
    ]),
  );
  const to = (table: Table, name: string, from: number) => table[name]?.[from] ?? 0;

  // Where each number stands. What the database holds comes first, as that is what a copy of it holds.
  let size = 0;
  const field = () => size++;
  const many = (count: number) => Array.from({ length: count }, field);
  const at = (list: readonly number[]) => (which: number) => list[which] ?? 0;
  const [KIND, HELD] = [field(), field()];
  const [DRAFT, VERSION, JOB, LATER] = [sends, sends, sends, sends].map((n) => at(many(n))) as Four;
  const [CALL, EPOCH, OWNER, WORD, ACCOUNT] = [rows, rows, rows, rows, rows].map((n) => at(many(n))) as Five;
  const FENCED = at(many(world.copy === 'live' ? rows : 0));
  const stored = size;
  const DUE = at(many(sends));
  const [GOT, FLIGHT, GHOST, GHOST_EPOCH, FRESH] = [rows, rows, rows, rows, rows].map((n) =>
    at(many(n)),
  ) as Five;
  const hands = at(many(processes * rows));
  const epochs = at(many(processes * rows));
  const proofs = at(many(world.copy === 'live' ? processes * rows : 0));
  const [CUT, KNOWS, BEAT] = [processes, processes, processes].map((n) => at(many(n))) as Three;
  const [KILLS, CUTS, COPY, LOST] = [field(), field(), field(), field()];
  const copies = at(many(world.copy === undefined ? 0 : stored));
  const HAND = (p: number, c: number) => hands(p * rows + c);
  const HAND_EPOCH = (p: number, c: number) => epochs(p * rows + c);
  const PROOF = (p: number, c: number) => proofs(p * rows + c);
  const DEAD = processes + 1;

  const everyProcess = Array.from({ length: processes }, (_, p) => p);
  const everyRow = Array.from({ length: rows }, (_, c) => c);
  const sendOf = (c: number) => (c < world.calls ? 0 : 1);
  const rowsOf = (k: number) => everyRow.filter((c) => sendOf(c) === k);
  const rowsOfSend = [rowsOf(0), rowsOf(1)] as const;
  const other = world.calls;

  return {
    world,
    processes,
    takes,
    second,
    rows,
    sends,
    asks,
    attempt,
    job,
    draft,
    late,
    to,
    KIND,
    HELD,
    DRAFT,
    VERSION,
    JOB,
    LATER,
    CALL,
    EPOCH,
    OWNER,
    WORD,
    ACCOUNT,
    FENCED,
    stored,
    DUE,
    GOT,
    FLIGHT,
    GHOST,
    GHOST_EPOCH,
    FRESH,
    CUT,
    KNOWS,
    BEAT,
    KILLS,
    CUTS,
    COPY,
    LOST,
    copies,
    HAND,
    HAND_EPOCH,
    PROOF,
    DEAD,
    everyProcess,
    everyRow,
    sendOf,
    rowsOfSend,
    other,
    size,
    renew,
    equalsOf,
    mayLeave,
    isForgotten,
    mayDecide,
    heldUp,
    mayBeHeldUp,
  };

  /** Gives a call an epoch that it never had, not even in a time that the database has lost. */
  function renew(n: State, c: number): void {
    n[FRESH(c)] = (n[FRESH(c)] ?? 0) + 1;
    n[EPOCH(c)] = asks('fresh epoch') ? (n[FRESH(c)] ?? 0) : (n[EPOCH(c)] ?? 0) + 1;
  }

  /** The other calls to the same people with the same text. */
  function equalsOf(c: number): readonly number[] {
    return rows === world.calls ? [] : c === 0 ? [other] : c === other ? [0] : [];
  }

  /** Whether bytes of a call are on their way, or can still be written by somebody who was let go. */
  function mayLeave(s: State, c: number): boolean {
    if ((s[FLIGHT(c)] ?? 0) > 0) return true;
    return everyProcess.some((p) => {
      const phase = s[HAND(p, c)] ?? 0;
      return phase === P.permitted || phase === P.written;
    });
  }

  /** Whether the database does not know that something has left, which a process will see. */
  function isForgotten(s: State): boolean {
    return (
      world.copy === 'live' &&
      s[COPY] === 2 &&
      (s[LOST] === 1 || (s[LOST] === 0 && everyProcess.some((p) => s[KNOWS(p)] === 0)))
    );
  }

  /** Whether all that live have found what they knew, and no loss is waiting to be seen to its end. */
  function mayDecide(s: State): boolean {
    const hasFound = (p: number) => s[KNOWS(p)] === 1 || s[CUT(p)] === 1;
    return (
      world.copy !== 'live' || !asks('decides knowing all') || (s[LOST] !== 1 && everyProcess.every(hasFound))
    );
  }

  /** Whether a call was refused for the state of its account alone, by which its job was stopped. */
  function heldUp(v: (field: number) => number, c: number): boolean {
    return v(CALL(c)) === C.rejected && v(ACCOUNT(c)) === 1 && v(JOB(sendOf(c))) === J.stopped;
  }

  function mayBeHeldUp(v: (field: number) => number, c: number): boolean {
    const isOver = [J.done, J.undone].includes(v(JOB(sendOf(c))));
    return v(CALL(c)) === C.rejected && v(ACCOUNT(c)) === 1 && !isOver;
  }
}

export type Fields = ReturnType<typeof createFields>;

/** A state, and what can be done in it. */
export interface Moment {
  readonly s: State;
  readonly v: (field: number) => number;
  /** A step that is possible: what it changes, and what is wrong with that; false: it is not possible after all. */
  readonly step: (label: string, change: (next: State) => string | null | false | void) => void;
}

type Of = (which: number) => number;
type Three = [Of, Of, Of];
type Four = [Of, Of, Of, Of];
type Five = [Of, Of, Of, Of, Of];

const numberOf = (state: AttemptState | undefined) => (state === undefined ? 0 : C[state]);
export const nameOfProcess = (p: number) => `process ${p + 1}`;
export const nameOfCall = (c: number) => `call ${c + 1}`;
export const nameOfSend = (k: number) => (k === 0 ? 'the send' : 'the second send');
