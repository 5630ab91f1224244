import { createHash } from 'node:crypto';
import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAlarmStore } from '../../src/storage/alerts/alarm-store.ts';
import { createInboundStore } from '../../src/storage/inbox/inbound-store.ts';
import { until } from '../support/story.ts';
import { dataOf, given, isFromBot, PATIENCE, plain, rows, talkIn } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/* How alerts reach the places that they go to, whatever Telegram does about it. */

let world: World;
let talk: ReturnType<typeof talkIn>;
let keys = 0;

beforeAll(async () => {
  world = await startWorld({}, { deliverySeconds: 1 });
  talk = talkIn(world);
});

afterAll(async () => {
  await world.stop();
});

const someone = (first_name: string) => world.driver.user({ first_name, language_code: 'en' });
const control = () => world.playground.control;
const alarms = () => createAlarmStore(world.database, 'Asia/Tehran');

/** A group with a linked account, its owner and a viewer. */
async function linked() {
  const [owner, vida] = [someone('Olga'), someone('Vida')];
  const group = world.driver.group({ creator: owner, members: [vida], bot: 'administrator' });
  const account = talk.account();
  await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
  await talk.gives('viewer', vida, group);
  const [row] = await world.database.sql<{ chat_id: string; account_id: string }[]>`
    select c.id as chat_id, a.id as account_id from chat c join account a on a.chat_id = c.id where c.telegram_id = ${group}`;
  return { owner, vida, group, chatId: given(row).chat_id, accountId: given(row).account_id };
}

/** A channel of the owner's, added as a place for alerts. */
async function withChannel() {
  const place = await linked();
  const stranger = someone('Stranger');
  const channel = world.driver.group({
    creator: place.owner,
    members: [place.vida, stranger],
    type: 'channel',
    title: `Ops ${place.group}`,
    bot: 'administrator',
  });
  await talk.asks(
    place.owner,
    place.group,
    `/alerts ${channel}`,
    `Alerts go to Ops ${place.group} from now on`,
  );
  return { ...place, channel, stranger };
}

/** Messages come in, as the poller would store them. */
async function receives(accountId: string, count: number, text = 'Hello'): Promise<void> {
  const messages = Array.from({ length: count }, () => {
    keys += 1;
    return {
      key: `test ${keys}`,
      otherKey: `other ${keys}`,
      contentSha256: createHash('sha256').update(String(keys)).digest(),
      messageId: String(keys),
      line: '3000123456',
      sender: `98912${String(1_000_000 + keys)}`,
      text: `${text} ${keys}`,
      sentAt: new Date(),
      wasRead: false,
      folded: '',
    };
  });
  await createInboundStore(world.database).keep(accountId, messages, { quiet: false });
}

const creditIsLow = async (chatId: string, accountId: string, level = 1) =>
  await alarms().find({
    chatId,
    accountId,
    kind: 'credit',
    subject: '',
    level,
    facts:
      level === 0
        ? { credit: 9_000_000 }
        : { credit: 4_900_000, limit: 5_000_000, perDay: 2_050_000, at: Date.now(), unfit: [] },
  });

const statesOf = async (chatId: string) =>
  await world.database.sql<{ state: string; doubtful: number; n: number }[]>`
    select n.state, sum(n.doubtful)::int as doubtful, count(*)::int as n from notice n join sink s on s.id = n.sink_id
    where s.chat_id = ${chatId} group by n.state order by n.state`;

/** A post of a channel tells nobody who wrote it. */
const isBots = (message: Message): boolean => isFromBot(message) || message.from === undefined;

const said = (chat: number, part: string) =>
  world.driver.messages(chat).filter((message) => isBots(message) && plain(message).includes(part));

const posted = async (channel: number, part: string) =>
  await world.driver.waitForMessage(channel, (message) => plain(message).includes(part), PATIENCE);

describe.concurrent('an alert', () => {
  test('whose answer from Telegram was lost is said again, and counted', async () => {
    const { group, chatId, accountId } = await linked();
    control().fault({ method: 'sendMessage', match: { chat_id: group }, drop: 'after' });
    await receives(accountId, 1, 'Lost');
    await until(async () => expect(await statesOf(chatId)).toEqual([{ state: 'sent', doubtful: 1, n: 1 }]));
    const twice = said(group, 'Lost');
    expect(twice).toHaveLength(2);
    for (const message of twice) expect(plain(message)).toMatch(/#in\d+/);
  });

  test('that Telegram asks to wait with, or answers with an error page before it, is said once', async () => {
    const { group, chatId, accountId } = await linked();
    control().fault({ method: 'sendMessage', match: { chat_id: group }, code: 429, retry_after: 1 });
    await receives(accountId, 1, 'Waited');
    await until(async () => expect(await statesOf(chatId)).toEqual([{ state: 'sent', doubtful: 0, n: 1 }]));
    expect(said(group, 'Waited')).toHaveLength(1);
  });

  test('that Telegram refuses for ever is given up, and the next ones are said', async () => {
    const { group, chatId, accountId } = await linked();
    control().fault({
      method: 'sendMessage',
      match: { chat_id: group },
      code: 400,
      description: 'Bad Request: something about this text',
    });
    await receives(accountId, 1, 'Refused once');
    await talk.hears(group, 'Refused once');
    await until(async () => expect(await statesOf(chatId)).toEqual([{ state: 'sent', doubtful: 0, n: 1 }]));
  });
});

describe.concurrent('a flood', () => {
  test('of 50 messages is ten cards and one message for the rest, with all of them in a file', async () => {
    const { owner, group, chatId, accountId } = await linked();
    await receives(accountId, 50, 'Flood');
    const digest = await talk.hears(group, 'Another 40 messages');
    await until(async () =>
      expect(await statesOf(chatId)).toEqual([
        { state: 'folded', doubtful: 0, n: 40 },
        { state: 'sent', doubtful: 0, n: 10 },
      ]),
    );
    expect(said(group, '#in')).toHaveLength(10);
    expect(said(group, '📥 Another')).toHaveLength(1);
    expect(plain(digest)).toContain('… and 35 more');
    for (const _ of [1, 2]) expect(await talk.presses(owner, digest, '⬇')).toBe('');
    const file = await talk.hears(group, (message) => message.document?.file_name === 'messages.csv');
    const text = talk.fileOf(file).toString('utf8');
    expect(text.trim().split('\n')).toHaveLength(41);
    expect(text).toContain('Flood');
  });

  test('beyond that waits for the minute to pass, and nothing of it is lost', async () => {
    const { group, chatId, accountId } = await linked();
    await receives(accountId, 12, 'First');
    await talk.hears(group, 'Another 2 messages');
    await receives(accountId, 3, 'Second');
    await until(async () =>
      expect(await statesOf(chatId)).toEqual([
        { state: 'folded', doubtful: 0, n: 2 },
        { state: 'queued', doubtful: 0, n: 3 },
        { state: 'sent', doubtful: 0, n: 10 },
      ]),
    );
    // A minute later, in the database's eyes.
    await world.database.sql`
      update notice set sent_at = sent_at - interval '2 minutes'
      where sink_id in (select id from sink where chat_id = ${chatId}) and state <> 'queued'`;
    await receives(accountId, 1, 'Third');
    await until(async () =>
      expect(await statesOf(chatId)).toEqual([
        { state: 'folded', doubtful: 0, n: 2 },
        { state: 'sent', doubtful: 0, n: 14 },
      ]),
    );
  });
});

describe.concurrent('a place', () => {
  test('out of which the bot was thrown is told of in the chat, others go on, and it has what it missed when the bot is back', async () => {
    const { owner, group, channel, chatId, accountId } = await withChannel();
    const bot = given(control().state().bots[0]).id;
    control().member({ chat_id: channel, user_id: bot, status: 'kicked' });
    await receives(accountId, 2, 'Missed');
    await talk.hears(group, /Alerts do not reach Ops .* any more/);
    await until(() => expect(said(group, 'Missed')).toHaveLength(2));
    expect(said(group, 'Alerts do not reach')).toHaveLength(1);
    expect(said(channel, 'Missed')).toHaveLength(0);
    const card = await talk.asks(owner, group, '/alerts', 'out of reach since');
    expect(plain(card)).toMatch(/Ops .*: .*⚠/);

    control().member({
      chat_id: channel,
      user_id: bot,
      status: 'administrator',
      custom: { can_post_messages: true },
    });
    await until(() => expect(said(channel, 'Missed')).toHaveLength(2));
    await until(async () => expect(await statesOf(chatId)).toEqual([{ state: 'sent', doubtful: 0, n: 4 }]));
    expect(said(group, 'Missed')).toHaveLength(2);
  });

  test('that a person has not opened to the bot has what it missed when they write, and is live again', async () => {
    const sara = someone('Sara');
    await talk.connects(sara, { apiKey: talk.account().apiKey });
    const [row] = await world.database.sql<{ chat_id: string; account_id: string }[]>`
      select c.id as chat_id, a.id as account_id from chat c join account a on a.chat_id = c.id where c.telegram_id = ${sara.id}`;
    const { chat_id: chatId, account_id: accountId } = given(row);
    const description = "Forbidden: bot can't initiate conversation with a user";
    control().fault({ method: 'sendMessage', match: { chat_id: sara.id }, code: 403, description });
    await receives(accountId, 1, 'Missed');
    const reasons = async () =>
      await world.database.sql`select off_reason from sink where chat_id = ${chatId}`;
    await until(async () => expect(await reasons()).toEqual([{ off_reason: 'blocked' }]));

    await talk.asks(sara, sara, '/whoami', 'Role: owner');
    await talk.hears(sara, 'Missed');
    expect(await reasons()).toEqual([{ off_reason: null }]);
    expect(plain(await talk.asks(sara, sara, '/alerts', 'This chat'))).not.toContain('out of reach');
  });

  test('that is the chat itself, gone, is told of to its owners in private', async () => {
    const { owner, group, accountId } = await linked();
    const bot = given(control().state().bots[0]).id;
    control().member({ chat_id: group, user_id: bot, status: 'kicked' });
    await receives(accountId, 1, 'Nowhere');
    const told = await talk.hears(owner, /Alerts do not reach .* any more/);
    expect(plain(told)).toContain('waits until I can write there again');
  });

  test('that has a new id as a supergroup is found there', async () => {
    const [owner] = [someone('Olga')];
    const group = world.driver.group({ creator: owner, type: 'group', bot: 'administrator' });
    const account = talk.account();
    await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
    const [row] = await world.database.sql<{ id: string; account_id: string }[]>`
      select c.id, a.id as account_id from chat c join account a on a.chat_id = c.id where c.telegram_id = ${group}`;
    const { id: moved } = control().migrate({ chat_id: group });
    await receives(given(row).account_id, 1, 'Moved');
    const told = await talk.hears(moved, 'Moved');
    expect(told.chat.id).toBe(moved);
  });
});

describe.concurrent('quiet hours', () => {
  test('let nothing through, and what has waited comes as one message after them', async () => {
    const { owner, group, chatId, accountId } = await linked();
    await world.database.sql`
      update sink set quiet_from = (m + 1380) % 1440, quiet_to = (m + 60) % 1440
      from (select (extract(hour from t) * 60 + extract(minute from t))::int as m from (select now() at time zone 'Asia/Tehran' as t) x) y
      where chat_id = ${chatId}`;
    await receives(accountId, 5, 'Night');
    await creditIsLow(chatId, accountId);
    await until(async () => {
      const waiting = await world.database.sql`
        select 1 from graphile_worker._private_jobs j join sink s on j.key = 'notify:' || s.id
        where s.chat_id = ${chatId} and j.run_at > now() + interval '10 minutes'`;
      expect(waiting).toHaveLength(1);
    });
    expect(said(group, 'Night')).toHaveLength(0);
    // The night is over.
    await world.database.sql`
      update notice set created_at = created_at - interval '6 hours'
      where sink_id in (select id from sink where chat_id = ${chatId})`;
    await talk.asks(owner, group, '/alerts quiet off', 'No quiet hours here');
    await talk.hears(group, 'Another 5 messages');
    await talk.hears(group, 'Credit low');
    await until(async () =>
      expect(await statesOf(chatId)).toEqual([
        { state: 'folded', doubtful: 0, n: 5 },
        { state: 'sent', doubtful: 0, n: 1 },
      ]),
    );
  });
});

describe.concurrent('a button below an alert in a channel', () => {
  test('works for whoever has the role in the chat, and changes every message that shows the alarm', async () => {
    const { owner, vida, stranger, group, channel, chatId, accountId } = await withChannel();
    await creditIsLow(chatId, accountId);
    const [here, there] = [await talk.hears(group, 'Credit low'), await posted(channel, 'Credit low')];
    expect(rows(there)).toEqual(rows(here));

    for (const person of [stranger, vida])
      expect(await talk.presses(person, there, '🙋')).toContain('Your role in this chat does not allow this');
    // The token of the channel's button, pressed below a message of another chat.
    const other = await linked();
    await creditIsLow(other.chatId, other.accountId);
    const elsewhere = await talk.hears(other.group, 'Credit low');
    const forged = other.owner.forge(elsewhere, dataOf(there, '🙋'));
    expect((await world.driver.waitForAnswer(forged)).text).toContain('belongs to another chat');
    // In the chat whose role counts it is another button as well.
    const athome = owner.forge(here, dataOf(there, '🙋'));
    expect((await world.driver.waitForAnswer(athome)).text).toContain('belongs to another chat');
    expect((await alarms().open(chatId))[0]?.ackedBy).toBe(null);

    expect(await talk.presses(owner, there, '🙋')).toBe('');
    await talk.turns(here, 'Olga took it at');
    await talk.turns(there, 'Olga took it at');
    expect((await alarms().open(other.chatId))[0]?.ackedBy).toBe(null);
    await creditIsLow(chatId, accountId, 0);
    await talk.turns(here, 'Credit is up again');
    await talk.turns(there, 'Credit is up again');
  });

  test('that is on its way to another place still shows there what a press has changed meanwhile', async () => {
    const { owner, group, channel, chatId, accountId } = await withChannel();
    control().fault({ method: 'sendMessage', match: { chat_id: channel }, delay_ms: 1500 });
    await creditIsLow(chatId, accountId);
    const here = await talk.hears(group, 'Credit low');
    await talk.presses(owner, here, '🔇 4 h');
    const muted = await talk.turns(here, 'Muted until');
    const there = await talk.turns(await posted(channel, 'Credit low'), 'Muted until');
    expect(rows(there)).toEqual(rows(muted));
  });

  test('mutes the kind for the chat, which /alerts lists with its end and takes back', async () => {
    const { owner, group, channel, chatId, accountId } = await withChannel();
    await creditIsLow(chatId, accountId);
    const there = await posted(channel, 'Credit low');
    expect(await talk.presses(owner, there, '🔇 4 h')).toBe('');
    await talk.turns(there, 'Muted until');
    await creditIsLow(chatId, accountId, 0);
    await talk.turns(there, 'Credit is up again');
    await creditIsLow(chatId, accountId);
    const card = await talk.asks(owner, group, '/alerts', '🔇 Credit: muted until');
    expect(said(channel, 'Credit low')).toHaveLength(0);
    await talk.presses(owner, card, '🔔 Credit');
    const back = await talk.turns(card, (message) => !plain(message).includes('🔇'));
    expect(plain(back)).toContain('Alerts of this chat');
  });
});
