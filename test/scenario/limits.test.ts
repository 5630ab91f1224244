import { describe, expect, test } from 'vitest';
import type { Role } from '../../src/domain/roles.ts';
import { PATIENCE, plain, rows, type TestAccount } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* What a chat allows itself: the card, each limit in one line and by questions, the price behind a cap in rial. */

const { world, talk } = useWorld({}, { deliverySeconds: 1 });

/** A group with a linked account, its owner and another member with a role. */
async function linked(
  options: { locale?: string; role?: Role; by?: 'key' | 'token'; account?: Partial<TestAccount> } = {},
) {
  const { locale = 'en', role = 'admin', by = 'key' } = options;
  const person = (first_name: string) => world.driver.user({ first_name, language_code: locale });
  const [owner, ada] = [person('Olga'), person('Ada')];
  const group = world.driver.group({ creator: owner, members: [ada], bot: 'administrator' });
  const account = talk.account(options.account);
  const credential = by === 'key' ? { apiKey: account.apiKey } : { token: account.token };
  await talk.connects(owner, credential, { chat: group });
  await talk.gives(role, ada, group);
  return { owner, ada, group, account };
}

const limitsOf = async (group: number) => {
  const [row] = await world.database.sql<
    {
      approval: number | null;
      rial: number | null;
      parts: number | null;
      from: number | null;
      to: number | null;
    }[]
  >`
    select l.approval_parts as approval, l.cap_rial as rial, l.cap_parts as parts, l.window_from as from, l.window_to as to
    from chat_limits l join chat c on c.id = l.chat_id where c.telegram_id = ${group}`;
  return row ?? null;
};

const auditOf = async (group: number) =>
  await world.database.sql<{ person_id: number; details: unknown }[]>`
    select a.person_id, a.details from audit a join chat c on c.id = a.chat_id
    where c.telegram_id = ${group} and a.action = 'limits_changed' order by a.id`;

describe.concurrent('the clock of a chat', () => {
  test('is set by an admin, by the name of a city, and what is shown and typed goes by it', async () => {
    const { owner, group } = await linked();
    const draft = await talk.asks(owner, group, '/schedule tomorrow 9 09121234567 Hello', 'Draft #A1');
    expect(plain(draft)).toContain('09:00 (Asia/Tehran)');
    const said = await talk.asks(owner, group, '/timezone dubai', 'is now Asia/Dubai');
    expect(plain(said)).toMatch(/Before: Asia\/Tehran\. Set by Olga\.[\s\S]*at the moment it was to leave/u);
    await talk.turns(draft, '09:30 (Asia/Dubai)');
    const next = await talk.asks(owner, group, '/schedule tomorrow 9 09121234567 Hello', 'Draft #A2');
    expect(plain(next)).toContain('09:00 (Asia/Dubai)');
    await talk.asks(owner, group, '/timezone Asia/Dubai', 'is Asia/Dubai already');
    expect(plain(await talk.asks(owner, group, '/audit', 'Olga'))).toContain(
      'set the time zone of the chat to Asia/Dubai',
    );
  });

  test('is asked for, with cities to press, until there is such a place', async () => {
    const { owner, group } = await linked({ locale: 'fa' });
    const question = await talk.asks(owner, group, '/timezone آتلانتیس', 'نمی‌شناسم');
    expect(plain(question)).toContain('به وقت Asia/Tehran است. به وقت کدام شهر باشد؟');
    await talk.presses(owner, question, 'دبی');
    await talk.hears(group, 'به وقت Asia/Dubai است', question.message_id);
    await talk.asks(owner, group, '/timezone تهران', 'به وقت Asia/Tehran است');
  });
});

describe.concurrent('the card of /limits', () => {
  test('shows the defaults of a chat that has set nothing, with a way to set each', async () => {
    const { owner, group } = await linked();
    const card = await talk.asks(owner, group, '/limits', 'Limits of this chat');
    expect(plain(card).split('\n')).toEqual([
      'Limits of this chat',
      '🟡 Approval: a second person for more than 500 parts',
      '💰 Daily cap: off',
      '👤 Daily cap per person: off',
      '🕐 Sending window: off, at any time',
    ]);
    expect(rows(card)).toEqual([
      ['✏️ Approval', 'Approval off'],
      ['✏️ Daily cap'],
      ['✏️ Daily cap per person'],
      ['✏️ Sending window'],
      ['⏹ Stop all sends'],
    ]);
    expect(await limitsOf(group)).toBe(null);
  });

  test('is for admins and above, and its buttons too', async () => {
    const { owner, ada, group } = await linked({ role: 'approver' });
    await talk.asks(ada, group, '/limits', 'needs the role admin');
    await talk.asks(ada, group, '/limits approval off', 'needs the role admin');
    const card = await talk.asks(owner, group, '/limits', 'Limits of this chat');
    for (const label of ['✏️ Approval', 'Approval off'])
      expect(await talk.presses(ada, card, label)).toContain('Your role in this chat does not allow this');
    expect(await limitsOf(group)).toBe(null);
  });

  test('takes a new value by question, and turns a limit off in the same card', async () => {
    const { owner, ada, group } = await linked();
    const card = await talk.asks(owner, group, '/limits', 'Limits of this chat');
    await talk.presses(ada, card, '✏️ Approval');
    const question = await talk.hears(group, 'Above how many parts', card.message_id);
    expect(rows(question)).toEqual([['Off'], ['✖ Cancel']]);
    ada.send(group, 'many', { replyTo: question });
    const again = await talk.hears(group, '«many» is not', question.message_id);
    expect(plain(again)).toContain('from 0 to 1,000,000');
    ada.send(group, '۱۲۰۰', { replyTo: again });
    const set = await talk.hears(group, 'Set by Ada', again.message_id);
    expect(plain(set)).toContain(
      '✅ Approval: a second person for more than 1,200 parts. Before: a second person for more than 500 parts.',
    );
    expect(await limitsOf(group)).toMatchObject({ approval: 1200 });
    // The way to a new value only asks: it works more than once.
    await talk.presses(owner, card, '✏️ Approval');
    await talk.hears(group, 'Above how many parts', set.message_id);

    await talk.presses(owner, set, 'Approval off');
    const off = await talk.turns(set, 'Set by Olga');
    expect(plain(off)).toContain('🟡 Approval: off, nobody else has to approve');
    expect(rows(off)[0]).toEqual(['✏️ Approval']);
    expect(await limitsOf(group)).toMatchObject({ approval: null });
  });

  test.each([
    ['en', '500 parts', 'Which limit should be «500 parts»?', 'Daily cap', '💰 Daily cap: 500 parts a day'],
    ['fa', '۷۰۰', 'کدام محدودیت «۷۰۰» شود؟', 'تأیید', 'بیش از ۷۰۰ پارت'],
  ])('keeps a value whose limit is asked for, in %s: %s', async (locale, value, asks, limit, says) => {
    const { ada, group } = await linked({ locale });
    const question = await talk.asks(ada, group, `/limits ${value}`, asks);
    await talk.presses(ada, question, limit);
    expect(plain(await talk.hears(group, says, question.message_id))).toContain('Ada');
  });

  test.each([
    ['9-21', '🕐 Sending window: 09:00–21:00'],
    ['500 parts personcap', '👤 Daily cap per person: 500 parts'],
    ['600 approval', 'more than 600 parts'],
  ])(
    'takes a value for the one limit that it can be of, or that stands behind it: %s',
    async (line, says) => {
      const { ada, group } = await linked();
      expect(plain(await talk.asks(ada, group, `/limits ${line}`, says))).toContain('Set by Ada');
    },
  );

  test('of somebody who lost the role in the meantime changes nothing', async () => {
    const { owner, ada, group } = await linked();
    const card = await talk.asks(ada, group, '/limits', 'Limits of this chat');
    await talk.presses(ada, card, '✏️ Daily cap');
    const question = await talk.hears(group, 'How much may be sent', card.message_id);
    const said = ada.send(group, 'well');
    await talk.asks(owner, group, '/role operator', 'is now operator', { replyTo: said });
    ada.send(group, '5000 parts', { replyTo: question });
    await talk.hears(group, 'needs the role admin', question.message_id);
    expect(await limitsOf(group)).toBe(null);
  });
});

describe.concurrent('a limit in one line', () => {
  test('is set, told with what it was before, and written into the audit', async () => {
    const { owner, ada, group } = await linked();
    await talk.asks(owner, group, '/limits approval 200', 'a second person for more than 200 parts');
    await talk.asks(ada, group, '/limits hours 9:30-21', '✅ Sending window: 09:30–21:00');
    const card = await talk.asks(owner, group, '/limits cap 5,000 parts', '5,000 parts a day');
    expect(plain(card)).toMatch(
      /💰 Daily cap: 5,000 parts a day · today so far 0 parts\n👤 .*\n🕐 Sending window: 09:30–21:00 · Asia\/Tehran · now (open|closed)$/,
    );
    expect(await limitsOf(group)).toEqual({ approval: 200, rial: null, parts: 5000, from: 570, to: 1260 });
    await talk.asks(owner, group, '/limits approval 200', 'is already set');
    expect((await auditOf(group)).map(({ person_id: by, details }) => ({ by, details }))).toEqual([
      { by: owner.id, details: { old: { approvalParts: 500 }, new: { approvalParts: 200 } } },
      { by: ada.id, details: { old: { window: null }, new: { window: { from: 570, to: 1260 } } } },
      { by: owner.id, details: { old: { cap: null }, new: { cap: { unit: 'parts', parts: 5000 } } } },
    ]);
    await talk.asks(owner, group, '/limits cap off', 'Daily cap: off');
    await talk.asks(owner, group, '/limits window off', 'off, at any time');
    await talk.asks(owner, group, '/limits approval off', 'nobody else has to approve');
    expect(await limitsOf(group)).toEqual({ approval: null, rial: null, parts: null, from: null, to: null });
  });

  test('is understood in Persian, with Persian digits and words', async () => {
    const { owner, group } = await linked({ locale: 'fa' });
    const one = await talk.asks(owner, group, '/limits تأیید ۳۰۰', 'بیش از ۳۰۰ پارت تأیید نفر دوم می‌خواهد');
    expect(plain(one)).toContain('قبلاً: بیش از ۵۰۰ پارت');
    await talk.asks(owner, group, '/limits سقف ۵۰۰۰ پارت', 'روزی ۵٬۰۰۰ پارت');
    const card = await talk.asks(owner, group, '/limits بازه ۲۱ تا ۹:۳۰', '۲۱:۰۰ تا ۰۹:۳۰');
    expect(plain(card)).toMatch(
      /محدودیت‌های این گفتگو\n🟡 تأیید: .*\n💰 سقف روزانه: .*\n👤 .*\n🕐 بازهٔ ارسال: /u,
    );
    expect(await limitsOf(group)).toEqual({ approval: 300, rial: null, parts: 5000, from: 1260, to: 570 });
    await talk.asks(owner, group, '/limits سقف خاموش', 'سقف روزانه: خاموش');
    await talk.asks(owner, group, '/limits سقف روزانهٔ هر نفر ۲ میلیون', 'سقف روزانهٔ هر نفر: روزی ۲٬۰۰۰٬۰۰۰');
    await talk.asks(owner, group, '/limits Daily cap ۵۰۰۰ پارت', 'سقف روزانه: روزی ۵٬۰۰۰ پارت');
    await talk.asks(owner, group, '/limits روزانه خاموش', 'سقف روزانه: خاموش');
    await talk.asks(owner, group, '/limits بازه خاموش', 'خاموش، هر ساعتی');
    await talk.asks(owner, group, '/limits تایید خاموش', 'تأیید کسی لازم نیست');
    const question = await talk.asks(owner, group, '/limits سقف زیاد', '«زیاد» مبلغ');
    expect(rows(question)).toEqual([['خاموش'], ['✖ انصراف']]);
  });

  test.each([
    ['approval -1', '«-1» is not'],
    ['approval 1.5', '«1.5» is not'],
    ['approval 1000001', 'from 0 to 1,000,000'],
    ['approval 0x10', '«0x10» is not'],
    ['cap 0', '«0» is not'],
    ['cap 1e9', '«1e9» is not'],
    ['cap 1000000000001', 'at most 1,000,000,000,000'],
    ['cap 100000001 parts', 'at most 100,000,000'],
    ['window 9', '«9» is not'],
    ['window 9-9', 'two times of day'],
    ['window 0-24', 'two times of day'],
    ['window 9-25', '«9-25» is not'],
    ['window 9:75-21', '«9:75-21» is not'],
    ['window 24-9', '«24-9» is not'],
  ])('that will not do is asked for again, with what would: %s', async (typed, says) => {
    const { owner, group } = await linked();
    const asked = await talk.asks(owner, group, `/limits ${typed}`, says);
    expect(rows(asked)).toEqual([['Off'], ['✖ Cancel']]);
    expect(await limitsOf(group)).toBe(null);
    await talk.presses(owner, asked, 'Off');
    await talk.hears(group, /Set by Olga|is already set/, asked.message_id);
  });

  test.each([
    ['window 9-24', { from: 540, to: 0 }],
    ['window 9 – 21', { from: 540, to: 1260 }],
    ['window from 9:05 to 21:55', { from: 545, to: 1315 }],
    ['window 22..6', { from: 1320, to: 360 }],
    ['approval 0', { approval: 0 }],
    ['cap 1 part', { parts: 1 }],
  ])('is understood as it is meant: %s', async (typed, row) => {
    const { owner, group } = await linked();
    await talk.asks(owner, group, `/limits ${typed}`, 'Set by Olga');
    expect(await limitsOf(group)).toMatchObject(row);
  });

  test('of a name that there is not offers those there are; without a value asks for it', async () => {
    const { owner, group } = await linked();
    const which = await talk.asks(owner, group, '/limits speed 9', '«speed» is not a limit');
    expect(rows(which)).toEqual([['Approval'], ['Daily cap'], ['Daily cap per person'], ['✖ Cancel']]);
    await talk.presses(owner, which, 'Approval');
    // The value that was typed along is not lost.
    await talk.hears(group, 'a second person for more than 9 parts', which.message_id);
    await talk.asks(owner, group, '/limits window', 'Between which hours');
    await talk.asks(owner, group, '/cancel', 'Question cancelled');
    expect(await limitsOf(group)).toMatchObject({ approval: 9, from: null });
  });
});

describe.concurrent('a cap in rial', () => {
  test('counts at the account’s tariff while nothing has been paid', async () => {
    const { owner, group } = await linked({ account: { price: { gsm7: 3000, ucs2: 1500 } } });
    const card = await talk.asks(owner, group, '/limits cap 10000000', '10,000,000 rial a day');
    expect(plain(card)).toContain('counts at 1,500 rial a part, the account’s tariff');
    expect(plain(card)).toContain('this counts as 6,666 parts');
    expect(await limitsOf(group)).toMatchObject({ rial: 10_000_000, parts: 6666 });
  });

  test('counts at the tariff, too, where the gateway refuses to say what was paid', async () => {
    const { owner, group, account } = await linked();
    world.sandbox.faults.add({
      kind: 'error',
      status: 403,
      operation: 'countoutbox',
      account: account.username,
    });
    await talk.asks(owner, group, '/limits cap 10000000', 'the account’s tariff');
    expect(await limitsOf(group)).toMatchObject({ parts: 7042 });
  });

  test('counts at what the account has paid, once it has', async () => {
    const { owner, group } = await linked();
    const sent = await talk.asks(owner, group, '/send 09121234567 Hello', '#A1');
    await talk.presses(owner, sent, '✅');
    await talk.turns(sent, /1 (accepted|delivered)/);
    const card = await talk.asks(owner, group, '/limits cap 10000000 rial', '10,000,000 rial a day');
    expect(plain(card)).toContain('counts at 2,840 rial a part, which the account has paid so far');
    expect(await limitsOf(group)).toMatchObject({ parts: 3521 });
  });

  test('that not even one part fits under is refused with the price', async () => {
    const { owner, group } = await linked();
    await talk.asks(owner, group, '/limits cap 1000', 'a part costs 1,420 rial');
    expect(await limitsOf(group)).toBe(null);
  });

  test.each([
    { name: 'a tariff in words', tariff: '"سطح ۲"' },
    { name: 'a tariff of nothing', tariff: '"0"' },
    { name: 'no tariff', tariff: 'null' },
  ])('with $name is refused, and a cap in parts advised', async ({ tariff }) => {
    const { owner, group, account } = await linked();
    world.sandbox.faults.add({
      kind: 'body',
      operation: 'details',
      account: account.username,
      text: `{"return":{"status":200,"message":"ok"},"data":{"fullname":"Shop","tarrif":${tariff}}}`,
    });
    const told = await talk.asks(owner, group, '/limits cap 10000000', 'The price of a part is not known');
    expect(plain(told)).toContain('/limits cap 5000 parts');
    expect(await limitsOf(group)).toBe(null);
    await talk.asks(owner, group, '/limits cap 5000 parts', '5,000 parts a day');
  });

  test('needs an account that tells prices: one linked by a version 1 token, or none, does not', async () => {
    const { owner, group } = await linked({ by: 'token' });
    await talk.asks(owner, group, '/limits cap 10000000', 'Set the cap in parts');
    await talk.asks(owner, group, '/limits cap 300 parts', '300 parts a day');
    const unlink = await talk.asks(owner, group, '/disconnect', '?');
    const [first = ''] = rows(unlink).flat();
    await talk.presses(owner, unlink, first);
    await world.driver.waitForMessage(
      group,
      (m) => m.message_id === unlink.message_id && rows(m).length === 0,
      PATIENCE,
    );
    await talk.asks(owner, group, '/limits cap 10000000', 'no linked account');
    expect(await limitsOf(group)).toMatchObject({ rial: null, parts: 300 });
  });

  test('is not set, and not said to be impossible, when the gateway gives no answer', async () => {
    const { owner, group, account } = await linked();
    const rule = world.sandbox.faults.add({
      kind: 'drop',
      operation: 'countoutbox',
      account: account.username,
    });
    const told = await talk.asks(owner, group, '/limits cap 10000000', 'did not answer');
    expect(plain(told)).not.toContain('not known');
    expect(await limitsOf(group)).toBe(null);
    world.sandbox.faults.remove(rule);
    await talk.asks(owner, group, '/limits cap 10000000', '10,000,000 rial a day');
  });

  test('counts what the day has used so far', async () => {
    const { owner, group } = await linked();
    const sent = await talk.asks(owner, group, '/send 09121234567 Hello', '#A1');
    await talk.presses(owner, sent, '✅');
    await talk.turns(sent, /1 (accepted|delivered)/);
    // As one that is under way: what has ended is brought down to what it has used.
    await world.database.sql`
      update job j set parts = 7, price_rial = 19880, ended_at = null from chat c where c.id = j.chat_id and c.telegram_id = ${group}`;
    await talk.asks(owner, group, '/limits cap 100 parts', 'today so far 7 parts');
    await talk.asks(owner, group, '/limits cap 1000000', 'today so far 19,880 rial');
    await world.database.sql`
      update job j set price_rial = null from chat c where c.id = j.chat_id and c.telegram_id = ${group}`;
    const card = await talk.asks(owner, group, '/limits', 'Limits of this chat');
    // Seven parts of no known price, of a cap that bought 352.
    expect(plain(card)).toContain('1,000,000 rial a day · today so far 19,887 rial');
  });
});
