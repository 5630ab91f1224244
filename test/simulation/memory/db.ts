import { ATTEMPT_MOVES, type AttemptState } from '../../../src/domain/attempt.ts';
import { DRAFT_MOVES, type DraftState } from '../../../src/domain/draft.ts';
import { JOB_MOVES, type JobState } from '../../../src/domain/job.ts';
import type { Moves } from '../../../src/domain/machine.ts';
import type { Role } from '../../../src/domain/roles.ts';
import type { AuditEntry } from '../../../src/storage/audit.ts';
import type { ColumnName, Row, TableName } from '../../../src/storage/row.ts';
import type { TaskRow } from './queue.ts';

/*
 * The rows of the send path as plain data, by the names and types of the schema. A copy of all of it is one
 * `structuredClone`.
 */

type Writable<R> = { -readonly [C in keyof R]: R[C] };
type Whole<T extends TableName> = Writable<Row<T, ColumnName<T>>>;

export type ChatRow = Pick<Whole<'chat'>, 'id' | 'telegram_id' | 'type' | 'time_zone' | 'last_card'>;
export type BindingRow = Pick<Whole<'binding'>, 'id' | 'chat_id' | 'state' | 'gateway_user' | 'prints'>;
export type DraftRow = Whole<'draft'>;
export type JobRow = Omit<Whole<'job'>, 'payload_sha256'>;
export type CallRow = Omit<Whole<'attempt'>, 'payload_sha256' | 'text_sha256' | 'size'>;
export type ReportRow = Whole<'call_report'>;
export type LimitsRow = Whole<'chat_limits'>;
export type ProcessRow = Omit<Whole<'process'>, 'reads_reports'>;

export interface Db {
  /** The database's clock, in milliseconds. */
  now: number;
  /** The start of the server: another one after each start, and of each copy that is brought back. */
  server: string;
  readonly deployment: Omit<Whole<'deployment'>, 'one' | 'reports_shown_at'>;
  readonly chats: Map<string, ChatRow>;
  readonly people: Map<number, { readonly telegram_id: number; readonly name: string }>;
  readonly members: { readonly chat_id: string; readonly person_id: number; role: Role }[];
  readonly bindings: Map<string, BindingRow>;
  readonly limits: Map<string, LimitsRow>;
  readonly drafts: Map<string, DraftRow>;
  readonly jobs: Map<string, JobRow>;
  /** By the draft that has become it. */
  readonly jobOf: Map<string, JobRow>;
  readonly calls: Map<string, CallRow>;
  /** By their job, in the order of their places. */
  readonly callsOf: Map<string, CallRow[]>;
  readonly reports: Map<string, ReportRow>;
  readonly processes: Map<string, ProcessRow>;
  readonly audit: (Required<AuditEntry> & { readonly at: Date })[];
  readonly tasks: Map<number, TaskRow>;
  readonly taskOf: Map<string, TaskRow>;
  lastTask: number;
}

export function createDb(now = Date.UTC(2026, 0, 5, 8)): Db {
  return {
    now,
    server: 'first',
    deployment: {
      held_at: null,
      restored_from: null,
      restored_at: null,
      lost_at: null,
      lost_done_at: null,
    },
    chats: new Map(),
    people: new Map(),
    members: [],
    bindings: new Map(),
    limits: new Map(),
    drafts: new Map(),
    jobs: new Map(),
    jobOf: new Map(),
    calls: new Map(),
    callsOf: new Map(),
    reports: new Map(),
    processes: new Map(),
    audit: [],
    tasks: new Map(),
    taskOf: new Map(),
    lastTask: 0,
  };
}

/** How a store reaches the rows; in the simulation the scheduler says when, and whether the answer arrives. */
export interface Connection {
  /** Carries out one transaction, whole and at once; what it throws undoes it. */
  run<T>(name: string, work: (db: Db) => T): Promise<T>;
  /** From 0 to below 1: of no copy of the rows. */
  random(): number;
  /** An id, of no copy of the rows either. */
  id(): string;
}

/** A connection that carries everything out at once. */
export function immediate(db: Db): Connection {
  let last = 0;
  return {
    // oxlint-disable-next-line typescript/require-await -- what it throws is the rejection
    run: async (_name, work) => transact(() => work(db)),
    random: Math.random,
    id: () => `00000000-0000-4000-9000-${String((last += 1)).padStart(12, '0')}`,
  };
}

let undoing: (() => void)[] | null = null;

/** Does some work on rows; where it throws, they are as they were before. */
export function transact<T>(work: () => T): T {
  const undo: (() => void)[] = [];
  undoing = undo;
  try {
    return work();
  } catch (error) {
    for (const each of undo.toReversed()) each();
    throw error;
  } finally {
    undoing = null;
  }
}

/** Changes a row. */
export function change<R extends object>(row: R, to: Partial<R>): void {
  const before = { ...row };
  undoing?.push(() => Object.assign(row, before));
  Object.assign(row, to);
}

/** Writes a new row, or puts another in its place. */
export function put<K, V>(rows: Map<K, V>, key: K, row: V): void {
  const before = rows.get(key);
  undoing?.push(() => (before === undefined ? rows.delete(key) : rows.set(key, before)));
  rows.set(key, row);
}

export function drop<K>(rows: Map<K, unknown>, key: K): void {
  const before = rows.get(key);
  if (before === undefined) return;
  undoing?.push(() => rows.set(key, before));
  rows.delete(key);
}

/** Adds to a list of rows. */
function add<R>(rows: R[], row: R): void {
  undoing?.push(() => rows.pop());
  rows.push(row);
}

export function writeAudit(db: Db, { details = {}, ...entry }: AuditEntry): void {
  add(db.audit, { ...entry, details, at: at(db) });
}

/** Where a move leads from a state; undefined: it may not be made there. */
export const attemptTo = (name: keyof typeof ATTEMPT_MOVES, from: AttemptState): AttemptState | undefined =>
  (ATTEMPT_MOVES as Moves<AttemptState>)[name]?.[from];
export const draftTo = (name: keyof typeof DRAFT_MOVES, from: DraftState): DraftState | undefined =>
  (DRAFT_MOVES as Moves<DraftState>)[name]?.[from];
export const jobTo = (name: keyof typeof JOB_MOVES, from: JobState): JobState | undefined =>
  (JOB_MOVES as Moves<JobState>)[name]?.[from];

/** The moment, as rows keep it; with milliseconds, so much later. */
export const at = (db: Db, laterMs = 0): Date => new Date(db.now + laterMs);

/** The calls of a job in the order of their places. */
export const callsIn = (db: Db, jobId: string): readonly CallRow[] => db.callsOf.get(jobId) ?? [];

export function addCall(db: Db, call: CallRow): void {
  put(db.calls, call.id, call);
  const calls = db.callsOf.get(call.job_id);
  if (calls === undefined) put(db.callsOf, call.job_id, [call]);
  else add(calls, call);
}

export function roleOf(db: Db, chatId: string, personId: number): Role | null {
  return db.members.find((each) => each.chat_id === chatId && each.person_id === personId)?.role ?? null;
}

export function must<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('a row that others refer to is missing');
  return row;
}

export function notSimulated(): never {
  throw new Error('not simulated');
}

export interface Place {
  readonly chat: { readonly id: string; readonly telegramId: number };
  readonly ownerId: number;
  /** Another owner, who may approve. */
  readonly secondId: number;
  readonly bindingId: string;
}

/** A chat with two owners and a linked account. */
export function addPlace(db: Db, given: Partial<Place> & { readonly gatewayUser?: string } = {}): Place {
  const n = db.chats.size + 1;
  const uuid = (kind: number): string =>
    `00000000-0000-4000-8000-${String(kind * 1e6 + n).padStart(12, '0')}`;
  const {
    chat = { id: uuid(1), telegramId: -1000 - n },
    ownerId = 2 * n,
    secondId = 2 * n + 1,
    bindingId = uuid(2),
    gatewayUser = uuid(3),
  } = given;
  db.chats.set(chat.id, {
    id: chat.id,
    telegram_id: chat.telegramId,
    type: 'supergroup',
    time_zone: null,
    last_card: 0,
  });
  for (const [id, name] of [
    [ownerId, 'Sara'],
    [secondId, 'Omid'],
  ] as const) {
    db.people.set(id, { telegram_id: id, name });
    db.members.push({ chat_id: chat.id, person_id: id, role: 'owner' });
  }
  db.bindings.set(bindingId, {
    id: bindingId,
    chat_id: chat.id,
    state: 'live',
    gateway_user: gatewayUser,
    prints: [bindingId],
  });
  return { chat, ownerId, secondId, bindingId };
}
