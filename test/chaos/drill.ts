import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sending } from './sending.ts';
import type { Finding } from './checks.ts';
import { type DraftFact, readFacts } from './facts.ts';
import type { PeykSlot } from './peyk.ts';
import { freeze } from './nemesis.ts';
import { waitForEarlier, within } from './patience.ts';
import { probe, untilQuiet } from './quiet.ts';
import { judge, type RoundContext } from './round.ts';
import type { Played } from './run.ts';
import { prepareSend } from './book-send.ts';

/** One blow in the calm, in the middle of a job of six calls. */
type Blow = 'kill' | 'postgres' | 'freeze';

/** From the blow until a new command was answered, and until the job that was under way had made all its calls. */
const NAMES: Readonly<Record<Blow, readonly [answered: string, ended: string]>> = {
  kill: ['ms to an answer after a kill', 'ms to the end of the job after a kill'],
  freeze: ['ms to an answer after a freeze of 90 s began', 'ms to the end of the job after that'],
  postgres: ['ms to an answer after a database restart', 'ms to the end of the job after one'],
};

const LATENCY_MS = 80;
const SIZE = 1001;
const PATIENCE_MS = 30_000;
/** The log tells of a call when it has ended. */
const LOG_MS = 1000;
/** What a process that is gone had in hand is taken up again within this, times three: by any machine’s own measure. */
const PROMISED_MS = 10_000;
/** Longer than any lease. */
const FROZEN_MS = 90_000;

/** The blows, one after the other, and how long it took to get over each. `round` names their texts and is used by nobody else. */
export async function runDrills(
  context: RoundContext,
  round: number,
  blows: readonly Blow[],
): Promise<Pick<Played, 'times' | 'findings'>> {
  const times: Record<string, number[]> = {};
  const sendings: Sending[] = [];
  const findings: Finding[] = [];
  for (const [index, blow] of blows.entries()) {
    const text = `chaos r${round} s${index} drill`;
    sendings.push(await startJob(context, text));
    const took = await strikeOnce(context, round, text, blow);
    for (const [at, name] of NAMES[blow].entries()) times[name] = [took[at] ?? 0];
    if (took[1] > waitForEarlier(PROMISED_MS))
      findings.push({
        kind: 'slow',
        count: 1,
        what: `after a ${blow} the job ended only after ${took[1]} ms`,
      });
  }
  await untilQuiet(context.stand, context.prober, context.signal);
  const judged = await judge(context, round, sendings, 0);
  return { times, findings: [...findings, ...judged.findings] };
}

/** Has a person send to the large phonebook, and resolves when the gateway has accepted the first call; `pressed` comes before. */
export async function startJob(
  { stand, places, signal }: RoundContext,
  text: string,
  pressed: () => Promise<void> = async () => await Promise.resolve(),
): Promise<Sending> {
  const [place] = places;
  if (place === undefined) throw new Error('there is no place for a drill');
  for (const proxy of stand.wires.gateway) proxy.slow(LATENCY_MS);
  const { sending, press } = await prepareSend(stand, place, text, SIZE);
  await press();
  await pressed();
  const begun = await within(waitForEarlier(PATIENCE_MS), () => {
    signal.throwIfAborted();
    return stand.gateway.acceptances().some((each) => each.text === text);
  });
  if (!begun) throw new Error(`no call of the drill «${text}» was made`);
  return sending;
}

async function strikeOnce(
  context: RoundContext,
  round: number,
  text: string,
  blow: Blow,
): Promise<readonly [answeredMs: number, endedMs: number]> {
  const { stand, prober, signal } = context;
  const began = performance.now();
  const elapsed = (): number => Math.round(performance.now() - began);
  const facts = async (): Promise<DraftFact | undefined> =>
    (await readFacts(stand, [round])).find(({ says }) => says.includes(text));
  let frozen: Promise<void> | undefined;
  if (blow === 'postgres') await stand.restartPostgres();
  else {
    const attempts = (await facts())?.job?.attempts ?? [];
    const isBusy = ({ logFile }: PeykSlot): boolean => {
      const log = readFileSync(logFile, 'utf8');
      return attempts.some(({ id }) => log.includes(id));
    };
    await within(waitForEarlier(LOG_MS), () => stand.peyks.some(isBusy));
    const busy = stand.peyks.findIndex(isBusy);
    if (busy === -1) throw new Error('no log tells which process makes the calls of the drill');
    if (blow === 'kill') await stand.peyks[busy]?.strike(0);
    // What it had begun goes on when others have ended it long since.
    else
      frozen = freeze(stand, busy, true, () =>
        sleep(FROZEN_MS, undefined, { signal }).catch(() => undefined),
      );
  }
  const answered = probe(stand, prober, signal).then(elapsed);
  for (;;) {
    signal.throwIfAborted();
    const state = (await facts())?.job?.state;
    if ((state !== 'holding' && state !== 'running') || elapsed() > waitForEarlier(PATIENCE_MS)) break;
    await sleep(100);
  }
  const endedMs = elapsed();
  for (const proxy of stand.wires.gateway) proxy.slow(0);
  const answeredMs = await answered;
  await frozen;
  return [answeredMs, endedMs];
}
