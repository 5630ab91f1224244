import type { Finding } from './checks.ts';
import { lastWords } from './logs.ts';
import { applyPatches, copySource, type Patch, type SourceCopy } from './source-copy.ts';
import { startStand, type Stand } from './stand.ts';

/** What a round came to. */
export interface Played {
  readonly round: number;
  readonly seconds: number;
  readonly findings: readonly Finding[];
  /** How often what happened, by its name in the report. */
  readonly counts: Readonly<Record<string, number>>;
  /** How many milliseconds what took, likewise. */
  readonly times: Readonly<Record<string, readonly number[]>>;
  /** In words, for whoever waits. */
  readonly told: string;
  /** There is nothing left to be played. */
  readonly isLast?: boolean;
}

/** One way to harm an installation, and to hold what it did against the ledgers. */
export interface Mode<Plan, Context> {
  /** What is looked for; each has a row in the report. */
  readonly judges: readonly Finding['kind'][];
  /** Of all processes, and of one alone. */
  readonly env?: Readonly<Record<string, string>>;
  readonly envOf?: (index: number) => Readonly<Record<string, string>>;
  /** Makes time short in the copy that runs. */
  readonly hasten?: (copy: SourceCopy) => void;
  /** Links accounts, before anything is harmed. `source`: what new processes run. */
  open(stand: Stand, run: { readonly signal: AbortSignal; readonly source: string }): Promise<Context>;
  play(context: Context, plan: Plan): Promise<Played>;
  /** After the last round. */
  finish?(context: Context, say: (line: string) => void): Promise<readonly Finding[]>;
}

export interface RunOptions {
  readonly processes: number;
  /** The folder that holds the `src` and `drizzle` to run. */
  readonly root: string;
  /** What the first processes run, where that is something else. */
  readonly from?: string;
  /** Breaks the copy that runs. */
  readonly patches?: readonly Patch[];
  readonly env?: Readonly<Record<string, string>>;
  /** As of a stand. */
  readonly ownDisk?: boolean;
  /** Keeps the folder with logs and ledgers in any case; without it, only when something was found. */
  readonly keep: boolean;
  /** Whether a round's findings end the run. */
  readonly enough?: (findings: readonly Finding[]) => boolean;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export interface RunResult {
  readonly rounds: readonly Played[];
  /** Everything that was found, in its order. */
  readonly findings: readonly Finding[];
}

const TOLD = 8;

/** Plays rounds on one stand, with a copy of the source. */
export async function runMode<Plan, Context>(
  mode: Mode<Plan, Context>,
  plans: Iterable<Plan>,
  { processes, root, patches, ownDisk = false, signal, say, ...options }: RunOptions,
): Promise<RunResult> {
  const copy = copySource(root);
  const rounds: Played[] = [];
  const findings: Finding[] = [];
  const find = (found: readonly Finding[]): void => {
    findings.push(...found);
    for (const { kind, what } of found.slice(0, TOLD)) say(`  ${kind}: ${what}`);
    if (found.length > TOLD) say(`  … and ${found.length - TOLD} more`);
  };
  let stand: Stand | undefined;
  let keep = true;
  try {
    applyPatches(copy, 'a broken copy', patches ?? []);
    mode.hasten?.(copy);
    const { source } = copy;
    const env = { ...mode.env, ...options.env };
    const { envOf = () => ({}) } = mode;
    stand = await startStand({ source: options.from ?? source, processes, ownDisk, env, envOf });
    say(`logs and ledgers are in ${stand.folder}`);
    const context = await open(mode, stand, { signal, source });
    for (const plan of plans) {
      signal.throwIfAborted();
      const played = await mode.play(context, plan);
      const { round, seconds, told, isLast = false } = played;
      rounds.push(played);
      const found = played.findings.length === 0 ? 'nothing found' : `${played.findings.length} FOUND`;
      say(`round ${round}: ${seconds} s; ${told}; ${found}`);
      find(played.findings);
      if (isLast || options.enough?.(played.findings) === true) break;
    }
    find((await mode.finish?.(context, say)) ?? []);
    // What a broken copy does is told in words.
    keep = options.keep || (findings.length > 0 && patches === undefined);
    return { rounds, findings };
  } finally {
    await stand?.close(keep && !signal.aborted);
    copy.remove();
  }
}

async function open<Context>(
  mode: Mode<never, Context>,
  stand: Stand,
  run: { readonly signal: AbortSignal; readonly source: string },
): Promise<Context> {
  try {
    return await mode.open(stand, run);
  } catch (cause) {
    throw new Error(`nobody could be linked; Peyk's last words: ${lastWords(stand)}`, { cause });
  }
}
