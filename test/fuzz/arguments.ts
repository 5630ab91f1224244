import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export interface FuzzArguments {
  /** Names; none: all. */
  readonly targets: readonly string[];
  /** When each target ends: after inputs, or after its share of the seconds; `goal` is what the long run makes. */
  readonly until: { readonly runs: number } | { readonly seconds: number } | 'goal';
  readonly seed: string;
  /** A file with one input, to be checked alone. */
  readonly replay: string | undefined;
}

export const USAGE = `Usage: npm run fuzz -- [target…] [options]
  --seconds N     seconds in all, shared by the targets (default 60)
  --runs N        inputs for each target, instead
  --goals         the long run: each target to its goal; its figures are kept for docs/shown/reliability.md
  --seed S        the seed of all inputs (default: a new one, printed)
  --replay FILE   check the one input of a file that a finding has left
  --help          this text`;

/** Reads the command line; `help` when that is what it asks for. Throws for what it does not know. */
export function readArguments(argv: readonly string[]): FuzzArguments | 'help' {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      seconds: { type: 'string' },
      runs: { type: 'string' },
      goals: { type: 'boolean' },
      seed: { type: 'string' },
      replay: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) return 'help';
  const ends = (['seconds', 'runs', 'goals'] as const).filter((name) => values[name] !== undefined);
  if (ends.length > 1) throw new Error(`one at a time: ${ends.map((name) => `--${name}`).join(', ')}`);
  return {
    targets: positionals,
    until: endOf(values),
    seed: values.seed ?? String(randomInt(1_000_000_000)),
    replay: values.replay,
  };
}

function endOf(values: { seconds?: string; runs?: string; goals?: boolean }): FuzzArguments['until'] {
  if (values.goals === true) return 'goal';
  if (values.runs !== undefined) return { runs: readCount('--runs', values.runs) };
  return { seconds: readCount('--seconds', values.seconds ?? '60') };
}

function readCount(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/u.test(text)) throw new Error(`${name} must be a number from 1 on`);
  return Number(text);
}
