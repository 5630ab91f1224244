import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { createDb, addPlace, immediate, type Db, type LimitsRow } from './db.ts';
import { takeTask, taskDone } from './queue.ts';
import { createMemoryStores, type MemoryStores } from './stores.ts';
import type { Role } from '../../../src/domain/roles.ts';
import type { CardView } from '../../../src/ports/stores.ts';
import { createCallsInHand } from '../../../src/storage/restore/calls-in-hand.ts';
import { openDatabase } from '../../../src/storage/database/database.ts';
import { createDraftStore } from '../../../src/storage/sending/draft-store.ts';
import { createJobStore } from '../../../src/storage/sending/job-store.ts';
import { createLimitsStore } from '../../../src/storage/sending/limits-store.ts';
import { createLossStore } from '../../../src/storage/restore/loss-store.ts';
import { createReconcileStore } from '../../../src/storage/sending/reconcile-store.ts';
import { startOf } from '../../../src/storage/database/server-start.ts';
import type { TestStorage } from '../../../src/storage/testing.ts';

/*
 * The stores of the send path twice: on Postgres, and in memory as the simulation has them. What is done is done on both,
 * and everything that can be seen of it must be the same. Rows and tasks are compared whole; ids, which are drawn, by the
 * names of what they stand for.
 */

export const ZONE = 'Asia/Tehran';
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu;
/** A Monday, 11:30 in Tehran. */
const BEGIN = Date.UTC(2026, 0, 5, 8);

/**
 * Has every statement of a test's database take its time from a row that the test moves on. Made before the first
 * statement: sessions that are open have another clock.
 */
export async function ownClock({ database }: TestStorage): Promise<void> {
  const { sql, close } = openDatabase({ target: database.target, max: 1 });
  await sql`create schema clock`;
  await sql`create table clock.time (at timestamptz not null)`;
  await sql`insert into clock.time values (${new Date(BEGIN).toISOString()}::timestamptz)`;
  await sql`create function clock.now() returns timestamptz language sql stable as 'select at from clock.time'`;
  const timed = await sql<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and column_default = 'now()'`;
  for (const { table, column } of timed)
    await sql`alter table ${sql(table)} alter column ${sql(column)} set default clock.now()`;
  await sql.unsafe(`alter database ${database.target.database} set search_path = clock, public, pg_catalog`);
  // A clock that is a row makes statements look dearer than they are.
  await sql.unsafe(`alter database ${database.target.database} set jit = off`);
  await close();
}

/** The stores of one side, and of each process of its own. */
export interface Side extends Omit<MemoryStores, 'jobs'> {
  /** 0: on Postgres, 1: in memory. */
  readonly which: 0 | 1;
  /** Of a process. */
  jobs(owner: string): MemoryStores['jobs'];
  hand(owner: string): ReturnType<typeof createCallsInHand>;
  /** The process dies: a new one of the name knows nothing. */
  forget(owner: string): void;
  /** The id of what has a name: a draft by its code, its job, a call of that by its place. */
  id(name: string): string;
}

export type Sides = Awaited<ReturnType<typeof openSides>>;
type Rows = Awaited<ReturnType<typeof readRows>>;

/** Opens both sides on a place of their own. */
export async function openSides(storage: TestStorage) {
  const { sql, database } = storage;
  await storage.emptyQueue();
  await sql`
    update deployment set held_at = null, restored_from = null, restored_at = null, lost_at = null, lost_done_at = null`;
  await sql`delete from process`;
  const place = await storage.addPlace();
  const chatId = place.chat.id;
  const secondId = await storage.addPerson(chatId, 'owner', 'Omid');
  const [binding] = await sql<{ user: string }[]>`
    update binding set prints = '{}' where id = ${place.bindingId} returning gateway_user as user`;
  await sql`update sink set kinds = '{}' where chat_id = ${chatId}`;
  await storage.emptyQueue();
  const [clock] = await sql<{ at: Date }[]>`select at from clock.time`;
  const db = createDb(clock?.at.getTime() ?? 0);
  addPlace(db, { ...place, secondId, ...(binding === undefined ? {} : { gatewayUser: binding.user }) });

  const shared = [chatId, place.bindingId, binding?.user ?? ''].map((id) => [id, id] as const);
  const names = [new Map<string, string>(shared), new Map<string, string>(shared)] as const;
  const real = createSide(0, names[0], {
    drafts: createDraftStore(database),
    reconciles: createReconcileStore(database),
    limits: createLimitsStore(database),
    losses: createLossStore(sql, ZONE),
    jobsOf: (hand) => createJobStore(database, ZONE, hand),
  });
  const connection = immediate(db);
  const memory = (hand = createCallsInHand()) => createMemoryStores(connection, { hand, timeZone: ZONE });
  const simulated = createSide(1, names[1], { ...memory(), jobsOf: (hand) => memory(hand).jobs });
  let rows: Rows = await readRows(storage, chatId);
  const shown = new Map<string, { readonly basis: string; readonly card: CardView }>();

  /** Does something on both sides, and holds that it comes to the same; what it came to on Postgres, and in memory. */
  async function both<R>(
    act: (side: Side) => Promise<R>,
    compared: (result: R) => unknown = (result) => result,
  ): Promise<[R, R]> {
    const results: [R, R] = [await act(real), await act(simulated)];
    same(compared(results[1]), compared(results[0]));
    return results;
  }

  function same(inMemory: unknown, onPostgres: unknown, what?: string): void {
    const [left, right] = [named(inMemory, names[1]), named(onPostgres, names[0])];
    if (!isDeepStrictEqual(left, right)) expect(left, what).toEqual(right);
  }

  return {
    place: { ...place, secondId },
    db,
    both,
    /** What Postgres has, as it was compared last. */
    rows: () => rows,
    cards: (): readonly CardView[] => [...shown.values()].map(({ card }) => card),
    nameOf: (id: string): string => names[0].get(id) ?? '',

    /** Lets time pass on both sides. */
    async pass(ms: number) {
      db.now += ms;
      await sql`update clock.time set at = ${new Date(db.now).toISOString()}::timestamptz`;
    },

    async limit(to: Partial<LimitsRow>) {
      const row: LimitsRow = {
        approval_parts: null,
        cap_rial: null,
        cap_parts: null,
        person_cap_rial: null,
        person_cap_parts: null,
        window_from: null,
        window_to: null,
        halted_at: null,
        halted_by: null,
        chat_id: chatId,
        updated_by: place.ownerId,
        updated_at: new Date(db.now),
        ...db.limits.get(chatId),
        ...to,
      };
      db.limits.set(chatId, row);
      await sql`insert into chat_limits ${sql(row)} on conflict (chat_id) do update set ${sql(row)}`;
    },

    /** The chat's account is linked, or not any more. */
    async link(on: boolean) {
      const state = on ? 'live' : 'gone';
      const binding = db.bindings.get(place.bindingId);
      if (binding !== undefined) binding.state = state;
      await sql`update binding set state = ${state} where id = ${place.bindingId}`;
    },

    /** A process that watches the server has found there all that it knew, or not yet. */
    async watch(owner: string, found: boolean) {
      const id = `${owner} of ${chatId}`;
      const [row] = await sql<{ server: string }[]>`select ${startOf(sql)} as server`;
      db.server = row?.server ?? '';
      const server = found ? db.server : 'the one before';
      await sql`
        insert into process (id, beats, server) values (${id}, 1, ${server})
        on conflict (id) do update set server = excluded.server, gone_at = null`;
      const seen = db.processes.get(id)?.seen_at ?? new Date(db.now);
      db.processes.set(id, { id, beats: 1, server, seen_at: seen, gone_at: null });
      for (const side of [real, simulated]) side.hand(owner).server = db.server;
    },

    async role(personId: number, role: Role) {
      for (const member of db.members) if (member.person_id === personId) member.role = role;
      await sql`update member set role = ${role} where person_id = ${personId}`;
    },

    /** All that is due has been worked on. */
    async drain() {
      for (let task = takeTask(db, 'all'); task !== null; task = takeTask(db, 'all'))
        taskDone(db, task.id, 'all');
      await sql`delete from graphile_worker._private_jobs where run_at <= now()`;
    },

    /** The operator's switch. */
    async hold(on: boolean) {
      db.deployment.held_at = on ? new Date(db.now) : null;
      await sql`update deployment set held_at = ${on ? new Date(db.now).toISOString() : null}::timestamptz`;
    },

    /** Holds that both sides have the same rows, queue and cards. */
    async compare() {
      rows = await readRows(storage, chatId);
      const mine = memoryRows(db);
      learn(names[0], rows);
      learn(names[1], mine);
      for (const table of Object.keys(rows) as (keyof Rows)[]) same(mine[table], rows[table], table);
      for (const draft of rows.drafts) {
        const code = String(draft['code']);
        const basis = basisOf(rows, draft, db);
        if (shown.get(code)?.basis === basis) continue;
        const press = { undoSeconds: 10, timeZone: ZONE };
        const [card] = await both(
          async ({ drafts, id }) => await drafts.card(id(code), press),
          (card) => ({
            ...card,
            twin: null,
            job: { ...card?.job, refusals: card?.job?.refusals.toSorted(byKey) },
          }),
        );
        if (card !== null) shown.set(code, { basis, card });
      }
    },
  };
}

/** All that a card is made of: it is read anew when something of it has changed, or minutes have passed. */
function basisOf(
  { drafts, jobs, calls, reports, limits }: Rows,
  draft: Row,
  { now, deployment }: Db,
): string {
  const job = jobs.find((each) => each['draft_id'] === draft['id']);
  const ofIt = (each: Row): boolean => each['job_id'] === job?.['id'];
  const again = drafts.some(({ details }) => JSON.stringify(details).includes('resend'));
  const others = again ? [drafts, jobs].map((all) => all.map(({ state, version }) => [state, version])) : [];
  const minute = Math.floor(now / 300_000);
  return JSON.stringify([
    draft,
    job,
    calls.filter(ofIt),
    reports.filter(ofIt),
    limits,
    deployment,
    others,
    minute,
  ]);
}

function createSide(
  which: 0 | 1,
  names: ReadonlyMap<string, string>,
  {
    jobsOf,
    ...stores
  }: Omit<MemoryStores, 'jobs'> & {
    readonly jobsOf: (hand: ReturnType<typeof createCallsInHand>) => MemoryStores['jobs'];
  },
): Side {
  const processes = new Map<
    string,
    { hand: ReturnType<typeof createCallsInHand>; jobs: MemoryStores['jobs'] }
  >();
  const process = (owner: string) => {
    const hand = createCallsInHand();
    const known = processes.get(owner) ?? { hand, jobs: jobsOf(hand) };
    processes.set(owner, known);
    return known;
  };
  return {
    ...stores,
    which,
    jobs: (owner) => process(owner).jobs,
    hand: (owner) => process(owner).hand,
    forget: (owner) => void processes.delete(owner),
    id(name) {
      for (const [id, each] of names) if (each === name) return id;
      throw new Error(`nothing has the name ${name}`);
    },
  };
}

async function readRows({ sql }: TestStorage, chatId: string) {
  const [drafts, jobs, calls, reports, limits, deployment, audit, processes, queue] = await Promise.all([
    sql`select * from draft where chat_id = ${chatId} order by created_at, code`,
    sql`select * from job where chat_id = ${chatId} order by confirmed_at`,
    sql`select a.* from attempt a join job j on j.id = a.job_id where j.chat_id = ${chatId} order by j.confirmed_at, a.chunk`,
    sql`
      select c.* from call_report c join job j on j.id = c.job_id where j.chat_id = ${chatId} order by j.confirmed_at, c.chunk`,
    sql`select * from chat_limits where chat_id = ${chatId}`,
    sql`select held_at, restored_from, restored_at, lost_at, lost_done_at from deployment`,
    sql`select person_id, update_id, action, details from audit where chat_id = ${chatId} order by id`,
    sql`select id, server, gone_at from process where id like ${`%${chatId}`} order by id`,
    sql`
      select t.identifier as name, j.payload, j.key, j.run_at, j.attempts, j.locked_by
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id`,
  ]);
  return {
    drafts: drafts.map((each) => without(each)),
    jobs: jobs.map((each) => without(each)),
    calls: calls.map((each) => toCall(without(each))),
    reports: reports.map((each) => without(each)),
    limits: limits.map((each) => without(each)),
    deployment: deployment.map((each) => without(each)),
    audit: audit.filter(({ action }) => OF_SENDS.test(action)).map((each) => without(each)),
    processes: processes.map((each) => without(each)),
    queue: toQueue(queue.map((each) => without(each))),
  };
}

/** What becomes of the account is told in the same list. */
const OF_SENDS = /^(?:send|draft|approval|schedule|backup)/u;

function memoryRows(db: Db): Rows {
  const jobs = [...db.jobs.values()];
  const calls = jobs.flatMap(({ id }) => db.callsOf.get(id) ?? []);
  return {
    drafts: [...db.drafts.values()].map((each) => without(each)),
    jobs: jobs.map((each) => without(each)),
    calls: calls.map((each) => toCall({ ...each })),
    reports: calls.flatMap(({ id }) => db.reports.get(id) ?? []).map((each) => without(each)),
    limits: [...db.limits.values()].map((each) => without(each)),
    deployment: [without(db.deployment)],
    audit: db.audit
      .filter(({ action }) => OF_SENDS.test(action))
      .map(({ personId, updateId, action, details }) => {
        return { person_id: personId, update_id: updateId, action, details };
      }),
    processes: [...db.processes.values()]
      .map(({ id, server, gone_at }) => ({ id, server, gone_at }))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    queue: toQueue([...db.tasks.values()].map(({ id: _id, max_attempts: _most, ...task }) => task)),
  };
}

type Row = Record<string, unknown>;

function without(row: object): Row {
  const { payload_sha256: _p, text_sha256: _t, size: _s, ...rest } = row as Row;
  return rest;
}

/** How often it was taken is drawn; whether it has passed the fence since is not. */
function toCall({ epoch, fenced, ...call }: Row): Row {
  return { ...call, hasPassed: fenced !== 0 && fenced === epoch };
}

function toQueue(tasks: readonly Row[]): Row[] {
  return tasks.map((task) => {
    return { ...task, key: String(task['key']).startsWith('open-drafts') ? 'open-drafts' : task['key'] };
  });
}

/** Learns what the ids of drafts, jobs and calls stand for. */
function learn(names: Map<string, string>, { drafts, jobs, calls }: Rows): void {
  for (const { id, code } of drafts) names.set(String(id), String(code));
  for (const { id, draft_id: draftId } of jobs) names.set(String(id), jobName(names.get(String(draftId))));
  for (const { id, job_id: jobId, chunk } of calls)
    names.set(String(id), `${names.get(String(jobId))} call ${String(chunk)}`);
}

/** The name of the job that a draft has become. */
export function jobName(code: string | undefined): string {
  return `job ${code}`;
}

/** The same with names in place of ids; a queue in the order of what is asked for. */
function named(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string')
    return value.length < 36 ? value : value.replaceAll(UUID, (id) => names.get(id) ?? 'new');
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Set) return [...value].map((each) => String(named(each, names))).toSorted();
  if (value instanceof Map) return Object.fromEntries(value);
  if (!Array.isArray(value)) {
    const members = Object.entries(value).filter(([, each]) => each !== undefined);
    return Object.fromEntries(members.map(([name, each]) => [name, named(each, names)]));
  }
  const all = value.map((each) => named(each, names));
  const isQueue = all.every((each) => typeof each === 'object' && each !== null && 'locked_by' in each);
  return isQueue ? all.toSorted(byKey) : all;
}

/** Any order will do that is the same for the same. */
function byKey(one: object, other: object): number {
  return print(one) < print(other) ? -1 : 1;
}

function print(of: object): string {
  return JSON.stringify(Object.entries(of).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
