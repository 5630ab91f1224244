import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { MOUNTING } from '../support/small-disk.ts';
import { type ChaosArguments, readArguments, USAGE } from './arguments.ts';
import {
  type ControlOptions,
  type ControlResult,
  runControl,
  runInboxControl,
  runRollingControl,
} from './controls.ts';
import { fillDocument } from './document.ts';
import { runFailpoints } from './failpoints.ts';
import { INBOX_MUTANTS } from './inbox-mutants.ts';
import { inboxFigures } from './inbox-report.ts';
import { INBOXES, runInboxRounds } from './inbox-run.ts';
import { planInboxRounds } from './inbox-schedule.ts';
import { MUTANTS } from './mutants.ts';
import { ORDER_MUTANTS } from './order-mutants.ts';
import { waitForEarlier } from './patience.ts';
import { say, writeResult } from './output.ts';
import { failpointFigures, figuresOf, syscallFigures, toTable } from './report.ts';
import { CHATS, runRounds } from './run.ts';
import { planRounds, withFullDisk } from './schedule.ts';
import { rollingFigures } from './rolling-report.ts';
import { runRolling, SPLIT, WHOLE } from './rolling-run.ts';
import { ROLLING_MUTANTS } from './rolling-mutants.ts';
import { canTrace, runSyscalls } from './syscalls.ts';

const ROOT = join(import.meta.dirname, '../..');
const INTERRUPTED = 130;
/** A rolling run of so many recipients also takes an installation with processes for each role. */
const BOTH_FROM = 20_000;

/** `npm run chaos`: faults against oracles. Ends with 1 when anything was found that must never be. */
async function main(): Promise<number> {
  const options = readArguments(process.argv.slice(2));
  if (options === 'help') {
    say(USAGE);
    return 0;
  }
  if (options.plan) return printPlan(options);
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());
  try {
    switch (options.mode) {
      case 'failpoints':
        return await kill(options, stopping.signal);
      case 'syscalls':
        return await cut(options, stopping.signal);
      case 'controls':
        return await control(options, stopping.signal);
      case 'document':
        say(`taken: ${fillDocument(join(ROOT, 'docs/shown/reliability.md')).join(', ') || 'nothing'}`);
        return 0;
      case 'inbox':
        return await receive(options, stopping.signal);
      case 'rolling':
        return await roll(options, stopping.signal);
      case 'disk':
        return playOnOwnDisk() ?? (await play(options, stopping.signal));
      case 'rounds':
        return await play(options, stopping.signal);
    }
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    return INTERRUPTED;
  }
}

async function play(options: ChaosArguments, signal: AbortSignal): Promise<number> {
  const { seed, rounds, processes, keep } = options;
  const began = performance.now();
  say(`seed ${seed}`);
  const ownDisk = options.mode === 'disk';
  const plans = planRounds(seed, rounds, { chats: CHATS, processes });
  const result = await runRounds({
    plans: ownDisk ? plans.map(withFullDisk) : plans,
    ownDisk,
    processes,
    // Whoever takes something back has to find the button first.
    undoSeconds: Math.round(waitForEarlier(700) / 1000),
    source: options.source ?? ROOT,
    keep,
    signal,
    say,
    enough: () => false,
    drills: !ownDisk,
    settle: true,
    goesBack: !ownDisk,
  });
  const figures = figuresOf(result);
  say(`\n${toTable(figures)}\n`);
  const detail = result.rounds.map(({ sendings, ...rest }) => ({ ...rest, sends: sendings.length }));
  const { drills, settled } = result;
  writeResult(ownDisk ? 'chaos-disk.json' : 'chaos.json', began, {
    seed,
    processes,
    figures,
    drills,
    settled,
    rounds: detail,
  });
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

async function receive(options: ChaosArguments, signal: AbortSignal): Promise<number> {
  const { seed, rounds, processes, keep, source } = options;
  const began = performance.now();
  say(`seed ${seed}`);
  const result = await runInboxRounds({
    plans: planInboxRounds(seed, rounds, { places: INBOXES, processes }),
    processes,
    root: source ?? ROOT,
    keep,
    signal,
    say,
    enough: () => false,
  });
  const figures = inboxFigures(result);
  say(`\n${toTable(figures)}\n`);
  const detail = result.rounds.map(({ storedAfterMs, ...rest }) => ({
    ...rest,
    slowestMs: Math.max(0, ...storedAfterMs),
  }));
  const { findings } = result;
  writeResult('chaos-inbox.json', began, { seed, processes, figures, findings, rounds: detail });
  return result.findings.length === 0 ? 0 : 1;
}

async function roll(options: ChaosArguments, signal: AbortSignal): Promise<number> {
  const { recipients, from, keep, source = ROOT } = options;
  const began = performance.now();
  // A small run is for every change, and three processes are enough for that.
  const crews = from === undefined && recipients >= BOTH_FROM ? [WHOLE, SPLIT] : [WHOLE];
  const result = await runRolling({ recipients, source, from, root: ROOT, crews, keep, signal, say });
  const { phases, findings } = result;
  const figures = rollingFigures(phases, findings);
  say(`\n${toTable(figures)}\n`);
  const file = from === undefined ? 'chaos-rolling.json' : 'chaos-upgrade.json';
  const detail = phases.map(({ answeredMs, ...rest }) => ({ ...rest, answers: answeredMs.length }));
  writeResult(file, began, { recipients, from, processes: WHOLE.roles.length, figures, phases: detail });
  return findings.length === 0 ? 0 : 1;
}

async function control(options: ChaosArguments, signal: AbortSignal): Promise<number> {
  const { rounds, processes, only, keep } = options;
  const began = performance.now();
  const all = [
    ...[...MUTANTS, ...ORDER_MUTANTS].map((mutant) => ({
      name: mutant.name,
      run: (how: ControlOptions) => runControl(mutant, how),
    })),
    ...INBOX_MUTANTS.map((mutant) => ({
      name: mutant.name,
      run: (how: ControlOptions) => runInboxControl(mutant, how),
    })),
    ...ROLLING_MUTANTS.map((mutant) => ({
      name: mutant.name,
      run: (how: ControlOptions) => runRollingControl(mutant, how),
    })),
  ];
  const chosen = all.filter(({ name }) => only === undefined || name.includes(only));
  if (chosen.length === 0)
    throw new Error(`no control ${only}; there are ${all.map(({ name }) => name).join(', ')}`);
  const results: ControlResult[] = [];
  for (const { run } of chosen) {
    const root = options.source ?? ROOT;
    results.push(await run({ rounds, processes, root, keep, signal, say }));
  }
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

async function kill({ only, keep, source }: ChaosArguments, signal: AbortSignal): Promise<number> {
  const began = performance.now();
  const result = await runFailpoints({ root: source ?? ROOT, only, keep, signal, say });
  const { strikes, missed, elsewhere } = result;
  const found = strikes.flatMap(({ findings }) => findings);
  const figures = failpointFigures(result);
  say(`\n${elsewhere.map((each) => `left out: ${each}`).join('\n')}\n\n${toTable(figures)}\n`);
  writeResult('chaos-failpoints.json', began, { figures, ...result });
  return found.length === 0 && missed.length === 0 ? 0 : 1;
}

async function cut({ keep, source }: ChaosArguments, signal: AbortSignal): Promise<number> {
  const began = performance.now();
  if (!canTrace()) {
    say('skipped: there is no strace here, or it may not trace');
    return 0;
  }
  const cuts = await runSyscalls({ root: source ?? ROOT, keep, signal, say });
  const figures = syscallFigures(cuts);
  say(`\n${toTable(figures)}\n`);
  writeResult('chaos-syscalls.json', began, { figures, cuts });
  return cuts.length > 0 && cuts.every(({ findings }) => findings.length === 0) ? 0 : 1;
}

function printPlan({ mode, seed, rounds, processes }: ChaosArguments): number {
  const plans =
    mode === 'inbox'
      ? planInboxRounds(seed, rounds, { places: INBOXES, processes })
      : planRounds(seed, rounds, { chats: CHATS, processes });
  for (const plan of plans) say(JSON.stringify(plan, null, 2));
  return 0;
}

process.exitCode = await main();
