import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import type { FaultRule } from '../../src/sandbox/faults.ts';
import type { Account } from '../../src/sandbox/world/account.ts';
import { restart } from '../support/restart.ts';
import { dataOf, given, PATIENCE, plain, rows, talkIn } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { startWorld } from '../support/world.ts';
import { useWorld } from '../support/use-world.ts';

/* Received messages: looking at them, which changes nothing, and fetching them, which marks them read. */

const LINE = '3000123456';
const OTHER = '50001234';

const { world, talk } = useWorld({}, { deliverySeconds: 600 });

interface Seed {
  readonly from?: string;
  readonly line?: string;
  readonly message: string;
  readonly ageSeconds?: number;
  readonly read?: boolean;
}

/** Messages in the order in which they came. */
const inbox = (seeds: readonly Seed[]) =>
  seeds.map((seed, index) => ({
    from: `912111${String(index).padStart(4, '0')}`,
    line: LINE,
    ageSeconds: 60 * (seeds.length - index),
    ...seed,
  }));
const many = (count: number, seed: Partial<Seed> = {}) =>
  inbox(Array.from({ length: count }, (_, index) => ({ message: `text ${index}!`, ...seed })));

async function linked(seeds: readonly Seed[], language_code = 'en') {
  const person = world.driver.user({ first_name: 'Sara', language_code });
  const account = talk.account({ inbox: inbox(seeds) });
  await talk.connects(person, { apiKey: account.apiKey });
  return { person, account };
}

/** A group with a linked account, its owner and a member with a role. */
async function staffed(role: 'viewer' | 'operator', seeds: readonly Seed[]) {
  const owner = world.driver.user({ first_name: 'Olga', language_code: 'en' });
  const member = world.driver.user({ first_name: 'Omid', language_code: 'en' });
  const group = world.driver.group({ creator: owner, members: [member] });
  const account = talk.account({ inbox: inbox(seeds) });
  await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
  await talk.gives(role, member, group);
  return { owner, member, group, account };
}

const truth = (username: string): Account => given(world.sandbox.world.account(username));
const unread = (username: string): string[] =>
  truth(username)
    .inbox.filter(({ read }) => !read)
    .map(({ text }) => text);
const calls = (username: string, operation: string): number =>
  talk.hits(username).filter((hit) => hit.operation === operation).length;
const harm = (username: string, operation: string, rule: FaultRule): number =>
  world.sandbox.faults.add({ ...rule, operation, account: username });
const audited = async (chat: number) =>
  (
    await world.database.sql<{ action: string; details: unknown }[]>`
      select a.action, a.details from audit a join chat c on c.id = a.chat_id
      where c.telegram_id = ${chat} and a.action like 'inbox%' order by a.id`
  ).map(({ action, details }) => ({ action, details }));
/** What stands in the quotations of a message, one after the other. */
/** As people see them: without what isolates a text, and what keeps links and commands in it from coming alive. */
const quotes = ({ text = '', entities = [] }: Message): string[] =>
  entities
    .filter(({ type }) => type.endsWith('blockquote'))
    .map(({ offset, length }) =>
      text.slice(offset, offset + length).replaceAll(/[\u2060\u2068\u2069]/gu, ''),
    );
const shows =
  (label: string) =>
  (message: Message): boolean =>
    rows(message).flat().includes(label);
const isFile = (message: Message): boolean => message.document !== undefined;
const csv = (message: Message): string => talk.fileOf(message).toString('utf8');

describe.concurrent('/inbox', () => {
  test('shows what is unread on the chat’s line, the newest first, and marks nothing', async () => {
    const { person, account } = await linked([
      { message: 'first', from: '9121110001', ageSeconds: 7200 },
      { message: 'read long ago', read: true },
      { message: 'to the other line', line: OTHER, ageSeconds: 600 },
      { message: 'last', from: '9351110002', ageSeconds: 300 },
    ]);
    const page = await talk.asks(person, person, '/inbox', '📥');
    const text = plain(page);
    expect(text).toContain(
      `Unread · line ${LINE} · 2 messages\nLooking at messages here does not mark them read.`,
    );
    expect(text).toMatch(
      new RegExp(
        `1\\. 09351110002 → line ${LINE}\\n5 minutes ago · \\w+ \\d+ \\w+ \\d{4}, \\d\\d:\\d\\d\\nlast`,
      ),
    );
    expect(text).toMatch(/2\. 09121110001 → line \d+\n2 hours ago/u);
    expect(quotes(page)).toEqual(['last', 'first']);
    const copied = (page.entities ?? []).filter(({ type }) => type === 'code');
    expect(copied.map(({ offset, length }) => page.text?.slice(offset, offset + length))).toEqual([
      `\u2066${LINE}\u2069`,
      '\u206609351110002\u2069',
      '\u206609121110001\u2069',
    ]);
    expect(rows(page)).toEqual([
      ['Read and unread', 'All lines'],
      ['❔ Unanswered', '🙋 Mine'],
      ['⬇ CSV', '✔ Mark as read…'],
    ]);
    expect(unread(account.username)).toEqual(['first', 'to the other line', 'last']);
    expect(calls(account.username, 'receive')).toBe(0);
  });

  test('speaks Persian: its words, its calendar, its digits', async () => {
    const { person } = await linked(
      [
        { message: 'سلام', from: '9121110001', read: true },
        { message: 'ساعت کاری؟', from: '9121110002', line: OTHER },
      ],
      'fa',
    );
    const all = await talk.asks(person, person, '/inbox همه', '📥');
    expect(plain(all)).toMatch(
      /خوانده و نخوانده · خط 3000123456 · ۱ پیام[\s\S]*۱\. 09121110001 ← خط 3000123456\n\S+ دقیقه پیش · \S+ \S+ \S+ ۱۴\S+ \S+\nسلام/u,
    );
    expect(rows(all)).toEqual([['همهٔ خط‌ها', 'فقط نخوانده‌ها'], ['🙋 با من', '❔ بی‌پاسخ'], ['⬇ CSV']]);
    for (const words of ['نخوانده ۵۰۰۰۱۲۳۴', `${OTHER} خوانده‌نشده`]) {
      const some = await talk.asks(person, person, `/inbox ${words}`, '📥');
      expect(plain(some)).toContain('نخوانده · خط 50001234 · ۱ پیام');
      expect(quotes(some)).toEqual(['ساعت کاری؟']);
    }
  });

  test('turns to the other view and to all lines by buttons', async () => {
    const { person } = await linked([
      { message: 'old', read: true },
      { message: 'elsewhere', line: OTHER },
      { message: 'new' },
    ]);
    const page = await talk.asks(person, person, '/inbox unread', '📥');
    await talk.presses(person, page, 'Read and unread');
    const both = await talk.turns(page, `Read and unread · line ${LINE} · 2 messages`);
    expect(quotes(both)).toEqual(['new', 'old']);
    await talk.presses(person, both, 'All lines');
    const everything = await talk.turns(page, 'Read and unread · all lines · 3 messages');
    expect(quotes(everything)).toEqual(['new', 'elsewhere', 'old']);
    expect(rows(everything)).toEqual([
      ['Unread only', `Line ${LINE}`],
      ['❔ Unanswered', '🙋 Mine'],
      ['⬇ CSV'],
    ]);
    // The inbox has taught the chat a line: it is offered from now on.
    const question = await talk.asks(person, person, '/line', 'Which one should I use?');
    expect(rows(question).flat()).toContain(OTHER);
  });

  test('is walked page by page, each message once', async () => {
    const { person } = await linked(many(23));
    const page = await talk.asks(person, person, '/inbox', '📥');
    expect(rows(page)[0]).toEqual(['1 / 3', '▶']);
    const seen = [...quotes(page)];
    await talk.presses(person, page, '▶');
    const second = await talk.turns(page, '11. 0912111');
    expect(rows(second)[0]).toEqual(['◀', '2 / 3', '▶']);
    seen.push(...quotes(second));
    await talk.presses(person, second, '▶');
    const third = await talk.turns(page, '23. 0912111');
    expect(rows(third)[0]).toEqual(['◀', '3 / 3']);
    seen.push(...quotes(third));
    expect(seen).toEqual(Array.from({ length: 23 }, (_, index) => `text ${22 - index}!`));
  });

  test('goes to the last page when the one that was asked for is gone', async () => {
    const { person, account } = await linked(many(21));
    const page = await talk.asks(person, person, '/inbox', '📥');
    await talk.presses(person, page, '▶');
    const second = await talk.turns(page, shows('2 / 3'));
    for (const message of truth(account.username).inbox) if (message.text !== 'text 3!') message.read = true;
    await talk.presses(person, second, '▶');
    const left = await talk.turns(page, `line ${LINE} · 1 message\n`);
    expect(quotes(left)).toEqual(['text 3!']);
    for (const message of truth(account.username).inbox) message.read = true;
    await talk.asks(person, person, '/inbox', `📭 No unread messages on line ${LINE}.`);
  });

  test('cuts long texts so that the page fits, says so, and has them in full behind a button', async () => {
    const long = (index: number) => `${index}: ${'ب'.repeat(880)} end ${index}`;
    const { person } = await linked(
      Array.from({ length: 10 }, (_, index) => ({ message: index < 8 ? long(index) : `short ${index}` })),
    );
    const page = await talk.asks(person, person, '/inbox', '📥');
    expect((page.text ?? '').length).toBeLessThanOrEqual(4096);
    expect(quotes(page)).toHaveLength(10);
    expect(quotes(page).slice(0, 2)).toEqual(['short 9', 'short 8']);
    expect(plain(page).match(/first \d+ of 8\d\d characters/gu)).toHaveLength(8);
    await talk.presses(person, page, '📄 Whole texts (8)');
    const whole = await talk.hears(person, 'Whole texts · 8 messages', page.message_id);
    expect(quotes(whole)[0]).toBe(long(7));
    const file = await talk.hears(person, isFile, whole.message_id);
    for (let index = 0; index < 8; index += 1) expect(csv(file)).toContain(long(index));
    expect(csv(file)).not.toContain('short');
  });

  test('finds a long text again after new messages have pushed it on, and says when it cannot', async () => {
    const { person, account } = await linked([
      { message: 'a'.repeat(4000) },
      ...Array.from({ length: 9 }, () => ({ message: 'short' })),
    ]);
    const page = await talk.asks(person, person, '/inbox', '📥');
    const gateway = truth(account.username);
    const arrive = (count: number) => {
      for (let index = 0; index < count; index += 1)
        world.sandbox.world.receive(gateway, { from: '9121110009', line: LINE, text: 'newer' });
    };
    arrive(3);
    await talk.presses(person, page, '📄 Whole texts (1)');
    const whole = await talk.hears(person, 'Whole texts · 1 message\n', page.message_id);
    const file = await talk.hears(person, isFile, whole.message_id);
    expect(csv(file)).toContain('a'.repeat(4000));
    arrive(20);
    await talk.settled(person, person);
    await talk.presses(person, page, '📄 Whole texts (1)');
    await talk.hears(person, '1 message of this page', file.message_id);
  });

  test('exports what is shown as a file, and says when it is not all', async () => {
    const { person } = await linked([...many(2100), { message: '=1+1', line: OTHER }]);
    const page = await talk.asks(person, person, '/inbox', `line ${LINE} · 2,100 messages`);
    await talk.presses(person, page, '⬇');
    const file = await talk.hears(person, isFile, page.message_id);
    expect(plain(file)).toContain('Unread · line 3000123456 · 2,000 messages');
    expect(plain(file)).toContain('The file has 2,000 of the 2,100 that the gateway counts');
    const lines = csv(file).trim().split(/\r?\n/u);
    expect(lines).toHaveLength(2001);
    expect(lines[0]).toMatch(/id.+sender.+line.+time.+text/u);
    expect(lines[1]).toMatch(
      new RegExp(`\\d{15,}.*09121112099.*${LINE}.*\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d.*text 2099!`),
    );
    await talk.presses(person, page, 'All lines');
    const everything = await talk.turns(page, 'all lines · 2,101 messages');
    await talk.presses(person, everything, '⬇');
    const second = await talk.hears(person, isFile, file.message_id);
    // A text from outside never becomes a formula.
    expect(csv(second)).toContain("'=1+1");
  });

  test('is friendly when nothing is there', async () => {
    const { person } = await linked([{ message: 'read', line: OTHER, read: true }]);
    const none = await talk.asks(person, person, '/inbox', '📭');
    expect(plain(none)).toBe(`📭 No unread messages on line ${LINE}.`);
    expect(rows(none)).toEqual([
      ['Read and unread', 'All lines'],
      ['❔ Unanswered', '🙋 Mine'],
    ]);
    await talk.presses(person, none, 'Read and unread');
    const nothing = await talk.turns(none, `📭 Nothing has been received on line ${LINE} yet.`);
    await talk.presses(person, nothing, 'All lines');
    const old = await talk.turns(none, 'Read and unread · all lines · 1 message');
    await talk.presses(person, old, 'Unread only');
    await talk.turns(none, '📭 No unread messages.');
  });

  test('works for viewers, without a way to mark, and for nobody without a role', async () => {
    const { owner, member, group, account } = await staffed('viewer', many(12));
    const page = await talk.asks(member, group, '/inbox', '📥');
    expect(rows(page).flat().join()).not.toContain('Mark as read');
    // Whoever may look may turn the page.
    await talk.presses(owner, page, '▶');
    const second = await talk.turns(page, shows('2 / 2'));
    const before = talk.hits(account.username).length;
    const stranger = world.driver.user({ first_name: 'Stranger', language_code: 'en' });
    world.playground.control.member({ chat_id: group, user_id: stranger.id, status: 'member' });
    expect(await talk.presses(stranger, second, '◀')).toContain('Your role in this chat does not allow this');
    expect(talk.hits(account.username)).toHaveLength(before);
  });

  test('says what is missing where the account has version 1 alone', async () => {
    const person = world.driver.user({ first_name: 'Sara', language_code: 'en' });
    const account = talk.account();
    await talk.connects(person, { token: account.token });
    for (const command of ['/inbox', '/receive']) {
      const told = await talk.asks(person, person, command, 'cannot do this');
      expect(plain(told)).toMatch(/an API key.*user name (and|with) password.*\/connect/u);
    }
  });

  test('takes the gateway’s plain list where the one by pages is refused, and says so', async () => {
    const { person, account } = await linked([
      ...many(11),
      { message: 'to the other line', line: OTHER, read: true },
    ]);
    harm(account.username, 'inboxpaged', { kind: 'error', status: 402 });
    const page = await talk.asks(person, person, '/inbox', '📥');
    expect(plain(page)).toContain('The gateway refused to list by line and by unread');
    expect(plain(page)).toContain('read and unread together');
    expect(quotes(page)[0]).toBe('to the other line');
    expect(rows(page)[0]).toEqual(['1', '▶']);
    await talk.presses(person, page, '▶');
    const second = await talk.turns(page, '11. 0912111');
    expect(quotes(second)).toEqual(['text 1!', 'text 0!']);
    expect(rows(second)[0]).toEqual(['◀', '2']);
    expect(calls(account.username, 'inbox')).toBe(2);
  });

  test.each([
    { name: 'a refused key', rule: { kind: 'error', status: 401 }, says: 'The gateway refused' },
    { name: 'no answer', rule: { kind: 'drop' }, says: 'did not answer in time' },
    { name: 'a web page', rule: { kind: 'html', httpStatus: 200 }, says: 'cannot read' },
  ] as const)('tells of $name', async ({ rule, says }) => {
    const { person, account } = await linked(many(1));
    harm(account.username, 'inboxpaged', rule);
    const told = await talk.asks(person, person, '/inbox', says);
    expect(plain(told)).not.toMatch(/401|inboxpaged|http/u);
    expect(calls(account.username, 'inbox')).toBe(0);
  });

  const HOSTILE = [
    '<b>bold</b> <a href="tg://user?id=1">x</a> &amp; &lt;',
    '</blockquote></code><script>alert(1)</script>',
    '\u202eevil\u202c \u2067isolate',
    'Ṱ̺̺̕o͞ ̷i̲̬͇̪͙n̝̗͕v̟̜̘̦͟o̶̙̰̠kè͚̮̺̪̹̱̤ \u200d\u200b\ufeff',
    '/send 09120000000 @everyone #tag https://example.com ; DROP TABLE person; --',
    '${7*7} {{7*7}} %s %n $(reboot) `id`',
  ];

  test('shows texts that are meant to do harm as text and nothing else', async () => {
    const { person } = await linked(HOSTILE.map((message) => ({ message })));
    const page = await talk.asks(person, person, '/inbox', '📥');
    const visible = (text: string) => text.replaceAll(/[\u2060\u202a-\u202e\u2066-\u2069]/gu, '').trim();
    expect(quotes(page).map(visible)).toEqual(HOSTILE.map(visible).toReversed());
    const kinds = new Set((page.entities ?? []).map(({ type }) => type));
    for (const alive of ['text_link', 'bold_italic', 'url', 'mention', 'hashtag'])
      expect(kinds).not.toContain(alive);
    expect(page.text).not.toMatch(/[\u202a-\u202e\u2067]/u);
  });

  test('shows what fits of a page that is longer than it was asked for, and the way to the rest', async () => {
    const { person, account } = await linked([]);
    const entries = Array.from({ length: 200 }, (_, index) => ({
      messageid: String(index + 1),
      message: `${index}: ${'x'.repeat(300)}`,
      from: '+989121110000',
      to: `+98${LINE}`,
      date: 1_790_000_000 - index,
    }));
    const current = { totalcount: '450', currentpage: '2', totalpages: '3', pagesize: '200' };
    const text = JSON.stringify({ return: { status: 200, message: 'ok' }, entries, current });
    harm(account.username, 'inboxpaged', { kind: 'body', text });
    const page = await talk.asks(person, person, '/inbox', '450 messages');
    const shown = quotes(page).length;
    expect(shown).toBeGreaterThan(10);
    expect(plain(page)).toContain(`… ${200 - shown} messages on this page do not fit here: ⬇`);
    expect(quotes(page)[0]).toMatch(/^0: x{20,}…$/u);
    await talk.presses(person, page, '▶');
    expect(plain(await talk.turns(page, shows('2 / 3')))).toContain('\n201. 09121110000');
  });

  test('survives an answer that is meant to do harm: senders, lines, dates and texts of any kind', async () => {
    const { person, account } = await linked([]);
    const entries = [
      { messageid: '7', message: '', from: '<b>Bank</b>\u202e', to: '<i>line</i>', date: 9e15 },
      { messageid: '8', message: 'x'.repeat(50_000), from: '10008', to: `+98${LINE}`, date: 0 },
      { messageid: '9', message: '\ud83d half', from: '9'.repeat(500), to: '1'.repeat(500) },
    ];
    const current = { totalcount: '3', currentpage: '1', totalpages: '1', pagesize: '10' };
    const text = JSON.stringify({ return: { status: 200, message: 'ok' }, entries, current });
    harm(account.username, 'inboxpaged', { kind: 'body', text });
    const page = await talk.asks(person, person, '/inbox', '📥');
    expect(plain(page)).toContain('<b>Bank</b> → line <i>line</i>');
    expect(plain(page)).toContain('time not given by the gateway');
    expect(plain(page)).toContain('(no text)');
    expect(plain(page)).toContain('10008 → line 3000123456');
    await talk.presses(person, page, '📄');
    const file = await talk.hears(person, isFile, page.message_id);
    expect(csv(file)).toContain('x'.repeat(50_000));
  });
});

const ASKS = 'Fetch unread messages and mark them read';

describe.concurrent('/receive', () => {
  test('says first what it does, and does nothing when it is cancelled', async () => {
    const { person, account } = await linked(many(2));
    const question = await talk.asks(person, person, '/receive', ASKS);
    expect(plain(question)).toMatch(
      /line 3000123456[\s\S]*at most 50.*at the gateway.*panel and other programs/u,
    );
    expect(rows(question)).toEqual([['✅ Fetch and mark read'], ['All lines', '✖ Cancel']]);
    const fetch = dataOf(question, '✅');
    await talk.presses(person, question, '✖');
    const left = await talk.turns(question, 'Nothing was marked as read');
    expect(rows(left)).toEqual([]);
    // A press that was on its way when Cancel was pressed finds the matter decided.
    await world.driver.waitForAnswer(person.forge(left, fetch), PATIENCE);
    const told = await talk.hears(person, 'decided already', question.message_id);
    expect(plain(told)).toContain('/inbox all');
    expect(calls(account.username, 'receive')).toBe(0);
    expect(unread(account.username)).toHaveLength(2);
  });

  test('fetches once, marks exactly those, lists them in full, and leaves a trace without the texts', async () => {
    const { person, account } = await linked([
      { message: 'to the other line', line: OTHER },
      { message: 'a secret <b>question</b>', from: '9121110001' },
      { message: 'last', from: '9351110002' },
    ]);
    const question = await talk.asks(person, person, '/receive', ASKS);
    const taps = [person.tap(question, '✅'), person.tap(question, '✅')];
    const answers = await Promise.all(taps.map((id) => world.driver.waitForAnswer(id, PATIENCE)));
    expect(answers[0]?.text).toBeUndefined();
    expect(answers[1]?.text).toMatch(/^You pressed this already, at \d/u);
    const list = await talk.hears(person, '📨', question.message_id);
    expect(plain(list)).toContain('📨 2 messages, now marked read\n1. 09121110001 → line 3000123456');
    expect(quotes(list)).toEqual(['a secret <b>question</b>', 'last']);
    const told = await talk.turns(question, /^✔ 2 messages fetched and marked read at \d\d:\d\d by Sara/u);
    expect(plain(told)).toContain('They are below, and in /inbox all');
    expect(unread(account.username)).toEqual(['to the other line']);
    expect(calls(account.username, 'receive')).toBe(1);
    expect(await audited(person.id)).toEqual([
      { action: 'inbox_received', details: { line: LINE, count: 2 } },
    ]);
    expect(JSON.stringify(await world.database.sql`select details from audit`)).not.toContain('secret');
    const all = await talk.asks(person, person, '/inbox all', '📥');
    expect(quotes(all)).toEqual(['last', 'a secret <b>question</b>']);
  });

  test('of more than 50 gives 50, all of them, and offers the next', async () => {
    const { person, account } = await linked(many(57));
    const question = await talk.asks(person, person, '/receive', ASKS);
    await talk.presses(person, question, '✅');
    const list = await talk.hears(person, '📨 50 messages', question.message_id);
    expect(plain(list)).toContain('at most 50 at a time: there may be more');
    const file = await talk.hears(person, isFile, list.message_id);
    for (let index = 0; index < 50; index += 1) expect(csv(file)).toContain(`text ${index}!`);
    expect(csv(file)).not.toContain('text 50!');
    expect(unread(account.username)).toEqual(
      many(57)
        .slice(50)
        .map(({ message }) => message),
    );

    const before = plain(list);
    await talk.presses(person, list, '🔁');
    const rest = await talk.hears(person, '📨 7 messages', list.message_id);
    expect(quotes(rest)).toHaveLength(7);
    expect(rows(rest)).toEqual([]);
    expect(unread(account.username)).toEqual([]);
    // The texts that were fetched before are still where they were.
    const first = given(world.driver.messages(person).find((m) => m.message_id === list.message_id));
    expect(plain(first)).toBe(before);
    expect(rows(first)).toEqual([]);
    expect((await audited(person.id)).map(({ details }) => details)).toEqual([
      { line: LINE, count: 50 },
      { line: LINE, count: 7 },
    ]);
  });

  test('takes a line, or all of them', async () => {
    const { person, account } = await linked([
      { message: 'mine' },
      { message: 'other', line: OTHER },
      { message: 'other again', line: OTHER },
    ]);
    const question = await talk.asks(person, person, `/receive ${OTHER}`, `mark them read · line ${OTHER}`);
    await talk.presses(person, question, 'All lines');
    const wider = await talk.turns(question, 'mark them read · all lines');
    expect(rows(wider)).toEqual([['✅ Fetch and mark read'], ['✖ Cancel']]);
    await talk.presses(person, wider, '✅');
    await talk.hears(person, '📨 3 messages', question.message_id);
    expect(unread(account.username)).toEqual([]);
    const none = await talk.asks(person, person, '/receive ۵۰۰۰۱۲۳۴', ASKS);
    await talk.presses(person, none, '✅');
    await talk.turns(none, `no unread messages on line ${OTHER}. Nothing was marked.`);
    await talk.asks(person, person, '/receive everything', 'A sender line has 5 to 14 digits');
  });

  test('begins from the inbox too, in Persian', async () => {
    const { person, account } = await linked([{ message: 'سلام' }], 'fa');
    const page = await talk.asks(person, person, '/inbox', '📥');
    await talk.presses(person, page, '✔');
    const question = await talk.hears(person, 'حداکثر ۵۰ پیام نخوانده', page.message_id);
    expect(rows(question)).toEqual([['✅ گرفتن و علامت زدن'], ['✖ انصراف', 'همهٔ خط‌ها']]);
    await talk.presses(person, question, '✅');
    const list = await talk.hears(person, '📨 ۱ پیام', question.message_id);
    expect(quotes(list)).toEqual(['سلام']);
    await talk.turns(question, '✔ ۱ پیام گرفته شد و علامت خوانده‌شده خورد');
    expect(unread(account.username)).toEqual([]);
  });

  const DOUBTFUL = [
    {
      name: 'a connection that is cut after the messages were marked',
      rule: { kind: 'drop', when: 'after' },
    },
    { name: 'a cut answer', rule: { kind: 'truncate' } },
    { name: 'a page after the fact', rule: { kind: 'html', when: 'after' } },
    { name: 'a reset before anything happened', rule: { kind: 'reset', when: 'before' } },
    { name: 'a fault of the gateway', rule: { kind: 'error', status: 500, code: 2000 } },
  ] as const satisfies readonly { name: string; rule: FaultRule }[];

  test.each(DOUBTFUL)('claims nothing after $name, and does not ask again', async ({ rule }) => {
    const { person, account } = await linked(many(3));
    harm(account.username, 'receive', rule);
    const question = await talk.asks(person, person, '/receive', ASKS);
    await talk.presses(person, question, '✅');
    const told = await talk.turns(question, 'It may have marked up to 50 messages read');
    expect(plain(told)).toContain('/inbox all; none is lost. I do not repeat the request by myself');
    expect(plain(told)).not.toMatch(/Nothing was marked|failed/u);
    await talk.settled(person, person);
    expect(calls(account.username, 'receive')).toBe(1);
    expect(await audited(person.id)).toEqual([
      { action: 'inbox_received', details: { line: LINE, outcome: 'unknown' } },
    ]);
    // Whether they were marked or not, this finds them.
    await talk.presses(person, told, '📥');
    const all = await talk.hears(person, 'Read and unread', question.message_id);
    expect(quotes(all)).toEqual(['text 2!', 'text 1!', 'text 0!']);
  });

  test('says that nothing was marked where the gateway refused with a reason', async () => {
    const { person, account } = await linked(many(1));
    harm(account.username, 'receive', { kind: 'error', status: 401 });
    const question = await talk.asks(person, person, '/receive', ASKS);
    await talk.presses(person, question, '✅');
    const told = await talk.turns(question, 'The gateway refused');
    expect(plain(told)).toContain('Nothing was marked as read');
    expect(await audited(person.id)).toEqual([]);
    expect(unread(account.username)).toHaveLength(1);
  });

  test('is for operators, and its button for the one who asked', async () => {
    const { owner, member, group, account } = await staffed('viewer', many(2));
    await talk.asks(member, group, '/receive', 'operator');
    await talk.gives('operator', member, group);
    const question = await talk.asks(member, group, '/receive', ASKS);
    expect(await talk.presses(owner, question, '✅')).toContain('Only the person who asked');
    await talk.gives('viewer', member, group);
    expect(await talk.presses(member, question, '✅')).toContain(
      'Your role in this chat does not allow this',
    );
    expect(calls(account.username, 'receive')).toBe(0);
    await talk.gives('operator', member, group);
    await talk.presses(member, question, '✅');
    await talk.hears(group, '📨 2 messages', question.message_id);
  });

  test('says before the call where the messages are, should Telegram take nothing afterwards', async () => {
    const { person, account } = await linked(many(3));
    const question = await talk.asks(person, person, '/receive', ASKS);
    const { control } = world.playground;
    control.fault({ method: 'sendMessage', match: { chat_id: person.id }, drop: 'before' });
    await talk.presses(person, question, '✅');
    const told = await talk.turns(question, 'If no answer follows below');
    expect(plain(told)).toContain('none is lost: /inbox all has them');
    await until(() => {
      expect(unread(account.username)).toEqual([]);
    });
    await talk.presses(person, told, '📥');
    const all = await talk.hears(person, 'Read and unread', question.message_id);
    expect(quotes(all)).toHaveLength(3);
    expect(
      plain(given(world.driver.messages(person).find((m) => m.message_id === question.message_id))),
    ).toBe(plain(told));
    expect(await audited(person.id)).toHaveLength(1);
  });

  test('fetches nothing while Telegram cannot show it', async () => {
    const { person, account } = await linked(many(3));
    const question = await talk.asks(person, person, '/receive', ASKS);
    const match = { chat_id: person.id };
    world.playground.control.fault({
      method: 'editMessageText',
      match,
      code: 403,
      description: 'Forbidden: bot was blocked by the user',
    });
    await talk.presses(person, question, '✅');
    await talk.settled(person, person);
    expect(calls(account.username, 'receive')).toBe(0);
    expect(unread(account.username)).toHaveLength(3);
  });

  test('does not fetch for an account that has taken the place of the one it was asked for', async () => {
    const { person } = await linked(many(1));
    const question = await talk.asks(person, person, '/receive', ASKS);
    const other = talk.account({ inbox: many(1) });
    const asked = person.send(person, '/connect');
    const offer = await talk.offers(person, { apiKey: other.apiKey }, asked.message_id);
    await talk.presses(person, offer, '✅');
    await talk.turns(offer, 'Linked');
    await talk.presses(person, question, '✅');
    await talk.hears(person, 'has changed in the meantime', question.message_id);
    expect(calls(other.username, 'receive')).toBe(0);
    expect(unread(other.username)).toHaveLength(1);
  });

  test('is not done again when its press is handled again after a crash', async () => {
    const { person, account } = await linked(many(60));
    const struck = harm(account.username, 'receive', { kind: 'delay', when: 'after', ms: 12_000 });
    const question = await talk.asks(person, person, '/receive', ASKS);
    await talk.presses(person, question, '✅');
    const { sql } = world.database;
    // The press as it is kept while it is being handled.
    await until(() => {
      expect(calls(account.username, 'receive')).toBe(1);
    });
    const [open] = await sql<{ update_id: number; payload: Buffer }[]>`
      select u.update_id, u.payload from update u join button b on b.used_update = u.update_id
      where b.used_by = ${person.id} and b.action = 'inbox.receive-now'`;
    const press = given(open);
    expect(press.payload).not.toBeNull();
    world.sandbox.faults.remove(struck);
    await talk.hears(person, '📨 50 messages', question.message_id);
    await until(async () => {
      const again = await sql`
        update update set done_at = null, payload = ${press.payload}
        where update_id = ${press.update_id} and done_at is not null returning 1`;
      expect(again).toHaveLength(1);
    });
    const told = await talk.hears(person, 'I was interrupted in the middle of it', question.message_id);
    expect(plain(told)).toContain('may have marked up to 50 read');
    expect(calls(account.username, 'receive')).toBe(1);
    expect(unread(account.username)).toHaveLength(10);
  });
});

describe('on a world of its own', () => {
  test('buttons of the inbox and of /receive work after a restart; without a connection nothing is marked', async () => {
    await using own = await startWorld({}, { deliverySeconds: 600 });
    const its = talkIn(own);
    const sara = own.driver.user({ first_name: 'Sara', language_code: 'en' });
    const account = its.account({ inbox: many(12) });
    await its.connects(sara, { apiKey: account.apiKey });
    const page = await its.asks(sara, sara, '/inbox', '📥');
    const question = await its.asks(sara, sara, '/receive', ASKS);
    const later = await its.asks(sara, sara, '/receive', ASKS);
    await using again = await restart(own);
    expect(again.botUsername).toBe('PeykSandboxBot');
    await its.presses(sara, page, '▶');
    expect(quotes(await its.turns(page, '12. 0912111'))).toEqual(['text 1!', 'text 0!']);
    await its.presses(sara, question, '✅');
    await its.hears(sara, '📨 12 messages', question.message_id);
    await own.sandbox.close();
    await its.presses(sara, later, '✅');
    const told = await its.turns(later, 'The gateway gave no answer');
    expect(plain(told)).toContain('Nothing was marked as read');
    expect(its.errors()).toEqual([]);
  });
});
