import { createRandom } from '../chaos/random.ts';
import type { FuzzTarget } from './target.ts';

/** What a target is to do. */
export interface FuzzOrder {
  readonly target: string;
  readonly seed: string;
  readonly runs: number;
  readonly ms: number;
}

export interface Finding {
  readonly target: string;
  readonly seed: string;
  /** Which input of the seed it is, from 0. */
  readonly index: number;
  readonly problem: string;
  readonly input: unknown;
}

export interface FuzzResult {
  readonly runs: number;
  readonly ms: number;
  readonly slowestMs: number;
  /** How often each word was said of an input. */
  readonly seen: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
}

/** Longer for one input of some kilobytes is a finding: a person or a gateway could hold the process with it. */
const SLOW_MS = 3_000;
const ENOUGH_FINDINGS = 5;
/** Between two looks at the clock. */
const RUNS_AT_A_TIME = 32;

/** Each input depends on the seed and its place only, so that it can be made again. */
export function inputAt(target: FuzzTarget, seed: string, index: number): unknown {
  return target.make(createRandom(`${seed}/${target.name}/${index}`));
}

/** Makes and checks inputs until there were enough; `at` is told of each before it is checked. */
export async function fuzz(
  target: FuzzTarget,
  { seed, runs, ms }: FuzzOrder,
  at: (index: number) => void,
): Promise<FuzzResult> {
  const check = target.open();
  const seen = new Map<string, number>();
  const findings: Finding[] = [];
  const began = performance.now();
  let slowestMs = 0;
  let index = 0;
  let now = began;
  while (index < runs && findings.length < ENOUGH_FINDINGS) {
    if (index % RUNS_AT_A_TIME === 0 && performance.now() - began > ms) break;
    at(index);
    const input = inputAt(target, seed, index);
    now = performance.now();
    const outcome = await outcomeOf(check, input);
    const took = performance.now() - now;
    slowestMs = Math.max(slowestMs, took);
    const problem = outcome.problem ?? (took > SLOW_MS ? `it took ${Math.round(took)} ms` : null);
    if (problem !== null) findings.push({ target: target.name, seed, index, problem, input });
    seen.set(outcome.word, (seen.get(outcome.word) ?? 0) + 1);
    index += 1;
  }
  return { runs: index, ms: performance.now() - began, slowestMs, seen: Object.fromEntries(seen), findings };
}

/** What came of one input, and what is wrong with that; null: nothing. */
export async function outcomeOf(
  check: (input: unknown) => string | Promise<string>,
  input: unknown,
): Promise<{ word: string; problem: string | null }> {
  try {
    const said = check(input);
    return { word: typeof said === 'string' ? said : await said, problem: null };
  } catch (error) {
    return {
      word: 'wrong',
      problem: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}
