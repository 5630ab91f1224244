/** What a figure should be, and what it is held against. */
export interface Goal {
  /** The benchmark that measures it: `npm run bench -- <benchmark>`. */
  readonly benchmark: string;
  readonly measure: string;
  /** Measured in the same run; absent: the figure stands by itself. */
  readonly peer?: string;
  readonly unit?: string;
  readonly digits?: number;
  /** What is counted is the same on a busy machine. */
  readonly isCounted?: true;
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
    peer: 'grammY, concurrent, on the same HTTP client, storing nothing',
    wanted: { atLeast: 0.6 },
  },
  'intake-durable': {
    benchmark: 'intake',
    measure: 'updates a second of the whole bot',
    peer: 'a loop that commits each batch durably before it answers',
    wanted: { atLeast: 0.7 },
  },
  'intake-slow': {
    benchmark: 'intake',
    measure: 'updates a second, Bot API answering after 50 ms',
    peer: 'raw undici loop',
    wanted: { atLeast: 0.9 },
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
    peer: 'a prepared select, a durable commit, an exchange with gateway and Telegram each',
    wanted: { atMost: 2 },
  },
  'confirm-p50': {
    benchmark: 'confirm',
    measure: 'confirm to wire, p50',
    peer: 'two durable commits and a dial',
    wanted: { atMost: 3 },
  },
  'confirm-p99': {
    benchmark: 'confirm',
    measure: 'confirm to wire, p99',
    peer: 'its p50',
    wanted: { atMost: 4 },
  },
  'send-statements': {
    benchmark: 'costs',
    measure: 'statements of a send to one, with its reports',
    digits: 0,
    isCounted: true,
    wanted: { atMost: 60 },
  },
  bytes: {
    benchmark: 'costs',
    measure: 'kept for a recipient of a large send after 30 days, tables and indexes',
    digits: 0,
    unit: 'bytes',
    isCounted: true,
    wanted: { atMost: 40 },
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
  'memory-live': {
    benchmark: 'memory',
    measure: 'heap in use, from import to last report, 1,000,000 recipients − 10,000',
    digits: 0,
    unit: 'MB',
    wanted: { atMost: 30 },
  },
  'memory-peak': {
    benchmark: 'memory',
    measure: 'peak memory of the process, likewise',
    digits: 0,
    unit: 'MB',
    wanted: { atMost: 60 },
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
    isCounted: true,
    wanted: FLAT,
  },
  'polling-pages': {
    benchmark: 'polling',
    measure: 'pages that Postgres looks at for it, likewise',
    peer: PER_ACCOUNT,
    isCounted: true,
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
    isCounted: true,
    wanted: { atMost: 0 },
  },
  'replicas-bulk': {
    benchmark: 'replicas',
    measure: 'bulk, recipients a second with 4 processes',
    peer: ALONE,
    wanted: { atLeast: 1 },
  },
  'replicas-intake': {
    benchmark: 'replicas',
    measure: 'intake, updates a second of 4 processes with a bot each',
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
    measure: 'try mode to ready',
    peer: 'starting Postgres and importing the same packages',
    wanted: { atMost: 1.3 },
  },
  'start-bundle': {
    benchmark: 'start',
    measure: 'bundle to its first poll, Postgres running',
    peer: 'a bundle of a bare grammY bot',
    wanted: { atMost: 2 },
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
