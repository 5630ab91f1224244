import type { Figure } from './benchmark.ts';
import type { GoalName } from './goals.ts';
import type { Alert } from './polling-alerts.ts';
import type { Cost } from './polling-cost.ts';
import { percentile } from './statistics.ts';

const GOAL_OF: Readonly<Partial<Record<keyof Cost, GoalName>>> = {
  statements: 'polling-statements',
  pages: 'polling-pages',
  botMs: 'polling-bot',
  postgresMs: 'polling-postgres',
};
const NAMES = {
  statements: 'statements',
  pages: 'pages that Postgres looks at',
  calls: 'calls of the gateway',
  botMs: 'CPU of the bot',
  postgresMs: 'CPU of Postgres',
} as const satisfies Partial<Record<keyof Cost, string>>;

/** What an account costs in an hour, beside what there is without any. */
export function costFigures(
  idle: Cost,
  added: Readonly<Record<'ten' | 'hundred' | 'thousand' | 'most', Cost>>,
): Figure[] {
  const rows = (what: string, cost: Cost, isTold = false): Figure[] =>
    keysOf(NAMES).map((name) => ({
      what,
      measure: NAMES[name],
      figure: cost[name],
      ...(isTold ? { isTold } : {}),
      ...(name.endsWith('Ms') ? { digits: 0, unit: 'ms' } : { digits: 1 }),
    }));
  const ratios = keysOf(NAMES).map((name): Figure => {
    const goal = GOAL_OF[name];
    return {
      what: 'per account, 10,000 ÷ 10',
      measure: NAMES[name],
      figure: added.most[name] / added.ten[name],
      ...(goal === undefined ? {} : { goal }),
    };
  });
  const told = [
    ...rows('no account, an hour', idle),
    ...rows('10, per account and hour', added.ten),
    ...rows('100, per account and hour', added.hundred),
    ...rows('1,000, per account and hour', added.thousand),
    ...rows('10,000, per account and hour', added.most, true),
    ...ratios,
  ];
  return told.filter(({ figure }) => !Number.isNaN(figure));
}

/** How soon a message is told, with 10,000 accounts looked after. */
export function alertFigures({
  busy,
  quiet,
}: {
  readonly busy: readonly Alert[];
  readonly quiet: { readonly fromDue: readonly Alert[]; readonly whole: readonly number[] };
}): Figure[] {
  const own = [...busy, ...quiet.fromDue].map((alert) => alert.own);
  const seconds = (values: readonly number[]): number[] => values.map((value) => value / 1000);
  return [
    ...spread(
      `read every 15 s: message to chat, ${busy.length} messages`,
      seconds(busy.map(({ total }) => total)),
      's',
    ),
    ...spread(
      `read every 300 s: message to chat, ${quiet.whole.length} messages, wait for the reading drawn`,
      seconds(quiet.whole),
      's',
    ),
    ...spread(
      'read every 300 s: from when its reading is due to chat',
      seconds(quiet.fromDue.map(({ total }) => total)),
      's',
    ),
    ...spread("both: from the gateway's answer to that reading to chat", own, 'ms'),
  ];
}

function spread(measure: string, values: readonly number[], unit: string): Figure[] {
  const what = 'alert';
  const digits = unit === 'ms' ? 0 : 2;
  return [
    { what, measure: `${measure}, p50`, figure: percentile(values, 0.5), digits, unit, isTold: true },
    { what, measure: `${measure}, p99`, figure: percentile(values, 0.99), digits, unit, isTold: true },
  ];
}

function keysOf<T extends object>(value: T): (keyof T & string)[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object of our own, with no other keys
  return Object.keys(value) as (keyof T & string)[];
}
