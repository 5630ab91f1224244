import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { createTables } from '../../src/tables/tables.ts';
import { hurry } from '../support/quiet.ts';
import { inAnyOrder, isDraft, ordersIn } from '../support/orders.ts';
import { numbers } from '../support/story.ts';
import { plain, rows } from '../support/talk.ts';
import { startWorld } from '../support/world.ts';
import { useWorld } from '../support/use-world.ts';

/* /multi: rows with a line, a number and a text each, typed or in a file, up to what the gateway has of them. */

const { world, made } = useWorld();
const on = made(ordersIn);

const ASK = 'Which messages?';
const THREE = [
  '3000123456;09121234567;Hello Sara',
  '50001234;۰۹۳۵۱۱۱۲۲۳۳;سلام، خوبی؟;1',
  '3000123456; 09121234567 ; A second one; with a semicolon;0',
].join('\n');
const THREE_SENT = [
  { line: '3000123456', recipients: ['9121234567'], text: 'Hello Sara', flash: false },
  { line: '50001234', recipients: ['9351112233'], text: 'سلام، خوبی؟', flash: true },
  { line: '3000123456', recipients: ['9121234567'], text: 'A second one; with a semicolon', flash: false },
];
const csv = (...lines: readonly string[]): Buffer => Buffer.from(lines.join('\n'));
const row = (index: number, text = 'Hello'): string =>
  `3000123456,0912${String(index).padStart(7, '0')},${text}`;

async function uploads(person: Person, name: string, bytes: Uint8Array, caption?: string) {
  return person.upload(person, name, bytes, caption).message_id;
}

describe.concurrent('rows that are typed', () => {
  test.each([
    ['version 3', 'pair', 3],
    ['version 1', 'token', 1],
  ] as const)(
    'leave with their own line, text and flash by %s, and are delivered',
    async (_, by, version) => {
      const { sara, account } = await on.linked({ by });
      const card = await on.order(sara, `/multi ${THREE}`);
      expect(plain(card).split('\n')).toEqual([
        '✉️ Draft #A1 · each its own text · lines 3000123456, 50001234',
        '09121234567 ← 3000123456: Hello Sara',
        '09351112233 ← 50001234 ⚡: سلام، خوبی؟',
        '09121234567 ← 3000123456: A second one; with a semicolon',
        '3 messages → 3 to send',
        '3 parts in all · the price is not known yet',
      ]);
      expect(rows(card)).toEqual([['✅ Send 3 · 3 parts'], ['🕐 When'], ['✖ Cancel']]);
      expect(on.calls(account, 'multi')).toEqual([]);

      const done = await on.ships(sara, card, '✅ 3 delivered');
      expect(rows(done)).toEqual([['📊 Report']]);
      // An outcome is known by call and recipient, so a recipient's second message is in a call of its own.
      expect(on.calls(account, 'multi').map((hit) => hit.version)).toEqual([version, version]);
      expect(inAnyOrder(on.sent(account))).toEqual(
        inAnyOrder(THREE_SENT.map((each) => ({ ...each, version, operation: 'multi' }))),
      );
    },
  );

  test('are left out with their place and the reason where they cannot leave', async () => {
    const { sara, account } = await on.linked();
    const bad = [
      '12;09121234567;x',
      '3000123456;0912x;x',
      '3000123456;09121234567,09121234568;x',
      'nothing of the kind',
      '3000123456;09121234567;',
      '',
      `3000123456;09121234567;${'x'.repeat(901)}`,
      '3000123456;09121234567;Hello',
    ];
    const card = await on.order(sara, `/multi 3000123456;09121234567;Hello\n${bad.join('\n')}`);
    const shown = plain(card).split('\n');
    expect(shown).toContain('8 messages → 1 to send, 7 invalid');
    const refused = shown.filter((line) => line.startsWith('🚫'));
    expect(refused).toEqual([
      '🚫 2: 12;09121234567;x: no sender line',
      '🚫 3: 3000123456;0912x;x: no mobile number',
      '🚫 4: 3000123456;09121234567,09121234568;x: not exactly one number',
      '🚫 5: nothing of the kind: not line;number;text',
      '🚫 6: 3000123456;09121234567;: no text',
      expect.stringMatching(/^🚫 8: 3000123456;09121234567;x+…: the text is over 900 characters$/u),
      '🚫 9: 3000123456;09121234567;Hello: the same as a row above',
    ]);
    await on.ships(sara, card, '1 delivered');
    expect(on.sent(account)).toHaveLength(1);
  });

  test('are asked for one under the other, and again with every reason when none is good', async () => {
    const { sara, account } = await on.linked();
    const question = await on.talk.asks(sara, sara, '/multi', ASK);
    expect(plain(question)).toContain('CSV or XLSX');
    expect(rows(question)).toEqual([['✖ Cancel']]);
    const again = await on.talk.asks(sara, sara, '3000123456;12;x\nhello', 'None of these rows can be sent');
    expect(plain(again)).toContain('Row 1, 3000123456;12;x: no mobile number');
    expect(plain(again)).toContain('Row 2, hello: not line;number;text');
    expect(plain(again)).toContain(ASK);
    const card = await on.order(sara, THREE);
    await on.ships(sara, card, '3 delivered');
    expect(on.sent(account)).toHaveLength(3);
  });

  test('that are all wrong on the line itself are asked for with the reason', async () => {
    const { sara } = await on.linked();
    const both = '/multi 09121234567 hi Ali; 09351112233 hi Reza';
    await on.talk.asks(sara, sara, both, 'write each message on a line of its own');
    const again = await on.talk.asks(sara, sara, '/multi 12;09121234567;x', ASK);
    expect(plain(again)).toContain('Row 1, 12;09121234567;x: no sender line');
    await on.talk.presses(sara, again, '✖');
    await on.talk.turns(again, 'Nothing was changed');
  });

  test('read as Persian in Persian', async () => {
    const { sara, account } = await on.linked({ language: 'fa' });
    const card = await on.order(sara, '/multi 3000123456؛09121234567؛سلام؛۱\n3000123456؛۱۲؛سلام');
    expect(plain(card).split('\n')).toEqual([
      '✉️ پیش‌نویس #A1 · هر کدام متن خودش · خط 3000123456',
      '09121234567 از خط 3000123456 ⚡: سلام',
      '۲ پیام ← ۱ ارسال می‌شود، ۱ نامعتبر',
      '🚫 2: 3000123456؛۱۲؛سلام: شمارهٔ همراه ندارد',
      'روی هم ۱ پارت · قیمت هنوز معلوم نیست',
    ]);
    const done = await on.ships(sara, card, '✅ ۱ تحویل شد');
    expect(plain(done)).toContain('✉️ #A1 از Sara');
    expect(on.sent(account)).toEqual([
      {
        version: 3,
        operation: 'multi',
        line: '3000123456',
        text: 'سلام',
        flash: true,
        recipients: ['9121234567'],
      },
    ]);
  });
});

describe.concurrent('rows in a file', () => {
  test('come as the caption’s file, with or without a heading', async () => {
    const { sara, account } = await on.linked();
    const named = csv(
      'text,flash,to,from',
      '"Hello, ""Sara""\nhow are you",1,9121234567,50001234',
      'Second,2,09351112233,3000123456',
      'Third,,09121234567,+983000123456',
    );
    const after = await uploads(sara, 'rows.csv', named, '/multi');
    const card = await on.talk.hears(sara, isDraft, after);
    expect(plain(card)).toContain('3 messages → 2 to send, 1 invalid');
    expect(plain(card)).toContain('🚫 3: 3000123456;09351112233;Second: flash must be 0 or 1');
    await on.ships(sara, card, '2 delivered');
    expect(inAnyOrder(on.sent(account).map(({ line, text, flash }) => [line, text, flash]))).toEqual([
      ['3000123456', 'Third', false],
      ['50001234', 'Hello, "Sara"\nhow are you', true],
    ]);

    const plainRows = await uploads(
      sara,
      'rows.txt',
      csv('3000123456;09121234567;One', '50001234;09351112233;Two;1'),
      '/multi',
    );
    const second = await on.talk.hears(sara, isDraft, plainRows);
    expect(plain(second)).toContain('09121234567 ← 3000123456: One');
    expect(plain(second)).toContain('09351112233 ← 50001234 ⚡: Two');
  });

  test('come as a workbook that answers the question', async () => {
    const { sara, account } = await on.linked({ language: 'fa' });
    const asked = await on.talk.asks(sara, sara, '/multi', 'کدام پیام‌ها؟');
    expect(plain(asked)).toContain('CSV یا XLSX');
    const book = await createTables().write(
      {
        header: ['خط فرستنده', 'شمارهٔ گیرنده', 'متن پیام', 'آنی'],
        rows: [
          ['3000123456', '09121234567', 'سلام سارا', '0'],
          ['50001234', '09351112233', 'سلام لنا', '1'],
        ],
      },
      'xlsx',
    );
    const after = await uploads(sara, 'پیام‌ها.xlsx', book);
    const card = await on.talk.hears(sara, isDraft, after);
    expect(plain(card)).toContain('۲ پیام ← ۲ ارسال می‌شود');
    expect(plain(card)).not.toContain('نامعتبر');
    await on.ships(sara, card, '۲ تحویل شد');
    expect(on.sent(account).map(({ line, text, flash }) => [line, text, flash])).toEqual([
      ['3000123456', 'سلام سارا', false],
      ['50001234', 'سلام لنا', true],
    ]);
  });

  test('go out a hundred in a call', async () => {
    const { sara, account } = await on.linked();
    const many = csv(...numbers(250).map((number) => `3000123456,${number},Hello ${number}`));
    const after = await uploads(sara, 'many.csv', many, '/multi');
    const card = await on.talk.hears(sara, isDraft, after);
    expect(plain(card)).toContain('… and 242 more');
    await on.ships(sara, card, /250 (?:accepted|delivered)/u);
    await on.settled(sara);
    expect(on.calls(account, 'multi')).toHaveLength(3);
    const sent = on.sent(account);
    expect(sent).toHaveLength(250);
    expect(new Set(sent.map(({ recipients, text }) => `${recipients.join()} ${text}`)).size).toBe(250);
    for (const { text, recipients } of sent)
      expect([text]).toEqual(recipients.map((number) => `Hello ${number}`));
  });

  test('are refused with the reason: too many, no table, no row that can leave', async () => {
    const { sara, account } = await on.linked();
    const most = Array.from({ length: 1001 }, (_, index) => row(index + 1));
    const tooMany = await uploads(sara, 'many.csv', csv(...most), '/multi');
    const told = await on.talk.hears(sara, '1,001 rows; I take at most 1,000', tooMany);
    expect(plain(told)).toContain('Split');
    const farTooMany = await uploads(sara, 'more.csv', csv('line,number,text', ...most, ...most), '/multi');
    await on.talk.hears(sara, '2,002 rows', farTooMany);
    const allowed = await uploads(sara, 'most.csv', csv('line,number,text', ...most.slice(1)), '/multi');
    await on.talk.hears(sara, '1,000 messages → 1,000 to send', allowed);

    const picture = await uploads(
      sara,
      'rows.xlsx',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]),
      '/multi',
    );
    await on.talk.hears(sara, 'I read CSV and XLSX files', picture);
    const none = await uploads(
      sara,
      'none.csv',
      csv('line,number,text', '12,0912x,x', '3000123456,0912x,x'),
      '/multi',
    );
    const noneTold = await on.talk.hears(sara, 'None of these rows can be sent', none);
    expect(plain(noneTold)).toContain('Row 2, 12;0912x;x: no sender line');
    expect(plain(noneTold)).toContain('Row 3, 3000123456;0912x;x: no mobile number');
    await on.settled(sara);
    expect(on.calls(account, 'multi')).toEqual([]);
  });
});

describe.concurrent('what the gateway makes of them', () => {
  test('a line that is not the account’s is refused in words, and nothing leaves', async () => {
    const { sara, account } = await on.linked();
    const card = await on.order(sara, '/multi 3000123456;09121234567;One\n30009998887;09351112233;Two');
    const shown = await on.ships(sara, card, '2 not sent');
    expect(plain(shown)).toContain('sender line does not belong to the account');
    expect(plain(shown)).not.toContain('unknown');
    await on.settled(sara);
    expect(on.sent(account)).toEqual([]);
    expect(on.calls(account, 'multi')).toHaveLength(1);
  });

  test('too little credit stops the rest', async () => {
    const { sara, account } = await on.linked({ credit: 6000 });
    const card = await on.order(
      sara,
      '/multi 3000123456;09121234567;One\n3000123456;09121234567;Two\n3000123456;09121234567;Three',
    );
    const shown = await on.ships(sara, card, 'not enough credit');
    await on.settled(sara);
    expect(plain(shown)).toMatch(/2 (?:accepted|delivered)/u);
    expect(plain(shown)).toContain('1 not sent');
    const texts = on.sent(account).map(({ text }) => text);
    expect(texts).toHaveLength(2);
    expect(['One', 'Two', 'Three']).toEqual(expect.arrayContaining(texts));
  });

  test('a lost answer leaves them unknown after exactly one call', async () => {
    const { sara, account } = await on.linked();
    on.harm(account, 'multi', { kind: 'drop', when: 'after' });
    const card = await on.order(sara, '/multi 3000123456;09121234567;One\n50001234;09351112233;Two');
    const shown = await on.ships(sara, card, '2 unknown');
    expect(plain(shown)).toContain('I will not send them again by myself');
    expect(plain(shown)).not.toMatch(/not sent|accepted|delivered/u);
    await on.settled(sara);
    expect(on.calls(account, 'multi')).toHaveLength(1);
    // Looking into the outbox settles it, and sends nothing.
    await hurry(world);
    await on.talk.turns(card, /2 (?:accepted|delivered)/u);
    expect(on.calls(account, 'multi')).toHaveLength(1);
    expect(on.sent(account)).toHaveLength(2);
  });
});

describe('with version 4 alone', () => {
  test('a comma in a text is refused with the reason, the rest goes in addresses that are short enough', async () => {
    await using small = await startWorld({ GATEWAY_VERSIONS: '4' });
    const own = ordersIn(small);
    const { sara, account } = await own.linked({ by: 'key' });
    const long = 'این پیامی است که در نشانی درخواست بسیار دراز می‌شود و باید در چند درخواست برود';
    const good = Array.from(
      { length: 20 },
      (_, index) => `3000123456;0912${String(index + 1).padStart(7, '0')};${long} ${index + 1}`,
    );
    const card = await own.order(
      sara,
      `/multi 3000123456;09351112233;Hello, Sara\n${good.join('\n')}\n3000123456;09351112244;سلام، لنا;1`,
    );
    expect(plain(card)).toContain('22 messages → 21 to send, 1 invalid');
    expect(plain(card)).toContain(
      '🚫 1: 3000123456;09351112233;Hello, Sara: this account cannot send a text with a comma (gateway version 4)',
    );
    await own.ships(sara, card, '21 delivered');
    const calls = own.calls(account, 'multi');
    expect(calls.length).toBeGreaterThan(1);
    expect(new Set(calls.map(({ version, method }) => `${version} ${method}`))).toEqual(new Set(['4 GET']));
    const sent = own.sent(account);
    expect(sent).toHaveLength(21);
    expect(sent.find(({ recipients }) => recipients[0] === '9120000007')?.text).toBe(`${long} 7`);
    expect(sent).toContainEqual(
      expect.objectContaining({ text: 'سلام، لنا', flash: true, recipients: ['9351112244'] }),
    );

    const none = await own.talk.asks(
      sara,
      sara,
      '/multi 3000123456;09351112233;Hello, Sara',
      'None of these rows',
    );
    expect(plain(none)).toContain('cannot send a text with a comma');
    await own.settled(sara);
    expect(own.sent(account)).toHaveLength(21);
    expect(own.talk.errors()).toEqual([]);
  });
});
