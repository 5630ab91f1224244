import { makeMutant, type Mutant } from './mutants.ts';
import { runRounds } from './run.ts';

export interface ControlOptions {
  readonly seed: string;
  /** Each broken copy gets so many rounds to be caught in. */
  readonly rounds: number;
  readonly processes: number;
  readonly root: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export interface ControlResult {
  readonly name: string;
  readonly about: string;
  /** The round in which it was caught; null: it was not. */
  readonly caughtIn: number | null;
  /** By what, as far as it is what the control is about. */
  readonly by: readonly string[];
}

/** Runs a broken copy of Peyk until it is caught. */
export async function runControl(mutant: Mutant, options: ControlOptions): Promise<ControlResult> {
  const { name, about } = mutant;
  const copy = makeMutant(mutant, options.root);
  options.say(`\n${name}: ${about}`);
  const isIt = ({ kind }: { readonly kind: string }): boolean =>
    mutant.caughtBy.some((each) => each === kind);
  try {
    const { rounds, settled } = await runRounds({
      seed: options.seed,
      rounds: mutant.atEnd === true ? Math.min(options.rounds, ROUNDS_BEFORE_THE_END) : options.rounds,
      processes: options.processes,
      source: copy.source,
      keep: false,
      enough: (findings) => mutant.atEnd !== true && findings.some(isIt),
      settle: mutant.atEnd === true,
      signal: options.signal,
      say: options.say,
    });
    const findings = [...(rounds.at(-1)?.findings ?? []), ...(settled?.findings ?? [])].filter(isIt);
    return {
      name,
      about,
      caughtIn: findings.length > 0 ? rounds.length : null,
      by: [...new Set(findings.map(({ kind }) => kind))],
    };
  } finally {
    copy.remove();
  }
}

const ROUNDS_BEFORE_THE_END = 3;
