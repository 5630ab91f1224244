import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

/** What is done in place of storms of sends. */
const MODES = ['disk', 'inbox', 'rolling', 'syscalls', 'controls', 'document'] as const;

export interface ChaosArguments {
  readonly mode: 'rounds' | (typeof MODES)[number];
  readonly rounds: number;
  readonly seed: string;
  /** How many Peyk processes share the work. */
  readonly processes: number;
  /** Of the job of a rolling run. */
  readonly recipients: number;
  /** A commit whose code the first processes of a rolling run have. */
  readonly from: string | undefined;
  /** Only the controls whose name holds this. */
  readonly only: string | undefined;
  /** Keeps logs and ledgers also when nothing was found. */
  readonly keep: boolean;
  /** Prints the plan of every round and runs nothing. */
  readonly plan: boolean;
}

export const USAGE = `Usage: npm run chaos -- [options]
  --rounds N      rounds of faults, each about 25 seconds (default 5)
  --seed S        the seed of the schedule (default: a new one, printed)
  --processes N   Peyk processes on one database (default 3)
  --disk          the same rounds with a database whose disk is full for a while in each; needs a mount namespace
  --inbox         rounds in which messages are received, instead of sends
  --rolling       restart the processes one after the other, in order, during a job
  --recipients N  with --rolling: those of the job (default 100,000); below 20,000 one turn of three processes
  --from COMMIT   with --rolling: the first processes run that commit's code, the next ones today's
  --controls      run broken copies of Peyk, each of which must be caught; --rounds bounds each (default 3)
  --syscalls      kill at every system call that writes, from a command to the end of its send; needs strace
  --only NAME     with --controls: only those whose name holds NAME
  --document      write the figures of the last runs into docs/shown/reliability.md
  --plan          print the schedule of the seed and end
  --keep          keep the logs and ledgers of a run in which nothing was found
  --help          this text`;

/** Reads the command line; `help` when that is what it asks for. Throws for what it does not know. */
export function readArguments(argv: readonly string[]): ChaosArguments | 'help' {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      rounds: { type: 'string' },
      seed: { type: 'string' },
      processes: { type: 'string' },
      disk: { type: 'boolean' },
      inbox: { type: 'boolean' },
      rolling: { type: 'boolean' },
      recipients: { type: 'string' },
      from: { type: 'string' },
      controls: { type: 'boolean' },
      syscalls: { type: 'boolean' },
      document: { type: 'boolean' },
      only: { type: 'string' },
      plan: { type: 'boolean' },
      keep: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) return 'help';
  const modes = MODES.filter((mode) => values[mode] === true);
  if (modes.length > 1) throw new Error(`one at a time: ${modes.map((mode) => `--${mode}`).join(', ')}`);
  const mode = modes[0] ?? 'rounds';
  return {
    mode,
    rounds: readCount('--rounds', values.rounds, mode === 'controls' ? 3 : 5),
    seed: values.seed ?? String(randomInt(1_000_000_000)),
    processes: readCount('--processes', values.processes, 3),
    recipients: readCount('--recipients', values.recipients, 100_000),
    from: values.from,
    only: values.only,
    keep: values.keep === true,
    plan: values.plan === true,
  };
}

function readCount(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^[1-9]\d{0,5}$/u.test(text)) throw new Error(`${name} must be a number from 1 on`);
  return Number(text);
}
