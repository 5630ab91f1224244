import { describe, expect, test } from 'vitest';
import { inAnyOrder, isDraft, ordersIn } from '../support/orders.ts';
import { harm, hasButton, HELD } from '../support/story.ts';
import { plain, rows, type TestAccount } from '../support/talk.ts';
import { startWorld } from '../support/world.ts';
import { useWorld } from '../support/use-world.ts';

/* /pattern: a text that the gateway keeps, filled with values, by version 1 or by what version 3 has for it. */

const { world, made } = useWorld();
const on = made(ordersIn);

const patterns = [
  { id: 1, text: 'Your code: {code}' },
  { id: 2, text: '{name} گرامی، سفارش {order} ارسال شد.' },
  { id: 3, text: 'Your code: {code}', active: false },
  { id: 4, text: 'We are closed today.' },
];
const linked = async (more: Parameters<typeof on.linked>[0] = {}) => await on.linked({ patterns, ...more });
const texts = (account: TestAccount): string[] => on.sent(account).map(({ text }) => text);

describe.concurrent('with version 1', () => {
  test('one call goes to all, with the values by their names, and is delivered', async () => {
    const { sara, account } = await linked();
    const card = await on.order(
      sara,
      '/pattern #۲ 09121234567, 09351112233, 09121234567 name="Sara Ahmadi" order=A=17 Name=x',
    );
    expect(plain(card).split('\n')).toEqual([
      '✉️ Draft #A1 · line 3000123456',
      '🧩 Pattern 2',
      expect.stringMatching(/^\w+ = /u),
      expect.stringMatching(/^\w+ = /u),
      expect.stringMatching(/^\w+ = /u),
      '3 numbers → 2 to send, 1 repeated',
      '09121234567 09351112233',
      '♻️ Repeated, counted once: 09121234567',
      'The gateway keeps the text of a pattern: its parts and price are not known here.',
    ]);
    for (const value of ['name = Sara Ahmadi', 'order = A=17', 'Name = x'])
      expect(plain(card).split('\n')).toContain(value);
    expect(rows(card)).toEqual([['✅ Send 2'], ['🕐 When', '📞 Line'], ['⚡ Flash: off'], ['✖ Cancel']]);

    await on.talk.presses(sara, card, '⚡');
    const flash = await on.talk.turns(card, '⚡ flash');
    expect(rows(flash)[2]).toEqual(['⚡ Flash: on']);
    const done = await on.ships(sara, flash, /2 delivered[^]*🏁/u);
    expect(plain(done).split('\n')).toEqual([
      '✉️ #A1 by Sara',
      '🧩 Pattern 2',
      '✅ 2 delivered',
      expect.stringMatching(/^🏁 in \d+ s$/u),
    ]);
    expect(on.sent(account)).toEqual([
      {
        version: 1,
        operation: 'pattern-send',
        line: '3000123456',
        text: 'Sara Ahmadi گرامی، سفارش A=17 ارسال شد.',
        flash: true,
        recipients: ['9121234567', '9351112233'],
      },
    ]);
  });

  test('reads as Persian in Persian', async () => {
    const { sara, account } = await linked({ language: 'fa', by: 'token' });
    const card = await on.order(sara, '/pattern 2 ۰۹۱۲۱۲۳۴۵۶۷ name=«سارا احمدی» order=۱۷');
    const shown = plain(card).split('\n');
    expect(shown.slice(0, 2)).toEqual(['✉️ پیش‌نویس #A1 · خط 3000123456', '🧩 الگوی 2']);
    expect(shown).toContain('name = سارا احمدی');
    expect(shown.at(-1)).toBe('متن الگو در پنل پیامک است؛ تعداد پارت‌ها و قیمتش از اینجا معلوم نیست.');
    await on.ships(sara, card, '✅ ۱ تحویل شد');
    expect(texts(account)).toEqual(['سارا احمدی گرامی، سفارش ۱۷ ارسال شد.']);
  });

  test('a lost answer leaves all unknown after exactly one call', async () => {
    const { sara, account } = await linked();
    on.harm(account, 'pattern-send', { kind: 'drop', when: 'after' });
    const card = await on.order(sara, '/pattern 1 09121234567 09351112233 code=77');
    const shown = await on.ships(sara, card, '2 unknown');
    expect(plain(shown)).not.toMatch(/not sent|accepted|delivered/u);
    await on.settled(sara);
    expect(on.calls(account, 'pattern-send')).toHaveLength(1);
    expect(texts(account)).toEqual(['Your code: 77']);
  });
});

describe.concurrent('with version 3 alone', () => {
  test('each recipient has a call of its own, and there is no flash', async () => {
    const { sara, account } = await linked({ by: 'key' });
    const card = await on.order(sara, '/pattern 1 09121234567 09351112233 09191110003 code=1234');
    expect(rows(card)).toEqual([['✅ Send 3'], ['🕐 When', '📞 Line'], ['✖ Cancel']]);
    await on.ships(sara, card, '3 delivered');
    expect(inAnyOrder(on.sent(account))).toEqual(
      ['9121234567', '9191110003', '9351112233'].map((recipient) => ({
        version: 3,
        operation: 'pattern-send',
        line: '3000123456',
        text: 'Your code: 1234',
        flash: false,
        recipients: [recipient],
      })),
    );
  });

  test('one lost answer leaves one unknown, and the others go on', async () => {
    const { sara, account } = await linked({ by: 'key' });
    on.harm(account, 'pattern-send', { kind: 'reset', when: 'after', skip: 1, times: 1 });
    const card = await on.order(sara, '/pattern 1 09121234567 09351112233 09191110003 code=5');
    const shown = await on.ships(sara, card, '1 unknown');
    expect(plain(shown)).not.toMatch(/not sent/u);
    await on.talk.turns(card, '2 delivered');
    await on.settled(sara);
    expect(on.calls(account, 'pattern-send')).toHaveLength(3);
  });

  test('a send that is stopped between its calls says what left', async () => {
    const { sara, account } = await linked({ by: 'key' });
    const { struck, heal } = harm(world, account, { ...HELD, operation: 'pattern-send', skip: 1, times: 2 });
    const numbers = '09121234567 09351112233 09191110003 09191110004 09191110005';
    const card = await on.order(sara, `/pattern 1 ${numbers} code=6`);
    await on.talk.presses(sara, card, '✅');
    await struck();
    // The first call may not be answered yet as the card is drawn.
    const waits = ['2 waiting for the gateway’s answer', '2 waiting to be sent'];
    const running = await on.talk.turns(
      card,
      (m) => hasButton(m, '⏹') && waits.every((each) => plain(m).includes(each)),
    );
    await on.talk.presses(sara, running, '⏹');
    await on.talk.turns(card, '2 not sent: stopped before');
    heal();
    const ended = await on.talk.turns(card, (m) => !plain(m).includes('waiting for the gateway’s answer'));
    expect(plain(ended)).toMatch(/⏹ Stopped by Sara at \d\d:\d\d · 3 sent, 2 not sent/);
    await on.settled(sara);
    expect(on.sent(account)).toHaveLength(3);
  });
});

describe.concurrent('what is missing or will not do', () => {
  test('is asked for; a pattern without values has a button', async () => {
    const { sara, account } = await linked();
    await on.talk.asks(sara, sara, '/pattern', 'Which pattern?');
    await on.talk.asks(sara, sara, '۴', 'Which numbers?');
    const values = await on.talk.asks(sara, sara, '09121234567', 'Which values?');
    expect(rows(values)).toEqual([['No values'], ['✖ Cancel']]);
    const { message_id: after } = values;
    await on.talk.presses(sara, values, 'No values');
    const card = await on.talk.hears(sara, isDraft, after);
    expect(plain(card)).toContain('without values');
    await on.ships(sara, card, '1 delivered');
    expect(texts(account)).toEqual(['We are closed today.']);
  });

  test('is asked for again with the reason', async () => {
    const { sara, account } = await linked();
    for (const id of ['welcome', '0', '-1', '1.5', '1234567890123456789'])
      await on.talk.asks(sara, sara, `/pattern ${id} 09121234567 code=1`, 'Give the pattern’s number');
    await on.talk.asks(sara, sara, '1', isDraft);
    const wrong = [
      'code',
      '=1',
      'code=1 code=2',
      'code=',
      'code=""',
      'name="Sara',
      'code=1 and more',
      `code=${'x'.repeat(901)}`,
    ];
    for (const values of wrong)
      await on.talk.asks(sara, sara, `/pattern 1 09121234567 ${values}`, 'I could not read «');
    await on.talk.asks(
      sara,
      sara,
      'really not',
      'I could not read «really not» as values: write each as name=value',
    );
    const card = await on.order(sara, 'code=8');
    await on.ships(sara, card, '1 delivered');
    const noNumber = await on.talk.asks(sara, sara, '/pattern 1 code=9', 'Which numbers?');
    await on.talk.presses(sara, noNumber, '✖');
    expect(texts(account)).toEqual(['Your code: 8']);
  });

  test('of the gateway is told', async () => {
    await using small = await startWorld({ GATEWAY_VERSIONS: '4' });
    const own = ordersIn(small);
    const { sara } = await own.linked({ by: 'key', patterns });
    await own.talk.asks(sara, sara, '/pattern 1 09121234567 code=1', 'does not offer this');
    expect(own.talk.errors()).toEqual([]);
  });
});

describe.concurrent('what the gateway refuses', () => {
  test.each([
    ['a pattern that is not active', '/pattern 3 09121234567 code=1', 'this pattern is not active'],
    ['a pattern that is not there', '/pattern 99 09121234567 code=1', 'this pattern is not active'],
    [
      'values of other names',
      '/pattern 1 09121234567 Code=1',
      'the parts of the request do not fit together. Check line, numbers, text and values, then try again.',
    ],
  ])('is told in words: %s', async (_, line, why) => {
    const { sara, account } = await linked();
    const card = await on.order(sara, line);
    const shown = await on.ships(sara, card, '1 not sent');
    expect(plain(shown)).toContain(`Reason: ${why}`);
    expect(plain(shown)).not.toContain('unknown');
    await on.settled(sara);
    expect(on.sent(account)).toEqual([]);
    expect(on.calls(account, 'pattern-send')).toHaveLength(1);
  });

  test('for want of credit or of the line is told in words', async () => {
    const { sara, account } = await linked({ credit: 3000 });
    const dear = await on.order(sara, '/pattern 1 09121234567 09351112233 code=1');
    const poor = await on.ships(sara, dear, 'not enough credit');
    expect(plain(poor)).toContain('2 not sent');
    const card = await on.order(sara, '/pattern 1 09121234567 code=2');
    await on.talk.presses(sara, card, '📞');
    await on.talk.hears(sara, 'From which sender line?', card.message_id);
    sara.send(sara, '30009998887');
    const moved = await on.talk.turns(card, 'line 30009998887');
    const shown = await on.ships(sara, moved, '1 not sent');
    expect(plain(shown)).toContain('sender line does not belong to the account');
    await on.settled(sara);
    expect(on.sent(account)).toEqual([]);
  });
});
