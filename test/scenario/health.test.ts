import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { createButtonStore } from '../../src/storage/chat/button-store.ts';
import { quiet } from '../support/quiet.ts';
import { given, isFromBot, PATIENCE, plain, rows, talkIn } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/* What those who run the deployment are told of it, and that nobody else learns that they are. */

const BOSS = 700_000_001;
const KEY = 'a key that nobody has any more';

let world: World;
let talk: ReturnType<typeof talkIn>;
let boss: Person;

beforeAll(async () => {
  world = await startWorld({ OWNER_IDS: `${BOSS},700000002` }, { deliverySeconds: 0.2 });
  talk = talkIn(world);
  boss = world.driver.user({ id: BOSS, first_name: 'Boss', language_code: 'en' });
  boss.start();
});

afterAll(async () => {
  expect(talk.errors()).toEqual([]);
  await world.stop();
});

const someone = (first_name: string, language_code = 'en') =>
  world.driver.user({ first_name, language_code });
const linesOf = (text: string): string[] => text.split('\n').slice(1);

test('/health tells an operator in private how the deployment is, and ↻ reads it anew as often as it is pressed', async () => {
  const sara = someone('Sara');
  const account = talk.account();
  await talk.connects(sara, { apiKey: account.apiKey });
  await talk.asks(sara, sara, '/send 09121234567 secretive', '#A1');

  const card = await talk.asks(boss, boss, '/health', 'Bot status');
  const told = plain(card);
  expect(rows(card)).toEqual([['↻']]);
  expect(linesOf(told).filter((line) => !line.startsWith('✅'))).toEqual([]);
  expect(told).toMatch(/Peyk \d+\.\d+\.\d+, up for .*\. Roles of this process: bot, worker$/m);
  expect(told).toContain('1 process alive; this one handles updates.');
  expect(told).toContain('Updates arrive by polling.');
  expect(told).toContain('Accounts: 1 linked.');
  expect(told).toContain('Telegram has throttled 0 calls since the start.');
  expect(told).toContain('This process has the master keys of all stored accounts.');
  for (const tenant of ['Sara', '9121234567', 'secretive', '3000123456', account.username, account.apiKey])
    expect(told).not.toContain(tenant);

  const { sql } = world.database;
  await sql`update account set failing_since = now()`;
  await sql`insert into binding (id, chat_id, state, credentials, kinds, prints, created_by)
    select gen_random_uuid(), id, 'replaced', ${Buffer.from(`\x01\x04lost${KEY}`)}, '{}', '{}', 1 from chat limit 1`;
  expect(await talk.presses(boss, card, '↻')).toBe('');
  await talk.turns(card, /⚠️ Accounts: 1 linked.*1 failing/);
  await quiet(world);
  await sql`update account set failing_since = null`;
  expect(await talk.presses(boss, card, '↻')).toBe('');
  await talk.turns(card, /✅ Accounts: 1 linked\.$/m);
  await sql`delete from binding where credentials = ${Buffer.from(`\x01\x04lost${KEY}`)}`;
});

test('it is the same in Persian', async () => {
  const other = world.driver.user({ id: 700_000_002, first_name: 'Arash', language_code: 'fa' });
  other.start();
  const card = await talk.asks(other, other, '/health', 'وضعیت ربات');
  expect(plain(card)).toMatch(/✅ پیک \d/);
  expect(plain(card)).toMatch(/۱ فرایند روشن است/);
});

test('for anybody else, and outside the private chat, there is no such command', async () => {
  const nobody = someone('Nobody');
  const group = world.driver.group({ creator: nobody, members: [boss], bot: 'administrator' });
  await talk.connects(nobody, { apiKey: talk.account().apiKey }, { chat: group });

  const unknown = await talk.asks(nobody, nobody, '/nothing', 'I do not know /nothing');
  const told = await talk.asks(nobody, nobody, '/health', 'I do not know /health');
  expect(plain(told)).toBe(plain(unknown).replace('/nothing', '/health'));
  expect(plain(await talk.asks(nobody, nobody, '/help health', 'no command health'))).not.toContain(
    '/health',
  );

  for (const person of [boss, nobody]) {
    const said = person.send(group, '/health');
    person.send(group, '/health@PeykSandboxBot');
    await talk.settled(person, group);
    const since = world.driver.messages(group).filter((each) => each.message_id > said.message_id);
    // As to a command that there is not: none but what calls this bot by its name is answered.
    expect(since.filter(isFromBot).map(plain)).toEqual([
      expect.stringContaining('I do not know /health'),
      expect.stringContaining(`id ${person.id}`),
    ]);
  }
  for (const place of [boss, group]) {
    expect(plain(await talk.asks(boss, place, '/help all', 'What you can do here'))).not.toContain('/health');
    const chat = typeof place === 'number' ? place : place.id;
    const menu = world.playground.control.commands({ chat, user: boss.id });
    expect(menu.map(({ command }) => command)).not.toContain('health');
  }
});

test('its button does nothing for anybody else, however they came by it', async () => {
  const card = await talk.asks(boss, boss, '/health', 'Bot status');
  const eve = someone('Eve');
  eve.start();
  const hello = await talk.hears(eve, 'I am Peyk');
  const data = card.reply_markup?.inline_keyboard.flat()[0];
  const forged = await world.driver.waitForAnswer(
    eve.forge(hello, data !== undefined && 'callback_data' in data ? data.callback_data : ''),
    PATIENCE,
  );
  expect(forged.text).not.toBe('');

  // Made for her by mistake: what it does asks once more who she is.
  const [row] = await world.database.sql<{ id: string }[]>`select id from chat where telegram_id = ${eve.id}`;
  const [token = ''] = await createButtonStore(world.database).mint(given(row).id, [
    { action: 'health.again', payload: {}, minRank: -1, ttlSeconds: 600 },
  ]);
  await world.driver.waitForAnswer(eve.forge(hello, `p1:${token}`), PATIENCE);
  await talk.settled(eve, eve);
  expect(world.driver.messages(eve).filter(isFromBot).map(plain).join('\n')).not.toContain('deployment');
});
