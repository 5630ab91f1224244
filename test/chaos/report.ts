import type { Finding } from './checks.ts';
import type { RunResult } from './run.ts';

/** The figures of a run, by what they are called in its table. */
export type Figures = Readonly<Record<string, number>>;

/** What each finding is called in a table. */
const NAMES: Readonly<Record<Finding['kind'], string>> = {
  lost: 'lost',
  doubled: 'doubled',
  wrong: 'wrongly reported, or otherwise than it was confirmed or received',
  unknown: 'unknown, at the end or for a while',
  unordered: 'sent without an order, or beyond what is allowed',
  card: 'cards that disagree',
  dead: 'cards whose Send is dead',
  silent: 'commands that vanished',
  replay: 'effects of a repeated update, or answers twice',
  stranded: 'rows that nothing leads out of',
  untold: 'never told',
  marked: 'fetches where marking read is off',
  restart: 'stops that failed',
  early: 'restarts that prove nothing',
  idle: 'rounds in which nothing was confirmed',
  stuck: 'stuck until a restart',
  slow: 'taken up too late',
  secret: 'secrets seen',
  crash: 'crashes',
};

/** All that was counted, found and timed in the rounds of a run. */
export function figuresOf(judges: readonly Finding['kind'][], { rounds, findings }: RunResult): Figures {
  const counts: Record<string, number> = {};
  const times: Record<string, number[]> = {};
  for (const played of rounds) {
    for (const [name, count] of Object.entries(played.counts)) counts[name] = (counts[name] ?? 0) + count;
    for (const [name, values] of Object.entries(played.times)) (times[name] ??= []).push(...values);
  }
  return {
    rounds: rounds.length,
    ...counts,
    ...Object.fromEntries(judges.map((kind) => [NAMES[kind], countOf(findings, kind)])),
    ...Object.assign({}, ...Object.entries(times).map(([name, values]) => spread(name, values))),
  };
}

export function toTable(figures: Figures): string {
  const names = Object.keys(figures);
  const width = Math.max(...names.map((name) => name.length));
  return names.map((name) => `${name.padEnd(width)}  ${String(figures[name]).padStart(8)}`).join('\n');
}

function countOf(findings: readonly Finding[], kind: string): number {
  return findings.filter((each) => each.kind === kind).reduce((total, each) => total + each.count, 0);
}

/** Median, p99 and the largest; nothing where nothing was measured. */
function spread(name: string, values: readonly number[]): Figures {
  if (values.length === 0) return {};
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { [`${name}, median`]: at(0.5), [`${name}, p99`]: at(0.99), [`${name}, most`]: at(1) };
}
