import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sending } from './sending.ts';
import { runActs } from './acts.ts';
import type { Finding } from './checks.ts';
import type { DraftFact } from './facts.ts';
import { linkPrivate, type Place } from './people.ts';
import type { PeykSlot } from './peyk.ts';
import { readNew } from './read-new.ts';
import type { Act } from './schedule.ts';
import type { Stand } from './stand.ts';
import type { Rule } from './strikes.ts';

/** The round that the texts of these sends name. */
export const LOSSES_ROUND = 2;

const SEND_EVERY_MS = 3000;
const HURRY_MS = 400;
/** Longer than any run. */
const MAX_SENDS = 4800;
/** Fewer prove nothing. */
const FEWEST = 2;
/** In the log, that such a message was found. */
const FIND = /"found":"sent".*"an unknown call was looked for"/gu;
/** Nobody of the other places has it. */
const NUMBER = 6;

/** Links one more account, to all of whose sends {@link lossesOf} belongs. */
export async function linkLossy(stand: Stand): Promise<Place> {
  return await linkPrivate(stand, await stand.telegram.botName(), NUMBER, 'call');
}

/** The gateway takes the sends of this account, and its answers never arrive. */
export function lossesOf({ account: { username: account } }: Place): Rule {
  return { kind: 'drop', when: 'after', operation: 'send', account };
}

/**
 * Has somebody send single messages, until `stop`. What Peyk waits before it looks for them is brought forward, so that it
 * looks while processes are being replaced.
 */
export function startLosses(
  stand: Stand,
  place: Place,
  signal: AbortSignal,
): { stop(): Promise<readonly Sending[]> } {
  const done = new AbortController();
  const acts = Array.from({ length: MAX_SENDS }, (_, index): Act => ({
    kind: 'send',
    at: index * SEND_EVERY_MS,
    chat: 0,
    messages: 1,
    press: 'once',
    thinkMs: 200,
    again: false,
  }));
  const plan = { round: LOSSES_ROUND, lengthMs: 0, latencyMs: 0, acts, strikes: [] };
  const sending = runActs(stand, [place], plan, AbortSignal.any([done.signal, signal]));
  const hurrying = hurry(stand, AbortSignal.any([done.signal, signal]));
  for (const each of [sending, hurrying]) each.catch(() => undefined);
  return {
    async stop() {
      done.abort();
      await hurrying;
      return (await sending).sendings;
    },
  };
}

async function hurry({ postgres }: Stand, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await postgres.ask(async (sql) => {
      await sql`
        update graphile_worker._private_jobs set run_at = now()
        where key like 'reconcile:%' and run_at > now() and locked_at is null`;
    });
    await sleep(HURRY_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}

/** How often a process has found such a message, from `begin` on. */
export function watchFinds({ logFile }: PeykSlot): { begin(): void; count(): number } {
  let from: number | null = null;
  return {
    begin() {
      from = statSync(logFile).size;
    },
    count: () => (from === null ? 0 : (readNew(logFile, from).text.match(FIND)?.length ?? 0)),
  };
}

/** Resolves when the lists have been looked into for all of them, at the times that Peyk keeps, or when patience ends. */
export async function untilFound(
  { postgres }: Stand,
  { chat }: Place,
  { signal, patienceMs }: { readonly signal: AbortSignal; readonly patienceMs: number },
): Promise<void> {
  for (const until = performance.now() + patienceMs; performance.now() < until; await sleep(500)) {
    signal.throwIfAborted();
    const [row] = await postgres.ask(
      async (sql) =>
        await sql<[{ open: number }]>`
          select count(*)::int as open from attempt a join job j on j.id = a.job_id join chat c on c.id = j.chat_id
          where c.telegram_id = ${chat} and a.state = 'unknown'`,
    );
    if (row.open === 0) return;
  }
}

/** How many of these were unknown, and then found in the gateway's lists. */
export function foundOf(drafts: readonly DraftFact[]): number {
  const attempts = drafts.flatMap(({ job }) => job?.attempts ?? []);
  return attempts.reduce((sum, { state, lines }) => (state === 'sent' ? sum + lines.length : sum), 0);
}

/** Enough of the calls whose answers were lost have been found to show that such calls are; some beside newer code by older. */
export function checkLosses({ found, byOlder }: Losses): Finding[] {
  const few = `${found} of ${FEWEST} sends or more lost their answer and were found afterwards`;
  const alone = 'no process of the older code has found a send beside a newer one';
  return [
    ...(found < FEWEST ? [{ kind: 'early', count: 1, what: few } as const] : []),
    ...(byOlder === 0 ? [{ kind: 'early', count: 1, what: alone } as const] : []),
  ];
}

/** Sends that were unknown until the lists had them. */
export interface Losses {
  readonly found: number;
  /** Of these, those that a process of the first code has found when there was one of the other; null: it is the same code. */
  readonly byOlder: number | null;
}
