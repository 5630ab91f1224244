import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import type { Role } from '../../src/domain/roles.ts';
import type { FaultRule } from '../../src/sandbox/faults.ts';
import { restart } from '../support/restart.ts';
import { numbers } from '../support/story.ts';
import { dataOf, given, PATIENCE, plain, rows, talkIn } from '../support/talk.ts';
import { startWorld } from '../support/world.ts';
import { useWorld } from '../support/use-world.ts';

/* The numbers that a line must not send to: reading them, asking about some, adding and taking off. */

const LINE = '3000123456';
const OTHER = '50001234';

const { world, talk } = useWorld({}, { deliverySeconds: 600 });

const someone = (first_name: string, language_code = 'en') =>
  world.driver.user({ first_name, language_code });

async function linked(language_code = 'en') {
  const person = someone('Sara', language_code);
  const account = talk.account();
  await talk.connects(person, { apiKey: account.apiKey });
  return { person, account: account.username };
}

/** A group with a linked account, its owner and a member with a role. */
async function staffed(role: Role) {
  const [owner, member] = [someone('Olga'), someone('Omid')];
  const group = world.driver.group({ creator: owner, members: [member] });
  const account = talk.account();
  await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
  await talk.gives(role, member, group);
  return { owner, member, group, account: account.username };
}

const blacklistOf = (username: string) => given(world.sandbox.world.account(username)).blacklist;
/** What the gateway truly holds for a line, as ten digits each. */
const held = (username: string, line = LINE): string[] =>
  blacklistOf(username)
    .list(line)
    .map(({ to }) => to);
function hold(username: string, list: readonly string[], line = LINE): void {
  for (let at = 0; at < list.length; at += 200)
    blacklistOf(username).add(line, list.slice(at, at + 200), { setter: 'panel', at: at + 1 });
}
const calls = (username: string, operation: string): number =>
  talk.hits(username).filter((hit) => hit.operation === `blacklist-${operation}`).length;
const harm = (username: string, operation: string, rule: FaultRule): number =>
  world.sandbox.faults.add({ ...rule, operation: `blacklist-${operation}`, account: username });
const audited = async (chat: number) =>
  (
    await world.database.sql<{ action: string; details: unknown }[]>`
      select a.action, a.details from audit a join chat c on c.id = a.chat_id
      where c.telegram_id = ${chat} and a.action like 'blacklist%' order by a.id`
  ).map(({ action, details }) => ({ action, details }));
const isFile = (message: Message): boolean => message.document !== undefined;
const csv = (message: Message): string => talk.fileOf(message).toString('utf8');
const shows =
  (label: string) =>
  (message: Message): boolean =>
    rows(message).flat().includes(label);
const listed = (message: Message): string[] => plain(message).match(/09\d{9}/gu) ?? [];

describe.concurrent('/blocked', () => {
  test('shows the numbers of the chat’s line with who set them, page by page', async () => {
    const { person, account } = await linked();
    const all = numbers(65);
    hold(account, all);
    hold(account, ['9350000001'], OTHER);
    const page = await talk.asks(person, person, '/blocked', 'Blacklist');
    expect(plain(page)).toMatch(
      /^⛔ Blacklist · line 3000123456 · 65 numbers\n1\. 09\d{9} · set by panel\n/u,
    );
    expect(rows(page)).toEqual([
      ['1 / 3', '▶'],
      ['Other line', '⬇ CSV'],
    ]);
    const seen = listed(page);
    await talk.presses(person, page, '▶');
    const second = await talk.turns(page, shows('2 / 3'));
    expect(plain(second)).toContain('\n31. 09');
    seen.push(...listed(second));
    await talk.presses(person, second, '▶');
    const third = await talk.turns(page, shows('3 / 3'));
    seen.push(...listed(third));
    expect(seen).toEqual(all.map((number) => `0${number}`));
    // The list has become shorter: the page that is left is shown.
    for (const number of all.slice(10)) blacklistOf(account).remove(LINE, number);
    await talk.presses(person, third, '◀');
    expect(listed(await talk.turns(page, '10 numbers'))).toHaveLength(10);
  });

  test('takes a line, or asks for one, in Persian too', async () => {
    const { person, account } = await linked('fa');
    hold(account, ['9350000001'], OTHER);
    await talk.asks(person, person, '/blocked', 'هیچ شماره‌ای در خط 3000123456 مسدود نیست');
    const list = await talk.asks(person, person, '/blocked ۵۰۰۰۱۲۳۴', 'لیست سیاه');
    expect(plain(list)).toBe('⛔ لیست سیاه · خط 50001234 · ۱ شماره\n۱. 09350000001 · توسط panel');
    expect(rows(list)).toEqual([['⬇ CSV', 'خط دیگر']]);
    await talk.presses(person, list, 'خط دیگر');
    const question = await talk.hears(person, 'لیست سیاه کدام خط؟', list.message_id);
    expect(rows(question).flat()).toContain(LINE);
    await talk.presses(person, question, LINE);
    await talk.hears(person, 'هیچ شماره‌ای در خط 3000123456', question.message_id);
  });

  test('asks for the line where the chat has none', async () => {
    const person = someone('Sara');
    const account = talk.account();
    const asked = person.send(person, '/connect');
    const offer = await talk.offers(person, { apiKey: account.apiKey }, asked.message_id);
    await talk.presses(person, offer, '✅');
    await talk.hears(person, 'Which sender line', offer.message_id);
    await talk.asks(person, person, '/cancel', 'No line was chosen');
    hold(account.username, ['9121112233']);
    await talk.asks(person, person, '/isblocked 09121112233', 'The blacklist of which line?');
    await talk.asks(person, person, 'mine', '«mine» is no sender line');
    await talk.asks(person, person, LINE, '09121112233: blocked');
    await talk.asks(person, person, '/blocked', 'The blacklist of which line?');
    expect(listed(await talk.asks(person, person, LINE, 'Blacklist'))).toEqual(['09121112233']);
    // Naming it once for a look does not make it the chat's line.
    expect(await talk.bindings(person.id)).toMatchObject([{ line: null }]);
  });

  test('exports the list, and says when it is not all', async () => {
    const { person, account } = await linked();
    hold(account, numbers(5100));
    const page = await talk.asks(person, person, '/blocked', '5,100 numbers');
    await talk.presses(person, page, '⬇');
    const file = await talk.hears(person, isFile, page.message_id);
    expect(file.document?.file_name).toBe('blacklist-3000123456.csv');
    expect(plain(file)).toContain('The file has 5,000 of the 5,100 that the gateway counts');
    expect(new Set(csv(file).match(/09\d{9}/gu)).size).toBe(5000);
  });

  test.each([
    { name: 'a line of somebody else', line: '30009998887', rule: null, says: 'The gateway refused' },
    { name: 'no answer', line: LINE, rule: { kind: 'drop' }, says: 'did not answer in time' },
    { name: 'a locked account', line: LINE, rule: { kind: 'error', status: 401 }, says: 'refused' },
  ] as const)('tells of $name', async ({ line, rule, says }) => {
    const { person, account } = await linked();
    if (rule !== null) harm(account, 'list', rule);
    const told = await talk.asks(person, person, `/blocked ${line}`, says);
    expect(plain(told)).not.toMatch(/\b4\d\d\b|http|blocked\/list/u);
  });

  test('shows what the gateway wrote as text and nothing else', async () => {
    const { person, account } = await linked();
    const entries = [
      { number: LINE, to: '<b>0912</b>', user: 'x', setter: '<a href="tg://user?id=1">me</a>\u202e' },
      { number: LINE, to: '9'.repeat(900), user: 'x', setter: '=cmd' },
    ];
    const current = { totalcount: '2', currentpage: '1', totalpages: '1', pagesize: '30' };
    const text = JSON.stringify({ return: { status: 200, message: 'ok' }, entries, current });
    harm(account, 'list', { kind: 'body', text });
    const page = await talk.asks(person, person, '/blocked', 'Blacklist');
    expect(plain(page)).toContain('1. <b>0912</b> · set by <a href="tg://user?id=1">me</a>');
    expect((page.entities ?? []).map(({ type }) => type)).toEqual(['bold', 'code', 'code', 'code']);
    await talk.presses(person, page, '⬇');
    expect(csv(await talk.hears(person, isFile, page.message_id))).toContain("'=cmd");
  });

  test('shows what fits of a page that is longer than it was asked for, and the way to the rest', async () => {
    const { person, account } = await linked();
    const entries = numbers(200).map((to) => ({ number: LINE, to, user: 'x', setter: 'panel' }));
    const current = { totalcount: '450', currentpage: '1', totalpages: '3', pagesize: '200' };
    const text = JSON.stringify({ return: { status: 200, message: 'ok' }, entries, current });
    harm(account, 'list', { kind: 'body', text });
    const page = await talk.asks(person, person, '/blocked', '450 numbers');
    const shown = listed(page).length;
    expect(shown).toBeGreaterThan(50);
    expect(plain(page)).toContain(`… ${200 - shown} numbers on this page do not fit here: ⬇`);
    expect(rows(page)[0]).toEqual(['1 / 3', '▶']);
  });

  test('and the other commands say what is missing where the account has version 1 alone', async () => {
    const person = someone('Sara');
    await talk.connects(person, { token: talk.account().token });
    for (const command of [
      '/blocked',
      '/isblocked 09121112233',
      '/block 09121112233',
      '/unblock 09121112233',
    ]) {
      const told = await talk.asks(person, person, command, 'cannot do this');
      expect(plain(told)).toContain('an API key');
    }
  });
});

describe.concurrent('/isblocked', () => {
  test('claims a block only where the gateway does, and else gives its word', async () => {
    const { person, account } = await linked();
    hold(account, ['9121112233']);
    const told = await talk.asks(
      person,
      person,
      '/isblocked ۰۹۱۲۱۱۱۲۲۳۳, +98 935 111 2233',
      '1 of 2 blocked',
    );
    expect(plain(told)).toContain('⛔ 09121112233: blocked\n');
    expect(plain(told)).toContain('▫️ 09351112233: no block confirmed; the gateway says “یافت نشد”');
    expect(plain(told)).toContain('documents only its word for “blocked”');
    await talk.presses(person, told, 'Other line');
    const question = await talk.hears(person, 'The blacklist of which line?', told.message_id);
    const other = await talk.asks(person, person, OTHER, 'Line 50001234 · 0 of 2 blocked');
    expect(other.message_id).toBeGreaterThan(question.message_id);
  });

  test('asks for numbers, and takes a line behind them', async () => {
    const { person, account } = await linked('fa');
    hold(account, ['9121112233'], OTHER);
    await talk.asks(person, person, '/isblocked', 'کدام شماره‌ها؟');
    await talk.asks(person, person, 'مادرم', 'شمارهٔ همراهی پیدا نکردم');
    await talk.asks(person, person, '۰۹۱۲۱۱۱۲۲۳۳', 'مسدودبودن تأیید نشد؛ پنل پیامک می‌گوید «یافت نشد»');
    await talk.asks(person, person, `/isblocked 09121112233 ${OTHER}`, 'خط 50001234 · ۱ از ۱ مسدود');
    expect(calls(account, 'exists')).toBe(2);
  });

  test('shows strange words of the gateway as text, and tells of numbers that it leaves out', async () => {
    const { person, account } = await linked();
    const entries = [
      { number: LINE, to: '09121112233', status: '<b>فعال</b> نیست' },
      { number: LINE, to: '09350000009', status: 'فعال' },
      { number: LINE, to: '09121112234', status: 'فعال' },
    ];
    const text = JSON.stringify({ return: { status: 200, message: 'ok' }, entries });
    harm(account, 'exists', { kind: 'body', text });
    const told = await talk.asks(person, person, '/isblocked 09121112233 09121112234 09121112235', '1 of 3');
    expect(plain(told)).toContain('▫️ 09121112233: no block confirmed; the gateway says “<b>فعال</b> نیست”');
    expect(plain(told)).toContain('⛔ 09121112234: blocked');
    expect(plain(told)).toContain(
      '▫️ 09121112235: no block confirmed; the gateway’s answer does not have it',
    );
    expect(plain(told)).not.toContain('09350000009');
  });

  test('asks about many in portions of 200 and gives all of them in a file', async () => {
    const { person, account } = await linked();
    const all = numbers(250);
    hold(account, all.slice(100));
    const told = await talk.asks(person, person, `/isblocked ${all.join('\n')}`, '150 of 250 blocked');
    const file = await talk.hears(person, isFile, told.message_id);
    const lines = csv(file).trim().split(/\r?\n/u);
    expect(lines).toHaveLength(251);
    expect(lines.filter((line) => line.includes('no block confirmed'))).toHaveLength(100);
    expect(calls(account, 'exists')).toBe(2);
  });

  test('keeps what is known when a later portion fails, and says that the rest is not', async () => {
    const { person, account } = await linked();
    const all = numbers(210);
    hold(account, all);
    harm(account, 'exists', { kind: 'error', status: 401, skip: 1 });
    const told = await talk.asks(person, person, `/isblocked ${all.join(' ')}`, '200 of 210 blocked');
    expect(plain(told)).toContain('The gateway refused');
    const file = await talk.hears(person, isFile, told.message_id);
    expect(csv(file).match(/not known/gu)).toHaveLength(10);
  });

  test('tells of a failure', async () => {
    const { person, account } = await linked();
    harm(account, 'exists', { kind: 'drop' });
    const told = await talk.asks(person, person, '/isblocked 09121112233', 'did not answer in time');
    expect(plain(told)).not.toContain('blocked:');
  });
});

const SURE = 'Only approvers can take them off again';

describe.concurrent('/block', () => {
  test('shows what it would do, and then each number with what became of it', async () => {
    const { person, account } = await linked();
    hold(account, ['9351112233']);
    const order = '/block 09121112233 0912x ۰۹۳۵۱۱۱۲۲۳۳ +989121112233';
    const preview = await talk.asks(person, person, order, SURE);
    expect(plain(preview)).toMatch(
      /^⛔ Block 2 numbers on line 3000123456\?\n09121112233 09351112233\n♻️ 1 repeated\n🚫 0912x: not a number\n/u,
    );
    expect(rows(preview)).toEqual([['✅ Block 2'], ['Other line', '✖ Cancel']]);
    expect(calls(account, 'add')).toBe(0);
    // A list with names, one on a line, is a list.
    const list = '/block 09121112233\n0912x\nAli 09351112233';
    const named = plain(await talk.asks(person, person, list, SURE));
    expect(named).toContain('⛔ Block 2 numbers on line 3000123456?\n09121112233 09351112233\n');
    expect(named).toContain('🚫 0912x: not a number');
    const taps = [person.tap(preview, '✅'), person.tap(preview, '✅')];
    const answers = await Promise.all(taps.map((id) => world.driver.waitForAnswer(id, PATIENCE)));
    expect(answers[0]?.text).toBeUndefined();
    expect(answers[1]?.text).toMatch(/^You pressed this already, at \d/u);
    const done = await talk.turns(preview, 'by Sara: 1 added · 1 already there');
    expect(plain(done)).toContain('✅ 09121112233: added\n▫️ 09351112233: was on the list already');
    expect(rows(done)).toEqual([]);
    expect(held(account)).toEqual(['9351112233', '9121112233']);
    expect(calls(account, 'add')).toBe(1);
    expect(await audited(person.id)).toEqual([
      {
        action: 'blacklist_added',
        details: { line: LINE, added: 1, already: 1, worded: 0, unknown: 0, not_added: 0 },
      },
    ]);
  });

  test('asks for numbers in Persian, and can be cancelled for good', async () => {
    const { person, account } = await linked('fa');
    await talk.asks(person, person, '/block', 'کدام شماره‌ها مسدود شوند؟');
    const preview = await talk.asks(person, person, '۰۹۱۲۱۱۱۲۲۳۳', 'مسدودکردن ۱ شماره در خط 3000123456؟');
    expect(rows(preview)).toEqual([['✅ مسدودکردن ۱'], ['✖ انصراف', 'خط دیگر']]);
    const confirm = dataOf(preview, '✅');
    await talk.presses(person, preview, '✖');
    const left = await talk.turns(preview, 'چیزی تغییر نکرد');
    // A press that was on its way when Cancel was pressed finds the matter decided.
    await world.driver.waitForAnswer(person.forge(left, confirm), PATIENCE);
    await talk.hears(person, 'قبلاً تصمیم گرفته شده', left.message_id);
    expect(calls(account, 'add')).toBe(0);
    expect(held(account)).toEqual([]);
    const again = await talk.asks(person, person, '/block 09121112233', 'مسدودکردن ۱');
    await talk.presses(person, again, '✅');
    await talk.turns(again, 'توسط Sara: ۱ اضافه شد\n✅ 09121112233: اضافه شد');
    expect(held(account)).toEqual(['9121112233']);
  });

  test('takes another line, by the command or by the button', async () => {
    const { person, account } = await linked();
    const first = await talk.asks(person, person, `/block 09121112233 ${OTHER}`, 'on line 50001234?');
    const stale = dataOf(first, '✅');
    await talk.presses(person, first, 'Other line');
    await talk.hears(person, 'The blacklist of which line?', first.message_id);
    const second = await talk.asks(person, person, LINE, 'Block 1 number on line 3000123456?');
    await world.driver.waitForAnswer(person.forge(first, stale), PATIENCE);
    await talk.hears(person, 'This has been decided already', second.message_id);
    await talk.presses(person, second, '✅');
    await talk.turns(second, '1 added');
    expect([held(account), held(account, OTHER)]).toEqual([['9121112233'], []]);
  });

  test('adds many in portions of 200 and lists all of them in a file', async () => {
    const { person, account } = await linked();
    const all = numbers(250);
    hold(account, all.slice(240));
    const preview = await talk.asks(person, person, `/block ${all.join('\n')}`, SURE);
    expect(plain(preview)).toMatch(/… and \d+ more/u);
    await talk.presses(person, preview, '✅ Block 250');
    await talk.turns(preview, '240 added · 10 already there');
    const file = await talk.hears(person, isFile, preview.message_id);
    const lines = csv(file).trim().split(/\r?\n/u);
    expect(lines).toHaveLength(251);
    expect(lines.filter((line) => line.includes('already there'))).toHaveLength(10);
    expect(calls(account, 'add')).toBe(2);
    expect(held(account)).toHaveLength(250);
  });

  const LOST = [
    { name: 'after the fact', rule: { kind: 'drop', when: 'after', times: 1 }, again: '2 already there' },
    { name: 'before anything', rule: { kind: 'drop', when: 'before', times: 1 }, again: '2 added' },
    { name: 'in half', rule: { kind: 'truncate', times: 1 }, again: '2 already there' },
  ] as const satisfies readonly { name: string; rule: FaultRule; again: string }[];

  test.each(LOST)(
    'knows nothing of an answer that was lost $name; repeating converges',
    async ({ rule, again }) => {
      const { person, account } = await linked();
      harm(account, 'add', rule);
      const preview = await talk.asks(person, person, '/block 09121112233 09351112233', SURE);
      await talk.presses(person, preview, '✅');
      const open = await talk.turns(preview, 'by Sara: 2 not known');
      expect(plain(open)).toContain('❔ 09121112233: not known');
      expect(plain(open)).toContain('may be on the list. I do not repeat the request by myself');
      expect(plain(open)).not.toMatch(/not added|: added|failed/u);
      expect(calls(account, 'add')).toBe(1);
      await talk.presses(person, open, '🔁 Try again');
      const done = await talk.hears(person, again, preview.message_id);
      expect(rows(done)).toEqual([]);
      expect(held(account).toSorted()).toEqual(['9121112233', '9351112233']);
      expect((await audited(person.id)).map(({ details }) => details)).toMatchObject([{ unknown: 2 }, {}]);
    },
  );

  test('says after a failure in the middle what is added, what is not and what is not known', async () => {
    const { person, account } = await linked();
    const all = numbers(340, 2000);
    const fault = harm(account, 'add', { kind: 'error', status: 401, skip: 1 });
    const preview = await talk.asks(person, person, `/block ${all.join(' ')}`, SURE);
    await talk.presses(person, preview, '✅');
    const open = await talk.turns(preview, '200 added · 140 not added');
    expect(plain(open)).toContain('The gateway refused');
    expect(plain(open)).not.toContain('may be on the list');
    const file = await talk.hears(person, isFile, preview.message_id);
    expect(csv(file).match(/not added/gu)).toHaveLength(140);
    expect(held(account)).toHaveLength(200);
    world.sandbox.faults.remove(fault);
    await talk.presses(person, open, '🔁');
    await talk.hears(person, '140 added', file.message_id);
    expect(held(account)).toHaveLength(340);
    // The first answer stays as it was.
    const first = given(world.driver.messages(person).find((m) => m.message_id === preview.message_id));
    expect(plain(first)).toContain('200 added · 140 not added');
    expect(rows(first)).toEqual([]);
  });

  test('keeps in doubt what was in doubt when the repeat fails before it adds', async () => {
    const { person, account } = await linked();
    harm(account, 'add', { kind: 'drop', when: 'after', times: 1 });
    const fault = harm(account, 'exists', { kind: 'error', status: 401 });
    const preview = await talk.asks(person, person, '/block 09121112233', SURE);
    await talk.presses(person, preview, '✅');
    const open = await talk.turns(preview, '1 not known');
    await talk.presses(person, open, '🔁');
    const still = await talk.hears(person, 'The gateway refused', preview.message_id);
    expect(plain(still)).toContain('by Sara: 1 not known');
    expect(calls(account, 'add')).toBe(1);
    world.sandbox.faults.remove(fault);
    await talk.presses(person, still, '🔁');
    await talk.hears(person, '1 already there', still.message_id);
    expect(calls(account, 'add')).toBe(1);
  });

  test('shows a strange word of the gateway, and silence as not known', async () => {
    const { person, account } = await linked();
    const entries = [
      { number: LINE, to: '09121112233', status: '<b>در صف</b>' },
      { number: LINE, to: '09121112239', status: 'اضافه شد' },
    ];
    const text = JSON.stringify({ return: { status: 200, message: 'ok' }, entries });
    harm(account, 'add', { kind: 'body', text });
    const preview = await talk.asks(person, person, '/block 09121112233 09351112233', SURE);
    await talk.presses(person, preview, '✅');
    const told = await talk.turns(preview, '1 unclear · 1 not known');
    expect(plain(told)).toContain('❔ 09121112233: the gateway says “<b>در صف</b>”');
    expect(plain(told)).toContain('❔ 09351112233: not known');
    expect(plain(told)).not.toContain('09121112239');
  });

  test('is for operators, and its buttons for the one who asked', async () => {
    const { owner, member, group, account } = await staffed('viewer');
    await talk.asks(member, group, '/blocked', 'No number is blocked');
    await talk.asks(member, group, '/isblocked 09121112233', '0 of 1 blocked');
    await talk.asks(member, group, '/block 09121112233', 'operator');
    await talk.gives('operator', member, group);
    const preview = await talk.asks(member, group, '/block 09121112233', SURE);
    expect(await talk.presses(owner, preview, '✅')).toContain('Only the person who asked');
    await talk.gives('viewer', member, group);
    expect(await talk.presses(member, preview, '✅')).toContain('Your role in this chat does not allow this');
    expect(calls(account, 'add')).toBe(0);
    await talk.gives('operator', member, group);
    await talk.presses(member, preview, '✅');
    await talk.turns(preview, 'by Omid: 1 added');
  });

  test.each([
    '/block <script>alert(1)</script>',
    '/block 0912x \u202e ${7*7}',
    "/block '; drop table person; --",
    '/block 9.89E+11 021-88776655',
  ])('finds no number in %s, and asks', async (line) => {
    const { person, account } = await linked();
    const told = await talk.asks(person, person, line, 'I found no mobile number in');
    expect(plain(told)).toContain('Which numbers should I block?');
    expect((told.entities ?? []).every(({ type }) => type === 'code')).toBe(true);
    expect(calls(account, 'add')).toBe(0);
  });
});

describe.concurrent('the line at the end of a list', () => {
  test.each([
    ['/block 09121234567 spam', '⛔ Block 1 number on line 3000123456?'],
    ['/block 09121234567 he asked for it 50001234', '⛔ Block 1 number on line 50001234?'],
    ['/unblock 09121234567 please', 'Unblock 09121234567 on line 3000123456?'],
    ['/isblocked 09121234567 spam', '3000123456'],
  ])('is no reason that is given behind the number: %s', async (line, asks) => {
    const { person } = await linked();
    const told = plain(await talk.asks(person, person, line, asks));
    expect(told).not.toContain('no sender line');
    if (line.startsWith('/block')) expect(told).toContain('not a number');
  });

  test.each([
    ['/block 09121112233 09351112233 on line 50001234', 'Block 2 numbers on line 50001234', []],
    ['/block 09121112233 Reza 09351112233 50001234', 'Block 2 numbers on line 50001234', ['Reza']],
    ['/block 09121112233 Reza 09351112233 line ۵۰۰۰۱۲۳۴', 'Block 2 numbers on line 50001234', ['Reza']],
    [
      '/block 09121112233 Reza 09351112233 0935111',
      'Block 2 numbers on line 3000123456',
      ['Reza', '0935111'],
    ],
    ['/isblocked 09121112233 09351112233 از خط 50001234', 'Line 50001234 · 0 of 2 blocked', []],
  ])('is that of %s', async (line, says, invalid) => {
    const { person } = await linked();
    const told = plain(await talk.asks(person, person, line, says));
    expect(told.match(/(?<=🚫 )\S+(?=:)/gu) ?? []).toEqual(invalid);
  });
});

describe.concurrent('/unblock', () => {
  test('asks, takes the number off that line, and leaves a trace', async () => {
    const { person, account } = await linked();
    hold(account, ['9121112233', '9351112233']);
    hold(account, ['9121112233'], OTHER);
    const question = await talk.asks(
      person,
      person,
      '/unblock ۰۹۱۲ ۱۱۱ ۲۲۳۳',
      'Unblock 09121112233 on line 3000123456?',
    );
    expect(rows(question)).toEqual([['✅ Unblock'], ['Other line', '✖ Cancel']]);
    expect(held(account)).toHaveLength(2);
    await talk.presses(person, question, '✅');
    const done = await talk.turns(question, '09121112233 is off the blacklist of line 3000123456 · by Sara');
    expect(rows(done)).toEqual([]);
    expect([held(account), held(account, OTHER)]).toEqual([['9351112233'], ['9121112233']]);
    expect(await audited(person.id)).toEqual([
      { action: 'blacklist_removed', details: { line: LINE, number: '989121112233', outcome: 'removed' } },
    ]);
  });

  test('says plainly, in Persian, that a number is not there', async () => {
    const { person } = await linked('fa');
    const question = await talk.asks(person, person, '/unblock 09121112233', 'از لیست سیاه خط 3000123456؟');
    await talk.presses(person, question, '✅ برداشتن از لیست');
    await talk.turns(
      question,
      '09121112233 در لیست سیاه خط 3000123456 نیست: پنل پیامک چیزی برای برداشتن پیدا نکرد',
    );
    expect(await audited(person.id)).toEqual([]);
  });

  test('asks for one number, and for another line', async () => {
    const { person, account } = await linked();
    hold(account, ['9121112233'], OTHER);
    await talk.asks(person, person, '/unblock', 'Which number should I unblock?');
    const several = await talk.asks(person, person, '09121112233 09351112233', 'one at a time');
    expect(rows(several)).toEqual([['09121112233'], ['09351112233'], ['✖ Cancel']]);
    await talk.presses(person, several, '09121112233');
    const question = await talk.hears(person, 'on line 3000123456?', several.message_id);
    await talk.presses(person, question, 'Other line');
    await talk.hears(person, 'The blacklist of which line?', question.message_id);
    const other = await talk.asks(person, person, OTHER, 'Unblock 09121112233 on line 50001234?');
    await talk.presses(person, other, '✅');
    await talk.turns(other, 'is off the blacklist of line 50001234');
    expect(held(account, OTHER)).toEqual([]);
    const third = await talk.asks(person, person, '/unblock 09121112233 50001234', 'on line 50001234?');
    await talk.presses(person, third, '✖');
    await talk.turns(third, 'Nothing was changed');
    expect(calls(account, 'remove')).toBe(1);
  });

  test.each([
    { name: 'after the fact', when: 'after', says: 'is not on the blacklist of line 3000123456 now' },
    {
      name: 'before anything',
      when: 'before',
      says: '✅ 09121112233 is off the blacklist of line 3000123456',
    },
  ] as const)(
    'knows nothing of an answer that was lost $name; repeating settles it',
    async ({ when, says }) => {
      const { person, account } = await linked();
      hold(account, ['9121112233']);
      harm(account, 'remove', { kind: 'drop', when, times: 1 });
      const question = await talk.asks(person, person, '/unblock 09121112233', 'Unblock');
      await talk.presses(person, question, '✅');
      const open = await talk.turns(question, 'It is not known whether 09121112233 is off');
      expect(plain(open)).toContain('The gateway gave no answer');
      expect(plain(open)).not.toMatch(/was not taken off|failed/u);
      expect(calls(account, 'remove')).toBe(1);
      await talk.presses(person, open, '🔁');
      const done = await talk.turns(question, says);
      expect(rows(done)).toEqual([]);
      expect(held(account)).toEqual([]);
      expect((await audited(person.id)).map(({ details }) => details)).toMatchObject([
        { outcome: 'unknown' },
        { outcome: when === 'after' ? 'not_there' : 'removed' },
      ]);
    },
  );

  test('says that nothing was taken off where the gateway refused, and lets it be tried again', async () => {
    const { person, account } = await linked();
    hold(account, ['9121112233']);
    const fault = harm(account, 'remove', { kind: 'error', status: 401 });
    const question = await talk.asks(person, person, '/unblock 09121112233', 'Unblock');
    await talk.presses(person, question, '✅');
    const told = await talk.turns(question, 'was not taken off the blacklist');
    expect(plain(told)).toContain('The gateway refused');
    expect(await audited(person.id)).toEqual([]);
    world.sandbox.faults.remove(fault);
    await talk.presses(person, told, '🔁');
    await talk.turns(question, 'is off the blacklist');
  });

  test('is for approvers: an operator is refused, and no button of theirs helps', async () => {
    const { member, group, account } = await staffed('operator');
    hold(account, ['9121112233']);
    await talk.asks(member, group, '/unblock 09121112233', 'approver');
    await talk.gives('approver', member, group);
    const question = await talk.asks(member, group, '/unblock 09121112233', 'Unblock');
    await talk.gives('operator', member, group);
    expect(await talk.presses(member, question, '✅')).toContain(
      'Your role in this chat does not allow this',
    );
    expect(calls(account, 'remove')).toBe(0);
    await talk.gives('approver', member, group);
    await talk.presses(member, question, '✅');
    await talk.turns(question, 'is off the blacklist');
  });
});

describe('on a world of its own', () => {
  test('the buttons of a change that stopped half-way work after a restart', async () => {
    await using own = await startWorld({}, { deliverySeconds: 600 });
    const its = talkIn(own);
    const sara = own.driver.user({ first_name: 'Sara', language_code: 'en' });
    const account = its.account();
    await its.connects(sara, { apiKey: account.apiKey });
    own.sandbox.faults.add({ kind: 'drop', when: 'after', operation: 'blacklist-add', times: 1 });
    const waiting = await its.asks(sara, sara, '/block 09351112233', SURE);
    const preview = await its.asks(sara, sara, '/block 09121112233', SURE);
    await its.presses(sara, preview, '✅');
    const open = await its.turns(preview, '1 not known');
    await using again = await restart(own);
    expect(again.botUsername).toBe('PeykSandboxBot');
    await its.presses(sara, open, '🔁');
    await its.hears(sara, '1 already there', preview.message_id);
    await its.presses(sara, waiting, '✅');
    await its.turns(waiting, '1 added');
    const list = given(own.sandbox.world.account(account.username)).blacklist.list(LINE);
    expect(list.map(({ to }) => to)).toEqual(['9121112233', '9351112233']);
    expect(its.errors()).toEqual([]);
  });
});
