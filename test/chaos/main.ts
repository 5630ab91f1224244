import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { MOUNTING } from '../support/small-disk.ts';
import { type ChaosArguments, readArguments, USAGE } from './arguments.ts';
import { type ControlResult, runControl } from './controls.ts';
import { fillDocument } from './document.ts';
import { planInboxRounds } from './inbox-schedule.ts';
import { inboxes, storms } from './modes.ts';
import { MUTANTS } from './mutants.ts';
import { takeSource } from './old-source.ts';
import { say, writeResult } from './output.ts';
import { waitForEarlier } from './patience.ts';
import { figuresOf, toTable } from './report.ts';
import { rolling, SPLIT, WHOLE } from './rolling.ts';
import { runMode, type Mode, type RunOptions, type RunResult } from './run.ts';
import { planRounds, withFullDisk } from './schedule.ts';
import { canTrace, SYSCALLS, WRITE_NUMBERS } from './syscalls.ts';

const ROOT = join(import.meta.dirname, '../..');
const INTERRUPTED = 130;
/** A job of fewer ends before its processes are replaced twice, and three alike are enough for it. */
const LARGE = 20_000;

/** `npm run chaos`: faults against oracles. Ends with 1 when anything was found that must never be. */
async function main(): Promise<number> {
  const options = readArguments(process.argv.slice(2));
  if (options === 'help') {
    say(USAGE);
    return 0;
  }
  const { mode, seed, rounds, processes } = options;
  const plans = planRounds(seed, rounds, processes);
  const received = planInboxRounds(seed, rounds, processes);
  if (options.plan) {
    for (const plan of mode === 'inbox' ? received : plans) say(JSON.stringify(plan, null, 2));
    return 0;
  }
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());
  const run: RunOptions = { processes, root: ROOT, keep: options.keep, signal: stopping.signal, say };
  // Whoever takes something back has to find the button first.
  const undo = { ...run, env: { UNDO_SECONDS: String(Math.round(waitForEarlier(700) / 1000)) } };
  try {
    switch (mode) {
      case 'rounds':
        say(`seed ${seed}`);
        return await play(options, 'chaos.json', storms({ drills: true, goesBack: true }), plans, undo);
      case 'disk': {
        const code = playOnOwnDisk();
        if (code !== null) return code;
        say(`seed ${seed}`);
        const onDisk = { ...undo, ownDisk: true };
        return await play(options, 'chaos-disk.json', storms({}), plans.map(withFullDisk), onDisk);
      }
      case 'inbox':
        say(`seed ${seed}`);
        return await play(options, 'chaos-inbox.json', inboxes(), received, run);
      case 'syscalls':
        if (canTrace()) {
          const alone = { ...run, processes: 1 };
          return await play(options, 'chaos-syscalls.json', SYSCALLS, WRITE_NUMBERS, alone);
        }
        say('skipped: there is no strace here, or it may not trace');
        return 0;
      case 'rolling':
        return await roll(options, run);
      case 'controls':
        return await control(options, run);
      case 'document':
        say(`taken: ${fillDocument(join(ROOT, 'docs/shown/reliability.md')).join(', ') || 'nothing'}`);
        return 0;
    }
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    return INTERRUPTED;
  }
}

async function play<Plan, Context>(
  options: ChaosArguments,
  file: string,
  mode: Mode<Plan, Context>,
  plans: Iterable<Plan>,
  run: RunOptions,
): Promise<number> {
  const began = performance.now();
  return tell(options, file, began, mode.judges, await runMode(mode, plans, run));
}

/** Prints and writes down what came of a run; 1 when anything was found. */
function tell(
  { seed, processes, recipients, from, mode }: ChaosArguments,
  file: string,
  began: number,
  judges: Parameters<typeof figuresOf>[0],
  result: RunResult,
): number {
  const figures = figuresOf(judges, result);
  say(`\n${toTable(figures)}\n`);
  const given = mode === 'rolling' ? { recipients, from } : { seed };
  writeResult(file, began, { ...given, processes, figures, ...result });
  return result.findings.length === 0 ? 0 : 1;
}

/** Runs this program again where it may mount, and returns its exit code; null: it may here. */
function playOnOwnDisk(): number | null {
  if (process.env['CHAOS_MOUNTS'] !== undefined) return null;
  const [unshare, flags] = MOUNTING;
  if (spawnSync(unshare, [flags, 'true']).status !== 0) {
    say('skipped: a full disk needs a mount namespace, and there is none here');
    return 0;
  }
  const env = { ...process.env, CHAOS_MOUNTS: 'yes' };
  return spawnSync(unshare, [flags, process.execPath, ...process.argv.slice(1)], { stdio: 'inherit', env })
    .status;
}

async function roll(options: ChaosArguments, run: RunOptions): Promise<number> {
  const { recipients, from } = options;
  const began = performance.now();
  const old = from === undefined ? null : takeSource(ROOT, from);
  const results: RunResult[] = [];
  const mode = await rolling(WHOLE, { isUpgrade: old !== null });
  try {
    const older = old === null ? {} : { from: old.source };
    const turns = recipients < LARGE ? 1 : 2;
    results.push(await runMode(mode, [{ recipients, turns }], { ...run, ...older, processes: WHOLE.length }));
    if (old === null && recipients >= LARGE)
      results.push(
        await runMode(await rolling(SPLIT), [{ recipients, turns: 1 }], { ...run, processes: SPLIT.length }),
      );
  } finally {
    old?.remove();
  }
  const result = {
    rounds: results.flatMap(({ rounds }) => rounds),
    findings: results.flatMap(({ findings }) => findings),
  };
  const file = from === undefined ? 'chaos-rolling.json' : 'chaos-upgrade.json';
  return tell(options, file, began, mode.judges, result);
}

async function control({ rounds, processes, only }: ChaosArguments, run: RunOptions): Promise<number> {
  const began = performance.now();
  const chosen = MUTANTS.filter(({ name }) => only === undefined || name.includes(only));
  if (chosen.length === 0)
    throw new Error(`no control ${only}; there are ${MUTANTS.map(({ name }) => name).join(', ')}`);
  const results: ControlResult[] = [];
  for (const mutant of chosen) results.push(await runControl(mutant, rounds, run));
  say('');
  for (const { name, about, caughtIn, by } of results) {
    const verdict = caughtIn === null ? 'NOT CAUGHT' : `caught in round ${caughtIn} (${by.join(', ')})`;
    say(`${name.padEnd(20)} ${verdict.padEnd(34)} ${about}`);
  }
  const caught = results.filter(({ caughtIn }) => caughtIn !== null).length;
  say(`${caught} of ${results.length} caught`);
  writeResult('chaos-controls.json', began, { processes, caught, controls: results });
  return caught === results.length ? 0 : 1;
}

process.exitCode = await main();
