import type { Mutant } from './mutants.ts';
import type { RunOptions } from './run.ts';

export interface ControlResult {
  readonly name: string;
  readonly about: string;
  /** The round in which it was caught; null: it was not. */
  readonly caughtIn: number | null;
  /** By what, as far as it is what the control is about. */
  readonly by: readonly string[];
}

/** Runs a broken copy of Peyk, provoked, until it is caught or its rounds are over. */
export async function runControl(
  { name, about, patches, provoke, caughtBy }: Mutant,
  rounds: number,
  options: RunOptions,
): Promise<ControlResult> {
  options.say(`\n${name}: ${about}`);
  const isIt = ({ kind }: { readonly kind: string }): boolean => caughtBy.some((each) => each === kind);
  const { findings, rounds: played } = await provoke(rounds, {
    ...options,
    patches,
    enough: (found) => found.some(isIt),
  });
  const by = [...new Set(findings.filter(isIt).map(({ kind }) => kind))];
  return { name, about, caughtIn: by.length > 0 ? played.length : null, by };
}
