import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/story.ts';
import { isFromBot, plain, talkIn } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/* More updates than Peyk takes into hand: they stay with Telegram, and each of them is handled in the end. */

const MOST = 20;
/** What Telegram gives at a time. */
const BATCH = 100;
const SECRET = 'webhook-secret-0123456789-abcdefgh';

/** Somebody's command hangs at the gateway while they write on and on. Gives how many updates were taken in meanwhile. */
async function flood(world: World, messages: number): Promise<number> {
  const { sql } = world.database;
  const talk = talkIn(world);
  const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
  const account = talk.account();
  await talk.connects(sara, { apiKey: account.apiKey });
  const slow = { kind: 'delay', when: 'before', ms: 4000, times: 1, account: account.username } as const;
  const fault = world.sandbox.faults.add(slow);
  const asked = sara.send(sara, '/credit');
  await until(() => {
    expect(world.sandbox.faults.list().some(({ id, used }) => id === fault && used === 0)).toBe(false);
  });
  const [{ last }] = await sql<[{ last: number }]>`select max(update_id) as last from update`;
  for (let n = 0; n < messages; n += 1) sara.send(sara, '/whoami');
  await until(() => {
    const heard = world.driver
      .messages(sara)
      .filter((each) => isFromBot(each) && each.message_id > asked.message_id)
      .filter((each) => plain(each).startsWith('Sara · id'));
    expect(heard).toHaveLength(messages);
  });
  await until(async () => {
    expect(await sql`select 1 from update where done_at is null`).toHaveLength(0);
  });
  const [row] = await sql<[{ all: number; meanwhile: number }]>`
    select count(*)::int as all, count(*) filter (where received_at < hung.done_at)::int as meanwhile
    from update, (select done_at from update where update_id = ${last}) as hung where update_id > ${last}`;
  expect(row.all).toBe(messages);
  expect(talk.errors()).toEqual([]);
  return row.meanwhile;
}

test('while too many are in hand no more are asked for, and none is lost', async () => {
  await using world = await startWorld({}, { mostInHand: MOST });
  const meanwhile = await flood(world, 500);
  expect(meanwhile).toBeGreaterThanOrEqual(MOST - 1);
  expect(meanwhile).toBeLessThan(MOST + BATCH);
});

test('while too many are in hand Telegram is asked to bring more later, and none is lost', async () => {
  const port = await freePort();
  await using world = await startWorld(
    {
      TELEGRAM_BOT_TOKEN: '1:set-by-the-world',
      GATEWAY_BASE_URL: 'http://127.0.0.1:1',
      GATEWAY_WS_URL: 'http://127.0.0.1:1',
      WEBHOOK_URL: `http://127.0.0.1:${port}/updates`,
      WEBHOOK_SECRET: SECRET,
    },
    { mostInHand: MOST, http: { host: '127.0.0.1', port }, webhookRetryMs: 100 },
  );
  const meanwhile = await flood(world, 80);
  expect(meanwhile).toBeGreaterThanOrEqual(MOST - 1);
  expect(meanwhile).toBeLessThanOrEqual(MOST);
  const info = await fetch(`${world.playground.apiRoot}/bot${world.playground.token}/getWebhookInfo`);
  expect(await info.text()).toContain('503');
});
