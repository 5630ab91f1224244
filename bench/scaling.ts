import type { Benchmark, Figure } from './benchmark.ts';
import { readResult } from './result.ts';
import { checkModel } from './scaling-check.ts';
import { readUnitCosts, type UnitCosts } from './scaling-costs.ts';
import { createDelays, type Delays } from './scaling-delays.ts';
import {
  demandOf,
  diskAfter,
  memoryPerProcess,
  PER_SECOND,
  pollsPerSecond,
  wallsOf,
  type Demand,
  type Deployment,
} from './scaling-model.ts';
import { simulate, type Counts, type Outcome } from './scaling-simulation.ts';
import { TEAMS } from './scaling-workload.ts';

/** Half an hour of the busiest hour, after half an hour before it. */
const PART = { from: 8.5, warmSeconds: 1800, seconds: 1800 };
/** Accounts of all runs of a size together, so that chance does not decide. */
const ENOUGH = 10_000;
/** What is planned for is used up to so much. */
const FILLED = 0.6;
/** An assumption: a server of its own, and a gateway in the same country. */
const ONE: Deployment = { processes: 1, bots: 1, postgresCores: 4, gatewayMs: 100 };

/** 100, 10,000 and 1,000,000 accounts in the busiest hour of the day, simulated with what the other benchmarks measured. */
export const scaling: Benchmark = {
  about:
    'a model of the busiest hour with 100, 10,000 and 1,000,000 accounts; nothing is measured here but the model',
  async run(say) {
    const units = readUnitCosts(readResult);
    for (const name of units.assumed) say(`${name} was not run: constants stand in for what it measures`);
    const typical = runOf(10_000, ONE, units);
    const planned = planFor(1_000_000, typical.demand, units);
    const runs = [
      { name: '100', accounts: 100, deployment: ONE },
      { name: '10,000', accounts: 10_000, deployment: ONE },
      { name: '1,000,000, planned', accounts: 1_000_000, deployment: planned },
    ];
    const figures: Figure[] = [];
    let largest = typical.demand;
    for (const { name, accounts, deployment } of runs) {
      const before = process.cpuUsage();
      const run = runOf(accounts, deployment, units);
      largest = run.demand;
      const { user, system } = process.cpuUsage(before);
      say(`${name}: simulated in ${((user + system) / 1e6).toFixed(1)} s of a core`);
      figures.push(...columnOf(name, accounts, deployment, run, units));
    }
    const alone = runOf(1_000_000, ONE, units);
    // What it would take, not what little comes through.
    figures.push(...columnOf('1,000,000, one process', 1_000_000, ONE, { ...alone, demand: largest }, units));
    for (const { name, load } of wallsOf(typical.demand, ONE, units)) {
      say(`${name}: full with ${Math.round(10_000 / load)} accounts`);
      figures.push({
        what: 'one process and one bot',
        measure: `${name}: accounts with which it is full`,
        figure: 10_000 / load,
        digits: 0,
        isTold: true,
      });
    }
    return [...figures, ...checkModel(units, readResult('polling'))];
  },
};

interface Run {
  readonly demand: Demand;
  readonly outcome: Omit<Outcome, 'counts'>;
}

function runOf(accounts: number, deployment: Deployment, units: UnitCosts): Run {
  const delays: Delays = createDelays();
  const repeats = Math.max(1, Math.round(ENOUGH / accounts));
  let counts: Counts | null = null;
  const whole = { received: 0, told: 0, left: 0 };
  for (let seed = 1; seed <= repeats; seed += 1) {
    const outcome = simulate({
      ...PART,
      accounts,
      workload: TEAMS,
      bots: deployment.bots,
      perSecond: PER_SECOND,
      pollsPerSecond: pollsPerSecond(deployment, units),
      ownSeconds: units.ownSeconds,
      seed,
      delays,
    });
    counts = counts === null ? outcome.counts : sum(counts, outcome.counts);
    for (const name of ['received', 'told', 'left'] as const) whole[name] += outcome.whole[name];
  }
  if (counts === null) throw new Error('nothing was simulated');
  return {
    demand: demandOf(
      counts,
      { seconds: PART.seconds * repeats, accounts, processes: deployment.processes },
      units,
    ),
    outcome: { whole, delays },
  };
}

function sum(one: Counts, other: Counts): Counts {
  const names = Object.keys(one).filter((name) => name in other);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object of our own, with no other keys
  const all = names as (keyof Counts)[];
  return all.reduce((result, name) => ({ ...result, [name]: one[name] + other[name] }), one);
}

/** As many processes and bots as leave some room. */
function planFor(accounts: number, of10k: Demand, units: UnitCosts): Deployment {
  const need = (load: number): number => Math.max(1, Math.ceil((load * accounts) / ENOUGH / FILLED));
  const loads = new Map(wallsOf(of10k, ONE, units).map(({ name, load }) => [name, load]));
  return {
    ...ONE,
    bots: need(loads.get('Telegram, messages of a bot') ?? 0),
    processes: Math.max(
      need(loads.get('hands of the pollers') ?? 0),
      need(loads.get('cores of the processes') ?? 0),
    ),
    postgresCores: need(of10k.postgresCores),
  };
}

function columnOf(
  name: string,
  accounts: number,
  deployment: Deployment,
  { demand, outcome }: Run,
  units: UnitCosts,
): Figure[] {
  const row = (measure: string, figure: number, digits: number, unit?: string): Figure => ({
    what: name,
    measure,
    figure,
    digits,
    isTold: true,
    ...(unit === undefined ? {} : { unit }),
  });
  return [
    row('processes', deployment.processes, 0),
    row('bots', deployment.bots, 0),
    row('calls of the gateway a second', demand.gatewayPerSecond, 1),
    row('statements a second', demand.statementsPerSecond, 0),
    row('cores of the processes', demand.botCores, 2),
    row('cores of Postgres', demand.postgresCores, 2),
    row('messages for Telegram a second', demand.offeredPerSecond, 2),
    row('of them let through at most', deployment.bots * PER_SECOND, 0),
    row('message to chat, p50', outcome.delays.percentile(0.5), 0, 's'),
    row('message to chat, p99', outcome.delays.percentile(0.99), 0, 's'),
    row('not told in the end', (outcome.whole.left / outcome.whole.received) * 100, 1, '%'),
    row('memory of a process', memoryPerProcess(demand, deployment, units), 0, 'MB'),
    row('disk after a month', diskAfter(30, TEAMS, accounts, units), 2, 'GB'),
    row('disk after three years', diskAfter(3 * 365, TEAMS, accounts, units), 2, 'GB'),
    ...wallsOf(demand, deployment, units)
      .toSorted((left, right) => left.name.localeCompare(right.name))
      .map(({ name: wall, load }) => row(`how full: ${wall}`, load * 100, 0, '%')),
  ];
}
