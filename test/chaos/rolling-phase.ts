import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sending } from './sending.ts';
import type { Finding, Tally } from './checks.ts';
import type { InboxTally } from './inbox-checks.ts';
import { untilCaptured, untilRead } from './inbox-quiet.ts';
import { createWatch, lastWords } from './logs.ts';
import { linkPlaces, type Place } from './people.ts';
import { untilQuiet, untilStill } from './quiet.ts';
import { freePorts, type Gap, watchReadiness } from './readiness.ts';
import { checkRestarts } from './rolling-checks.ts';
import { acceptedOf, prepareBigJob, startBrake } from './rolling-job.ts';
import {
  checkLosses,
  linkLossy,
  type Losses,
  lossesOf,
  startLosses,
  untilFound,
  watchFinds,
} from './rolling-losses.ts';
import { toRestartLine } from './rolling-report.ts';
import { startTraffic } from './rolling-traffic.ts';
import { type Restart, takeTurns } from './rolling-turns.ts';
import { judge } from './rolling-verdict.ts';
import { within } from './scenes.ts';
import { startStand, type Stand } from './stand.ts';

/** The processes of an installation, by the roles of each. */
export interface Crew {
  readonly name: string;
  readonly roles: readonly string[];
}

export interface PhaseOptions {
  readonly crew: Crew;
  readonly recipients: number;
  readonly turns: number;
  /** What the first processes run, and what takes their place. */
  readonly from: string;
  readonly source: string;
  /** How long everything may take to become quiet at the end. */
  readonly patienceMs: number;
  readonly keep: boolean;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export interface PhaseResult {
  readonly crew: Crew;
  readonly restarts: readonly Restart[];
  readonly gaps: Readonly<Record<string, Gap>>;
  readonly tally: Tally;
  readonly inbox: InboxTally;
  /** Single messages beside the job, and how long each question after the credit waited for its answer. */
  readonly singles: number;
  readonly losses: Losses;
  readonly answeredMs: readonly number[];
  /** From the press to the last acceptance of the job. */
  readonly jobSeconds: number;
  readonly findings: readonly Finding[];
  /** What the log warns of, and how often. */
  readonly warnings: Readonly<Record<string, number>>;
  readonly seconds: number;
}

const ENV = { INBOX_POLL_SECONDS: '2', STATUS_POLL_SECONDS: '2', LOG_LEVEL: 'debug' };
const BEGIN_MS = 120_000;
const FIND_MS = 60_000;
const JOB_PATIENCE_MS = 1_800_000;

/** One installation whose processes are replaced while a large job runs, held against the ledgers afterwards. */
export async function runPhase(options: PhaseOptions): Promise<PhaseResult> {
  const { crew, recipients, turns, source, signal, say } = options;
  const began = performance.now();
  const ports = await freePorts(crew.roles.length);
  const stand = await startStand({
    source: options.from,
    processes: crew.roles.length,
    env: ENV,
    envOf: (index) => ({ ROLES: crew.roles[index] ?? '', PORT: String(ports[index]) }),
  });
  const collecting = setInterval(() => void stand.telegram.collect().catch(() => undefined), 1000);
  const ends: (() => Promise<unknown>)[] = [];
  let keep = true;
  try {
    say(`${crew.name}: logs and ledgers are in ${stand.folder}`);
    const [lossy, ...linked] = await linkAll(stand);
    const [place, ...others] = linked;
    if (place === undefined) throw new Error('there is no place');
    const places = [...linked, lossy];
    const prober = await stand.telegram.user('Prober');
    await stand.telegram.start(prober, await stand.telegram.botName());
    await untilRead(stand, signal);
    const watch = createWatch(
      stand,
      places.map(({ account }) => account.apiKey ?? account.token ?? ''),
    );
    const first = (await stand.telegram.updates()).at(-1)?.id ?? 0;

    const { job, press } = await prepareBigJob(stand, place, recipients);
    const restarts: Restart[] = [];
    const planned = turns * crew.roles.length;
    const share = (): number => (restarts.length + 0.3) / (planned + 1);
    const brake = startBrake(stand, job, share, [lossesOf(lossy)]);
    ends.push(() => brake.release());
    await brake.isOn;
    await press();
    const pressed = Date.now();
    const begun = await within(BEGIN_MS, () => acceptedOf(stand, job) > 0);
    if (!begun) throw new Error(`no call of the job was made; Peyk's last words: ${lastWords(stand)}`);
    say(`${crew.name}: ${recipients} recipients are confirmed`);
    const readiness = watchReadiness(ports, groupsOf(crew));
    ends.push(() => readiness.stop());
    const traffic = startTraffic(stand, others, signal);
    const losing = startLosses(stand, lossy, signal);
    const oldest = stand.peyks.at(-1);
    const finds = oldest === undefined || options.from === source ? null : watchFinds(oldest);
    let byOlder: number | null = null;
    const beforeLast = async (): Promise<void> => {
      if (finds === null) return;
      await within(FIND_MS, () => finds.count() > 0);
      byOlder = finds.count();
    };
    await takeTurns(stand, readiness, { turns, job, source, beforeLast }, signal, (restart) => {
      restarts.push(restart);
      if (restarts.length === 1) finds?.begin();
      say(toRestartLine(restart, crew, acceptedOf(stand, job)));
    });
    const lost = await losing.stop();
    await brake.release();
    await untilEnded(stand, job, signal);
    const passed = await traffic.stop();
    const gaps = Object.fromEntries(await readiness.stop());

    const findings: Finding[] = checkRestarts(restarts, crew.roles.length);
    const { patienceMs } = options;
    const stuck = await untilQuiet(stand, prober, signal, { patienceMs, hurries: false });
    if (stuck !== null) findings.push({ kind: 'stuck', count: 1, what: JSON.stringify(stuck) });
    const ids = passed.arrived.map(({ id }) => id);
    const untold = await untilCaptured(stand, ids, { patienceMs, signal });
    if (untold !== null) findings.push({ kind: 'stuck', count: 1, what: JSON.stringify(untold) });
    await untilFound(stand, lossy, { patienceMs, signal });
    await untilStill(stand);

    const sendings = [job, ...passed.sendings, ...lost];
    const checked = await judge({ stand, places, lossy, first, watch }, sendings, passed);
    const losses: Losses = { found: checked.found, byOlder };
    findings.push(...checked.findings, ...checkLosses(losses));
    keep = options.keep || findings.length > 0;
    const times = stand.gateway
      .acceptances()
      .flatMap(({ text, at }) => (text === job.wanted[0]?.text ? [at] : []));
    return {
      crew,
      restarts,
      gaps,
      tally: checked.tally,
      inbox: checked.inbox,
      singles: passed.sendings.filter(({ presses }) => presses.length > 0).length,
      losses,
      answeredMs: passed.asked.flatMap(({ ms }) => (ms === null ? [] : [ms])),
      jobSeconds: Math.round((Math.max(pressed, ...times) - pressed) / 100) / 10,
      findings,
      warnings: readWarnings(stand),
      seconds: Math.round((performance.now() - began) / 100) / 10,
    };
  } finally {
    clearInterval(collecting);
    // Also when something has failed before.
    for (const end of ends) await end().catch(() => undefined);
    await stand.close(keep && !signal.aborted);
  }
}

/** The one whose answers will be lost, and all others. */
async function linkAll(stand: Stand): Promise<[lossy: Place, ...others: Place[]]> {
  try {
    return [await linkLossy(stand), ...(await linkPlaces(stand))];
  } catch (cause) {
    throw new Error(`nobody could be linked; Peyk's last words: ${lastWords(stand)}`, { cause });
  }
}

/** Resolves when the gateway has all of it, or when nothing has come for too long. */
async function untilEnded(stand: Stand, job: Sending, signal: AbortSignal): Promise<void> {
  for (const until = performance.now() + JOB_PATIENCE_MS; performance.now() < until; await sleep(500)) {
    signal.throwIfAborted();
    const [row] = await stand.postgres.ask(
      async (sql) =>
        await sql<[{ running: number }]>`
          select count(*)::int as running from job j join draft d on d.id = j.draft_id
          where d.text = ${job.wanted[0]?.text ?? ''} and j.state in ('holding', 'running')`,
    );
    if (row.running === 0) return;
  }
}

/** All of them, and those of each role where they are not all alike. */
function groupsOf({ roles }: Crew): Map<string, number[]> {
  const all = roles.map((_, index) => index);
  const groups = new Map([['process', all]]);
  for (const role of new Set(roles)) {
    if (!role.includes(','))
      groups.set(
        role,
        all.filter((index) => roles[index] === role),
      );
  }
  return groups;
}

/** What is a warning or worse, by its words. */
function readWarnings({ peyks }: Stand): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { logFile } of peyks) {
    for (const [, words = ''] of readFileSync(logFile, 'utf8').matchAll(
      /^\{"level":"(?:warn|error|fatal)".*"msg":"([^"]*)"/gmu,
    ))
      counts[words] = (counts[words] ?? 0) + 1;
  }
  return counts;
}
