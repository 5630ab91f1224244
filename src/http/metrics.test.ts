import { beforeEach, describe, expect, test } from 'vitest';
import type { HttpRequest } from '../ports/http.ts';
import type { Metrics, OpenWork } from '../ports/metrics.ts';
import { createMetrics } from './metrics.ts';

const STANDING: OpenWork = {
  attempts: { reserved: 1, on_wire: 2, unknown: 3, asked: 4 },
  oldestOnWireSeconds: 3.5,
  oldestUnknownSeconds: 61.5,
  jobsDue: 5,
  oldestJobSeconds: 6,
  jobsFailed: 7,
  updatesOpen: 8,
  accounts: 9,
  accountsHalted: 13,
  heldSeconds: null,
  accountsFailing: 14,
  pollLagSeconds: 10,
  alarms: { credit: 2 },
  processes: 15,
  leaders: 1,
  databaseBytes: 11,
  databaseConnections: 12,
};
const REQUEST: HttpRequest = { method: 'GET', header: () => undefined, read: async () => new Uint8Array() };

let now: number;
let reads: number;
let standing: OpenWork | Error | Promise<never>;
let isReady: boolean;
let leads: boolean | null;
let metrics: Metrics;
let putOff: () => Promise<number>;
let scrape: () => Promise<readonly string[]>;

beforeEach(() => {
  [now, reads, standing, isReady, leads] = [0, 0, STANDING, true, true];
  const made = createMetrics({
    version: '1.2.3',
    roles: ['bot', 'worker'],
    standing: async () => {
      reads += 1;
      if (standing instanceof Error) throw standing;
      return await standing;
    },
    ready: async () => isReady,
    leads: () => leads,
    clock: {
      monotonic: () => now,
      // Time passes at once for those who would wait for ever.
      sleep: async (_, signal) => {
        if (standing instanceof Promise) return;
        await new Promise<void>((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('aborted')));
        });
      },
    },
  });
  ({ metrics, putOff } = made);
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
    metrics.limited('chat', 'read');
    expect(await scrape()).toEqual(
      expect.arrayContaining([
        'peyk_updates_total{kind="message"} 2',
        'peyk_commands_total{command="send",outcome="done"} 1',
        'peyk_gateway_call_seconds_count{version="3",operation="send",outcome="accepted"} 1',
        'peyk_gateway_call_seconds_bucket{le="0.3",version="3",operation="send",outcome="accepted"} 1',
        'peyk_telegram_call_seconds_count{method="sendMessage",status="429"} 1',
        'peyk_telegram_429_total{method="sendMessage"} 1',
        'peyk_telegram_possible_duplicates_total 1',
        'peyk_limited_total{scope="chat",kind="read"} 1',
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
        'peyk_attempts_on_wire_age_seconds 3.5',
        'peyk_accounts_halted 13',
        'peyk_accounts_failing 14',
        'peyk_processes 15',
        'peyk_database_up 1',
        'peyk_database_bytes 11',
        'peyk_database_connections 12',
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

  test('has the number of calls that Telegram has put off for others to tell', async () => {
    expect(await putOff()).toBe(0);
    for (const method of ['sendMessage', 'sendMessage', 'editMessageText'])
      metrics.telegramCall({ method, status: 429, ms: 20 });
    metrics.telegramCall({ method: 'sendMessage', status: 200, ms: 20 });
    expect(await putOff()).toBe(3);
  });

  test('says what runs, whether it is ready and whether it leads', async () => {
    expect(await scrape()).toEqual(
      expect.arrayContaining([
        'peyk_info{version="1.2.3",roles="bot,worker"} 1',
        'peyk_ready 1',
        'peyk_leader 1',
      ]),
    );
    [now, isReady, leads] = [10_000, false, false];
    expect(await scrape()).toEqual(expect.arrayContaining(['peyk_ready 0', 'peyk_leader 0']));
    [now, leads] = [20_000, null];
    expect((await scrape()).filter((line) => line.startsWith('peyk_leader '))).toEqual([]);
  });

  test('answers while the database hangs, and does not ask it a second time meanwhile', async () => {
    standing = new Promise<never>(() => undefined);
    expect(await scrape()).toEqual(expect.arrayContaining(['peyk_database_up 0', 'peyk_ready 0']));
    now = 10_000;
    expect(await scrape()).toContain('peyk_database_up 0');
    expect(reads).toBe(1);
  });

  test('leaves out what it cannot read instead of saying zero', async () => {
    await scrape();
    now = 10_000;
    standing = new Error('postgres://user:password@host is away');
    const lines = await scrape();
    expect(
      lines.filter((line) =>
        /^peyk_(?:sends_unknown|jobs_due|attempts|alarms|database_bytes)\b[^#]* \d/u.test(line),
      ),
    ).toEqual([]);
    expect(lines).toContain('peyk_database_up 0');
    expect(lines.join('\n')).not.toContain('password');
    expect(lines.some((line) => line.startsWith('peyk_process_cpu_seconds_total'))).toBe(true);
  });
});
