import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isolateAuto } from '../../src/i18n/format.ts';
import { hurry } from '../support/quiet.ts';
import { isDraft, ordersIn } from '../support/orders.ts';
import { harm, hasButton, numbers } from '../support/story.ts';
import { given, plain, rows, type TestAccount } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/* /booksend: to a whole phonebook, in one call that names it where version 1 serves, else to the numbers it lists. */

let world: World;
let on: ReturnType<typeof ordersIn>;

beforeAll(async () => {
  world = await startWorld();
  on = ordersIn(world);
});

afterAll(async () => {
  expect(on.talk.errors()).toEqual([]);
  await world.stop();
});

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
      'The gateway sends to the book as it is at the moment of sending; the numbers below are in it now.',
      '2 numbers → 2 to send',
      '0912•••0004 0912•••0005',
      '2 parts in all · the price is not known yet',
    ]);
    expect(rows(card)).toEqual([
      ['✅ Send 2 · 2 parts'],
      ['🕐 When', '✏️ Text', '📞 Line', '⚡ Flash: off'],
      ['🧪 To me', '✖ Cancel'],
    ]);
    await on.talk.presses(sara, card, '⚡');
    const flash = await on.talk.turns(card, '⚡ flash');
    const done = await on.ships(sara, flash, '✅ 2 delivered');
    expect(plain(done).split('\n')).toEqual([
      '✉️ #A1 by Sara',
      '📒 To the phonebook «Staff»',
      'Hello to you',
      '✅ 2 delivered',
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

  test('it goes to the book as it is when it is sent, as the card says', async () => {
    const { sara, account } = await on.linked({ phonebooks });
    const card = await on.order(sara, '/booksend staff Hello');
    booksOf(account).addNumbers(idOf(account, 'Staff'), ['9121110009']);
    await on.ships(sara, card, '2 delivered');
    expect(on.sent(account).map(({ recipients }) => recipients)).toEqual([
      ['9121110004', '9121110005', '9121110009'],
    ]);
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

  test('can be given another text, and be tried out on oneself', async () => {
    const { sara, account } = await on.linked({ phonebooks });
    const card = await on.order(sara, '/booksend Staff First wording');
    await on.talk.presses(sara, card, '✏️');
    await on.talk.hears(sara, 'What shall the message say?', card.message_id);
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

  test('a book that is deleted before the press gets nothing, and nothing is claimed that is not known', async () => {
    const { sara, account } = await on.linked({ phonebooks });
    const card = await on.order(sara, '/booksend Staff Hello');
    booksOf(account).remove(idOf(account, 'Staff'));
    expect(await on.talk.presses(sara, card, '✅')).toBe('');
    const shown = await on.talk.turns(card, /not sent|unknown/u);
    expect(plain(shown)).not.toMatch(/accepted|delivered/u);
    await on.settled(sara);
    expect(on.calls(account, 'phonebook-send')).toHaveLength(1);
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
    expect(plain(shown)).toContain('sender line is not the account’s');
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
    expect(shown).toContain('To the numbers that the book has now.');
    expect(shown).toContain('450 numbers → 450 to send');
    // Whoever is added after the preview was not part of what is confirmed.
    booksOf(account).addNumbers(idOf(account, 'VIP'), ['9199999999']);
    await on.ships(sara, card, /450 (?:accepted|delivered)/u);
    const sent = on.sent(account);
    expect(sent.map(({ version, operation, recipients }) => [version, operation, recipients.length])).toEqual(
      [
        [3, 'send', 200],
        [3, 'send', 200],
        [3, 'send', 50],
      ],
    );
    expect(sent.flatMap(({ recipients }) => recipients)).toEqual(all);
    expect(on.calls(account, 'phonebook-send')).toEqual([]);
  });

  test('a send that is stopped between its calls says what left', async () => {
    const { sara, account } = await on.linked({
      by: 'key',
      credit: 100_000_000,
      phonebooks: [book('VIP', numbers(450))],
    });
    const { struck } = harm(world, account, {
      operation: 'send',
      kind: 'delay',
      when: 'before',
      ms: 12_000,
      times: 2,
    });
    const card = await on.order(sara, '/booksend VIP Stop this');
    await on.talk.presses(sara, card, '✅');
    await struck();
    const running = await on.talk.turns(
      card,
      (m) => hasButton(m, '⏹') && plain(m).includes('400 asked of the gateway, no answer yet'),
    );
    await on.talk.presses(sara, running, '⏹');
    await on.talk.turns(card, '50 not sent: stopped before they left');
    await on.talk.turns(card, /400 (?:accepted|delivered)/u);
    await on.talk.turns(card, '400 left, 50 did not, 0 unknown');
    await on.settled(sara);
    expect(on.calls(account, 'send')).toHaveLength(2);
  });
});

describe.concurrent('which book', () => {
  test('is asked with a button for each, and its name may be typed with quotes or without', async () => {
    const { sara, account } = await on.linked({ phonebooks });
    const question = await on.talk.asks(sara, sara, '/booksend', ASK_BOOK);
    expect(rows(question)).toEqual([['Staff · 2 numbers'], ['My customers · 1 number'], ['✖ Cancel']]);
    await on.talk.presses(sara, question, isolateAuto('My customers'));
    await on.talk.hears(sara, 'What shall the message say?', question.message_id);
    const card = await on.order(sara, 'By a button');
    expect(plain(card)).toContain('«My customers»');
    await on.ships(sara, card, '1 delivered');

    for (const typed of ['"My customers"', 'my  Customers', '«My customers»']) {
      await on.talk.asks(sara, sara, '/booksend', ASK_BOOK);
      await on.talk.asks(sara, sara, typed, 'What shall the message say?');
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
      '۴ نویسه · یونیکد · ۱ بخش',
      'درگاه به شماره‌هایی می‌فرستد که هنگام ارسال در دفترچه باشد؛ شماره‌های زیر اکنون در آن است.',
      '۱ شماره ← ۱ فرستاده می‌شود',
      '0912•••0004',
      'روی هم ۱ بخش · بها هنوز معلوم نیست',
    ]);
    await on.ships(sara, card, '✅ ۱ رسید');
    expect(on.sent(account)).toHaveLength(1);
  });

  test('that is not there is told with those that are', async () => {
    const { sara, account } = await on.linked({ phonebooks });
    const told = await on.talk.asks(
      sara,
      sara,
      '/booksend My customers Hello',
      'There is no phonebook «My».',
    );
    expect(plain(told).split('\n').slice(1)).toEqual([
      'There are: Staff, My customers',
      'A title of several words goes in quotes: /booksend "My customers" Hello',
    ]);
    const { sara: lena } = await on.linked({ language: 'fa' });
    await on.talk.asks(lena, lena, '/booksend همکاران سلام', 'این حساب هنوز دفترچه‌ای ندارد');
    expect(on.talk.sends(account.username)).toEqual([]);
  });

  test('of two that read the same is not guessed', async () => {
    const { sara } = await on.linked({
      phonebooks: [book('vip', ['9121110004']), book('VIP', ['9121110005'])],
    });
    await on.talk.asks(sara, sara, '/booksend Vip Hello', 'There is no phonebook «Vip».');
    const card = await on.order(sara, '/booksend VIP Hello');
    expect(plain(card)).toContain('0912•••0005');
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
    expect(plain(told)).toContain('and more: /books');
    const question = await on.talk.asks(sara, sara, '/booksend', ASK_BOOK);
    expect(rows(question)).toHaveLength(21);
    for (const [label = ''] of rows(question)) expect(label.length).toBeLessThanOrEqual(64);
    await on.talk.presses(sara, question, '\u2068Customers');
    await on.talk.hears(sara, 'What shall the message say?', question.message_id);
    const card = await on.order(sara, 'Hello');
    expect(plain(card)).toContain('📒 To the phonebook «Customers of the town');
  });

  test('that is empty is told as such', async () => {
    const { sara, account } = await on.linked({ phonebooks });
    booksOf(account).removeNumbers(idOf(account, 'Staff'), ['9121110004', '9121110005']);
    const told = await on.talk.asks(
      sara,
      sara,
      '/booksend Staff Hello',
      'has no number that a message can go to',
    );
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
  await on.talk.asks(sara, sara, '/booksend Staff', 'What shall the message say?');
  await on.talk.asks(sara, sara, 'x'.repeat(901), 'at most 900');
  const card = await on.talk.asks(sara, sara, 'Hello', isDraft);
  expect(plain(card)).toContain('«Staff»');
});
