import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import type { Finding } from './checks.ts';
import type { Stand } from './stand.ts';

interface Open {
  readonly now: Date;
  /** Messages that the gateway has and that are not stored. */
  readonly missing: number;
  /** What places are still to be told. */
  readonly untold: number;
  /** Accounts that have not been looked at since nothing was missing. */
  readonly unseen: number;
}

const READ_PATIENCE_MS = 60_000;
const HURRY_MS = 2000;

/**
 * Resolves when all of these messages are stored and told, and every account has been looked at twice since. Pauses
 * after a failure of Telegram are brought forward. Finds what is still open when patience ends.
 */
export async function untilCaptured(
  stand: Stand,
  ids: readonly string[],
  { signal, patienceMs }: { readonly signal: AbortSignal; readonly patienceMs: number },
): Promise<Finding[]> {
  const began = performance.now();
  let hurried = began;
  let allStoredAt: Date | null = null;
  for (;;) {
    signal.throwIfAborted();
    const now = performance.now();
    const mayHurry = now - hurried > HURRY_MS;
    if (mayHurry) hurried = now;
    const since: Date | null = allStoredAt;
    const { now: at, ...open }: Open = await stand.postgres.ask(async (sql) => {
      if (mayHurry) await hurry(sql);
      return await readOpen(sql, ids, since);
    });
    if (allStoredAt === null && open.missing === 0) allStoredAt = at;
    if (Object.values(open).every((count) => count === 0)) return [];
    if (now - began > patienceMs)
      return [{ kind: 'stuck', count: 1, what: `it does not become quiet: ${JSON.stringify(open)}` }];
    await sleep(250);
  }
}

async function readOpen(sql: postgres.Sql, ids: readonly string[], since: Date | null): Promise<Open> {
  const [row] = await sql<[Open]>`
    select now() as now,
      (select count(*)::int from unnest(${[...ids]}::text[]) as g(id)
        where not exists (select 1 from inbound i where i.message_id = g.id)) as missing,
      (select count(*)::int from notice where kind = 'inbound' and state in ('queued', 'sending')) as untold,
      (select count(*)::int from account where inbox_due_at is not null
        and (${since === null} or inbox_ok_at is null or inbox_ok_at <= ${since}::timestamptz)) as unseen`;
  return row;
}

async function hurry(sql: postgres.Sql): Promise<void> {
  await sql`update notice set not_before = now() where state = 'queued' and not_before > now()`;
  await sql`
    update graphile_worker._private_jobs j set run_at = now()
    from graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = 'notify' and j.run_at > now() and j.locked_at is null`;
}

/** Resolves when the inbox of every account that has one has been read to its end once: what comes from then on is told one by one. */
export async function untilRead(stand: Stand, signal: AbortSignal): Promise<void> {
  for (const until = performance.now() + READ_PATIENCE_MS; ; await sleep(200)) {
    signal.throwIfAborted();
    const [row] = await stand.postgres.ask(
      async (sql) =>
        await sql<[{ waiting: number }]>`
          select count(*)::int as waiting from account where inbox_due_at is not null and inbox_read_at is null`,
    );
    if (row.waiting === 0) return;
    if (performance.now() > until) throw new Error(`${row.waiting} inboxes were never read`);
  }
}
