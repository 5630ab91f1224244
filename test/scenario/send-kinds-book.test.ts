import { describe, expect, test } from 'vitest';
import { fits } from '../../src/telegram/button-rows.ts';
import { hurry } from '../support/quiet.ts';
import { inAnyOrder, isDraft, ordersIn } from '../support/orders.ts';
import { schedulesIn } from '../support/scheduling.ts';
import { harm, hasButton, HELD, numbers } from '../support/story.ts';
import { given, has, plain, rows, type TestAccount } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* /booksend: to a whole phonebook, in one call that names it where version 1 serves, else to the numbers it lists. */

const { world, made } = useWorld();
const on = made(ordersIn);
const schedules = made((w) => schedulesIn(w, on.talk));

const ASK_BOOK = 'To which phonebook?';
const book = (title: string, of: readonly string[]) => ({
  title,
  flag: `flag of ${title}`,
  numbers: [...of],
});
const phonebooks = [book('Staff', ['9121110004', '9121110005']), book('My customers', ['9121110006'])];
const booksOf = ({ username }: TestAccount) => given(world.sandbox.world.account(username)).phonebooks;
const idOf = (account: TestAccount, title: string): number =>
  given(
    booksOf(account)
      .all()
      .find((each) => each.title === title),
  ).id;

describe.concurrent('with version 1', () => {
  test('one call names the book, and all of it is seen delivered', async () => {
    const { sara, account } = await on.linked({ by: 'token', phonebooks });
    const card = await on.order(sara, '/booksend Staff Hello to you');
    expect(plain(card).split('\n')).toEqual([
      '✉️ Draft #A1 · line 3000123456',
      '📒 To the phonebook «Staff»',
      'Hello to you',
      '12 characters · Latin · 1 part',
      'It goes to exactly these numbers: if the phonebook has others by then, I ask before anything is sent.',
      '2 numbers → 2 to send',
      '09121110004 09121110005',
      '2 parts in all · the price is not known yet',
    ]);
    expect(rows(card)).toEqual([
      ['✅ Send 2 · 2 parts'],
      ['🕐 When', '✏️ Text', '📞 Line'],
      ['⚡ Flash: off', '🧪 To me'],
      ['✖ Cancel'],
    ]);
    await on.talk.presses(sara, card, '⚡');
    const flash = await on.talk.turns(card, '⚡ flash');
    const done = await on.ships(sara, flash, /2 delivered[^]*🏁/u);
    expect(plain(done).split('\n')).toEqual([
      '✉️ #A1 by Sara',
      '📒 To the phonebook «Staff»',
      'Hello to you',
      '✅ 2 delivered',
      expect.stringMatching(/^🏁 2 parts · price not known · in \d+ s$/u),
    ]);
    expect(on.sent(account)).toEqual([
      {
        version: 1,
        operation: 'phonebook-send',
        line: '3000123456',
        text: 'Hello to you',
        flash: true,
        recipients: ['9121110004', '9121110005'],
      },
    ]);
    expect(on.calls(account, 'send')).toEqual([]);
  });

  test('numbers that were added since get nothing before somebody has said yes to them too', async () => {
    const { sara, account } = await on.linked({ phonebooks });
    const card = await on.order(sara, '/booksend staff Hello');
    booksOf(account).addNumbers(idOf(account, 'Staff'), ['9121110009']);
    const asks = await on.ships(sara, card, 'What should happen?');
    expect(plain(asks)).toContain('The numbers in its phonebook are no longer those that were confirmed.');
    expect(plain(asks)).toContain('Confirmed: 2 numbers. In the phonebook now: 3 numbers');
    expect(plain(asks)).toContain('3 recipients');
    await on.talk.hears(sara, 'What should happen with #A1?', card.message_id);
    await on.settled(sara);
    expect(on.calls(account, 'phonebook-send')).toEqual([]);
    await on.ships(sara, asks, '3 delivered');
    expect(on.sent(account).map(({ operation, recipients }) => [operation, recipients])).toEqual([
      ['phonebook-send', ['9121110004', '9121110005', '9121110009']],
    ]);
  });

  test('a book that has grown passes neither cap nor approval, at once or at a time of its own', async () => {
    const { omid, ann, group, account } = await schedules.team('en', { phonebooks });
    await schedules.limit(group, { cap: 10, approval: 5 });
    const soon = await on.order(omid, '/booksend Staff Hello', group);
    const timed = await on.order(omid, '/booksend Staff Later', group);
    await on.talk.presses(omid, timed, '🕐 When');
    const when = await on.talk.hears(group, 'Choose, or type a time', timed.message_id);
    omid.send(group, 'every tuesday 10:00', { replyTo: when });
    const later = await on.talk.turns(timed, (m) => rows(m)[0]?.[0]?.endsWith('🔁') === true);
    await on.talk.presses(omid, later, '✅');
    await on.talk.turns(timed, 'Scheduled for');
    booksOf(account).addNumbers(idOf(account, 'Staff'), numbers(600));

    const asks = await on.ships(omid, soon, 'What should happen?');
    expect(plain(asks)).toContain('Confirmed: 2 numbers. In the phonebook now: 602 numbers');
    await on.talk.presses(omid, asks, '✅ Send now');
    const asked = await on.talk.turns(soon, 'waits for approval');
    expect(plain(asked)).toContain('602 parts');
    await on.talk.presses(ann, asked, '✅');
    await on.talk.hears(group, 'It would go over the day’s cap', when.message_id);

    await schedules.comes(group, 'A2');
    const missed = await on.talk.turns(timed, 'In the phonebook now: 602 numbers');
    // It had begun, so what follows it is there, and neither waits for this answer nor ends by it.
    await on.talk.hears(group, /#A3 by Omid[^]*Scheduled for/u, timed.message_id);
    expect(plain(missed)).not.toContain('waits for this answer');
    await on.talk.presses(omid, missed, '🗑 Cancel');
    await on.talk.turns(timed, '#A2 by Omid · cancelled by Omid');
    await schedules.calm(group);
    expect((await schedules.jobs(group)).map(({ code, state }) => [code, state])).toContainEqual([
      'A3',
      'scheduled',
    ]);
    expect(on.sent(account)).toEqual([]);
  });

  test('a yes to the numbers of now holds for what follows in the series, once the send has gone out', async () => {
    const { omid, ann, group, account } = await schedules.team('en', { phonebooks });
    const card = await on.order(omid, '/booksend Staff Weekly', group);
    await on.talk.presses(omid, card, '🕐 When');
    const when = await on.talk.hears(group, 'Choose, or type a time', card.message_id);
    omid.send(group, 'every tuesday 10:00', { replyTo: when });
    await on.talk.presses(
      omid,
      await on.talk.turns(card, (m) => rows(m)[0]?.[0]?.endsWith('🔁') === true),
      '✅',
    );
    await on.talk.turns(card, 'Scheduled for');
    booksOf(account).addNumbers(idOf(account, 'Staff'), ['9121110009']);
    await schedules.limit(group, { approval: 2 });
    await schedules.comes(group, 'A1');
    const asks = await on.talk.turns(card, 'In the phonebook now: 3 numbers');
    await on.talk.presses(omid, asks, '✅ Send now');
    await on.talk.presses(ann, await on.talk.turns(card, 'waits for approval'), '✅');
    await on.talk.turns(card, '3 delivered');
    const next = await on.talk.hears(group, /#A2 by Omid[^]*3 recipients/u);
    await schedules.comes(group, 'A2');
    await on.talk.turns(next, '3 delivered');
    // One that nobody has said yes to asks all the same.
    booksOf(account).addNumbers(idOf(account, 'Staff'), ['9121110010']);
    const last = await on.talk.hears(group, /#A3 by Omid/u, next.message_id);
    await schedules.comes(group, 'A3');
    await on.talk.turns(last, 'In the phonebook now: 4 numbers');
    expect(on.sent(account).map(({ operation, recipients }) => [operation, recipients.length])).toEqual([
      ['phonebook-send', 3],
      ['phonebook-send', 3],
    ]);
  });

  test('who has left the book gets nothing, and the others are named', async () => {
    const { sara, account } = await on.linked({ phonebooks });
    const card = await on.order(sara, '/booksend Staff Hello');
    booksOf(account).removeNumbers(idOf(account, 'Staff'), ['9121110005']);
    const done = await on.ships(sara, card, '1 delivered');
    expect(plain(done)).toContain('🚫 1 no longer in the phonebook');
    expect(on.sent(account).map(({ operation, recipients }) => [operation, recipients])).toEqual([
      ['send', ['9121110004']],
    ]);
    expect(on.calls(account, 'phonebook-send')).toEqual([]);
  });

  test('who stands in the book twice is written to once, by a call that names the numbers', async () => {
    const { sara, account } = await on.linked({ by: 'token', phonebooks });
    const listed = ['09121110004', '09121110005', '+989121110004'].map((number, at) => ({
      number_id: at + 1,
      number,
    }));
    const text = JSON.stringify({ status: 200, result: { status: 0, result: listed } });
    on.harm(account, 'phonebook-numbers', { kind: 'body', text });
    const card = await on.order(sara, '/booksend Staff Hello');
    expect(rows(card)[0]).toEqual(['✅ Send 2 · 2 parts']);
    await on.ships(sara, card, '2 delivered');
    expect(on.sent(account).map(({ operation, recipients }) => [operation, recipients])).toEqual([
      ['send', ['9121110004', '9121110005']],
    ]);
    expect(on.calls(account, 'phonebook-send')).toEqual([]);
  });

  test('who is blocked on the line is left out, and is not paid for', async () => {
    const { sara, account } = await on.linked({ phonebooks });
    given(world.sandbox.world.account(account.username)).blacklist.add('3000123456', ['9121110005'], {
      setter: 'panel',
      at: 1,
    });
    const card = await on.order(sara, '/booksend Staff Hello');
    const done = await on.ships(sara, card, '1 delivered');
    expect(plain(done)).toContain('⛔ 1 on the blacklist');
    expect(on.sent(account).map(({ recipients }) => recipients)).toEqual([['9121110004']]);
  });

  test('a book that cannot be read again holds the call back until it can', async () => {
    const { sara, account } = await on.linked({ phonebooks });
    const card = await on.order(sara, '/booksend Staff Hello');
    on.harm(account, 'phonebook-numbers', { kind: 'drop', times: 1 });
    await on.ships(sara, card, '2 delivered');
    expect(on.sent(account)).toHaveLength(1);
  });

  test('a lost answer leaves the book unknown after exactly one call', async () => {
    const { sara, account } = await on.linked({ phonebooks });
    on.harm(account, 'phonebook-send', { kind: 'drop', when: 'after' });
    const card = await on.order(sara, '/booksend Staff Hello');
    const shown = await on.ships(sara, card, '2 unknown');
    expect(plain(shown)).not.toMatch(/not sent|accepted|delivered/u);
    await on.settled(sara);
    expect(on.calls(account, 'phonebook-send')).toHaveLength(1);
    // Looking into the outbox settles it, and sends nothing.
    await hurry(world);
    await on.talk.turns(card, /2 (?:accepted|delivered)/u);
    expect(on.calls(account, 'phonebook-send')).toHaveLength(1);
    expect(on.sent(account)).toHaveLength(1);
  });

  test('an answer that counts others than were confirmed is not taken for theirs', async () => {
    const { sara, account } = await on.linked({ phonebooks });
    const text = JSON.stringify({ status: 200, result: { status: 0, id: [91, 93, 95] } });
    on.harm(account, 'phonebook-send', { kind: 'body', text });
    const card = await on.order(sara, '/booksend Staff Hello');
    const shown = await on.ships(sara, card, '2 unknown');
    expect(plain(shown)).not.toMatch(/not sent|accepted|delivered/u);
    await hurry(world);
    await on.talk.turns(card, /2 (?:accepted|delivered)/u);
    expect(on.sent(account)).toHaveLength(1);
  });

  test('a book that there is not is said before the text is asked for, by command and in an answer', async () => {
    const { sara } = await on.linked({ phonebooks });
    const told = await on.talk.asks(sara, sara, '/booksend Stuff', 'There is no phonebook named «Stuff»');
    expect(plain(told)).toContain(ASK_BOOK);
    expect(rows(told)[0]).toEqual(['Staff · 2 numbers']);
    const again = await on.talk.asks(sara, sara, 'Stafff', 'There is no phonebook named «Stafff»');
    await on.talk.presses(sara, again, 'Staff');
    await on.talk.hears(sara, 'What should the message say?', again.message_id);
    expect(plain(await on.talk.asks(sara, sara, 'Hello', isDraft))).toContain('📒 To the phonebook «Staff»');
  });

  test('can be given another text, and be tried out on oneself', async () => {
    const { sara, account } = await on.linked({ phonebooks });
    const card = await on.order(sara, '/booksend Staff First wording');
    await on.talk.presses(sara, card, '✏️');
    await on.talk.hears(sara, 'What should the message say?', card.message_id);
    sara.send(sara, 'Second wording');
    const edited = await on.talk.turns(card, 'Second wording');
    expect(plain(edited)).toContain('📒 To the phonebook «Staff»');
    await on.talk.presses(sara, edited, '🧪');
    const question = await on.talk.hears(sara, 'Your own mobile number', card.message_id);
    sara.send(sara, '09121110001');
    await on.talk.hears(sara, '1 delivered', question.message_id);
    const fresh = await on.talk.turns(card, isDraft);
    await on.ships(sara, fresh, '2 delivered');
    expect(on.sent(account).map(({ operation, text, recipients }) => [operation, text, recipients])).toEqual([
      ['send', 'Second wording', ['9121110001']],
      ['phonebook-send', 'Second wording', ['9121110004', '9121110005']],
    ]);
  });

  test('a book that is deleted before the press is not called, and somebody is asked', async () => {
    const { sara, account } = await on.linked({ phonebooks });
    const card = await on.order(sara, '/booksend Staff Hello');
    booksOf(account).remove(idOf(account, 'Staff'));
    const asks = await on.ships(sara, card, 'What should happen?');
    expect(plain(asks)).toContain('Its phonebook is empty now, or was deleted.');
    await on.settled(sara);
    expect(on.calls(account, 'phonebook-send')).toEqual([]);
    await on.talk.presses(sara, asks, '🗑 Cancel');
    await on.talk.turns(card, (m) => rows(m).length === 0);
    expect(on.sent(account)).toEqual([]);
  });

  test('refusals are told in words', async () => {
    const { sara, account } = await on.linked({ phonebooks, credit: 3000 });
    const dear = await on.order(sara, '/booksend Staff Too dear');
    await on.ships(sara, dear, 'not enough credit');
    const card = await on.order(sara, '/booksend "My customers" Foreign line');
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

describe.concurrent('without version 1', () => {
  test('the numbers of the book are sent to, 200 in a call', async () => {
    const all = numbers(450);
    const { sara, account } = await on.linked({
      by: 'key',
      credit: 100_000_000,
      phonebooks: [book('VIP', all)],
    });
    const card = await on.order(sara, '/booksend VIP Hello');
    const shown = plain(card);
    expect(shown).toContain('in the phonebook now. Later changes of the phonebook do not change this send.');
    expect(shown).toContain('450 numbers → 450 to send');
    // Whoever is added after the preview was not part of what is confirmed.
    booksOf(account).addNumbers(idOf(account, 'VIP'), ['9199999999']);
    await on.ships(sara, card, /450 (?:accepted|delivered)/u);
    const sent = on.sent(account);
    expect(
      inAnyOrder(sent.map(({ version, operation, recipients }) => [version, operation, recipients.length])),
    ).toEqual([
      [3, 'send', 200],
      [3, 'send', 200],
      [3, 'send', 50],
    ]);
    expect(sent.flatMap(({ recipients }) => recipients).toSorted()).toEqual(all.toSorted());
    expect(on.calls(account, 'phonebook-send')).toEqual([]);
  });

  test('a send that is stopped between its calls says what left', async () => {
    const { sara, account } = await on.linked({
      by: 'key',
      credit: 100_000_000,
      phonebooks: [book('VIP', numbers(450))],
    });
    const { struck, heal } = harm(world, account, { ...HELD, times: 2 });
    const card = await on.order(sara, '/booksend VIP Stop this');
    await on.talk.presses(sara, card, '✅');
    await struck();
    const running = await on.talk.turns(
      card,
      (m) => hasButton(m, '⏹') && plain(m).includes('400 waiting for the gateway’s answer'),
    );
    await on.talk.presses(sara, running, '⏹');
    await on.talk.turns(card, '50 not sent: stopped before');
    heal();
    await on.talk.turns(card, /400 (?:accepted|delivered)/u);
    await on.talk.turns(card, '400 sent, 50 not sent');
    await on.settled(sara);
    expect(on.calls(account, 'send')).toHaveLength(2);
  });
});

describe.concurrent('which book', () => {
  test('is asked with a button for each, and its name may be typed with quotes or without', async () => {
    const { sara, account } = await on.linked({ phonebooks });
    const question = await on.talk.asks(sara, sara, '/booksend', ASK_BOOK);
    expect(rows(question)).toEqual([['Staff · 2 numbers'], ['My customers · 1 number'], ['✖ Cancel']]);
    await on.talk.presses(sara, question, 'My customers');
    await on.talk.hears(sara, 'What should the message say?', question.message_id);
    const card = await on.order(sara, 'By a button');
    expect(plain(card)).toContain('«My customers»');
    await on.ships(sara, card, '1 delivered');

    for (const typed of ['"My customers"', 'my  Customers', '«My customers»']) {
      await on.talk.asks(sara, sara, '/booksend', ASK_BOOK);
      await on.talk.asks(sara, sara, typed, 'What should the message say?');
      const again = await on.order(sara, `Typed as ${typed}`);
      expect(plain(again)).toContain('«My customers»');
    }
    expect(on.sent(account).map(({ text }) => text)).toEqual(['By a button']);
  });

  test('is found whatever keyboard its name is typed with', async () => {
    const { sara, account } = await on.linked({
      language: 'fa',
      by: 'token',
      phonebooks: [book('مشتریان کرج ۲', ['9121110004'])],
    });
    const card = await on.order(sara, '/booksend «مشتريان كرج 2» سلام');
    expect(plain(card).split('\n')).toEqual([
      '✉️ پیش‌نویس #A1 · خط 3000123456',
      '📒 به دفترچهٔ «مشتریان کرج ۲»',
      'سلام',
      '۴ کاراکتر · یونیکد · ۱ پارت',
      'فقط به همین شماره‌ها ارسال می‌شود: اگر تا آن موقع شماره‌های دفترچه عوض شود، قبل از ارسال می‌پرسم.',
      '۱ شماره ← ۱ ارسال می‌شود',
      '09121110004',
      'روی هم ۱ پارت · قیمت هنوز معلوم نیست',
    ]);
    await on.ships(sara, card, '✅ ۱ تحویل شد');
    expect(on.sent(account)).toHaveLength(1);
  });

  test.each([
    ['en', 'stafff Hello', 'There is no phonebook named «stafff».', ['Staff · 2 numbers'], 'Hello'],
    ['en', 'My customers Hello', 'There is no phonebook named «My».', ['My customers · 1 number'], 'Hello'],
    [
      'fa',
      'nobody سلام به همه',
      'دفترچه‌ای به نام «nobody» نیست.',
      ['Staff · ۲ شماره', 'My customers · ۱ شماره'],
      'سلام به همه',
    ],
  ] as const)(
    'that is not there is asked for with what comes near, and the text stays: %s %s',
    async (language, line, says, labels, text) => {
      const { sara } = await on.linked({ language, phonebooks });
      const asked = await on.talk.asks(sara, sara, `/booksend ${line}`, says);
      expect(rows(asked).flat().slice(0, -1)).toEqual(labels);
      await on.talk.presses(sara, asked, labels[0] ?? '');
      const card = await on.talk.hears(sara, has('✅'), asked.message_id);
      expect(plain(card).split('\n')[2]).toBe(text);
    },
  );

  test.each([
    ['en', 'VIP Hello all', '📒 VIP · 1 number', 'Hello all'],
    ['fa', 'vip سلام', '📒 VIP · ۱ شماره', 'سلام'],
    ['en', 'VPI Hello all', '📒 VIP · 1 number', 'Hello all'],
    ['fa', 'vvip سلام', '📒 VIP · ۱ شماره', 'سلام'],
  ] as const)(
    'is one press away where its name stands in the place of the numbers of /send: %s',
    async (language, line, label, text) => {
      const { sara } = await on.linked({ language, phonebooks: [book('VIP', ['9121110004'])] });
      const asked = await on.talk.asks(sara, sara, `/send ${line}`, has('📒'));
      expect(rows(asked)[0]).toEqual([label]);
      await on.talk.presses(sara, asked, '📒');
      const card = await on.talk.hears(sara, has('✅'), asked.message_id);
      expect(plain(card).split('\n').slice(1, 3)).toEqual([expect.stringContaining('«VIP»'), text]);
    },
  );

  test('is not waited for where the gateway does not answer: the numbers are asked for', async () => {
    const { sara, account } = await on.linked({ phonebooks });
    on.harm(account, 'phonebook-list', HELD);
    const asked = await on.talk.asks(sara, sara, '/send Staff Hello', 'To which numbers?');
    expect(rows(asked)).toHaveLength(1);
  });

  test('that an account has none of is told', async () => {
    const { sara, account } = await on.linked({ language: 'fa' });
    await on.talk.asks(sara, sara, '/booksend همکاران سلام', 'این حساب هنوز دفترچه‌ای ندارد');
    const none = await on.talk.asks(sara, sara, '/booksend', 'این حساب هنوز دفترچه‌ای ندارد');
    expect(plain(none)).not.toContain('کدام دفترچه');
    expect(rows(none)).toEqual([['➕ دفترچهٔ جدید'], ['✖ انصراف']]);
    await on.talk.presses(sara, none, '➕');
    await on.talk.hears(sara, 'نام دفترچهٔ جدید', none.message_id);
    expect(on.talk.sends(account.username)).toEqual([]);
  });

  test('of two that read the same is not guessed', async () => {
    const { sara } = await on.linked({
      phonebooks: [book('vip', ['9121110004']), book('VIP', ['9121110005'])],
    });
    await on.talk.asks(sara, sara, '/booksend Vip Hello', 'There is no phonebook named «Vip».');
    const card = await on.order(sara, '/booksend VIP Hello');
    expect(plain(card)).toContain('09121110005');
  });

  test('and how many there are may be long: what is said stays short', async () => {
    const titles = Array.from({ length: 30 }, (_, index) => `${'Customers of the town '.repeat(8)}${index}`);
    const { sara } = await on.linked({ phonebooks: titles.map((title) => book(title, ['9121110004'])) });
    const told = await on.talk.asks(
      sara,
      sara,
      `/booksend "${'x'.repeat(200)}" Hello`,
      'There is no phonebook',
    );
    expect(rows(told)).toHaveLength(21);
    const question = await on.talk.asks(sara, sara, '/booksend', ASK_BOOK);
    expect(rows(question)).toHaveLength(21);
    // On one line of a phone, and told apart by what differs at their ends.
    for (const [label = ''] of rows(question)) expect(fits([{ label }])).toBe(true);
    expect(new Set(rows(question).flat()).size).toBe(21);
    expect(rows(question)[12]).toEqual([expect.stringMatching(/^Customers o.*….* town 12 · 1 number$/u)]);
    await on.talk.presses(sara, question, 'Customers');
    await on.talk.hears(sara, 'What should the message say?', question.message_id);
    const card = await on.order(sara, 'Hello');
    expect(plain(card)).toContain('📒 To the phonebook «Customers of the town');
  });

  test('that is empty is told as such', async () => {
    const { sara, account } = await on.linked({ phonebooks });
    booksOf(account).removeNumbers(idOf(account, 'Staff'), ['9121110004', '9121110005']);
    const told = await on.talk.asks(sara, sara, '/booksend Staff Hello', 'has no number to send to');
    expect(plain(told)).toContain('/book_add');
    expect(on.talk.sends(account.username)).toEqual([]);
  });

  test('is not known when the gateway does not say it', async () => {
    const { sara, account } = await on.linked({ phonebooks });
    const at = { operation: 'phonebook-list', account: account.username } as const;
    const refused = world.sandbox.faults.add({ ...at, kind: 'error', code: 1000 });
    await on.talk.asks(sara, sara, '/booksend Staff Hello', 'The gateway refused');
    await on.talk.asks(sara, sara, '/booksend', 'The gateway refused');
    world.sandbox.faults.remove(refused);
    const silent = world.sandbox.faults.add({ ...at, kind: 'drop' });
    await on.talk.asks(sara, sara, '/booksend Staff Hello', 'did not answer in time');
    world.sandbox.faults.remove(silent);
    // Nothing of it is left open: the next line is carried out as it stands.
    const card = await on.order(sara, '/booksend Staff Hello');
    await on.ships(sara, card, '2 delivered');
    expect(on.sent(account)).toHaveLength(1);
  });
});

test('a text that is missing or too long is asked for', async () => {
  const { sara } = await on.linked({ phonebooks });
  await on.talk.asks(sara, sara, '/booksend Staff', 'What should the message say?');
  await on.talk.asks(sara, sara, 'x'.repeat(901), 'at most 900');
  const card = await on.talk.asks(sara, sara, 'Hello', isDraft);
  expect(plain(card)).toContain('«Staff»');
});
