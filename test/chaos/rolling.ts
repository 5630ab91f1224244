import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';
import { runActs } from './acts.ts';
import { runArrivals } from './inbox-arrivals.ts';
import { checkInbox } from './inbox-checks.ts';
import { readChats, readInboxFacts } from './inbox-facts.ts';
import { untilCaptured, untilRead } from './inbox-quiet.ts';
import { dated, inboxCounts } from './inbox-round.ts';
import { within } from './patience.ts';
import { linkPlaces, linkPrivate, type Place } from './people.ts';
import type { PeykSlot } from './peyk.ts';
import { untilQuiet, untilStill } from './quiet.ts';
import { readNew } from './read-new.ts';
import {
  checkAnswers,
  checkLosses,
  checkOutcomes,
  checkRestarts,
  foundOf,
  QUESTION,
} from './rolling-checks.ts';
import { judge, openRound, type RoundContext, secondsSince } from './round.ts';
import type { Mode, Played } from './run.ts';
import type { Act, SendAct } from './schedule.ts';
import type { Stand } from './stand.ts';

/** One process that was told to end, and the one that took its place. */
export interface Restart {
  readonly process: number;
  /** The exit code, or the signal that it took. */
  readonly how: number | NodeJS.Signals;
  readonly stopMs: number;
  /** From the end of the old one until the new one was ready; null: it never was. */
  readonly readyMs: number | null;
  /** Whether the job was under way from the signal until the new one was ready. */
  readonly inJob: boolean;
  /** Calls on the wire at the signal, of all processes. */
  readonly onWire: number;
  /** Of these, those that the process itself brought to an end before its own. */
  readonly broughtHome: number;
}

/** A large job, and how often all processes are replaced during it. */
export interface RollingPlan {
  readonly recipients: number;
  readonly turns: number;
}

interface RollingContext extends RoundContext {
  /** The one of the places whose answers get lost. */
  readonly lossy: Place;
  /** What takes the place of the first processes, and whether it is other code. */
  readonly source: string;
}

/** Who does everything; and as many of each role as could share the work. */
const EVERYTHING = 'bot,worker,poller';
export const WHOLE: readonly string[] = [EVERYTHING, EVERYTHING, EVERYTHING];
export const SPLIT: readonly string[] = ['bot', 'bot', 'worker', 'worker', 'worker', 'poller'];

const ROUND = 1;
/** A private chat whose account can tell its credit, by its place in the list. */
const ASKING = 1;
/** Nobody of the other places has it. */
const LOSSY_NUMBER = 6;
/** How late the job hears of a call that the gateway has taken: so long its process has it in hand at the least. */
const LATE_MS = 8000;
const BEGIN_MS = 600_000;
const FIND_MS = 60_000;
const HURRY_MS = 400;
/** What an installation gives a process to stop in, and what it gives a new one to begin in. */
const STOP_MS = 90_000;
const READY_MS = 120_000;
/** Between a process that is ready and the next one that ends. */
const REST_MS = 1500;
const PATIENCE_MS = 240_000;
const ANSWER_MS = 2000;
/** In the log, that a call whose answer was lost was found. */
const FIND = /"found":"sent".*"an unknown call was looked for"/gu;
/** Longer than any run. */
const MAX_MS = 14_400_000;

/** Processes of these roles, told to end one after the other while a large job runs. `isUpgrade`: the first ones run other code. */
export async function rolling(
  roles: readonly string[],
  { isUpgrade = false, patienceMs = PATIENCE_MS } = {},
): Promise<Mode<RollingPlan, RollingContext>> {
  const ports: number[] = [];
  while (ports.length < roles.length) ports.push(await freePort());
  return {
    judges: [
      ...(['lost', 'doubled', 'wrong', 'unknown', 'card', 'silent', 'replay', 'untold'] as const),
      ...(['restart', 'early', 'stuck', 'secret', 'crash'] as const),
    ],
    env: { INBOX_POLL_SECONDS: '2', STATUS_POLL_SECONDS: '2' },
    envOf: (index) => ({ ROLES: roles[index] ?? '', PORT: String(ports[index]) }),
    async open(stand, { signal, source }) {
      const lossy = await linkPrivate(stand, await stand.telegram.botName(), LOSSY_NUMBER, 'call');
      const places = [...(await linkPlaces(stand)), lossy];
      await untilRead(stand, signal);
      return { ...(await openRound(stand, signal, places)), lossy, source };
    },
    play: async (context, plan) => await playRolling(context, plan, { ports, isUpgrade, patienceMs }),
    finish: async (context, say) => await context.watch.finish(say),
  };
}

async function playRolling(
  context: RollingContext,
  { recipients, turns }: RollingPlan,
  of: { readonly ports: readonly number[]; readonly isUpgrade: boolean; readonly patienceMs: number },
): Promise<Played> {
  const { stand, places, lossy, prober, signal } = context;
  const { ports, isUpgrade, patienceMs } = of;
  const began = performance.now();
  const first = (await stand.telegram.updates()).at(-1)?.id ?? 0;
  const collecting = stand.telegram.collecting();
  const over = new AbortController();
  const until = AbortSignal.any([over.signal, signal]);
  try {
    for (const rule of rulesOf(context)) await stand.gateway.fault(rule);
    const acting = runActs(stand, places, { round: ROUND, acts: planActs(places, recipients) }, until);
    const readable = places.filter(({ account }) => account.apiKey !== undefined);
    const arriving = runArrivals(stand, readable, { round: ROUND, arrivals: planArrivals() }, until);
    const hurrying = hurryLooks(stand, until);
    for (const each of [acting, arriving, hurrying]) each.catch(() => undefined);
    const job = `chaos r${ROUND} s0 `;
    const begun = (): boolean => {
      signal.throwIfAborted();
      return stand.gateway.acceptances().some(({ text }) => text.startsWith(job));
    };
    if (!(await within(BEGIN_MS, begun, 250))) throw new Error('no call of the job was made');
    const oldest = stand.peyks.at(-1);
    const finds = isUpgrade && oldest !== undefined ? watchFinds(oldest) : null;
    const restarts: Restart[] = [];
    for (let turn = 1; turn <= turns; turn += 1) {
      for (const process of stand.peyks.keys()) {
        // The last of the older ones has to find a lost answer beside newer ones.
        if (finds !== null && turn === 1 && process === stand.peyks.length - 1)
          await within(FIND_MS, () => finds() > 0);
        signal.throwIfAborted();
        restarts.push(await replace(context, process, ports[process] ?? 0, job));
      }
    }
    const byOlder = finds === null ? null : finds();
    over.abort();
    const sendings = await acting;
    const arrived = await arriving;
    await hurrying;
    await stand.gateway.clearFaults();
    const findings = checkRestarts(restarts, ports.length);
    const stuck = await untilQuiet(stand, prober, signal, { patienceMs, hurries: false });
    if (stuck !== null) findings.push({ kind: 'stuck', count: 1, what: JSON.stringify(stuck) });
    const ids = arrived.map(({ id }) => id);
    findings.push(...(await untilCaptured(stand, ids, { patienceMs, signal })));
    await untilFound(stand, lossy, patienceMs);
    await untilStill(stand);

    const judged = await judge(context, ROUND, sendings, first);
    const isLossy = ({ chat }: { readonly chat: number }): boolean => chat === lossy.chat;
    const found = foundOf(judged.drafts.filter(isLossy));
    const pressed = sendings.filter(({ presses }) => presses.length > 0);
    const wanted = pressed.reduce((sum, each) => sum + each.wanted.length, 0);
    const readers = new Map(places.map(({ chat, people: [person] }) => [chat, person]));
    const chats = await readChats(stand, readers, new Map());
    const { chat = 0, people: [person] = [0] } = places[ASKING] ?? {};
    const asking = await stand.telegram.messages(chat, person);
    const inbox = checkInbox(
      await dated({ stand, places: readable }, arrived),
      await readInboxFacts(stand, 0),
      chats,
    );
    findings.push(
      ...judged.findings,
      ...inbox.findings,
      ...checkOutcomes(judged.tally, wanted, foundOf(judged.drafts.filter((draft) => !isLossy(draft)))),
      ...checkLosses(found, byOlder),
      ...checkAnswers(asking),
    );
    const sum = (of: (restart: Restart) => number): number =>
      restarts.reduce((total, each) => total + of(each), 0);
    return {
      round: ROUND,
      seconds: secondsSince(began),
      findings,
      counts: {
        'processes told to end (SIGTERM)': restarts.length,
        '… while the job was under way': sum(({ inJob }) => Number(inJob)),
        '… that ended with 0': sum(({ how }) => Number(how === 0)),
        ...judged.counts,
        'calls on the wire at a signal': sum(({ onWire }) => onWire),
        '… that the ending process brought to an end': sum(({ broughtHome }) => broughtHome),
        'sends whose answer was lost, found in the lists': found,
        ...(byOlder === null ? {} : { '… by a process of the older code beside newer ones': byOlder }),
        ...inboxCounts(inbox.tally),
      },
      times: {
        'ms to stop': restarts.map(({ stopMs }) => stopMs),
        'ms until the next one is ready': restarts.flatMap(({ readyMs }) => readyMs ?? []),
      },
      told: `${restarts.length} restarts, ${judged.tally.accepted} of ${wanted} accepted, ${inbox.tally.stored} of ${inbox.tally.arrived} received stored`,
    };
  } finally {
    over.abort();
    clearInterval(collecting);
  }
}

/** The job, and beside it single messages, those of which some lose their answer, and questions after the credit. */
function planActs(places: readonly Place[], recipients: number): Act[] {
  const lossy = places.length - 1;
  const single: Omit<SendAct, 'at' | 'chat'> = {
    kind: 'send',
    messages: 1,
    press: 'once',
    thinkMs: 200,
    again: false,
  };
  // A bot may say or change 20 messages a minute in a group: what waits for that would hide what is slow here.
  const every = <T>(ms: number, make: (index: number, at: number) => T): T[] =>
    Array.from({ length: MAX_MS / ms }, (_, index) => make(index, index * ms));
  return [
    { ...single, kind: 'bulk', at: 0, chat: 0, messages: recipients, thinkMs: 1 },
    ...every(6000, (index, at): Act => ({ ...single, at, chat: 1 + (index % (lossy - 1)) })),
    ...every(3000, (_, at): Act => ({ ...single, at, chat: lossy })),
    ...every(5000, (_, at): Act => ({ kind: 'ask', at, chat: ASKING, command: QUESTION })),
  ];
}

function planArrivals() {
  return Array.from({ length: MAX_MS / 4000 }, (_, number) => ({
    at: number * 4000,
    place: number,
    line: 0,
    sender: `0912${String(8_000_000 + (number % 40))}`,
    text: `in r${ROUND} m${number} hello`,
  }));
}

/** The gateway takes the sends of one account without an answer, and is slow to all others. The oldest rule that fits strikes. */
function rulesOf({ lossy, places }: RollingContext) {
  const account = places[0]?.account.username;
  return [
    { kind: 'drop', when: 'after', operation: 'send', account: lossy.account.username },
    { kind: 'delay', when: 'after', operation: 'send', account, ms: LATE_MS },
    { kind: 'delay', when: 'after', operation: 'send', ms: 1000 },
    { kind: 'delay', when: 'before', operation: 'credit', ms: 1000 },
  ];
}

/** Has one process end by SIGTERM, and waits until the one that takes its place is ready. */
async function replace(
  { stand, source, signal }: RollingContext,
  process: number,
  port: number,
  job: string,
): Promise<Restart> {
  const peyk = stand.peyks[process];
  if (peyk === undefined) throw new Error(`there is no process ${process}`);
  const before = await look(stand, job);
  const { size } = statSync(peyk.logFile);
  const { how, ms: stopMs } = await peyk.replace(STOP_MS, source);
  const { text } = readNew(peyk.logFile, size);
  const ended = performance.now();
  const isThere = await within(READY_MS, async () => await isReady(port), 100);
  const readyMs = isThere ? Math.round(performance.now() - ended) : null;
  const after = await look(stand, job);
  await sleep(REST_MS, undefined, { signal });
  return {
    process,
    how,
    stopMs,
    readyMs,
    inJob: before.isRunning && after.isRunning,
    onWire: before.onWire.length,
    broughtHome: before.onWire.filter((id) => text.includes(`"${id}"`)).length,
  };
}

/** The calls that are on the wire, and whether the job is under way. */
async function look({ postgres }: Stand, job: string) {
  return await postgres.ask(async (sql) => {
    const calls = await sql<{ id: string }[]>`select id from attempt where state = 'on_wire'`;
    const jobs = await sql`
      select from job j join draft d on d.id = j.draft_id
      where d.text like ${`${job}%`} and j.state in ('holding', 'running')`;
    return { onWire: calls.map(({ id }) => id), isRunning: jobs.length > 0 };
  });
}

/** What Peyk waits before it looks for an unknown call is brought forward, so that it looks while processes are being replaced. */
async function hurryLooks({ postgres }: Stand, until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    await postgres.ask(async (sql) => {
      await sql`
        update graphile_worker._private_jobs set run_at = now()
        where key like 'reconcile:%' and run_at > now() and locked_at is null`;
    });
    await sleep(HURRY_MS, undefined, { signal: until }).catch(() => undefined);
  }
}

/** How often a process finds such a call from now on. */
function watchFinds({ logFile }: PeykSlot): () => number {
  const { size } = statSync(logFile);
  return () => readNew(logFile, size).text.match(FIND)?.length ?? 0;
}

/** Resolves when the lists have been looked into for all calls of a place, at the times that Peyk keeps, or when patience ends. */
async function untilFound({ postgres }: Stand, { chat }: Place, patienceMs: number): Promise<void> {
  const isFound = async (): Promise<boolean> =>
    await postgres.ask(async (sql) => {
      const open = await sql`
        select from attempt a join job j on j.id = a.job_id join chat c on c.id = j.chat_id
        where c.telegram_id = ${chat} and a.state = 'unknown' limit 1`;
      return open.length === 0;
    });
  await within(patienceMs, isFound, 500);
}

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
