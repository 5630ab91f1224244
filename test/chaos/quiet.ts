import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { waitForEarlier } from './patience.ts';
import { hears } from './people.ts';
import type { Stand } from './stand.ts';

export interface Open {
  readonly updates: number;
  readonly tasks: number;
  readonly attempts: number;
  readonly jobs: number;
}

const PATIENCE_MS = 20_000;
const ANSWER_MS = 5000;
const HURRY_MS = 2000;
const FORGOTTEN_MS = 14_000;
const STILL_MS = 1300;
const STILL_PATIENCE_MS = 4000;

/**
 * Resolves when all that people did has been taken in, and no call is due or under way. Pauses that Peyk makes by
 * the clock (a minute after an overload, five for a reservation that nobody knows of) are brought forward, unless
 * `hurries` says no. Gives what was still open when patience ended; null: nothing.
 */
export async function untilQuiet(
  stand: Stand,
  prober: number,
  signal: AbortSignal,
  { patienceMs = waitForEarlier(PATIENCE_MS), hurries = true } = {},
): Promise<Open | null> {
  const began = performance.now();
  const elapsed = (): number => performance.now() - began;
  await probe(stand, prober, signal);
  for (;;) {
    signal.throwIfAborted();
    const open = await stand.postgres.ask(async (sql) => {
      if (hurries && elapsed() > HURRY_MS) await hurry(sql);
      if (hurries && elapsed() > FORGOTTEN_MS) await passTime(sql);
      return await readOpen(sql);
    });
    if (Object.values(open).every((count) => count === 0)) return null;
    if (elapsed() > patienceMs) return open;
    await sleep(250);
  }
}

/** Resolves when Peyk says nothing any more: what it has to say may wait for Telegram's pace, a second or so. */
export async function untilStill({ telegram }: Stand): Promise<void> {
  for (
    let since = -1, until = performance.now() + waitForEarlier(STILL_PATIENCE_MS);
    performance.now() < until;
  ) {
    await telegram.collect();
    if (telegram.spoken() === since) return;
    since = telegram.spoken();
    await sleep(STILL_MS);
  }
}

/** Somebody says something, again and again until there is an answer. Whatever was said before it has been taken in then. */
export async function probe(stand: Stand, prober: number, signal: AbortSignal): Promise<void> {
  for (let tries = 0; tries < 6; tries += 1) {
    signal.throwIfAborted();
    const said = await stand.telegram.say(prober, prober, '/whoami');
    const answer = hears(stand, prober, prober, said.message_id, () => true, waitForEarlier(ANSWER_MS));
    if (
      await answer.then(
        () => true,
        () => false,
      )
    )
      return;
  }
  throw new Error('Peyk does not answer any more');
}

async function readOpen(sql: postgres.Sql): Promise<Open> {
  const [open] = await sql<[Open]>`
    select
      (select count(*)::int from update where done_at is null) as updates,
      (select count(*)::int from graphile_worker.jobs
        where task_identifier in ('send', 'card', 'open-drafts') and coalesce(key, '') !~ '^(expiry|turn):' and attempts < max_attempts
          and (run_at <= now() or coalesce(key, '') not in (select 'send:' || id from job where state = 'scheduled'))) as tasks,
      (select count(*)::int from attempt where state in ('reserved', 'on_wire')) as attempts,
      (select count(*)::int from job where state in ('holding', 'running')) as jobs`;
  return open;
}

/** Not what a card does at a time of its own: when its draft lapses, and when another day or the sending hours begin. */
async function hurry(sql: postgres.Sql): Promise<void> {
  await sql`
    update graphile_worker._private_jobs j set run_at = now()
    from graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier in ('send', 'card', 'open-drafts') and coalesce(j.key, '') !~ '^(expiry|turn):'
      and coalesce(j.key, '') not in (select 'send:' || id from job where state = 'scheduled')
      and j.run_at > now() and j.locked_at is null`;
}

/** As if five minutes had gone by for reservations that are older than any call's way to its fence. */
async function passTime(sql: postgres.Sql): Promise<void> {
  await sql`
    update attempt set reserved_at = reserved_at - interval '5 minutes'
    where state = 'reserved' and reserved_at between now() - interval '4 minutes' and now() - interval '14 seconds'`;
}
