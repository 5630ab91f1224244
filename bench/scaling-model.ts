import { KEEP } from './kept.ts';
import { OPEN_SECONDS, type UnitCost, type UnitCosts } from './scaling-costs.ts';
import type { Counts } from './scaling-simulation.ts';
import { perAccountDay, type Workload } from './scaling-workload.ts';

/** What a deployment has. */
export interface Deployment {
  /** Processes with all roles; each uses one core. */
  readonly processes: number;
  readonly bots: number;
  readonly postgresCores: number;
  /** How long the gateway takes for a reading: an assumption. */
  readonly gatewayMs: number;
}

/** Of src/telegram/outgoing/outgoing.ts. */
export const PER_SECOND = 30;
/** Of src/features/inbox/poller.ts: accounts that a process asks at once. */
const AT_ONCE = 16;

export interface Demand {
  readonly pollsPerSecond: number;
  readonly gatewayPerSecond: number;
  readonly statementsPerSecond: number;
  readonly botCores: number;
  readonly postgresCores: number;
  /** Before several received messages are told as one. */
  readonly offeredPerSecond: number;
  readonly openAccounts: number;
}

/** What is asked of each part in a second. */
export function demandOf(
  counts: Counts,
  of: { readonly seconds: number; readonly accounts: number; readonly processes: number },
  units: UnitCosts,
): Demand {
  const { seconds, accounts, processes } = of;
  const rate = (count: number): number => count / seconds;
  const { inboxReads, creditReads, detailReads } = counts;
  const polls = rate(inboxReads + creditReads + detailReads);
  const sum = (cost: (unit: UnitCost) => number): number =>
    processes * cost(units.idle) +
    polls * cost(units.poll) +
    rate(counts.received) * cost(units.message) +
    rate(counts.updates) * cost(units.command) +
    rate(counts.sends) * cost(units.send) +
    rate(counts.recipients) * cost(units.recipient);
  return {
    pollsPerSecond: polls,
    gatewayPerSecond: polls + rate(counts.statusReads + counts.sendCalls),
    statementsPerSecond: sum(({ statements }) => statements),
    botCores: sum(({ botMs }) => botMs) / 1000,
    postgresCores: sum(({ postgresMs }) => postgresMs) / 1000,
    offeredPerSecond: rate(counts.received + counts.others),
    openAccounts: Math.min(accounts, rate(inboxReads) * OPEN_SECONDS),
  };
}

export interface Wall {
  readonly name: string;
  /** 1: nothing is left. */
  readonly load: number;
}

/** How full each part is, the fullest first. */
export function wallsOf(demand: Demand, deployment: Deployment, units: UnitCosts): readonly Wall[] {
  const { processes, bots, postgresCores } = deployment;
  return [
    { name: 'Telegram, messages of a bot', load: demand.offeredPerSecond / (PER_SECOND * bots) },
    {
      name: 'hands of the pollers',
      load: demand.pollsPerSecond / handsPerSecond(deployment, units),
    },
    { name: 'cores of the processes', load: demand.botCores / processes },
    { name: 'cores of Postgres', load: demand.postgresCores / postgresCores },
  ].toSorted((left, right) => right.load - left.load);
}

/** Readings that the pollers of all processes can make in a second. */
export function handsPerSecond({ processes, gatewayMs }: Deployment, { poll }: UnitCosts): number {
  return (processes * AT_ONCE * 1000) / (gatewayMs + poll.botMs + poll.postgresMs);
}

/** The same, by whichever of hands and cores ends first. */
export function pollsPerSecond(deployment: Deployment, units: UnitCosts): number {
  return Math.min(handsPerSecond(deployment, units), (deployment.processes * 1000) / units.poll.botMs);
}

/** Updates, buttons and the rows of files have gone by then. */
const PASSING_DAYS = 8;

/**
 * Gigabytes of tables and indexes after so many days of the same, where everything is kept as long as the defaults say. After
 * the audit's three years hardly anything is added.
 */
export function diskAfter(days: number, workload: Workload, accounts: number, units: UnitCosts): number {
  const passing = Math.min(days, PASSING_DAYS);
  const whole = Math.min(days, KEEP.sends) - passing;
  const counted = Math.min(days, KEEP.audit) - passing - whole;
  const kept = ({ bytes: { atOnce, month, year } }: UnitCost): number =>
    passing * atOnce + whole * month + counted * year;
  const perAccount =
    perAccountDay(workload, (kind) => kind.receivedPerDay) * kept(units.message) +
    perAccountDay(workload, (kind) => kind.updatesPerDay) * kept(units.command) +
    perAccountDay(workload, (kind) => kind.sendsPerDay) * kept(units.send) +
    perAccountDay(workload, (kind) => kind.sendsPerDay * kind.recipientsPerSend) * kept(units.recipient);
  return (perAccount * accounts) / 1e9;
}

/** Megabytes of one process, where each has its share of the accounts. */
export function memoryPerProcess(
  { openAccounts }: Demand,
  { processes }: Deployment,
  units: UnitCosts,
): number {
  const { baseMb, openKb } = units.memory;
  return baseMb + (openAccounts / processes) * (openKb / 1024);
}
