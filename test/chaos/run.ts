import type { Sending } from './sending.ts';
import type { Finding } from './checks.ts';
import { type Drill, runDrills } from './drill.ts';
import { goBack } from './going-back.ts';
import { createWatch, lastWords } from './logs.ts';
import { linkPlaces, type Place, secretOf } from './people.ts';
import { linkMorePlaces } from './places.ts';
import { toLine } from './report.ts';
import { playRound, type RoundContext, type RoundResult } from './round.ts';
import type { Plan } from './schedule.ts';
import { settleAll, type Settled } from './settle.ts';
import { startStand, type Stand } from './stand.ts';

export interface RunOptions {
  /** The rounds to play, in order. */
  readonly plans: Iterable<Plan>;
  readonly processes: number;
  /** As of a stand. */
  readonly ownDisk?: boolean;
  /** For how long what was confirmed can be undone. */
  readonly undoSeconds: number;
  readonly source: string;
  /** Keeps the folder with logs and ledgers in any case; without it, only when something was found. */
  readonly keep: boolean;
  /** Whether a round's findings end the run. */
  readonly enough: (findings: readonly Finding[]) => boolean;
  /** Whether blows in the calm are timed. */
  readonly drills: boolean;
  /** Whether time passes at the end until unknown outcomes are settled. */
  readonly settle: boolean;
  /** Whether the database is set back by some seconds at the very end. */
  readonly goesBack: boolean;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export interface RunResult {
  readonly rounds: readonly RoundResult[];
  readonly drills: readonly Drill[];
  readonly settled: Settled | null;
  /** Everything that was found, in its order. */
  readonly findings: readonly Finding[];
}

/** How many chats with an account anything is sent in that nobody limits or takes back. */
export const CHATS = 5;
/** Drills come after every so many rounds. */
const DRILL_EVERY = 5;
/** Their texts name rounds that are never played. */
const DRILL_ROUNDS = 1_000_000;
const TOLD = 8;

/** Plays rounds on one stand. */
export async function runRounds(options: RunOptions): Promise<RunResult> {
  const { signal, say } = options;
  const { source, processes, undoSeconds, ownDisk = false } = options;
  const stand = await startStand({ source, processes, ownDisk, env: { UNDO_SECONDS: String(undoSeconds) } });
  const rounds: RoundResult[] = [];
  const drills: Drill[] = [];
  const findings: Finding[] = [];
  const sendings = new Map<number, readonly Sending[]>();
  const find = (found: readonly Finding[]): void => {
    findings.push(...found);
    for (const { kind, what } of found.slice(0, TOLD)) say(`  ${kind}: ${what}`);
    if (found.length > TOLD) say(`  … and ${found.length - TOLD} more`);
  };
  let keep = true;
  try {
    say(`logs and ledgers are in ${stand.folder}`);
    const context = await createLoader(stand, signal);
    for (const plan of options.plans) {
      signal.throwIfAborted();
      const result = await playRound(context, plan);
      rounds.push(result);
      sendings.set(plan.round, result.sendings);
      say(toLine(result));
      find(result.findings);
      if (options.enough(result.findings)) {
        keep = options.keep;
        return { rounds, drills, settled: null, findings };
      }
      if (!options.drills || plan.round % DRILL_EVERY !== 0) continue;
      // That one is long: once is enough.
      const long = plan.round === DRILL_EVERY ? (['freeze'] as const) : [];
      const blows = ['kill', 'postgres', ...long] as const;
      const drilled = await runDrills(context, DRILL_ROUNDS + plan.round, blows);
      drills.push(...drilled.drills);
      sendings.set(DRILL_ROUNDS + plan.round, drilled.sendings);
      find(drilled.findings);
    }
    const settled = options.settle ? await settleAll(context, sendings) : null;
    find(settled?.findings ?? []);
    if (options.goesBack) find(await goBack(context, DRILL_ROUNDS));
    find(await context.watch.finish(say));
    keep = options.keep || findings.length > 0;
    return { rounds, drills, settled, findings };
  } finally {
    await stand.close(keep && !signal.aborted);
  }
}

/** The people of the run, with their accounts linked. */
async function createLoader(stand: Stand, signal: AbortSignal): Promise<RoundContext> {
  const link = async (): Promise<Place[]> => {
    const places = await linkPlaces(stand);
    return [...places, ...(await linkMorePlaces(stand, places))];
  };
  const places = await link().catch((cause: unknown) => {
    throw new Error(`nobody could be linked; Peyk's last words: ${lastWords(stand)}`, { cause });
  });
  const prober = await stand.telegram.user('Prober');
  await stand.telegram.start(prober, await stand.telegram.botName());
  const keys = places.map(({ account }) => secretOf(account));
  return { stand, places, prober, watch: createWatch(stand, keys), signal };
}
