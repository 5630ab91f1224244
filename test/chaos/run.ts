import { readFileSync } from 'node:fs';
import type { Finding } from './checks.ts';
import { createWatch } from './logs.ts';
import { linkPlaces } from './people.ts';
import { createRandom } from './random.ts';
import { toLine } from './report.ts';
import { playRound, type RoundContext, type RoundResult } from './round.ts';
import { planRound } from './schedule.ts';
import { settleAll, type Settled } from './settle.ts';
import { startStand, type Stand } from './stand.ts';

export interface RunOptions {
  readonly seed: string;
  readonly rounds: number;
  readonly processes: number;
  readonly source: string;
  /** Keeps the folder with logs and ledgers in any case; without it, only when something was found. */
  readonly keep: boolean;
  /** Whether a round's findings end the run. */
  readonly enough: (findings: readonly Finding[]) => boolean;
  /** Whether time passes at the end until unknown outcomes are settled. */
  readonly settle: boolean;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export interface RunResult {
  readonly rounds: readonly RoundResult[];
  readonly settled: Settled | null;
}

export const CHATS = 5;
const TOLD = 8;

/** Plays rounds on one stand. */
export async function runRounds(options: RunOptions): Promise<RunResult> {
  const { signal, say } = options;
  const random = createRandom(options.seed);
  const stand = await startStand({ source: options.source, processes: options.processes });
  const rounds: RoundResult[] = [];
  let keep = true;
  try {
    say(`logs and ledgers are in ${stand.folder}`);
    const places = await linkPlaces(stand).catch((cause: unknown) => {
      throw new Error(`nobody could be linked; Peyk's last words: ${lastWords(stand)}`, { cause });
    });
    const prober = await stand.telegram.user('Prober');
    await stand.telegram.start(prober, await stand.telegram.botName());
    const keys = places.map(({ account }) => account.apiKey ?? account.token ?? '');
    const context: RoundContext = { stand, places, prober, watch: createWatch(stand, keys), signal };
    for (let round = 1; round <= options.rounds; round += 1) {
      signal.throwIfAborted();
      const plan = planRound(random, round, { chats: places.length, processes: options.processes });
      const result = await playRound(context, plan);
      rounds.push(result);
      say(toLine(result));
      tell(result.findings);
      if (options.enough(result.findings)) {
        keep = options.keep;
        return { rounds, settled: null };
      }
    }
    const settled = options.settle
      ? await settleAll(context, new Map(rounds.map(({ round, sendings }) => [round, sendings])))
      : null;
    tell(settled?.findings ?? []);
    keep = options.keep || [...rounds, settled].some((part) => (part?.findings.length ?? 0) > 0);
    return { rounds, settled };
  } finally {
    await stand.close(keep && !signal.aborted);
  }

  function tell(findings: readonly Finding[]): void {
    for (const { kind, what } of findings.slice(0, TOLD)) say(`  ${kind}: ${what}`);
    if (findings.length > TOLD) say(`  … and ${findings.length - TOLD} more`);
  }
}

function lastWords({ peyks }: Stand): string {
  return peyks.map(({ logFile }) => readFileSync(logFile, 'utf8').slice(-600)).join('\n');
}
