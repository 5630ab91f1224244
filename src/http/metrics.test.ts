import { beforeEach, describe, expect, test } from 'vitest';
import type { HttpRequest } from '../ports/http.ts';
import type { Metrics, Standing } from '../ports/metrics.ts';
import { createMetrics } from './metrics.ts';

const STANDING: Standing = {
  attempts: { reserved: 1, on_wire: 2, unknown: 3, asked: 4 },
  oldestUnknownSeconds: 61.5,
  jobsDue: 5,
  oldestJobSeconds: 6,
  jobsFailed: 7,
  updatesOpen: 8,
  accounts: 9,
  pollLagSeconds: 10,
  alarms: { credit: 2 },
};
const REQUEST: HttpRequest = { method: 'GET', header: () => undefined, read: async () => new Uint8Array() };

let now: number;
let reads: number;
let standing: Standing | Error;
let metrics: Metrics;
let scrape: () => Promise<readonly string[]>;

beforeEach(() => {
  [now, reads, standing] = [0, 0, STANDING];
  const made = createMetrics(
    async () => {
      reads += 1;
      if (standing instanceof Error) throw standing;
      return standing;
    },
    { monotonic: () => now },
  );
  metrics = made.metrics;
  scrape = async () => {
    const { body, headers } = await made.route(REQUEST);
    expect(headers?.['content-type']).toContain('text/plain');
    return typeof body === 'string' ? body.split('\n') : [];
  };
});

describe('/metrics', () => {
  test('counts what the process has done, under a few names', async () => {
    metrics.update('message');
    metrics.update('message');
    metrics.command('send', 'done');
    metrics.gatewayCall({ version: 3, operation: 'send', outcome: 'accepted', ms: 250 });
    metrics.telegramCall({ method: 'sendMessage', status: 429, ms: 20 });
    metrics.possibleDuplicate();
    expect(await scrape()).toEqual(
      expect.arrayContaining([
        'peyk_updates_total{kind="message"} 2',
        'peyk_commands_total{command="send",outcome="done"} 1',
        'peyk_gateway_call_seconds_count{version="3",operation="send",outcome="accepted"} 1',
        'peyk_gateway_call_seconds_bucket{le="0.3",version="3",operation="send",outcome="accepted"} 1',
        'peyk_telegram_call_seconds_count{method="sendMessage",status="429"} 1',
        'peyk_telegram_429_total{method="sendMessage"} 1',
        'peyk_telegram_possible_duplicates_total 1',
      ]),
    );
  });

  test('tells what stands in the database, read now and then however often somebody asks', async () => {
    expect(await scrape()).toEqual(
      expect.arrayContaining([
        'peyk_attempts{state="on_wire"} 2',
        'peyk_sends_unknown 7',
        'peyk_sends_unknown_age_seconds 61.5',
        'peyk_jobs_due 5',
        'peyk_jobs_due_age_seconds 6',
        'peyk_jobs_failed 7',
        'peyk_updates_open 8',
        'peyk_accounts 9',
        'peyk_poll_lag_seconds 10',
        'peyk_alarms{kind="credit"} 2',
      ]),
    );
    for (now = 0; now < 5000; now += 1000) await scrape();
    expect(reads).toBe(1);
    now = 5000;
    standing = { ...STANDING, alarms: {}, jobsDue: 0 };
    const lines = await scrape();
    expect(lines).toContain('peyk_jobs_due 0');
    expect(lines.filter((line) => line.startsWith('peyk_alarms{'))).toEqual([]);
  });

  test('leaves out what it cannot read instead of saying zero', async () => {
    await scrape();
    now = 10_000;
    standing = new Error('postgres://user:password@host is away');
    const lines = await scrape();
    expect(
      lines.filter((line) => /^peyk_(?:sends_unknown|jobs_due|attempts|alarms)\b[^#]* \d/u.test(line)),
    ).toEqual([]);
    expect(lines.join('\n')).not.toContain('password');
    expect(lines.some((line) => line.startsWith('peyk_process_cpu_seconds_total'))).toBe(true);
  });
});
