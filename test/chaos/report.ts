import type { Finding } from './checks.ts';
import type { Drill } from './drill.ts';
import type { FailpointResult } from './failpoints.ts';
import type { RoundResult } from './round.ts';
import type { RunResult } from './run.ts';
import type { Cut } from './syscalls.ts';

/** The figures of a run, by what they are called in its table. */
export type Figures = Readonly<Record<string, number>>;

export function figuresOf({ rounds: results, drills, settled, findings }: RunResult): Figures {
  const sum = (of: (result: RoundResult) => number): number =>
    results.reduce((total, each) => total + of(each), 0);
  const found = (kind: string): number => countOf(findings, kind);
  return {
    rounds: results.length,
    'processes killed (SIGKILL)': sum(({ blows }) => blows.kills),
    'processes paused (SIGSTOP)': sum(({ blows }) => blows.pauses),
    'database restarts without shutdown': sum(({ blows }) => blows.restarts),
    'network cuts': sum(({ blows }) => blows.cuts),
    '… of one process alone': sum(({ blows }) => blows.partitions),
    'disks full for a while': sum(({ blows }) => blows.fullDisks),
    'gateway faults': sum(({ blows }) => blows.gatewayFaults),
    'telegram faults': sum(({ blows }) => blows.telegramFaults),
    'updates repeated in a storm': sum(({ blows }) => blows.replays),
    'updates repeated in the calm': sum(({ replayed }) => replayed),
    'recipients confirmed': sum(({ tally }) => tally.confirmed),
    '… accepted': sum(({ tally }) => tally.accepted),
    '… not sent': sum(({ tally }) => tally.notSent),
    '… unknown after the round': sum(({ tally }) => tally.unknown),
    '… … that the gateway has': sum(({ tally }) => tally.unknownTaken),
    ...orderFigures(results),
    'unknown resolved by itself': settled?.found ?? 0,
    'unknown asked of a person': settled?.asked ?? 0,
    '… of these sent again by their word': settled?.again ?? 0,
    'unknown at the end': settled?.open ?? 0,
    lost: found('lost'),
    doubled: found('doubled'),
    'wrongly reported, or sent otherwise than confirmed': found('wrong'),
    'sent without an order, or beyond what is allowed': found('unordered'),
    'cards that disagree': found('card'),
    'cards whose Send is dead': found('dead'),
    'commands that vanished': found('silent'),
    'effects of a repeated update': found('replay'),
    'stuck until a restart': found('stuck'),
    'taken up too late': found('slow'),
    'secrets seen': found('secret'),
    crashes: found('crash'),
    'duplicate cards in Telegram': sum(({ extraCards }) => extraCards),
    'cards that Telegram lost': sum(({ heard }) => heard.cardsLost.length),
    'commands answered with an error': sum(({ heard }) => heard.told.length),
    '… whose words Telegram lost': sum(({ heard }) => heard.untold.length),
    'presses without effect in the storm': sum(({ pressedAgain }) => pressedAgain.length),
    'conflicts of getUpdates': sum(({ conflicts }) => conflicts),
    'lines that are no log records': sum(({ stray }) => stray),
    ...spread(
      'ms to an answer after the storm',
      results.map(({ answeredMs }) => answeredMs),
    ),
    ...spread(
      'ms to quiet after the storm',
      results.map(({ quietMs }) => quietMs),
    ),
    ...drillFigures(drills),
  };
}

function orderFigures(results: readonly RoundResult[]): Figures {
  const names = new Set(results.flatMap(({ orders }) => Object.keys(orders)));
  return Object.fromEntries(
    [...names].map((name) => [
      `sends ${name}`,
      results.reduce((sum, { orders }) => sum + (orders[name] ?? 0), 0),
    ]),
  );
}

function drillFigures(drills: readonly Drill[]): Figures {
  const of = (blow: Drill['blow'], what: 'answeredMs' | 'endedMs'): number[] =>
    drills.filter((drill) => drill.blow === blow).map((drill) => drill[what]);
  return {
    ...spread('ms to an answer after a kill', of('kill', 'answeredMs')),
    ...spread('ms to the end of the job after a kill', of('kill', 'endedMs')),
    ...spread('ms to an answer after a freeze of 90 s began', of('freeze', 'answeredMs')),
    ...spread('ms to the end of the job after that', of('freeze', 'endedMs')),
    ...spread('ms to an answer after a database restart', of('postgres', 'answeredMs')),
    ...spread('ms to the end of the job after one', of('postgres', 'endedMs')),
  };
}

export function failpointFigures({ awaits, strikes, missed, elsewhere }: FailpointResult): Figures {
  return {
    'awaits with failpoints': awaits - elsewhere.length,
    'awaits left out, with a reason': elsewhere.length,
    'processes killed': strikes.length,
    'failpoints that were never reached': missed.length,
    ...outcomeFigures(strikes),
  };
}

export function syscallFigures(cuts: readonly Cut[]): Figures {
  return {
    'processes killed, each at another write': cuts.length,
    ...outcomeFigures(cuts),
  };
}

/** What came of sends, one for each kill. */
function outcomeFigures(trials: readonly Pick<Cut, 'accepted' | 'unknown' | 'findings'>[]): Figures {
  const findings = trials.flatMap((trial) => trial.findings);
  const sum = (of: (trial: (typeof trials)[number]) => number): number =>
    trials.reduce((total, each) => total + of(each), 0);
  return {
    'recipients accepted': sum(({ accepted }) => accepted),
    'recipients unknown': sum(({ unknown }) => unknown),
    lost: countOf(findings, 'lost'),
    doubled: countOf(findings, 'doubled'),
    'wrongly reported': countOf(findings, 'wrong'),
    'cards that disagree': countOf(findings, 'card'),
    'cards whose Send is dead': countOf(findings, 'dead'),
    'stuck until a restart': countOf(findings, 'stuck'),
  };
}

export function toTable(figures: Figures): string {
  const names = Object.keys(figures);
  const width = Math.max(...names.map((name) => name.length));
  return names.map((name) => `${name.padEnd(width)}  ${String(figures[name]).padStart(8)}`).join('\n');
}

/** One line for a round as it ends. */
export function toLine({ round, seconds, tally, orders, quietMs, findings, blows }: RoundResult): string {
  const missing = Object.entries(orders).flatMap(([name, count]) => (count === 0 ? [name] : []));
  const harm = `${blows.kills} kills, ${blows.pauses} pauses, ${blows.restarts} restarts, ${blows.cuts} cuts`;
  const told = `${tally.confirmed} confirmed, ${tally.unknown} unknown, quiet after ${(quietMs / 1000).toFixed(1)} s`;
  return `round ${round}: ${seconds} s, ${harm}; ${told}; ${findings.length === 0 ? 'nothing found' : `${findings.length} FOUND`}${missing.length === 0 ? '' : `; did not happen: ${missing.join(', ')}`}`;
}

export function countOf(findings: readonly Finding[], kind: string): number {
  return findings.filter((each) => each.kind === kind).reduce((total, each) => total + each.count, 0);
}

/** Median, p99 and the largest; nothing where nothing was measured. */
export function spread(name: string, values: readonly number[]): Figures {
  if (values.length === 0) return {};
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { [`${name}, median`]: at(0.5), [`${name}, p99`]: at(0.99), [`${name}, most`]: at(1) };
}
