import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { OUTPUT, say, writeResult } from '../chaos/output.ts';
import { readArguments, USAGE, type FuzzArguments } from './arguments.ts';
import { runTarget } from './run-target.ts';
import type { FuzzTarget } from './target.ts';
import { TARGETS, targetOf } from './targets.ts';
import { outcomeOf, type Finding, type FuzzResult } from './work.ts';

const Kept = z.looseObject({ target: z.string(), input: z.unknown() });

/** `npm run fuzz`: hostile inputs for what reads them. Ends with 1 when one of them broke what must hold. */
async function main(): Promise<number> {
  const options = readArguments(process.argv.slice(2));
  if (options === 'help') {
    say(`${USAGE}\n`);
    for (const { name, about, goal } of TARGETS) say(`  ${name.padEnd(10)} ${about}; goal ${count(goal)}`);
    return 0;
  }
  return options.replay === undefined ? await play(options) : await replay(options.replay);
}

async function play(options: FuzzArguments): Promise<number> {
  const targets = options.targets.length === 0 ? TARGETS : options.targets.map(targetOf);
  const began = performance.now();
  const figures: Record<string, number> = {};
  let found = 0;
  say(`seed ${options.seed}`);
  for (const target of targets) {
    const { findings, ...result } = await runTarget(orderOf(target, targets.length, options));
    sayResult(target, result);
    for (const finding of findings) keep(finding);
    found += findings.length;
    figures[`${target.name}: ${target.about}`] = result.runs;
  }
  say(`${found} found`);
  if (options.until === 'goal' && targets.length === TARGETS.length)
    writeResult('fuzz.json', began, { seed: options.seed, figures: { ...figures, found } });
  return found === 0 ? 0 : 1;
}

function orderOf(target: FuzzTarget, targets: number, { until, seed }: FuzzArguments) {
  const order = { target: target.name, seed, runs: Number.MAX_SAFE_INTEGER, ms: Number.POSITIVE_INFINITY };
  if (until === 'goal') return { ...order, runs: target.goal };
  return 'runs' in until
    ? { ...order, runs: until.runs }
    : { ...order, ms: (until.seconds * 1000) / targets };
}

function sayResult({ name }: FuzzTarget, { runs, ms, slowestMs, seen }: Omit<FuzzResult, 'findings'>): void {
  const rate = count(Math.round(runs / (ms / 1000)));
  const words = Object.entries(seen)
    .toSorted(([, left], [, right]) => right - left)
    .map(([word, times]) => `${word} ${count(times)}`);
  say(
    `${name.padEnd(10)} ${count(runs)} inputs in ${(ms / 1000).toFixed(1)} s, ${rate}/s, slowest ${slowestMs.toFixed(1)} ms: ${words.join(', ')}`,
  );
}

/** Leaves the input in a file from which it can be played again. */
function keep(finding: Finding): void {
  const name = `fuzz-${finding.target}-${finding.seed.replaceAll(/[^\w-]/gu, '_')}-${finding.index}.json`;
  mkdirSync(OUTPUT, { recursive: true });
  writeFileSync(join(OUTPUT, name), `${JSON.stringify(finding, null, 2)}\n`);
  say(`${finding.target}: ${finding.problem}\n  npm run fuzz -- --replay test-output/${name}`);
}

async function replay(path: string): Promise<number> {
  const { target: name, input } = Kept.parse(JSON.parse(readFileSync(path, 'utf8')));
  const target = targetOf(name);
  const { word, problem } = await outcomeOf(target.open(), target.read(input));
  say(problem ?? `nothing is wrong: ${word}`);
  return problem === null ? 0 : 1;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

process.exitCode = await main();
