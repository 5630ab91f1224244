import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { HttpRoute } from '../ports/http.ts';
import type { Metrics, OpenWork } from '../ports/metrics.ts';
import type { Clock } from '../ports/runtime.ts';

/** However often somebody asks, the database is read so often at most. */
const FRESH_MS = 5000;
/** Whoever asks is answered, also while the database hangs. */
const PATIENCE_MS = 3000;
const SECONDS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60];

export interface MetricsOptions {
  readonly version: string;
  readonly roles: readonly string[];
  /** Null where it cannot be read; those figures are then absent. */
  readonly standing: () => Promise<OpenWork | null>;
  /** What `/readyz` says. */
  readonly ready: () => Promise<boolean>;
  /** Null where this process never leads. */
  readonly leads: () => boolean | null;
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
}

/**
 * Counts what a process does, and answers `/metrics` in the format of Prometheus: its counts, what stands in the database
 * (the same from every process: take the largest, not the sum), and the runtime's own figures.
 */
export function createMetrics(options: MetricsOptions): {
  readonly metrics: Metrics;
  readonly route: HttpRoute;
  /** How many calls Telegram has put off since the start. */
  readonly putOff: () => Promise<number>;
} {
  const { version, roles, clock } = options;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'peyk_' });
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const seconds = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Histogram({ name, help, labelNames, registers, buckets: SECONDS });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames, registers });

  gauge('peyk_info', 'Always 1: what runs here', ['version', 'roles']).set(
    { version, roles: roles.join(',') },
    1,
  );
  const ready = gauge('peyk_ready', '1 when /readyz says yes');
  const leader = gauge('peyk_leader', '1 in the process that handles the updates');
  const updates = counter('peyk_updates_total', 'Updates that came in for the first time', ['kind']);
  const commands = counter('peyk_commands_total', 'Commands by how they ended', ['command', 'outcome']);
  const gateway = seconds('peyk_gateway_call_seconds', 'Calls to the gateway, with their waits', [
    'version',
    'operation',
    'outcome',
  ]);
  const telegram = seconds('peyk_telegram_call_seconds', 'Calls to Telegram', ['method', 'status']);
  const limited = counter('peyk_telegram_429_total', 'Calls that Telegram has put off', ['method']);
  const twice = counter('peyk_telegram_possible_duplicates_total', 'Messages that may stand twice');
  const leftOut = counter('peyk_limited_total', 'What was left out since too much was asked at once', [
    'scope',
    'kind',
  ]);
  const attempts = gauge('peyk_attempts', 'Send calls that are not settled, by state', ['state']);
  const alarms = gauge('peyk_alarms', 'Alarms that stand, by kind', ['kind']);
  const answers = gauge('peyk_database_up', '1 when the database answers');
  const figure = (name: string, help: string, of: (standing: OpenWork) => number) => ({
    gauge: gauge(name, help),
    of,
  });
  const figures = [
    figure(
      'peyk_attempts_on_wire_age_seconds',
      'Age of the oldest call that is on its way',
      (now) => now.oldestOnWireSeconds,
    ),
    figure(
      'peyk_sends_unknown',
      'Send calls of which nobody knows what came of them',
      ({ attempts }) => attempts.unknown + attempts.asked,
    ),
    figure('peyk_sends_unknown_age_seconds', 'Age of the oldest of them', (now) => now.oldestUnknownSeconds),
    figure('peyk_jobs_due', 'Jobs that are due and not taken yet', (now) => now.jobsDue),
    figure(
      'peyk_jobs_due_age_seconds',
      'For how long the oldest of them has been due',
      (now) => now.oldestJobSeconds,
    ),
    figure('peyk_jobs_failed', 'Jobs that have failed for good', (now) => now.jobsFailed),
    figure('peyk_updates_open', 'Updates that are written down and not done', (now) => now.updatesOpen),
    figure('peyk_accounts', 'Accounts that are looked after', (now) => now.accounts),
    figure('peyk_accounts_halted', 'Those in whose chat every send is off', (now) => now.accountsHalted),
    figure('peyk_accounts_failing', 'Those with which something is wrong', (now) => now.accountsFailing),
    figure(
      'peyk_poll_lag_seconds',
      'How late the account is that is most overdue',
      (now) => now.pollLagSeconds,
    ),
    figure('peyk_processes', 'Processes of Peyk that are alive', (now) => now.processes),
    figure('peyk_database_bytes', 'What the database takes on its disk', (now) => now.databaseBytes),
    figure(
      'peyk_database_connections',
      'Connections to the database, of all processes',
      (now) => now.databaseConnections,
    ),
  ];

  const read = once(async () => {
    const [now, isReady] = await Promise.all([
      options.standing().catch(() => null),
      options.ready().catch(() => false),
    ]);
    return { now, isReady };
  });
  let readAt = Number.NEGATIVE_INFINITY;
  const refresh = async (): Promise<void> => {
    if (clock.monotonic() - readAt < FRESH_MS) return;
    readAt = clock.monotonic();
    const found = await inTime(read(), clock);
    const now = found?.now ?? null;
    ready.set(found?.isReady === true ? 1 : 0);
    answers.set(now === null ? 0 : 1);
    const leads = options.leads();
    if (leads === null) leader.remove();
    else leader.set(leads ? 1 : 0);
    alarms.reset();
    attempts.reset();
    for (const { gauge: each, of } of figures) {
      if (now === null) each.remove();
      else each.set(of(now));
    }
    for (const [state, n] of Object.entries(now?.attempts ?? {})) attempts.set({ state }, n);
    for (const [kind, n] of Object.entries(now?.alarms ?? {})) alarms.set({ kind }, n);
  };

  return {
    metrics: {
      update: (kind) => updates.inc({ kind }),
      command: (command, outcome) => commands.inc({ command, outcome }),
      gatewayCall: ({ version, operation, outcome, ms }) =>
        gateway.observe({ version: String(version), operation, outcome }, ms / 1000),
      telegramCall({ method, status, ms }) {
        telegram.observe({ method, status: String(status) }, ms / 1000);
        if (status === 429) limited.inc({ method });
      },
      possibleDuplicate: () => twice.inc(),
      limited: (scope, kind) => leftOut.inc({ scope, kind }),
    },
    async putOff() {
      const { values } = await limited.get();
      return values.reduce((sum, { value }) => sum + value, 0);
    },
    async route() {
      await refresh();
      return {
        status: 200,
        body: await registry.metrics(),
        headers: { 'content-type': registry.contentType },
      };
    },
  };
}

/** Null when it takes too long. */
async function inTime<T>(answer: Promise<T>, { sleep }: Pick<Clock, 'sleep'>): Promise<T | null> {
  const over = new AbortController();
  const late = sleep(PATIENCE_MS, over.signal).then(
    () => null,
    () => null,
  );
  try {
    return await Promise.race([answer, late]);
  } finally {
    over.abort();
  }
}

/** Whoever asks while it runs gets the answer that is on its way. */
function once<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () =>
    (running ??= run().finally(() => {
      running = undefined;
    }));
}
