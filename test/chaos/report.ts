import type { RoundResult } from './round.ts';
import type { RunResult } from './run.ts';

/** The figures of a run, by what they are called in its table. */
export type Figures = Readonly<Record<string, number>>;

export function figuresOf({ rounds: results, settled }: RunResult): Figures {
  const sum = (of: (result: RoundResult) => number): number =>
    results.reduce((total, each) => total + of(each), 0);
  const found = (kind: string) =>
    [...results, settled]
      .flatMap((part) => part?.findings ?? [])
      .filter((each) => each.kind === kind)
      .reduce((total, each) => total + each.count, 0);
  const answered = results.map(({ answeredMs }) => answeredMs);
  const quiet = results.map(({ quietMs }) => quietMs);
  return {
    rounds: results.length,
    'kills (SIGKILL)': sum(({ blows }) => blows.kills),
    'pauses (SIGSTOP)': sum(({ blows }) => blows.pauses),
    'database restarts': sum(({ blows }) => blows.restarts),
    'network cuts': sum(({ blows }) => blows.cuts),
    'gateway faults': sum(({ blows }) => blows.gatewayFaults),
    'telegram faults': sum(({ blows }) => blows.telegramFaults),
    'updates replayed in a storm': sum(({ blows }) => blows.replays),
    'recipients confirmed': sum(({ tally }) => tally.confirmed),
    '… accepted': sum(({ tally }) => tally.accepted),
    '… not sent': sum(({ tally }) => tally.notSent),
    '… unknown': sum(({ tally }) => tally.unknown),
    '… … that the gateway has': sum(({ tally }) => tally.unknownTaken),
    'unknown at the end: found in the lists': settled?.found ?? 0,
    '… asked of a person': settled?.asked ?? 0,
    '… still unknown': settled?.open ?? 0,
    lost: found('lost'),
    doubled: found('doubled'),
    'wrongly reported': found('wrong'),
    'stuck until a restart': found('stuck'),
    'cards that disagree': found('card'),
    'effects of a replay': found('replay'),
    'secrets seen': found('secret'),
    crashes: found('crash'),
    'cards shown twice': sum(({ extraCards }) => extraCards),
    'commands without a card': sum(({ unshown }) => unshown.length),
    'presses without a job': sum(({ unheard }) => unheard.length),
    'conflicts of getUpdates': sum(({ conflicts }) => conflicts),
    'lines that are no log records': sum(({ stray }) => stray),
    'ms to an answer, median': quantile(answered, 0.5),
    'ms to an answer, p99': quantile(answered, 0.99),
    'ms to quiet, median': quantile(quiet, 0.5),
    'ms to quiet, p99': quantile(quiet, 0.99),
  };
}

export function isClean({ rounds, settled }: RunResult): boolean {
  return [...rounds, settled].every((part) => (part?.findings.length ?? 0) === 0);
}

export function toTable(figures: Figures): string {
  const names = Object.keys(figures);
  const width = Math.max(...names.map((name) => name.length));
  return names.map((name) => `${name.padEnd(width)}  ${String(figures[name]).padStart(8)}`).join('\n');
}

/** One line for a round as it ends. */
export function toLine({ round, seconds, tally, quietMs, findings, blows }: RoundResult): string {
  const harm = `${blows.kills} kills, ${blows.pauses} pauses, ${blows.restarts} restarts, ${blows.cuts} cuts`;
  const told = `${tally.confirmed} confirmed, ${tally.unknown} unknown, quiet after ${(quietMs / 1000).toFixed(1)} s`;
  return `round ${round}: ${seconds} s, ${harm}; ${told}; ${findings.length === 0 ? 'nothing found' : `${findings.length} FOUND`}`;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
