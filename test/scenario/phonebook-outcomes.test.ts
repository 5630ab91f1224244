import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import type { FaultRule } from '../../src/sandbox/faults.ts';
import { restart } from '../support/restart.ts';
import { given, plain, rows, talkIn, type TestAccount } from '../support/talk.ts';
import { startWorld } from '../support/world.ts';
import { book, mobile, mobiles, phonebooksIn } from '../support/phonebooks.ts';
import { useWorld } from '../support/use-world.ts';

/*
 * Deleting a phonebook, and what becomes of changes when the gateway refuses, loses its answer, or the process ends:
 * what is told is what is known, and going on comes to the same end without doing anything twice.
 */

const { world, talk, made } = useWorld();
const on = made(phonebooksIn);

const hasFile = (message: Message): boolean => message.document !== undefined;

/** A fault that meets this account alone. */
function harm(account: TestAccount, rule: FaultRule & { readonly operation: string }): () => void {
  const id = world.sandbox.faults.add({ times: 1, ...rule, account: account.username });
  return () => void world.sandbox.faults.remove(id);
}

/** The preview of numbers that come in a file: more of them than a message holds. */
async function previewOf(person: Person, caption: string, numbers: readonly string[], fits: string) {
  const sent = person.upload(person, 'numbers.txt', Buffer.from(numbers.join('\n')), caption);
  return await talk.hears(person, fits, sent.message_id);
}

/** Everything that a message has ever said. */
function told(message: Message): string[] {
  return world.driver
    .calls('editMessageText')
    .filter(
      ({ params }) =>
        Number(params['chat_id']) === message.chat.id && Number(params['message_id']) === message.message_id,
    )
    .map(({ params }) => String(params['text']));
}

describe.concurrent('/book_delete', () => {
  test('sends the file first, asks for the name, and deletes only then', async () => {
    const { sara, account } = await on.linked({
      phonebooks: [book('VIP', mobiles(3)), book('Staff', mobiles(1))],
    });
    const said = sara.send(sara, '/book_delete VIP');
    const file = await talk.hears(sara, hasFile, said.message_id);
    expect(file.document?.file_name).toBe('VIP.csv');
    expect(plain(file)).toContain('VIP · 3 numbers');
    expect(
      talk
        .fileOf(file)
        .toString('utf8')
        .match(/09\d{9}/g),
    ).toEqual(mobiles(3));
    const asked = await talk.hears(sara, 'To continue, type its name: VIP', file.message_id);
    expect(plain(asked)).toContain('for good');
    const wrong = await talk.asks(sara, sara, 'Staff', '«Staff» is not its name. Nothing was deleted.');
    expect(plain(wrong)).toContain('To continue, type its name: VIP');
    expect(rows(wrong)).toEqual([['✖ Cancel']]);
    expect(on.changeCalls(account)).toEqual([]);
    const over = await talk.asks(sara, sara, ' vip ', 'VIP is deleted with its 3 numbers, by Sara');
    expect(rows(over)).toEqual([]);
    expect(on.inBook(account, 'VIP')).toBe(null);
    expect(on.inBook(account, 'Staff')).toEqual(mobiles(1));
    expect(on.changeCalls(account)).toEqual(['phonebook-delete']);
    expect(await on.audited(sara)).toEqual([
      { action: 'book_deleted', details: { title: 'VIP', asked: 3, done: 3, unknown: 0 } },
    ]);
  });

  test('is reached from the book and by its form, and left by Cancel', async () => {
    const { sara, account } = await on.linked({ phonebooks: [book('VIP', mobiles(1))] }, { language: 'fa' });
    const shown = await talk.asks(sara, sara, '/book VIP', '📒 VIP');
    await talk.presses(sara, shown, '🗑');
    const asked = await talk.hears(sara, 'برای ادامه نامش را بنویسید: VIP', shown.message_id);
    await talk.presses(sara, asked, '✖');
    await talk.turns(asked, 'چیزی تغییر نکرد');
    const which = await talk.asks(sara, sara, '/book_delete', 'کدام دفترچه؟');
    await talk.presses(sara, which, 'VIP');
    const again = await talk.hears(sara, 'برای ادامه نامش را بنویسید', which.message_id);
    expect(again.message_id).toBeGreaterThan(which.message_id);
    await talk.asks(sara, sara, 'VIP', 'VIP با ۱ شماره حذف شد');
    expect(on.inBook(account, 'VIP')).toBe(null);
  });

  test('deletes nothing once somebody has added numbers that are not in the file', async () => {
    const { sara, account } = await on.linked({ phonebooks: [book('VIP', mobiles(3))] });
    await talk.asks(sara, sara, '/book_delete VIP', 'type its name');
    on.booksOf(account).addNumbers(given(on.booksOf(account).all()[0]).id, [mobile(99)]);
    const kept = await talk.asks(sara, sara, 'VIP', '⛔ VIP was not deleted.');
    expect(plain(kept)).toContain('It holds numbers that are not in the file above');
    expect(rows(kept)).toEqual([]);
    expect(on.inBook(account, 'VIP')).toEqual([...mobiles(3), mobile(99)]);
    expect(on.changeCalls(account)).toEqual([]);
    await talk.asks(sara, sara, '/book_delete VIP', 'type its name');
    await talk.asks(sara, sara, 'VIP', 'VIP is deleted with its 4 numbers, by Sara');
  });

  test('of a name that is not there offers what is near', async () => {
    const { sara, account } = await on.linked({ phonebooks: [book('VIP 1405', mobiles(1))] });
    const near = await talk.asks(sara, sara, '/book_delete VIP', 'Is it one of these?');
    await talk.presses(sara, near, 'VIP 1405');
    await talk.hears(sara, 'type its name: VIP 1405', near.message_id);
    expect(on.changeCalls(account)).toEqual([]);
  });

  test('of a book that cannot be read deletes nothing', async () => {
    const { sara, account } = await on.linked({ phonebooks: [book('VIP', mobiles(1))] });
    const heal = harm(account, { kind: 'html', operation: 'phonebook-numbers', times: 20 });
    const failed = await talk.asks(sara, sara, '/book_delete VIP', 'answered something I cannot read');
    heal();
    sara.send(sara, 'VIP');
    await talk.settled(sara, sara);
    expect(
      world.driver
        .messages(sara)
        .filter((m) => m.message_id > failed.message_id)
        .some(hasFile),
    ).toBe(false);
    expect(on.changeCalls(account)).toEqual([]);
    expect(on.inBook(account, 'VIP')).toEqual(mobiles(1));
  });

  test('with a lost answer looks, and tells that the book is gone', async () => {
    const { sara, account } = await on.linked({ phonebooks: [book('VIP', mobiles(2))] });
    harm(account, { kind: 'drop', when: 'after', operation: 'phonebook-delete' });
    await talk.asks(sara, sara, '/book_delete VIP', 'type its name');
    const over = await talk.asks(sara, sara, 'VIP', 'VIP is deleted: there was no clear answer, so I looked');
    expect(rows(over)).toEqual([]);
    expect(on.changeCalls(account)).toEqual(['phonebook-delete']);
    expect((await on.audited(sara)).map(({ details }) => details)).toEqual([
      { title: 'VIP', asked: 2, done: 2, unknown: 0 },
    ]);
  });

  test('with a lost answer and the book still there says so, and deletes it when told to try again', async () => {
    const { sara, account } = await on.linked({ phonebooks: [book('VIP', mobiles(2))] }, { byToken: true });
    harm(account, { kind: 'drop', when: 'before', operation: 'phonebook-delete' });
    await talk.asks(sara, sara, '/book_delete VIP', 'type its name');
    const doubt = await talk.asks(sara, sara, 'VIP', 'I looked: the book is still there, with 2 numbers');
    expect(plain(doubt)).toContain('The gateway did not answer.');
    expect(plain(doubt)).not.toMatch(/not deleted|fail/);
    expect(rows(doubt)).toEqual([['🔁 Try again']]);
    expect(on.inBook(account, 'VIP')).toEqual(mobiles(2));
    await talk.presses(sara, doubt, '🔁');
    await talk.turns(doubt, 'VIP is deleted with its 2 numbers');
    expect(on.inBook(account, 'VIP')).toBe(null);
    expect((await on.audited(sara)).map(({ details }) => details)).toEqual([
      { title: 'VIP', asked: 2, done: 0, unknown: 2 },
      { title: 'VIP', asked: 2, done: 2, unknown: 0 },
    ]);
  });

  test('with a lost answer and nobody to look says that it is not known', async () => {
    const { sara, account } = await on.linked({ phonebooks: [book('VIP', mobiles(2))] });
    await talk.asks(sara, sara, '/book_delete VIP', 'type its name');
    harm(account, { kind: 'drop', when: 'after', operation: 'phonebook-delete' });
    const heal = harm(account, { kind: 'drop', operation: 'phonebook-numbers', skip: 1, times: 20 });
    const doubt = await talk.asks(sara, sara, 'VIP', 'It is not known whether VIP was deleted');
    heal();
    await talk.presses(sara, doubt, '🔁 Try again');
    await talk.turns(doubt, 'VIP is deleted: there was no clear answer, so I looked');
    expect(on.changeCalls(account)).toEqual(['phonebook-delete']);
  });

  test('refused says why, and that the book is there', async () => {
    const { sara, account } = await on.linked({ phonebooks: [book('VIP', mobiles(2))] });
    harm(account, { kind: 'error', status: 429, operation: 'phonebook-delete' });
    await talk.asks(sara, sara, '/book_delete VIP', 'type its name');
    const refused = await talk.asks(sara, sara, 'VIP', '⛔ VIP was not deleted.');
    expect(plain(refused)).toContain('The gateway refused: too many requests');
    expect(await on.audited(sara)).toEqual([]);
    await talk.presses(sara, refused, '🔁 Try again');
    await talk.turns(refused, 'VIP is deleted');
    expect(on.inBook(account, 'VIP')).toBe(null);
  });
});

describe.concurrent('a new book whose answer is lost', () => {
  test.each([
    ['after it was made, on version 3', { kind: 'drop', when: 'after' }, false, 1],
    ['before it was made, on version 3', { kind: 'drop', when: 'before' }, false, 2],
    ['after it was made, on version 1', { kind: 'drop', when: 'after' }, true, 1],
    ['before it was made, on version 1', { kind: 'drop', when: 'before' }, true, 2],
    ['and cannot be read', { kind: 'truncate' }, false, 1],
  ] as const)(
    '%s: is not known, and is there once when a person goes on',
    async (_name, fault, byToken, calls) => {
      const { sara, account } = await on.linked({}, { byToken });
      harm(account, { ...fault, operation: 'phonebook-create' });
      const preview = await previewOf(sara, '/book_new Fresh', mobiles(300), '300 numbers to add');
      await talk.presses(sara, preview, '✅');
      const doubt = await talk.turns(preview, '❔ It is not known whether Fresh was created.');
      expect(plain(doubt)).not.toMatch(/was not created|fail/);
      expect(rows(doubt)).toEqual([['🔁 Try again']]);
      await talk.presses(sara, doubt, '🔁');
      await talk.turns(preview, '📒 Fresh · created by Sara · 300 numbers');
      expect(
        on
          .booksOf(account)
          .all()
          .filter(({ title }) => title === 'Fresh'),
      ).toHaveLength(1);
      expect(on.inBook(account, 'Fresh')).toEqual(mobiles(300));
      expect(on.changeCalls(account).filter((call) => call === 'phonebook-create')).toHaveLength(calls);
      expect((await on.audited(sara)).map(({ details }) => details)).toEqual([
        { title: 'Fresh', asked: 300, done: 0, unknown: 300 },
        { title: 'Fresh', asked: 300, done: 300, unknown: 0 },
      ]);
    },
  );

  test('and whose name somebody else has taken by then is left alone', async () => {
    const { sara, account } = await on.linked();
    harm(account, { kind: 'drop', when: 'before', operation: 'phonebook-create' });
    const preview = await talk.asks(sara, sara, `/book_new Fresh ${mobile(1)}`, 'New phonebook Fresh');
    await talk.presses(sara, preview, '✅');
    const doubt = await talk.turns(preview, 'is not known');
    on.booksOf(account).create(book('Fresh', [mobile(99)]));
    await talk.presses(sara, doubt, '🔁');
    await talk.turns(preview, 'a phonebook named «Fresh» already');
    expect(on.inBook(account, 'Fresh')).toEqual([mobile(99)]);
  });

  test('refused is not made, and says why', async () => {
    const { sara, account } = await on.linked();
    harm(account, { kind: 'error', code: 42, operation: 'phonebook-create' });
    const preview = await talk.asks(sara, sara, `/book_new Fresh ${mobile(1)}`, 'New phonebook Fresh');
    await talk.presses(sara, preview, '✅');
    const refused = await talk.turns(preview, '⛔ Fresh was not created.');
    expect(plain(refused)).toContain('The gateway refused: no number was given.');
    await talk.presses(sara, refused, '🔁 Try again');
    await talk.turns(preview, '📒 Fresh · created by Sara · 1 number');
  });
});

describe.concurrent('numbers whose answer is lost', () => {
  test.each([
    ['after they were added, on version 3', { kind: 'drop', when: 'after' }, false, 3],
    ['before they were added, on version 3', { kind: 'drop', when: 'before' }, false, 4],
    ['after they were added, on version 1', { kind: 'reset', when: 'after' }, true, 3],
    ['by a fault of the gateway', { kind: 'error', code: 43, when: 'before' }, false, 4],
  ] as const)(
    '%s: each number is told as it is known, and is in once in the end',
    async (_n, fault, byToken, calls) => {
      const { sara, account } = await on.linked({ phonebooks: [book('VIP', mobiles(10))] }, { byToken });
      harm(account, { ...fault, operation: 'phonebook-add', skip: 1 });
      const preview = await previewOf(sara, '/book_add VIP', mobiles(510), '➕ 500 new');
      await talk.presses(sara, preview, '✅ Add 500');
      const doubt = await talk.turns(preview, 'adding stopped');
      expect(plain(doubt).split('\n').slice(2)).toEqual([
        '✅ 200 are in the book',
        '⛔ 100 are not in it',
        '❔ 200 not known: they may be in it',
        'Press 🔁: I read the book again and add only what is missing.',
      ]);
      await talk.presses(sara, doubt, '🔁 Continue');
      await talk.turns(preview, '📒 VIP · 510 numbers (+500, by Sara)');
      expect(on.inBook(account, 'VIP')).toEqual(mobiles(510));
      expect(on.changeCalls(account)).toHaveLength(calls);
      expect((await on.audited(sara)).map(({ details }) => details)).toEqual([
        { title: 'VIP', asked: 500, done: 200, unknown: 200 },
        { title: 'VIP', asked: 500, done: 500, unknown: 0 },
      ]);
      // Nothing that was ever on the message claims more than was known.
      for (const text of told(preview)) expect(text).not.toMatch(/fail|400 of/);
    },
  );

  test('when they are taken out: the same, and the other way round', async () => {
    const { sara, account } = await on.linked({ phonebooks: [book('VIP', mobiles(450))] });
    harm(account, { kind: 'drop', when: 'after', operation: 'phonebook-remove', skip: 1 });
    const preview = await previewOf(sara, '/book_remove VIP', mobiles(440), '➖ 440 to remove');
    await talk.presses(sara, preview, '✅ Remove 440');
    const doubt = await talk.turns(preview, 'removing stopped');
    expect(plain(doubt).split('\n').slice(2, 5)).toEqual([
      '✅ 200 are not in the book any more',
      '⛔ 40 are still in it',
      '❔ 200 not known: they may be out of it',
    ]);
    await talk.presses(sara, doubt, '🔁 Continue');
    await talk.turns(preview, '📒 VIP · 10 numbers (−440, by Sara)');
    expect(on.inBook(account, 'VIP')).toEqual(mobiles(10, 441));
  });

  test('a refusal in the middle says what is in and what is not', async () => {
    const { sara, account } = await on.linked({ phonebooks: [book('VIP', [mobile(999)])] });
    harm(account, { kind: 'error', status: 401, operation: 'phonebook-add', skip: 1 });
    const preview = await previewOf(sara, '/book_add VIP', mobiles(300), '➕ 300 new');
    await talk.presses(sara, preview, '✅ Add 300');
    const stopped = await talk.turns(preview, 'adding stopped');
    expect(plain(stopped)).toContain('The gateway refused: the key or password is not valid any more');
    expect(plain(stopped)).toContain('✅ 200 are in the book\n⛔ 100 are not in it\nPress 🔁');
    expect(plain(stopped)).not.toContain('not known');
  });

  test('a book that was deleted meanwhile is told as gone', async () => {
    const { sara, account } = await on.linked({ phonebooks: [book('VIP', mobiles(1))] });
    const preview = await talk.asks(sara, sara, `/book_add VIP ${mobile(2)}`, '➕ 1 new');
    on.booksOf(account).remove(given(on.booksOf(account).all()[0]).id);
    await talk.presses(sara, preview, '✅ Add 1');
    const gone = await talk.turns(preview, 'The book is not there any more.');
    expect(rows(gone)).toEqual([]);
  });

  test('an account that is unlinked before the press changes nothing', async () => {
    const { sara, account } = await on.linked({ phonebooks: [book('VIP', mobiles(1))] });
    const preview = await talk.asks(sara, sara, `/book_add VIP ${mobile(2)}`, '➕ 1 new');
    const asked = await talk.asks(sara, sara, '/disconnect', /Unlink|unlink/);
    await talk.presses(sara, asked, given(rows(asked).flat()[0]));
    await talk.hears(sara, (m) => m.message_id >= asked.message_id && /[Uu]nlinked/.test(plain(m)));
    await talk.presses(sara, preview, '✅ Add 1');
    await talk.hears(sara, 'No gateway account is linked', asked.message_id);
    expect(on.inBook(account, 'VIP')).toEqual(mobiles(1));
  });
});

test('a process that ends in the middle goes on after its restart, and adds nothing twice', async () => {
  const own = await startWorld();
  const here = talkIn(own);
  const sara = own.driver.user({ first_name: 'Sara', language_code: 'en' });
  const account = here.account({ phonebooks: [book('VIP', mobiles(1))] });
  await here.connects(sara, { apiKey: account.apiKey });
  const sent = sara.upload(sara, 'n.txt', Buffer.from(mobiles(501).join('\n')), '/book_add VIP');
  const preview = await here.hears(sara, '➕ 500 new', sent.message_id);
  const later = await here.asks(sara, sara, `/book_add VIP ${mobile(900)}`, '➕ 1 new');
  // The second call is under way when the process is told to end.
  const fault = own.sandbox.faults.add({
    kind: 'delay',
    ms: 3000,
    operation: 'phonebook-add',
    skip: 1,
    times: 1,
  });
  await here.presses(sara, preview, '✅ Add 500');
  await expect.poll(() => own.sandbox.faults.list().find(({ id }) => id === fault)?.used).toBe(1);
  {
    await using second = await restart(own);
    expect(second.botUsername).toBe(own.app.botUsername);
    await here.turns(preview, '📒 VIP · 501 numbers (+500, by Sara)');
    // A button from before the restart works after it.
    await here.presses(sara, later, '✅ Add 1');
    await here.turns(later, '📒 VIP · 502 numbers (+1, by Sara)');
    const added = here.hits(account.username).filter(({ operation }) => operation === 'phonebook-add');
    expect(added).toHaveLength(4);
  }
  expect(here.errors()).toEqual([]);
  await own.stop();
});
