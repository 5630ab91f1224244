import { Api } from 'grammy';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMemoryLog, type MemoryLog } from '../../../test/support/memory-log.ts';
import { Secret } from '../../domain/secret.ts';
import { createDriver, type Driver } from '../../playground/control/driver.ts';
import { startPlayground, type Playground } from '../../playground/server.ts';
import { UPDATE_KINDS } from './polling.ts';
import { createWebhookAddress } from './webhook-address.ts';

const OURS = 'https://127.0.0.1:1/ours';
const SECRET = 's'.repeat(32);

let playground: Playground;
let driver: Driver;
let api: Api;
let log: MemoryLog;
let naps: number[];

beforeAll(async () => {
  playground = await startPlayground();
  driver = createDriver(playground);
  api = new Api(playground.token, { apiRoot: playground.apiRoot });
});
beforeEach(async () => {
  await api.deleteWebhook();
  log = createMemoryLog();
  naps = [];
});
afterAll(async () => {
  driver.close();
  await playground.close();
});

/** Looks so many times, with something done before each rest ends. */
async function look(times: number, between: () => Promise<void> = async () => undefined) {
  const stop = new AbortController();
  const address = createWebhookAddress({
    api,
    url: OURS,
    secret: new Secret(SECRET),
    clock: {
      now: () => new Date(),
      monotonic: () => 0,
      async sleep(ms) {
        naps.push(ms);
        await between();
        if (naps.length >= times) stop.abort();
      },
    },
    log,
  });
  const before = address.problem();
  await address.run(stop.signal);
  return { address, before };
}

const urlNow = async () => (await api.getWebhookInfo()).url;

describe('the address of the webhook', () => {
  test('of a bot whose token is refused is no matter of the address, and is said to be that', async () => {
    playground.control.fault({ method: 'setWebhook', code: 401, description: 'Unauthorized' });
    const { address } = await look(1);
    expect(address.problem()).toBe('Telegram refuses the bot token');
  });

  test('is told to Telegram with the secret and the kinds of updates that count', async () => {
    const { address, before } = await look(1);
    expect(before).toContain('not been told yet');
    expect(address.problem()).toBeNull();
    const info = await api.getWebhookInfo();
    expect(info).toMatchObject({
      url: OURS,
      allowed_updates: [...UPDATE_KINDS],
    });
    expect(driver.calls('setWebhook').at(-1)?.params).toMatchObject({ secret_token: SECRET });
  });

  test('that somebody else has moved is said to be moved, and set again', async () => {
    let moved = false;
    const { address } = await look(2, async () => {
      if (moved) return;
      moved = true;
      await api.setWebhook('https://127.0.0.1:1/theirs');
    });
    expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    expect(await urlNow()).toBe(OURS);
    expect(address.problem()).toBeNull();
  });

  test('is tried again while Telegram does not answer, and that is the reason meanwhile', async () => {
    const away = new Api(playground.token, { apiRoot: 'http://127.0.0.1:1' });
    const stop = new AbortController();
    const waits: number[] = [];
    const address = createWebhookAddress({
      api: away,
      url: OURS,
      secret: new Secret(SECRET),
      clock: {
        now: () => new Date(),
        monotonic: () => 0,
        async sleep(ms) {
          waits.push(ms);
          if (waits.length === 3) stop.abort();
        },
      },
      log,
    });
    await address.run(stop.signal);
    expect(address.problem()).toContain('could not be asked');
    expect(waits).toEqual([500, 1000, 2000]);
    expect(JSON.stringify(log.lines)).not.toContain(SECRET);
  });
});
