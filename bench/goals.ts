/** What a figure should be, and what it is held against. */
export interface Goal {
  /** The benchmark that measures it: `npm run bench -- <benchmark>`. */
  readonly benchmark: string;
  readonly measure: string;
  /** Measured in the same run; absent: the figure stands by itself. */
  readonly peer?: string;
  readonly unit?: string;
  readonly digits?: number;
  readonly wanted: { readonly atLeast: number } | { readonly atMost: number };
}

const FLAT = { atMost: 1.2 } as const;
const PER_ACCOUNT = 'with 10 accounts';
const ALONE = 'one process';

/** Every goal, in the order in which they are told. */
export const GOALS = {
  intake: {
    benchmark: 'intake',
    measure: 'updates a second of the whole bot',
    peer: 'raw undici loop',
    wanted: { atLeast: 0.65 },
  },
  'intake-slow': {
    benchmark: 'intake',
    measure: 'updates a second, Bot API answering after 50 ms',
    peer: 'raw undici loop',
    wanted: { atLeast: 0.5 },
  },
  isolation: {
    benchmark: 'isolation',
    measure: 'p99 of `/credit` in chat B while the gateway of A hangs',
    peer: 'while it answers',
    wanted: { atMost: 1.2 },
  },
  'isolation-confirm': {
    benchmark: 'isolation',
    measure: 'confirm to wire in chat B while 40 sends of A hang, p50',
    peer: 'while none does',
    wanted: { atMost: 1.2 },
  },
  credit: {
    benchmark: 'credit',
    measure: 'own part of `/credit`, p50',
    digits: 2,
    unit: 'ms',
    wanted: { atMost: 3 },
  },
  'confirm-p50': {
    benchmark: 'confirm',
    measure: 'confirm to wire, p50',
    digits: 1,
    unit: 'ms',
    wanted: { atMost: 25 },
  },
  'confirm-p99': {
    benchmark: 'confirm',
    measure: 'confirm to wire, p99',
    digits: 1,
    unit: 'ms',
    wanted: { atMost: 100 },
  },
  'bulk-8': {
    benchmark: 'bulk',
    measure: 'recipients a second, durable, an id for each, from 2 to 8 calls in flight',
    peer: 'raw undici loop',
    wanted: { atLeast: 0.8 },
  },
  'bulk-32': {
    benchmark: 'bulk',
    measure: 'recipients a second, from 2 to 32 calls in flight',
    peer: 'raw undici loop',
    wanted: { atLeast: 0.5 },
  },
  'bulk-tls': {
    benchmark: 'bulk',
    measure: 'recipients a second, behind TLS, 50 ms away, from 2 to 8 calls in flight',
    peer: 'raw undici loop',
    wanted: { atLeast: 0.8 },
  },
  'bulk-cpu': {
    benchmark: 'bulk',
    measure: 'CPU of the bot for a recipient',
    digits: 1,
    unit: 'µs',
    wanted: { atMost: 8 },
  },
  reports: {
    benchmark: 'reports',
    measure: 'from accepted to settled, 1,000,000 recipients',
    peer: 'the same pages read and stored by a bare loop',
    wanted: { atMost: 2 },
  },
  'reports-card': {
    benchmark: 'reports',
    measure: 'longest time without an edit of its card meanwhile',
    unit: 's',
    wanted: { atMost: 10 },
  },
  memory: {
    benchmark: 'memory',
    measure: 'peak memory, 1,000,000 recipients − 10,000',
    digits: 0,
    unit: 'MB',
    wanted: { atMost: 30 },
  },
  import: {
    benchmark: 'import',
    measure: 'rows a second, file to review, a text for each',
    peer: 'a loop that does the same at one go',
    wanted: { atLeast: 0.8 },
  },
  'import-hold': {
    benchmark: 'import',
    measure: 'longest time for which the event loop was held meanwhile',
    digits: 0,
    unit: 'ms',
    wanted: { atMost: 50 },
  },
  'import-memory': {
    benchmark: 'import',
    measure: 'growth of memory during the import',
    digits: 0,
    unit: 'MB',
    wanted: { atMost: 120 },
  },
  workbook: {
    benchmark: 'import',
    measure: 'rows a second, workbook to review, a text for each',
    peer: 'hucre, which only reads it',
    wanted: { atLeast: 1 },
  },
  'workbook-memory': {
    benchmark: 'import',
    measure: 'growth of memory meanwhile',
    digits: 0,
    unit: 'MB',
    wanted: { atMost: 120 },
  },
  'polling-statements': {
    benchmark: 'polling',
    measure: 'statements for an account and hour, with 10,000',
    peer: PER_ACCOUNT,
    wanted: FLAT,
  },
  'polling-pages': {
    benchmark: 'polling',
    measure: 'pages that Postgres looks at for it, likewise',
    peer: PER_ACCOUNT,
    wanted: FLAT,
  },
  'polling-bot': {
    benchmark: 'polling',
    measure: 'CPU of the bot for it, likewise',
    peer: PER_ACCOUNT,
    wanted: FLAT,
  },
  'polling-postgres': {
    benchmark: 'polling',
    measure: 'CPU of Postgres for it, likewise',
    peer: PER_ACCOUNT,
    wanted: FLAT,
  },
  'replicas-lost': {
    benchmark: 'replicas',
    measure: 'recipients and updates lost or doubled with 1, 2 and 4 processes',
    digits: 0,
    wanted: { atMost: 0 },
  },
  'replicas-bulk': {
    benchmark: 'replicas',
    measure: 'bulk, recipients a second with 4 processes, until the cores are full',
    peer: ALONE,
    wanted: { atLeast: 1 },
  },
  'replicas-intake': {
    benchmark: 'replicas',
    measure: 'intake, updates a second of 4 processes with a bot each, likewise',
    peer: ALONE,
    wanted: { atLeast: 1 },
  },
  year: {
    benchmark: 'year',
    measure: 'commands and sweeps in storage on a generated year, the slowest, p50',
    peer: 'the same on an empty database',
    wanted: { atMost: 1.5 },
  },
  'start-try': {
    benchmark: 'start',
    measure: '`npm start` in try mode to ready, warm, p50',
    unit: 's',
    wanted: { atMost: 5 },
  },
  'start-bundle': {
    benchmark: 'start',
    measure: 'production bundle to its first poll, Postgres running, p50',
    unit: 's',
    wanted: { atMost: 0.7 },
  },
} as const satisfies Readonly<Record<string, Goal>>;

export type GoalName = keyof typeof GOALS;

export const GOAL_NAMES: readonly string[] = Object.keys(GOALS);

/** The goal of that name; null: there is none. */
export function goalNamed(name: string): Goal | null {
  return new Map<string, Goal>(Object.entries(GOALS)).get(name) ?? null;
}

/** As it is told: `≥ 0.65`, `≤ 3 ms`. */
export function toldGoal({ wanted, unit }: Goal): string {
  const suffix = unit === undefined ? '' : ` ${unit}`;
  return 'atLeast' in wanted ? `≥ ${wanted.atLeast}${suffix}` : `≤ ${wanted.atMost}${suffix}`;
}

export function isReached({ wanted }: Goal, figure: number): boolean {
  return 'atLeast' in wanted ? figure >= wanted.atLeast : figure <= wanted.atMost;
}
