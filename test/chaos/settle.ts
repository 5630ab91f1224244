import { setTimeout as sleep } from 'node:timers/promises';
import type { Sending } from './sending.ts';
import { checkCards } from './card-check.ts';
import { checkAsked, checkSends, type Finding } from './checks.ts';
import { readFacts } from './facts.ts';
import type { Acceptance } from './gateway-oracle.ts';
import { waitForEarlier } from './patience.ts';
import { untilQuiet } from './quiet.ts';
import type { RoundContext } from './round.ts';
import { sayAgain } from './say-again.ts';
import type { Stand } from './stand.ts';

export interface Settled {
  readonly findings: readonly Finding[];
  /** Recipients whose unknown outcome Peyk has found out by the gateway's lists. */
  readonly found: number;
  /** Recipients about whom a person is asked. */
  readonly asked: number;
  /** Of these, those that a person had sent again. */
  readonly again: number;
  /** Recipients of whom nothing can be said yet. */
  readonly open: number;
}

const PATIENCE_MS = 80_000;
/** More than two looks that count must lie apart, and more than the window in which a call can still be listed. */
const APART_SECONDS = 700;
const DAY_SECONDS = 86_400;

/**
 * After the last round: lets time pass until the unknown outcomes are settled, with lists that are cut short and
 * shuffled first, from which nothing may be concluded, and with whole ones then. People have some of those that are
 * not listed sent again, and time passes once more. Holds what was concluded against the ledger.
 */
export async function settleAll(
  context: RoundContext,
  rounds: ReadonlyMap<number, readonly Sending[]>,
): Promise<Settled> {
  const { stand, places, prober, signal } = context;
  const findings: Finding[] = [];
  let gone = 0;
  const conclude = async (): Promise<void> => {
    for (let look = 0; look < 3; look += 1) {
      await passTime(stand, APART_SECONDS);
      gone += APART_SECONDS;
      await lookNow(stand, signal);
    }
    findings.push(...(await checkConclusions(context, rounds)));
  };
  await stand.gateway.setSwitches({ cap: 3, shuffled: true });
  await conclude();
  await stand.gateway.setSwitches({ cap: null, shuffled: false });
  await conclude();
  const again = await sayAgain(context);
  await moveNewCalls(stand, gone);
  await conclude();
  // Whatever the lists have not told within a day is a person's to decide.
  await passTime(stand, DAY_SECONDS);
  await conclude();
  await untilQuiet(stand, prober, signal);
  await stand.telegram.collect();
  const calls = stand.telegram.takeCalls();
  findings.push(...(await checkCards(stand, places, [...rounds.keys()], calls)).findings);
  return {
    findings,
    found: await count('sent'),
    asked: again + (await count('asked')),
    again,
    open: await count('unknown'),
  };

  async function count(state: string): Promise<number> {
    return await stand.postgres.ask(async (sql) => {
      const [row] = await sql<[{ count: number }]>`
        select coalesce(sum(cardinality(recipients)), 0)::int as count from attempt where state = ${state}`;
      return row.count;
    });
  }
}

async function checkConclusions(
  { stand, places }: RoundContext,
  rounds: ReadonlyMap<number, readonly Sending[]>,
): Promise<Finding[]> {
  const acceptances = Map.groupBy(stand.gateway.acceptances(), roundOf);
  // Where the account can list nothing, a person is asked about whatever the gateway has.
  const listed = new Set(
    places.filter(({ account }) => account.apiKey !== undefined).map(({ chat }) => chat),
  );
  const findings: Finding[] = [];
  for (const [round, sendings] of rounds) {
    const drafts = await readFacts(stand, [round]);
    const taken = acceptances.get(round) ?? [];
    const asked = checkAsked(
      sendings,
      drafts.filter(({ chat }) => listed.has(chat)),
      taken,
    );
    findings.push(...checkSends(sendings, drafts, taken).findings, ...asked);
  }
  return findings;
}

/** As if so much time had gone by since everything that has happened, for the database and for the gateway's lists alike. */
async function passTime(stand: Stand, seconds: number): Promise<void> {
  await stand.gateway.shiftDates(-seconds);
  await stand.postgres.ask(async (sql) => {
    const ago = sql`${seconds} * interval '1 second'`;
    await sql`
      update attempt set reserved_at = reserved_at - ${ago}, on_wire_at = on_wire_at - ${ago}, ended_at = ended_at - ${ago},
        last_look = case when last_look ? 'at'
          then jsonb_set(last_look, '{at}', to_jsonb((last_look ->> 'at')::float8 - ${seconds})) else last_look end`;
  });
}

/**
 * The gateway's lists show what is new as if it were older by all the time that has been passed. So are the calls for it:
 * otherwise the gateway's clock would seem to have been set back between two calls.
 */
async function moveNewCalls(stand: Stand, seconds: number): Promise<void> {
  await stand.postgres.ask(async (sql) => {
    const ago = sql`${seconds} * interval '1 second'`;
    await sql`
      update attempt set reserved_at = reserved_at - ${ago}, on_wire_at = on_wire_at - ${ago}, ended_at = ended_at - ${ago}
      where on_wire_at > now() - ${APART_SECONDS} * interval '1 second'`;
  });
}

/**
 * Has every look into the lists that is planned for later happen now, and waits for the last one: also for those that are
 * put off a little, and not for jobs that were given up because a newer one is there.
 */
async function lookNow(stand: Stand, signal: AbortSignal): Promise<void> {
  await stand.postgres.ask(async (sql) => {
    await sql`
      update graphile_worker._private_jobs j set run_at = now() from graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = 'reconcile' and j.locked_at is null`;
  });
  const until = performance.now() + waitForEarlier(PATIENCE_MS);
  for (;;) {
    signal.throwIfAborted();
    const [row] = await stand.postgres.ask(
      async (sql) =>
        await sql<[{ due: number }]>`
          select count(*)::int as due from graphile_worker.jobs
          where task_identifier = 'reconcile'
            and (run_at <= now() + interval '10 seconds' and attempts < max_attempts or locked_at is not null)`,
    );
    if (row.due === 0 || performance.now() > until) return;
    await sleep(300);
  }
}

function roundOf({ text }: Acceptance): number {
  return Number(/^chaos r(\d+) /u.exec(text)?.[1] ?? 0);
}
