import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { createAlarmStore } from '../../src/storage/alerts/alarm-store.ts';
import { given, has, PATIENCE, payloadOf, plain, rows, type TestAccount } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { useWorld } from '../support/use-world.ts';

/* What a team is told without asking, where it is told, and what it can do about it. */

const { world, talk } = useWorld(
  { ROLES: 'bot,worker,poller', CREDIT_POLL_SECONDS: '0.2', INBOX_POLL_SECONDS: '5' },
  { deliverySeconds: 1 },
);

/** A group with a linked account, its owner and somebody who runs sends. */
async function linked(locale = 'en', seed: Partial<TestAccount> = {}) {
  const person = (first_name: string) => world.driver.user({ first_name, language_code: locale });
  const [owner, ada] = [person('Olga'), person('Ada')];
  const group = world.driver.group({ creator: owner, members: [ada], bot: 'administrator' });
  const account = talk.account(seed);
  await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
  await talk.gives('operator', ada, group);
  return { owner, ada, group, account };
}

/** Another place into which somebody has let the bot, once it knows. */
async function placeOf(
  creator: Person,
  title: string,
  type: 'channel' | 'supergroup' = 'channel',
): Promise<number> {
  const place = world.driver.group({ creator, type, title, bot: 'administrator' });
  await until(async () => {
    const known = await world.database
      .sql`select 1 from chat where telegram_id = ${place} and opened_by = ${creator.id}`;
    expect(known).toHaveLength(1);
  });
  return place;
}

const ofGateway = (username: string) => given(world.sandbox.world.account(username));

describe('credit', () => {
  test('that falls below the threshold is told once, somebody takes it, and the message follows to its end', async () => {
    const { owner, ada, group, account } = await linked();
    await talk.asks(owner, group, '/alerts credit 5,000,000', 'Credit counts as low below 5,000,000 rial.');
    ofGateway(account.username).credit = 4_900_000;
    const alert = await talk.hears(group, 'Credit low');
    expect(plain(alert)).toContain('4,900,000 rial (limit 5,000,000 rial)');
    expect(rows(alert).flat()).toContain('🙋 I’ll top up');
    expect(await talk.presses(ada, alert, '🙋')).toBe('');
    await talk.turns(alert, 'Ada took it at');
    ofGateway(account.username).credit = 54_900_000;
    const over = await talk.turns(alert, '🟢 Credit is up again');
    expect(plain(over)).toContain('54,900,000 rial');
    expect(rows(over)).toEqual([]);
    const said = await talk.settled(owner, group);
    expect(said.filter((message) => plain(message).includes('Credit is up'))).toHaveLength(1);
  });
});

describe.concurrent('/alerts', () => {
  test('shows where alerts go, the thresholds and the ways to change them', async () => {
    const { owner, group } = await linked();
    const card = await talk.asks(owner, group, '/alerts', 'Alerts of this chat');
    expect(plain(card).split('\n').slice(0, 4)).toEqual([
      'Alerts of this chat',
      '📍 This chat: Received messages, Credit, Sends, Gateway and Inbox watch',
      '💰 Credit counts as low below 5% of what the account had when it was linked',
      '📉 Delivery failures are reported from 20% of a send',
    ]);
    await talk.presses(owner, card, '⚙ This chat');
    const place = await talk.turns(card, (message) => rows(message).flat().includes('✅ Credit'));
    await talk.presses(owner, place, '✅ Credit');
    await talk.turns(card, (message) => rows(message).flat().includes('▫️ Credit'));
    await talk.presses(owner, card, '▫️ Digest');
    await talk.turns(card, '📅 09:00');
    await talk.presses(owner, card, '🌙 Quiet 22');
    await talk.turns(card, '🌙 22:00–08:00');
    await talk.presses(owner, card, 'فارسی');
    await talk.turns(card, (message) => rows(message).flat().includes('✅ فارسی'));
    await talk.presses(owner, card, '🗑');
    const without = await talk.turns(card, '🗑 Alerts do not go to This chat any more');
    expect(plain(without)).not.toContain('📍');
    await talk.asks(owner, group, '/alerts quiet 22-8', 'Alerts do not come here');
    await talk.asks(owner, group, '/alerts here', '✅ Alerts go to This chat from now on');
    await talk.asks(owner, group, '/alerts here', 'Alerts go to This chat already');
  });

  test('is for admins, and says what it takes', async () => {
    const { owner, ada, group } = await linked();
    await talk.asks(ada, group, '/alerts', 'needs the role admin');
    await talk.asks(ada, group, '/alerts credit off', 'needs the role admin');
    await talk.asks(owner, group, '/alerts nonsense 5', 'is not an alert setting');
    for (const line of [
      'credit -5',
      'credit 1.5',
      'failures 101',
      'quiet 8-8',
      'quiet 25-3',
      'digest 24:30',
      'week someday',
    ])
      await talk.asks(owner, group, `/alerts ${line}`, `«${line}» is not`);
    await talk.asks(owner, group, '/cancel', /[Cc]ancelled/u);
    const set = await world.database.sql`
      select 1 from alert_setting a join chat c on c.id = a.chat_id where c.telegram_id = ${group}`;
    expect(set).toHaveLength(0);
  });

  test('sets each threshold and time in one line, in either language', async () => {
    const { owner, group } = await linked();
    await talk.asks(
      owner,
      group,
      '/alerts اعتبار ۲٬۰۰۰٬۰۰۰ ریال',
      'Credit counts as low below 2,000,000 rial.',
    );
    await talk.asks(owner, group, '/alerts failures 10%', 'reported from 10% of a send');
    await talk.asks(owner, group, '/alerts quiet 22-8', 'Quiet here 22:00–08:00');
    await talk.asks(owner, group, '/alerts digest 9:00', 'The day’s digest comes here at 09:00');
    await talk.asks(owner, group, '/alerts week شنبه', 'comes here on Saturday');
    await talk.asks(owner, group, '/alerts week off', 'No weekly digest here');
    await talk.asks(owner, group, '/alerts digest off', 'No digest here');
    await talk.asks(owner, group, '/alerts credit off', 'Credit counts as low below 5% of what');
    const persian = await linked('fa');
    const card = await talk.asks(persian.owner, persian.group, '/alerts', 'هشدارهای این گفتگو');
    expect(plain(card)).toContain('همین گفتگو');
    await talk.asks(persian.owner, persian.group, '/alerts سکوت ۲۲ تا ۸', 'اینجا سکوت است');
    await talk.asks(persian.owner, persian.group, '/alerts چیزی', 'از تنظیم‌های هشدار نیست');
    await talk.asks(persian.owner, persian.group, '/cancel', /رها|کنار|تغییر/);
  });

  test('adds a channel only for somebody who may post there, and only where the bot may', async () => {
    const { owner, ada, group } = await linked();
    await talk.gives('admin', ada, group);
    const channelOf = (bot: 'administrator' | 'left') =>
      world.driver.group({ creator: owner, members: [ada], type: 'channel', title: 'News', bot });
    const [open, closed] = [channelOf('administrator'), channelOf('left')];
    await talk.asks(ada, group, `/alerts ${open}`, 'Only an administrator of');
    await talk.asks(owner, group, `/alerts ${closed}`, /I may not post in|I cannot find/);
    await talk.asks(owner, group, '/alerts -100999999999', 'I cannot find');
    await talk.asks(owner, group, '/alerts @nobody_has_this', 'I cannot find');
    const destinationsOf = async () =>
      (
        await world.database.sql`
          select 1 from sink s join chat c on c.id = s.chat_id where c.telegram_id = ${group} and s.telegram_id is not null`
      ).length;
    expect(await destinationsOf()).toBe(0);
    await talk.asks(owner, group, `/alerts ${open}`, 'Alerts go to News from now on');
    expect(await destinationsOf()).toBe(1);
    world.playground.control.member({
      chat_id: open,
      user_id: ada.id,
      status: 'administrator',
      custom: { can_post_messages: false },
    });
    await talk.asks(ada, group, `/alerts ${open}`, 'Only an administrator of');
  });

  test('offers the channels and groups that a person administers, in private and to nobody else', async () => {
    const { owner, ada, group } = await linked();
    await talk.gives('admin', ada, group);
    const eve = world.driver.user({ first_name: 'Eve', language_code: 'en' });
    world.playground.control.member({ chat_id: group, user_id: eve.id, status: 'member' });
    const news = await placeOf(owner, 'Olga’s news');
    await placeOf(owner, 'Olga’s desk', 'supergroup');
    await placeOf(ada, 'Ada’s plans');
    await placeOf(eve, 'Eve’s own');
    const offered = async (person: Person) => {
      const card = await talk.asks(person, group, '/alerts', 'Alerts of this chat');
      await talk.presses(person, card, '➕ Add a place');
      const way = await talk.hears(group, 'Choose it in private', card.message_id);
      return { card, way };
    };
    const { card, way } = await offered(owner);
    expect(await talk.presses(eve, card, '➕ Add a place')).not.toBe('');
    const strange = eve.start(payloadOf(way));
    await talk.hears(eve, 'for somebody else', strange.message_id);
    const list = await talk.hears(
      owner,
      'Where should alerts go too?',
      owner.start(payloadOf(way)).message_id,
    );
    expect(rows(list)).toEqual(
      expect.arrayContaining([['📣 Olga’s news'], ['📣 Olga’s desk'], ['◀ Back', '🔄 Look again']]),
    );
    expect(rows(list)).toHaveLength(3);
    // Its title is for its own people: the group learns nothing of it.
    const said = world.driver.messages(group).map((each) => JSON.stringify(each));
    expect(said.filter((text) => text.includes('Olga’s news'))).toEqual([]);
    await talk.presses(owner, list, '📣 Olga’s news');
    await talk.turns(list, 'Alerts go to Olga’s news from now on');
    const [added, ...others] = await world.database.sql`
      select s.telegram_id from sink s join chat c on c.id = s.chat_id
      where c.telegram_id = ${group} and s.telegram_id is not null`;
    expect(others).toEqual([]);
    expect(Number(added?.['telegram_id'])).toBe(news);

    const { way: adas } = await offered(ada);
    const hers = await talk.hears(ada, 'Where should alerts go too?', ada.start(payloadOf(adas)).message_id);
    expect(rows(hers)).toEqual([['📣 Ada’s plans'], ['◀ Back', '🔄 Look again']]);
  });

  test('offers a place only as long as Telegram names the person its administrator, and a role in the chat', async () => {
    const sara = world.driver.user({ first_name: 'رضا', language_code: 'fa' });
    await talk.connects(sara, { apiKey: talk.account().apiKey });
    const card = await talk.asks(sara, sara, '/alerts', 'هشدارهای این گفتگو');
    await talk.presses(sara, card, '➕');
    const none = await talk.turns(card, 'جای دیگری نمی‌شناسم');
    const channel = await placeOf(sara, 'اخبار');
    await talk.presses(sara, none, '🔄');
    const some = await talk.turns(card, 'هشدارها به کجا هم برود؟');
    world.playground.control.member({ chat_id: channel, user_id: sara.id, status: 'member' });
    await talk.presses(sara, some, '📣 اخبار');
    const refused = await talk.turns(card, 'فقط مدیری از اخبار');
    expect(rows(refused).flat()).toEqual(expect.arrayContaining(['◀ بازگشت', '➕ افزودن جای دیگر']));

    const { owner, ada, group } = await linked();
    await talk.gives('admin', ada, group);
    const shown = await talk.asks(ada, group, '/alerts', 'Alerts of this chat');
    await talk.presses(ada, shown, '➕');
    const way = await talk.hears(group, 'Choose it in private', shown.message_id);
    await placeOf(ada, 'Plans');
    await talk.gives('viewer', ada, group);
    const opened = ada.start(payloadOf(way));
    await talk.hears(ada, 'does not allow this any more', opened.message_id);
    const olga = await talk.asks(owner, group, '/alerts', 'Alerts of this chat');
    await talk.presses(owner, olga, '➕');
    const hers = await talk.hears(group, 'Choose it in private', olga.message_id);
    await talk.hears(owner, 'I know no other place', owner.start(payloadOf(hers)).message_id);
  });

  test('in a topic adds that topic, where alerts then come', async () => {
    const owner = world.driver.user({ first_name: 'Olga', language_code: 'en' });
    const group = world.driver.group({ creator: owner, type: 'forum', bot: 'administrator' });
    const account = talk.account();
    await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
    const { id: threadId } = world.playground.control.topic({ chat_id: group, name: 'Alerts' });
    const added = await talk.asks(owner, group, '/alerts here', '· Alerts from now on', { threadId });
    expect(plain(added)).toContain('📍 This chat · Alerts: ');
    await talk.asks(owner, group, '/alerts credit 9,000,000', 'below 9,000,000');
    ofGateway(account.username).credit = 8_000_000;
    await talk.hears(group, (m) => plain(m).includes('Credit low') && m.message_thread_id === threadId);
    const general = await talk.hears(
      group,
      (m) => plain(m).includes('Credit low') && m.message_thread_id === undefined,
    );
    expect(plain(general)).toContain('8,000,000 rial');
  });

  test('names a topic that is gone, and not the group around it', async () => {
    const owner = world.driver.user({ first_name: 'Olga', language_code: 'en' });
    const group = world.driver.group({ creator: owner, type: 'forum', bot: 'administrator' });
    const account = talk.account();
    await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
    const topic = world.playground.control.topic({ chat_id: group, name: 'Money' });
    await talk.asks(owner, group, '/alerts here', '· Money from now on', { threadId: topic.id });
    await talk.asks(owner, group, '/alerts credit 9,000,000', 'below 9,000,000');
    topic.deleted = true;
    ofGateway(account.username).credit = 8_000_000;
    const told = await talk.hears(group, 'Alerts do not reach');
    expect(plain(told)).toContain('Alerts do not reach Money any more: the topic is closed or deleted');
  });
});

describe.concurrent('what is found', () => {
  test('of an account that the gateway refuses is told once, and when it is taken again', async () => {
    const { owner, group, account } = await linked();
    const card = await talk.asks(owner, group, '/alerts', 'Alerts of this chat');
    await talk.presses(owner, card, '⚙');
    await talk.turns(card, (message) => rows(message).flat().includes('▫️ Account'));
    await talk.presses(owner, card, '▫️ Account');
    await talk.turns(card, (message) => rows(message).flat().includes('✅ Account'));
    ofGateway(account.username).userStatus = 3;
    const alert = await talk.hears(group, 'The gateway refuses the account');
    expect(plain(alert)).toContain('the user is locked');
    ofGateway(account.username).userStatus = 0;
    await talk.turns(alert, '🟢 The gateway accepts the account again');
  });

  test('of a digest comes at its time, in the chat’s language', async () => {
    const { owner, group } = await linked('fa');
    await talk.asks(owner, group, '/alerts digest 0:00', 'خلاصهٔ روز');
    await world.database.sql`
      update sink set digested_on = '2000-01-01' where chat_id = (select id from chat where telegram_id = ${group})`;
    await createAlarmStore(world.database, 'Asia/Tehran').digests();
    const digest = await talk.hears(group, (message) => plain(message).startsWith('📅 خلاصهٔ روز'));
    expect(plain(digest)).toContain('✉️ چیزی ارسال یا دریافت نشد');
    expect(plain(digest)).not.toMatch(/(?<![۰-۹٬:])۰(?![۰-۹:])/u);
  });

  test('of an account that ends in two days is told where the kind is switched on', async () => {
    const soon = Math.floor(Date.now() / 1000) + 2 * 86_400 + 600;
    const { owner, group } = await linked('en', {
      profile: { expire_time: String(soon) },
    });
    const card = await talk.asks(owner, group, '/alerts', 'Alerts of this chat');
    await talk.presses(owner, card, '⚙');
    await talk.turns(card, (message) => rows(message).flat().includes('▫️ Account'));
    await talk.presses(owner, card, '▫️ Account');
    const alert = await talk.hears(group, 'The account expires soon');
    expect(plain(alert)).toContain('in 2 d');
  });

  test('of a scheduled send for which the credit will not do names it, and says when it fits again', async () => {
    const { ada, group, account } = await linked();
    const draft = await talk.asks(ada, group, '/schedule in 3h 09121234567 Hello', has('✅'));
    await talk.presses(ada, draft, '✅');
    await talk.turns(
      draft,
      (message) =>
        !rows(message)
          .flat()
          .some((label) => label.startsWith('✅')),
    );
    await world.database.sql`
      update job set price_rial = 6100000 where chat_id = (select id from chat where telegram_id = ${group})`;
    ofGateway(account.username).credit = 6_000_000;
    const alert = await talk.hears(group, 'Not enough credit for what is scheduled');
    expect(plain(alert)).toMatch(/⚠ The credit does not cover #[A-Z]\d+ \(.*, ≈ 6,100,000 rial\)/);
    ofGateway(account.username).credit = 7_000_000;
    await talk.turns(alert, '🟢 The credit covers what is scheduled');
  });

  test('can pause the send that will not fit, which then waits for an answer, and is over', async () => {
    const { ada, owner, group, account } = await linked();
    const draft = await talk.asks(ada, group, '/schedule in 3h 09121234567 Hello', has('✅'));
    await talk.presses(ada, draft, '✅');
    await talk.turns(draft, (message) => !has('✅')(message));
    await world.database.sql`
      update job set price_rial = 6100000 where chat_id = (select id from chat where telegram_id = ${group})`;
    ofGateway(account.username).credit = 6_000_000;
    const alert = await talk.hears(group, 'Not enough credit for what is scheduled');
    expect(plain(alert)).toContain('The credit does not cover');
    await talk.presses(owner, alert, '⏸ Pause');
    await talk.turns(alert, (message) => !plain(message).includes('#A1'));
    await talk.turns(alert, '🟢 The credit covers what is scheduled');
    await talk.turns(draft, has('✅'));
    expect(talk.sends(account.username)).toEqual([]);
  });
});

describe.concurrent('sends', () => {
  test('that ended, or stopped by themselves, are told in a channel with their numbers', async () => {
    const { owner, ada, group, account } = await linked();
    const channel = world.driver.group({
      creator: owner,
      type: 'channel',
      title: 'Desk',
      bot: 'administrator',
    });
    await talk.asks(owner, group, `/alerts ${channel}`, 'Alerts go to Desk from now on');
    const posted = async (part: RegExp) =>
      await world.driver.waitForMessage(channel, (message) => part.test(plain(message)), PATIENCE);
    const send = async (line: string) => {
      const draft = await talk.asks(ada, group, line, has('✅ Send'));
      await talk.presses(ada, draft, '✅ Send');
    };
    await send('/send 09121234567 Hello');
    await posted(/^🏁 #A1 has ended · 1 (accepted by the gateway|delivered)$/);
    // The credit itself stays: once it and the price are known, a press is asked about it first.
    const fault = { kind: 'error', operation: 'send', status: 400, code: 22 } as const;
    world.sandbox.faults.add({ ...fault, account: account.username });
    await send('/send 09121234567 Hello again');
    await posted(/^⏹ #A2 stopped before its end: not enough credit · 1 not sent/);
    // Beside the card that says the same, a send that ended at once is not told again.
    const inChat = world.driver.messages(group).filter((message) => plain(message).includes('has ended'));
    expect(inChat).toEqual([]);
  });

  test('that are told in another chat lend it no code: it has cards of its own', async () => {
    const [{ owner, group }, other] = [await linked(), await linked()];
    const desk = world.driver.group({ creator: owner, members: [other.owner], bot: 'administrator' });
    await talk.connects(owner, { apiKey: other.account.apiKey }, { chat: desk });
    const own = await talk.asks(owner, desk, '/send 09121234567 Ours', '#A1');
    await talk.asks(owner, group, `/alerts ${desk}`, /Alerts go to .* from now on/u);
    const draft = await talk.asks(owner, group, '/send 09121234567 Hello', has('✅ Send'));
    await talk.presses(owner, draft, '✅ Send');
    const told = await talk.hears(desk, /^🏁 #A1 has ended/u);
    await talk.asks(owner, desk, '/tag promo', 'Which card?', { replyTo: told });
    const newest = await talk.asks(owner, desk, '/send 09351112233 Newest', '#A2');
    await talk.asks(owner, desk, '/cancel', 'Draft #A2 is cancelled', { replyTo: told });
    await talk.turns(newest, (now) => rows(now).length === 0);
    expect(rows(await talk.turns(own, '#A1')).flat()).toContain('✖ Cancel');
  });
});
