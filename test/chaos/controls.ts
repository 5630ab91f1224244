import type { InboxMutant } from './inbox-mutants.ts';
import { runInboxRounds } from './inbox-run.ts';
import type { Mutant } from './mutants.ts';
import type { RollingMutant } from './rolling-mutants.ts';
import { runRolling, WHOLE } from './rolling-run.ts';
import { runRounds } from './run.ts';
import { applyPatches, copySource } from './source-copy.ts';

export interface ControlOptions {
  /** Each broken copy gets so many rounds to be caught in. */
  readonly rounds: number;
  readonly processes: number;
  readonly root: string;
  readonly keep: boolean;
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

/** What a broken copy has lost does not come any more. */
const CONTROL_PATIENCE_MS = 15_000;
const CONTROL_RECIPIENTS = 5000;

/** Runs a broken copy of Peyk, provoked, until it is caught. */
export async function runControl(mutant: Mutant, options: ControlOptions): Promise<ControlResult> {
  const { name, about, provoke, atEnd } = mutant;
  const copy = copySource(options.root);
  options.say(`\n${name}: ${about}`);
  const isIt = ({ kind }: { readonly kind: string }): boolean =>
    mutant.caughtBy.some((each) => each === kind);
  try {
    applyPatches(copy, `the control ${name}`, mutant.patches);
    const rounds = atEnd === undefined ? options.rounds : 1;
    const { findings, rounds: played } = await runRounds({
      plans: Array.from({ length: rounds }, (_, index) => provoke(index + 1)),
      processes: options.processes,
      undoSeconds: mutant.undoSeconds ?? 0,
      source: copy.source,
      keep: options.keep,
      enough: (found) => atEnd === undefined && found.some(isIt),
      drills: false,
      settle: atEnd === 'settled',
      goesBack: atEnd === 'set back',
      signal: options.signal,
      say: options.say,
    });
    const by = [...new Set(findings.filter(isIt).map(({ kind }) => kind))];
    return { name, about, caughtIn: by.length > 0 ? played.length : null, by };
  } finally {
    copy.remove();
  }
}

/** The same for one that is about received messages. */
export async function runInboxControl(mutant: InboxMutant, options: ControlOptions): Promise<ControlResult> {
  const { name, about, patches, provoke, caughtBy } = mutant;
  options.say(`\n${name}: ${about}`);
  const isIt = ({ kind }: { readonly kind: string }): boolean => caughtBy.some((each) => each === kind);
  const { findings, rounds } = await runInboxRounds({
    plans: Array.from({ length: options.rounds }, (_, index) => provoke(index + 1)),
    processes: options.processes,
    root: options.root,
    patches,
    keep: options.keep,
    patienceMs: CONTROL_PATIENCE_MS,
    enough: (found) => found.some(isIt),
    signal: options.signal,
    say: options.say,
  });
  const by = [...new Set(findings.filter(isIt).map(({ kind }) => kind))];
  return { name, about, caughtIn: by.length > 0 ? rounds.length : null, by };
}

/** The same for one that is about orderly restarts: in one run, of a small job. */
export async function runRollingControl(
  { name, about, patches, caughtBy }: RollingMutant,
  { root, keep, signal, say }: ControlOptions,
): Promise<ControlResult> {
  say(`\n${name}: ${about}`);
  const copy = copySource(root);
  try {
    applyPatches(copy, `the control ${name}`, patches);
    const { source } = copy;
    const recipients = CONTROL_RECIPIENTS;
    const { findings } = await runRolling({
      recipients,
      source,
      root,
      crews: [WHOLE],
      keep,
      patienceMs: CONTROL_PATIENCE_MS,
      signal,
      say,
    });
    const found = findings.filter(({ kind }) => caughtBy.some((each) => each === kind));
    const by = [...new Set(found.map(({ kind }) => kind))];
    return { name, about, caughtIn: by.length > 0 ? 1 : null, by };
  } finally {
    copy.remove();
  }
}
