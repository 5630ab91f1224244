import { describe, expect, test } from 'vitest';
import { Secret } from '../../src/domain/secret.ts';
import { createGateway } from '../../src/gateway/compose.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { restart } from '../support/restart.ts';
import { until } from '../support/story.ts';
import { given, has, plain, rows, talkIn, type TestAccount } from '../support/talk.ts';
import { startWorld } from '../support/world.ts';
import { useWorld } from '../support/use-world.ts';

/* Received messages are stored by themselves, whoever reads them at the gateway; and they can be searched. */

const LINE = '3000123456';
const OTHER = '50001234';
const POLLING = { ROLES: 'bot,worker,poller', INBOX_POLL_SECONDS: '0.05' };

const { world, talk } = useWorld(POLLING, { deliverySeconds: 600 });

interface Seed {
  readonly from?: string;
  readonly line?: string;
  readonly message: string;
  readonly ageSeconds?: number;
}

async function linked(seeds: readonly Seed[] = [], language_code = 'en') {
  const person = world.driver.user({ first_name: 'Sara', language_code });
  const inbox = seeds.map((seed, index) => ({
    from: '9121110001',
    line: LINE,
    ageSeconds: 60 * (seeds.length - index),
    read: false,
    ...seed,
  }));
  const account = talk.account({ inbox });
  await talk.connects(person, { apiKey: account.apiKey });
  await stores(person, seeds.length);
  return { person, account };
}

const stored = async (place: number) =>
  await world.database.sql<{ text: string; line: string; sender: string }[]>`
    select i.text, i.line, i.sender from inbound i join account a on a.id = i.account_id join chat c on c.id = a.chat_id
    where c.telegram_id = ${place} order by i.id`;
const told = async (place: number) =>
  await world.database.sql<{ text: string | null; count: number | null }[]>`
    select i.text, (n.facts ->> 'count')::int as count from notice n join sink s on s.id = n.sink_id
    join chat c on c.id = s.chat_id left join inbound i on i.id = n.inbound_id
    where c.telegram_id = ${place} and n.kind = 'inbound' order by n.id`;
const accountOf = async (place: number) =>
  await world.database.sql<{ id: string; due: boolean; read: boolean; failures: number }[]>`
    select a.id, a.due_at is not null as due, a.inbox_read_at is not null as read, a.failures
    from account a join chat c on c.id = a.chat_id where c.telegram_id = ${place} order by a.created_at`;

/** Waits until the inbox was read once and so many messages are stored. */
async function stores(person: Person, count: number): Promise<void> {
  await until(async () => {
    expect((await accountOf(person.id)).some(({ read }) => read)).toBe(true);
    expect(await stored(person.id)).toHaveLength(count);
  });
}

const at = (account: TestAccount) => given(world.sandbox.world.account(account.username));
const arrives = (account: TestAccount, text: string, from = '9121110001', line = LINE) =>
  world.sandbox.world.receive(at(account), { from, line, text });
const open = (account: TestAccount) =>
  createGateway({
    baseUrl: world.sandbox.baseUrl,
    versions: [4],
    credentials: { apiKey: new Secret(account.apiKey) },
  });

describe.concurrent('a message that comes in', () => {
  test('is stored once and told once; what was there before is told as one', async () => {
    const { person, account } = await linked([{ message: 'old 1' }, { message: 'old 2' }]);
    expect(await told(person.id)).toEqual([{ text: null, count: 2 }]);
    arrives(account, 'new', '9351110002', OTHER);
    await stores(person, 3);
    expect((await stored(person.id)).at(-1)).toEqual({ text: 'new', line: OTHER, sender: '989351110002' });
    expect(await told(person.id)).toEqual([
      { text: null, count: 2 },
      { text: 'new', count: null },
    ]);
    // Nothing was marked read at the gateway.
    expect(at(account).inbox.every(({ read }) => !read)).toBe(true);
    expect(talk.hits(account.username).some(({ operation }) => operation === 'receive')).toBe(false);
  });

  test('is stored although another program has fetched it first and marked it read', async () => {
    const { person, account } = await linked();
    const other = open(account);
    for (let n = 0; n < 20; n += 1) {
      arrives(account, `message ${n}`);
      await other.use('inbox').receive();
    }
    await other.close();
    expect(at(account).inbox.every(({ read }) => read)).toBe(true);
    await stores(person, 20);
    expect(new Set((await stored(person.id)).map(({ text }) => text)).size).toBe(20);
    expect(await told(person.id)).toHaveLength(20);
  });

  test('is stored by /receive as well, and once all the same', async () => {
    const { person, account } = await linked();
    world.sandbox.faults.add({ kind: 'drop', operation: 'inboxpaged', account: account.username });
    arrives(account, 'fetched by hand');
    const asked = await talk.asks(person, person, '/receive', 'mark them read');
    await talk.presses(person, asked, '✅');
    await talk.hears(person, 'now marked read', asked.message_id);
    await until(async () =>
      expect(await told(person.id)).toEqual([{ text: 'fetched by hand', count: null }]),
    );
    for (const { id, account: of } of world.sandbox.faults.list())
      if (of === account.username) world.sandbox.faults.remove(id);
    arrives(account, 'and the next');
    await stores(person, 2);
    expect(await told(person.id)).toHaveLength(2);
  });
});

describe.concurrent('an account', () => {
  test('is not looked after once it is unlinked, and keeps what it has when it is linked again', async () => {
    const { person, account } = await linked([{ message: 'before' }]);
    const asked = await talk.asks(person, person, '/disconnect', /./u);
    await talk.presses(person, asked, given(rows(asked).flat()[0]));
    await until(async () => expect((await accountOf(person.id)).map(({ due }) => due)).toEqual([false]));
    arrives(account, 'meanwhile');
    await talk.connects(person, { apiKey: account.apiKey });
    await stores(person, 2);
    expect(await accountOf(person.id)).toHaveLength(1);
    expect((await stored(person.id)).map(({ text }) => text)).toEqual(['before', 'meanwhile']);
  });

  test('that has nothing but a version 1 token has no inbox to look after, and nothing to find', async () => {
    const person = world.driver.user({ first_name: 'Sara', language_code: 'en' });
    const account = talk.account();
    await talk.connects(person, { token: account.token });
    await talk.asks(person, person, '/find hello', 'No received message here');
    const [row] = await world.database.sql`
      select inbox_due_at from account a join chat c on c.id = a.chat_id where c.telegram_id = ${person.id}`;
    expect(talk.hits(account.username).some(({ operation }) => operation === 'inboxpaged')).toBe(false);
    await until(async () => {
      const [now] = await world.database.sql`
        select inbox_due_at from account a join chat c on c.id = a.chat_id where c.telegram_id = ${person.id}`;
      expect(now).toEqual({ inbox_due_at: null });
    });
    expect(row).toBeDefined();
  });

  test('whose gateway does not answer has an alarm until it answers again, and loses nothing', async () => {
    const { person, account } = await linked();
    const alarms = async () =>
      await world.database.sql<{ kind: string; over: boolean }[]>`
        select m.kind, m.ended_at is not null as over from alarm m join chat c on c.id = m.chat_id
        where c.telegram_id = ${person.id}`;
    const fault = world.sandbox.faults.add({ kind: 'drop', account: account.username });
    arrives(account, 'while it was away');
    await until(async () => expect(await alarms()).toEqual([{ kind: 'gateway', over: false }]));
    world.sandbox.faults.remove(fault);
    await until(async () => expect(await alarms()).toEqual([{ kind: 'gateway', over: true }]));
    await stores(person, 1);
  });
});

describe.concurrent('/find', () => {
  const seeds: Seed[] = [
    { message: 'كتاب‌هاي سفارش ۱۲ نرسيد', from: '9351110002' },
    { message: 'Where is my ORDER 12?' },
    { message: '<b>bold</b> /send 0935 @everyone &amp; https://evil.example' },
  ];

  test('finds words in both languages, however they are typed, newest first', async () => {
    const { person } = await linked(seeds);
    const persian = await talk.asks(person, person, '/find کتابهای ١٢', '🔎');
    expect(plain(persian)).toContain('1 message');
    expect(plain(persian)).toMatch(/#in\d+ · 09351110002 → 3000123456/);
    const both = await talk.asks(person, person, '/find 12', '2 messages');
    expect(plain(both).indexOf('ORDER')).toBeLessThan(plain(both).indexOf('سفارش'));
    const number = await talk.asks(person, person, '/find 0935 111 0002', '1 message');
    expect(plain(number)).toContain('نرسيد');
    const hostile = await talk.asks(person, person, '/find <b>bold</b>', '1 message');
    const alive = (message: typeof hostile) =>
      message.entities?.filter(({ type }) => ['url', 'mention', 'bot_command', 'hashtag'].includes(type)) ??
      [];
    expect(alive(hostile)).toEqual([]);
    const listed = await talk.asks(person, person, '/inbox all', 'Read and unread');
    expect(alive(listed)).toEqual([]);
    await talk.asks(person, person, '/find order nothing', 'No received message here');
  });

  test.each([
    ['en', /^🔎 09351110002 · 4 messages/u, /#A1 from 3000123456 · .* · (?:accepted|⏳ on its way)/u],
    ['fa', /^🔎 09351110002 · ۴ پیام/u, /#A1 از 3000123456 · .* · (?:پذیرفته‌شده|⏳ در راه)/u],
  ] as const)('of a whole number shows both directions, newest first (%s)', async (lang, head, one) => {
    const { person, account } = await linked(seeds, lang);
    const sends = async (line: string, code: string): Promise<void> => {
      const card = await talk.asks(person, person, line, code);
      await talk.presses(person, card, '✅');
      await talk.turns(card, lang === 'fa' ? 'پذیرفته' : 'accepted');
    };
    await sends('/send 09351110002,09120000001 first answer', '#A1');
    arrives(account, 'and now?', '9351110002');
    await stores(person, seeds.length + 1);
    await sends('/multi\n3000123456;09351110002;own words\n3000123456;09120000001;not for them', '#A2');
    const found = plain(await talk.asks(person, person, '/find 0935 111 0002', head));
    const places = ['own words', 'and now?', 'first answer', 'نرسيد'].map((text) => found.indexOf(text));
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(places[0]).toBeGreaterThan(0);
    expect(found).toMatch(one);
    expect(found).not.toContain('not for them');
    // Nobody else's number, and no part of one, brings what was sent.
    expect(plain(await talk.asks(person, person, '/find 0935111', '🔎'))).not.toContain('#A1');
  });

  test('answers in Persian, turns its pages, and asks for what is missing', async () => {
    const many = Array.from({ length: 12 }, (_, n) => ({ message: `سلام شماره ${n}` }));
    const { person } = await linked(many, 'fa');
    const question = await talk.asks(person, person, '/find', 'دنبال چه می‌گردید');
    const bad = await talk.asks(person, person, '!؟', 'حرف یا رقم');
    expect(bad.message_id).toBeGreaterThan(question.message_id);
    const found = await talk.asks(person, person, 'سلام', (said) => rows(said).flat().includes('۱ / ۳'));
    expect(plain(found)).toContain('۱۲ پیام');
    expect(rows(found)).toEqual([['◀', '۱ / ۳']]);
    await talk.presses(person, found, '◀');
    const next = await talk.turns(found, (message) => rows(message).flat().includes('۲ / ۳'));
    expect(plain(next)).toContain('شماره 6');
    expect(plain(next)).not.toContain('شماره 11');
  });

  test.each([
    ['en', 'Mina Rad', 'mina', 'Hello there'],
    ['fa', 'مینا راد', 'مینا', 'سلام، در راه است'],
  ])('and /reply know people by the names they are kept by, in %s', async (lang, name, first, answer) => {
    const { person } = await linked([{ message: 'Which size?', from: '9351110009' }], lang);
    await talk.asks(person, person, `/people 09351110009 ${name}`, has('🗑'));
    const found = await talk.asks(person, person, `/find ${first}`, has(`👤 ${name} · 09351110009`));
    await talk.presses(person, found, '👤');
    await talk.hears(person, 'Which size?', found.message_id);
    for (const [line, text] of [
      [`/reply ${name} ${answer}`, answer],
      [`/reply 09351110009 ${answer} 2`, `${answer} 2`],
    ] as const) {
      const offered = await talk.asks(person, person, line, has('#in'));
      expect(rows(offered)).toHaveLength(2);
      await talk.presses(person, offered, '#in');
      const card = await talk.hears(person, has('✅'), offered.message_id);
      expect(plain(card)).toContain(`\n${text}\n`);
    }
  });

  test.each([
    ['en', '7d', '1 Jan 2020', 'Nothing that was received in this time is here: 1 Jan 2020', 'shirt big'],
    ['fa', '۷ روز', '۱۱ دی ۱۳۹۸', 'از این زمان پیامی اینجا نیست: ۱۱ دی ۱۳۹۸', 'big «shirt»'],
  ])(
    'and /inbox shows those of a time, a number or some words, in %s',
    async (lang, week, then, none, words) => {
      const old = { message: 'Is the shirt too big?', line: OTHER, ageSeconds: 40 * 86_400 };
      const { person } = await linked([old, { message: 'Thank you', from: '9351110009' }], lang);
      const shows = async (asked: string): Promise<string> =>
        plain(await talk.asks(person, person, `/inbox ${asked}`, '🔎'));
      const ofWeek = await shows(`all ${week}`);
      expect(ofWeek).toContain('Thank you');
      expect(ofWeek).not.toContain('shirt');
      expect(await shows(then)).toContain(none);
      for (const asked of ['0935 111 0009', 'thank']) expect(await shows(asked)).toContain('Thank you');
      expect(await shows(words)).toContain('Is the shirt too big?');
      const ofLine = await talk.asks(person, person, `/inbox line ${OTHER}`, OTHER);
      expect(plain(ofLine)).toContain('Is the shirt too big?');
      await talk.asks(person, person, '/inbox ?!', lang === 'fa' ? 'چه می‌گردید' : 'looking for');
      await talk.asks(person, person, 'thank', 'Thank you');
    },
  );

  test('shows a viewer what is there, somebody without a role nothing, and no chat what another has', async () => {
    const owner = world.driver.user({ first_name: 'Olga', language_code: 'en' });
    const viewer = world.driver.user({ first_name: 'Vida', language_code: 'en' });
    const nobody = world.driver.user({ first_name: 'Nima', language_code: 'en' });
    const group = world.driver.group({ creator: owner, members: [viewer, nobody] });
    const account = talk.account({
      inbox: [{ from: '9121110001', line: LINE, message: 'secret word', ageSeconds: 5, read: true }],
    });
    await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
    await talk.gives('viewer', viewer, group);
    await until(async () => expect(await stored(group)).toHaveLength(1));
    await talk.asks(viewer, group, '/find secret', '1 message');
    await talk.asks(nobody, group, '/find secret', /may not|role/);
    const { person } = await linked();
    await talk.asks(person, person, '/find secret', 'No received message here');
  });
});

test('what comes in while nothing runs is stored when it runs again, each message once', async () => {
  await using own = await startWorld(POLLING, { deliverySeconds: 600 });
  const person = own.driver.user({ first_name: 'Sara', language_code: 'en' });
  const theirTalk = talkIn(own);
  const account = theirTalk.account();
  await theirTalk.connects(person, { apiKey: account.apiKey });
  const receive = (text: string): void => {
    const theirs = given(own.sandbox.world.account(account.username));
    own.sandbox.world.receive(theirs, { from: '9121110001', line: LINE, text });
  };
  const texts = async () =>
    (await own.database.sql<{ text: string }[]>`select text from inbound order by id`).map(
      ({ text }) => text,
    );
  receive('before');
  await until(async () => expect(await texts()).toEqual(['before']));
  await own.app.stop();
  expect(await own.database.sql`select 1 from account where lease_owner is not null`).toHaveLength(0);
  receive('meanwhile');
  await using again = await restart(own, POLLING);
  await until(async () => expect(await texts()).toEqual(['before', 'meanwhile']));
  expect(again.botUsername).toBe('PeykSandboxBot');
});
