import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { HttpRoute } from '../ports/http.ts';
import type { Metrics, Standing } from '../ports/metrics.ts';
import type { Clock } from '../ports/runtime.ts';

/** However often somebody asks, the database is read so often at most. */
const FRESH_MS = 5000;
const SECONDS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60];

/**
 * Counts what a process does, and answers `/metrics` in the format of Prometheus: its counts, what stands in the database
 * (the same from every process: take the largest, not the sum), and the runtime's own figures.
 * @param standing null where it cannot be read; those figures are then absent
 */
export function createMetrics(
  standing: () => Promise<Standing | null>,
  clock: Pick<Clock, 'monotonic'>,
): { readonly metrics: Metrics; readonly route: HttpRoute } {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'peyk_' });
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const seconds = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Histogram({ name, help, labelNames, registers, buckets: SECONDS });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames, registers });

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
  const attempts = gauge('peyk_attempts', 'Send calls that are not settled, by state', ['state']);
  const unknown = gauge('peyk_sends_unknown', 'Send calls of which nobody knows what came of them');
  const unknownAge = gauge('peyk_sends_unknown_age_seconds', 'Age of the oldest of them');
  const due = gauge('peyk_jobs_due', 'Jobs that are due and not taken yet');
  const dueAge = gauge('peyk_jobs_due_age_seconds', 'For how long the oldest of them has been due');
  const failed = gauge('peyk_jobs_failed', 'Jobs that have failed for good');
  const open = gauge('peyk_updates_open', 'Updates that are written down and not done');
  const accounts = gauge('peyk_accounts', 'Accounts that are looked after');
  const lag = gauge('peyk_poll_lag_seconds', 'How late the account is that is most overdue');
  const alarms = gauge('peyk_alarms', 'Alarms that stand, by kind', ['kind']);

  let readAt = Number.NEGATIVE_INFINITY;
  const refresh = async (): Promise<void> => {
    if (clock.monotonic() - readAt < FRESH_MS) return;
    readAt = clock.monotonic();
    const now = await standing().catch(() => null);
    alarms.reset();
    attempts.reset();
    if (now === null) {
      for (const each of [unknown, unknownAge, due, dueAge, failed, open, accounts, lag]) each.remove();
      return;
    }
    for (const [state, n] of Object.entries(now.attempts)) attempts.set({ state }, n);
    for (const [kind, n] of Object.entries(now.alarms)) alarms.set({ kind }, n);
    unknown.set(now.attempts.unknown + now.attempts.asked);
    unknownAge.set(now.oldestUnknownSeconds);
    due.set(now.jobsDue);
    dueAge.set(now.oldestJobSeconds);
    failed.set(now.jobsFailed);
    open.set(now.updatesOpen);
    accounts.set(now.accounts);
    lag.set(now.pollLagSeconds);
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
