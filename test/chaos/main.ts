import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { readArguments, USAGE, type ChaosArguments } from './arguments.ts';
import { runControl, type ControlResult } from './controls.ts';
import { MUTANTS } from './mutants.ts';
import { createRandom } from './random.ts';
import { figuresOf, isClean, toTable } from './report.ts';
import { CHATS, runRounds } from './run.ts';
import { planRound } from './schedule.ts';

const ROOT = join(import.meta.dirname, '../..');
const INTERRUPTED = 130;

/** `npm run chaos`: rounds of faults against oracles. Ends with 1 when anything was found that must never be. */
async function main(): Promise<number> {
  const options = readArguments(process.argv.slice(2));
  if (options === 'help') {
    say(USAGE);
    return 0;
  }
  say(`seed ${options.seed}`);
  if (options.plan) return printPlan(options);
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());
  try {
    return options.controls ? await control(options, stopping.signal) : await play(options, stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    return INTERRUPTED;
  }
}

async function play(options: ChaosArguments, signal: AbortSignal): Promise<number> {
  const { seed, rounds, processes, keep } = options;
  const source = options.source ?? ROOT;
  const result = await runRounds({
    seed,
    rounds,
    processes,
    source,
    keep,
    signal,
    say,
    enough: () => false,
    settle: true,
  });
  const figures = figuresOf(result);
  say(`\n${toTable(figures)}`);
  const detail = result.rounds.map(({ sendings, ...rest }) => ({ ...rest, sends: sendings.length }));
  write('chaos.json', { seed, processes, figures, rounds: detail, settled: result.settled });
  return isClean(result) ? 0 : 1;
}

async function control(options: ChaosArguments, signal: AbortSignal): Promise<number> {
  const { seed, rounds, processes, only } = options;
  const chosen = MUTANTS.filter(({ name }) => only === undefined || name === only);
  if (chosen.length === 0)
    throw new Error(`no control ${only}; there are ${MUTANTS.map(({ name }) => name).join(', ')}`);
  const results: ControlResult[] = [];
  for (const mutant of chosen) {
    const root = options.source ?? ROOT;
    results.push(await runControl(mutant, { seed, rounds, processes, root, signal, say }));
  }
  say('');
  for (const { name, about, caughtIn, by } of results) {
    const verdict = caughtIn === null ? 'NOT CAUGHT' : `caught in round ${caughtIn} (${by.join(', ')})`;
    say(`${name.padEnd(20)} ${verdict.padEnd(34)} ${about}`);
  }
  const caught = results.filter(({ caughtIn }) => caughtIn !== null).length;
  say(`${caught} of ${results.length} caught`);
  write('chaos-controls.json', { seed, processes, controls: results });
  return caught === results.length ? 0 : 1;
}

function printPlan({ seed, rounds, processes }: ChaosArguments): number {
  const random = createRandom(seed);
  for (let round = 1; round <= rounds; round += 1)
    say(JSON.stringify(planRound(random, round, { chats: CHATS, processes }), null, 2));
  return 0;
}

function write(name: string, value: unknown): void {
  const folder = join(ROOT, 'test-output');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
  say(`\nwritten to test-output/${name}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = await main();
