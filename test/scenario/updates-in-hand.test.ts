import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { PATIENCE } from '../support/patience.ts';
import { harm, HELD, says, until } from '../support/story.ts';
import { isFromBot, plain, talkIn } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/* More updates than Peyk takes into hand: they stay with Telegram, and each of them is handled in the end. */

const MOST = 20;
/** What Telegram gives at a time. */
const BATCH = 100;
const SECRET = 'webhook-secret-0123456789-abcdefgh';

/** Commands that hang, each of which is given up before long. */
const ASKED = 5;

/** Somebody's commands hang at the gateway while they write on and on. Gives how many updates were in hand at most meanwhile. */
async function flood(world: World, messages: number): Promise<number> {
  const { sql } = world.database;
  const talk = talkIn(world);
  const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
  const account = talk.account();
  await talk.connects(sara, { apiKey: account.apiKey });
  const before = world.playground.control.updates().at(-1)?.id ?? 0;
  const { heal } = harm(world, account, { ...HELD, operation: 'credit' });
  for (let n = 0; n < ASKED; n += 1) sara.send(sara, '/credit');
  for (let n = 1; n < messages; n += 1) sara.send(sara, '/whoami');
  await until(async () => {
    expect((await sql`select 1 from update where done_at is null`).length).toBeGreaterThanOrEqual(MOST);
  });
  // So long the hands are full, and more could be taken in by mistake.
  const { message_id: after } = sara.send(sara, '/whoami');
  await world.driver.waitForMessage(sara, says('did not answer in time'), { after, ...PATIENCE });
  const [{ healed }] = await sql<[{ healed: Date }]>`select now() as healed`;
  heal();
  await until(() => {
    const heard = world.driver
      .messages(sara)
      .filter((each) => isFromBot(each) && plain(each).startsWith('Sara · id'));
    expect(heard).toHaveLength(messages);
  });
  await until(async () => {
    expect(await sql`select 1 from update where done_at is null`).toHaveLength(0);
  });
  const [row] = await sql<[{ all: number; most: number }]>`
    select count(*)::int as all, max((
      select count(*) from update other where other.received_at <= one.received_at and other.done_at > one.received_at
    )) filter (where one.received_at < ${healed})::int as most from update one where update_id > ${before}`;
  expect(row.all).toBe(ASKED + messages);
  expect(talk.errors()).toEqual([]);
  return row.most;
}

test('while too many are in hand no more are asked for, and none is lost', async () => {
  await using world = await startWorld({}, { mostInHand: MOST });
  const most = await flood(world, 500);
  expect(most).toBeGreaterThanOrEqual(MOST);
  expect(most).toBeLessThan(MOST + BATCH);
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
  const most = await flood(world, 80);
  expect(most).toBeGreaterThanOrEqual(MOST);
  // What is given up leaves room before it is written down as done.
  expect(most).toBeLessThan(MOST + ASKED);
  const info = await fetch(`${world.playground.apiRoot}/bot${world.playground.token}/getWebhookInfo`);
  expect(await info.text()).toContain('503');
});
