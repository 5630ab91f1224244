import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ordersIn } from '../support/orders.ts';
import { schedulesIn } from '../support/scheduling.ts';
import { given, has, plain, rows, type TestAccount } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/* Who is on the blacklist of the line is left out of a send, and told before it leaves. */

const LINE = '3000123456';
const OTHER = '50001234';
const [ANN, BEN, EVE] = ['09121234567', '09351112233', '09121112233'] as const;

let world: World;
let on: ReturnType<typeof ordersIn>;
let comes: ReturnType<typeof schedulesIn>['comes'];

beforeAll(async () => {
  world = await startWorld({}, { deliverySeconds: 0.5 });
  on = ordersIn(world);
  ({ comes } = schedulesIn(world, on.talk));
});

afterAll(async () => {
  expect(on.talk.errors()).toEqual([]);
  await world.stop();
});

const block = ({ username }: TestAccount, numbers: readonly string[], line = LINE): void =>
  void given(world.sandbox.world.account(username)).blacklist.add(
    line,
    numbers.map((number) => number.slice(1)),
    { setter: 'panel', at: 1 },
  );

const SAYS = {
  en: {
    left: '3 numbers → 1 to send, 2 on the blacklist',
    who: '⛔ On this line’s blacklist, left out: 09121234567 and 09351112233',
    send: '✅ Send 1',
    done: /1 (accepted|delivered)/,
    blocked: '2 on the blacklist',
    one: '1 on the blacklist',
    scheduled: 'Scheduled for',
    question: 'What should happen?',
    ben: '⛔ On this line’s blacklist, left out: 09351112233',
    two: '2 recipients',
    listed: '2 messages',
    now: '✅ Send now',
    sent: /2 (accepted|delivered)/,
  },
  fa: {
    left: '۳ شماره ← ۱ ارسال می‌شود، ۲ در لیست سیاه',
    who: '⛔ در لیست سیاه این خط، به این‌ها ارسال نمی‌شود: 09121234567 و 09351112233',
    send: '✅ ارسال به ۱',
    done: /۱ (تحویل شد|پذیرفته شد)/,
    blocked: '۲ در لیست سیاه',
    one: '۱ در لیست سیاه',
    scheduled: 'زمان‌بندی‌شده',
    question: 'چه کار شود؟',
    ben: '⛔ در لیست سیاه این خط، به این‌ها ارسال نمی‌شود: 09351112233',
    two: '۲ گیرنده',
    listed: '۲ پیام',
    now: '✅ ارسال همین حالا',
    sent: /۲ (تحویل شد|پذیرفته شد)/,
  },
};

describe.concurrent('a preview', () => {
  test.each(['en', 'fa'] as const)(
    'whose blocked recipients were left out is no refusal in the report of the day (%s)',
    async (language) => {
      const says = SAYS[language];
      const { sara, account } = await on.linked({ by: 'key', language });
      block(account, [ANN, BEN]);
      const card = await on.order(sara, `/send ${ANN} ${BEN} ${EVE} Hello`);
      await on.ships(sara, await on.talk.turns(card, says.left), says.done);
      const report = await on.talk.asks(sara, sara, '/report today', /📊/u);
      expect(plain(report)).not.toMatch(/refused|پذیرفته نشد/u);
    },
  );

  test.each(['en', 'fa'] as const)(
    'names who is on the blacklist of the line, and its button counts who is left (%s)',
    async (language) => {
      const says = SAYS[language];
      const { sara, account } = await on.linked({ by: 'key', language });
      block(account, [ANN, BEN]);
      const card = await on.order(sara, `/send ${ANN} ${BEN} ${EVE} Hello`);
      const known = await on.talk.turns(card, says.left);
      expect(plain(known)).toContain(says.who);
      expect(rows(known).flat().join('|')).toContain(says.send);
      const done = await on.ships(sara, known, says.done);
      expect(plain(await on.talk.turns(done, says.blocked))).toContain(says.blocked);
      expect(on.sent(account).map(({ recipients }) => recipients)).toEqual([[EVE.slice(1)]]);
    },
  );

  test('leaves out what was told, also of somebody who is taken off the list before the press', async () => {
    const { sara, account } = await on.linked({ by: 'key' });
    block(account, [ANN]);
    const card = await on.talk.turns(await on.order(sara, `/send ${ANN} ${EVE} Hello`), '1 on the blacklist');
    given(world.sandbox.world.account(account.username)).blacklist.remove(LINE, ANN.slice(1));
    await on.ships(sara, card, /1 (accepted|delivered)/);
    expect(on.sent(account).map(({ recipients }) => recipients)).toEqual([[EVE.slice(1)]]);
  });

  test('has nothing to press when nobody is left, and asks anew about another line', async () => {
    const { sara, account } = await on.linked({ by: 'key' });
    block(account, [ANN, EVE]);
    // The list may be known before the card is shown for the first time, which has no Send then.
    const card = await on.talk.asks(sara, sara, `/send ${ANN} ${EVE} Hello`, 'Nobody is left to send to');
    expect(
      rows(card)
        .flat()
        .filter((label) => label.startsWith('✅')),
    ).toEqual([]);
    expect(plain(card)).not.toMatch(/\n\s*\n/u);
    block(account, [EVE], OTHER);
    await on.talk.presses(sara, card, '📞');
    await on.talk.asks(sara, sara, OTHER, /./u);
    const other = await on.talk.turns(card, '1 on the blacklist');
    expect(plain(other)).toContain('2 numbers → 1 to send');
    expect(plain(other)).not.toContain('Nobody');
  });

  test.each([
    [
      'en',
      '2 on the blacklist',
      '4 messages → 2 to send',
      `⛔ On the blacklist of line ${LINE}, left out: ${ANN}`,
    ],
    [
      'fa',
      '۲ در لیست سیاه',
      '۴ پیام ← ۲ ارسال می‌شود',
      `⛔ در لیست سیاه خط ${LINE}، از این خط به این‌ها ارسال نمی‌شود: ${ANN}`,
    ],
  ] as const)('of rows counts and names each by its own line (%s)', async (language, count, left, who) => {
    const { sara, account } = await on.linked({ by: 'key', language });
    block(account, [ANN]);
    const card = await on.order(
      sara,
      `/multi ${LINE};${ANN};One\n${OTHER};${ANN};Two\n${LINE};${EVE};Three\n${LINE};${ANN};Four`,
    );
    const known = await on.talk.turns(card, count);
    expect(plain(known)).toContain(left);
    // The other line writes to the same number.
    expect(plain(known).split('\n')).toContain(who);
    await on.ships(sara, known, /[2۲] (accepted|delivered|تحویل شد|پذیرفته شد)/);
    expect(
      on.sent(account).flatMap(({ line, recipients }) => recipients.map((to) => [line, `0${to}`])),
    ).toEqual([
      [OTHER, ANN],
      [LINE, EVE],
    ]);
  });

  test.each([
    ['en', 'is not the account’s', [LINE], 'The gateway says that line 30009 does not belong to the account'],
    ['fa', 'is not the account’s', [LINE], 'پنل پیامک می‌گوید خط 30009 مال این حساب نیست'],
    ['en', 'cannot be read', [LINE, '30009'], 'The blacklist of line 30009 could not be read'],
    ['fa', 'cannot be read', [LINE, '30009'], 'لیست سیاه خط 30009 خوانده نشد'],
  ] as const)(
    'of rows (%s) names who is blocked on one line, where the other %s',
    async (language, _, lines, says) => {
      const { sara, account } = await on.linked({ by: 'key', language, lines: [...lines] });
      block(account, [ANN]);
      // Only the other line would write to him.
      if (lines.length > 1)
        on.harm(account, 'blacklist-exists', { kind: 'error', status: 400, recipient: BEN });
      const card = await on.order(sara, `/multi ${LINE};${ANN};One\n30009;${BEN};Two\n${LINE};${EVE};Three`);
      const known = await on.talk.turns(card, says);
      expect(plain(known)).toContain(language === 'en' ? '1 on the blacklist' : '۱ در لیست سیاه');
      const who =
        language === 'en'
          ? `⛔ On the blacklist of line ${LINE}, left out: ${ANN}`
          : `⛔ در لیست سیاه خط ${LINE}، از این خط به این‌ها ارسال نمی‌شود: ${ANN}`;
      expect(plain(known).split('\n')).toContain(who);
    },
  );

  test('of a phonebook counts its numbers', async () => {
    const { sara, account } = await on.linked({
      phonebooks: [{ title: 'Customers', flag: 'c1', numbers: [ANN, EVE].map((number) => number.slice(1)) }],
    });
    block(account, [ANN]);
    const card = await on.order(sara, '/booksend Customers Hello');
    const known = await on.talk.turns(card, '1 on the blacklist');
    await on.ships(sara, known, /1 (accepted|delivered)/);
    expect(on.sent(account).map(({ recipients }) => recipients)).toEqual([[EVE.slice(1)]]);
  });

  test.each([
    ['a pattern', `/pattern 1 ${ANN},${EVE} code=12`],
    ['what the gateway keeps until a time', `/future in 3h ${ANN},${EVE} Hello`],
    ['a time of its own', `/schedule tomorrow 9:00 ${ANN},${EVE} Hello`],
  ])('of %s names who is left out', async (_, line) => {
    const { sara, account } = await on.linked({ patterns: [{ id: 1, text: 'Code {code}' }] });
    block(account, [ANN]);
    const known = await on.talk.turns(await on.order(sara, line), '1 on the blacklist');
    expect(plain(known)).toContain('2 numbers → 1 to send');
    expect(plain(known)).toContain(`left out: ${ANN}`);
  });

  test('of a scheduled send’s change looks anew, and what was confirmed leaves when it was missed', async () => {
    const { sara, account } = await on.linked();
    const card = await on.order(sara, `/schedule tomorrow 9:00 ${ANN},${EVE} Hello`);
    const waits = await on.ships(sara, card, 'Scheduled for');
    block(account, [ANN]);
    await on.talk.presses(sara, waits, '✏️ Edit');
    const change = await on.talk.hears(sara, 'Draft #A2', card.message_id);
    const known = await on.talk.turns(change, '1 on the blacklist');
    expect(plain(known)).toContain(`left out: ${ANN}`);
    await on.ships(sara, known, 'Scheduled for');
    await comes(sara.id, 'A2', 7200);
    await on.talk.presses(sara, await on.talk.turns(known, 'What should happen?'), '✅ Send now');
    await on.talk.turns(known, /1 (accepted|delivered)/);
    expect(on.sent(account).map(({ recipients }) => recipients)).toEqual([[EVE.slice(1)]]);
  });

  test.each(['en', 'fa'] as const)(
    'of a scheduled send that was missed names who is on the list by now, and no longer who was (%s)',
    async (language) => {
      const says = SAYS[language];
      const { sara, account } = await on.linked({ by: 'key', language });
      block(account, [ANN]);
      const card = await on.order(sara, `/schedule tomorrow 9:00 ${ANN} ${BEN} ${EVE} Hello`);
      await on.ships(sara, await on.talk.turns(card, says.one), says.scheduled);
      given(world.sandbox.world.account(account.username)).blacklist.remove(LINE, ANN.slice(1));
      block(account, [BEN]);
      await comes(sara.id, 'A1', 7200);
      const missed = await on.talk.turns(
        card,
        (m) => plain(m).includes(says.ben) && plain(m).includes(says.question),
      );
      expect(plain(missed)).toContain(says.two);
      await on.talk.asks(sara, sara, '/scheduled', says.listed);
      await on.talk.presses(sara, missed, says.now);
      await on.talk.turns(card, says.sent);
      expect(on.sent(account).map(({ recipients }) => recipients)).toEqual([[ANN.slice(1), EVE.slice(1)]]);
    },
  );

  test('of a missed one to people who are all on the list by now has nothing to send', async () => {
    const { sara, account } = await on.linked();
    const card = await on.order(sara, `/schedule tomorrow 9:00 ${ANN} Hello`);
    await on.ships(sara, card, 'Scheduled for');
    block(account, [ANN]);
    await comes(sara.id, 'A1', 7200);
    const missed = await on.talk.turns(card, 'Nobody is left to send to');
    expect(rows(missed)).toEqual([['🕐 New time', '🗑 Cancel']]);
  });

  test('of a missed one goes by nothing that the gateway does not tell', async () => {
    const { sara, account } = await on.linked({ by: 'key' });
    const card = await on.order(sara, `/schedule tomorrow 9:00 ${ANN} ${EVE} Hello`);
    await on.ships(sara, card, 'Scheduled for');
    block(account, [ANN]);
    on.harm(account, 'blacklist-exists', { kind: 'error', status: 400 });
    await comes(sara.id, 'A1', 7200);
    const missed = await on.talk.turns(card, 'What should happen?');
    await on.talk.gauged(sara.id);
    expect(plain(missed)).toContain('2 recipients');
    await on.talk.presses(sara, missed, '✅ Send now');
    await on.talk.turns(card, /\d (accepted|delivered)/);
  });

  test('of what is sent again names who has asked for no more since', async () => {
    const { sara, account } = await on.linked();
    // The sandbox delivers by the last digits: these never arrive.
    const [gone, lost] = ['09121234500', '09351112200'];
    const card = await on.order(sara, `/send ${gone} ${lost} Hello`);
    const done = await on.ships(sara, card, '2 not delivered');
    block(account, [gone]);
    await on.talk.presses(sara, await on.talk.turns(done, has('🔁')), '🔁');
    const again = await on.talk.hears(sara, 'Draft #A2', card.message_id);
    const known = await on.talk.turns(again, '1 on the blacklist');
    expect(plain(known)).toContain(`left out: ${gone}`);
  });

  test('says nothing of a list that the gateway does not tell', async () => {
    const { sara, account } = await on.linked({ by: 'key' });
    block(account, [ANN]);
    on.harm(account, 'blacklist-exists', { kind: 'error', status: 400 });
    const card = await on.order(sara, `/send ${ANN} ${EVE} Hello`);
    expect(plain(card)).toContain('2 numbers → 2 to send');
    const done = await on.ships(sara, card, /2 (accepted|delivered)|1 (accepted|delivered)/);
    expect(plain(done)).not.toContain('blacklist');
  });
});
