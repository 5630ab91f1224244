import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewPhonebookChange } from '../../ports/phonebook-changes.ts';
import { createPhonebookChangeStore } from './phonebook-change-store.ts';
import type { Stores } from '../stores.ts';
import { BOT_ID, openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;
let changes: Stores['phonebookChanges'];
let place: Awaited<ReturnType<TestStorage['addPlace']>>;

beforeAll(async () => {
  storage = await openTestStorage();
  changes = createPhonebookChangeStore(storage.database);
});
beforeEach(async () => {
  place = await storage.addPlace();
  await storage.emptyQueue();
});
afterAll(() => storage.close());

const NUMBERS = ['989120000001', '989120000002', '989120000003'];

function changeOf(more: Partial<NewPhonebookChange> = {}): NewPhonebookChange {
  return {
    chatId: place.chat.id,
    bindingId: place.bindingId,
    botId: BOT_ID,
    updateId: storage.next(),
    personId: place.ownerId,
    kind: 'add',
    bookId: '1001',
    title: 'VIP «ویژه»',
    numbers: NUMBERS,
    ...more,
  };
}

function press(changeId: string, more: { personId?: number; chatId?: string } = {}) {
  return {
    changeId,
    chatId: place.chat.id,
    personId: place.ownerId,
    updateId: 77,
    messageId: 5,
    threadId: null,
    locale: 'fa' as const,
    ...more,
  };
}

async function running(more: Partial<NewPhonebookChange> = {}): Promise<string> {
  const { id } = await changes.create(changeOf(more));
  expect(await changes.confirm(press(id))).toBe('started');
  return id;
}

describe('making a change', () => {
  test('keeps what it was given, open, with a flag of its own', async () => {
    const { id } = await changes.create(changeOf({ kind: 'create', bookId: null }));
    const other = await changes.create(changeOf());
    const made = await changes.read(id);
    expect(made).toEqual({
      id,
      chatId: place.chat.id,
      chatTelegramId: place.chat.telegramId,
      bindingId: place.bindingId,
      personId: place.ownerId,
      personName: 'Sara',
      kind: 'create',
      state: 'open',
      bookId: null,
      title: 'VIP «ویژه»',
      flag: `peyk${id.replaceAll('-', '').slice(0, 16)}`,
      numbers: NUMBERS,
    });
    expect((await changes.read(other.id))?.flag).not.toBe(made?.flag);
    expect(await changes.read('00000000-0000-4000-8000-000000000000')).toBe(null);
  });

  test('of one update many times at the same moment makes one, with the numbers of the first', async () => {
    const change = changeOf();
    const made = await Promise.all(Array.from({ length: 8 }, () => changes.create(change)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    const again = await changes.create({ ...change, numbers: ['989129999999'] });
    expect(again).toEqual({ id: made[0]?.id, numbers: NUMBERS });
  });

  test('keeps as many numbers as a file may have', async () => {
    const numbers = Array.from({ length: 20_000 }, (_, index) => `98912${String(index).padStart(7, '0')}`);
    const { id } = await changes.create(changeOf({ numbers }));
    expect((await changes.read(id))?.numbers).toEqual(numbers);
  });
});

describe('confirming', () => {
  test('starts the work once, however many press', async () => {
    const { id } = await changes.create(changeOf());
    const results = await Promise.all(Array.from({ length: 8 }, () => changes.confirm(press(id))));
    expect(results.toSorted()).toEqual([...Array.from({ length: 7 }, () => 'other'), 'started']);
    expect((await changes.read(id))?.state).toBe('running');
    expect((await storage.queued()).get(`phonebook:${id}`)).toMatchObject({
      task: 'phonebook',
      payload: { changeId: id, again: false, updateId: 77, messageId: 5, threadId: null, locale: 'fa' },
    });
  });

  test('is for its person, its chat and while it is open', async () => {
    const { id } = await changes.create(changeOf());
    const other = await storage.addPlace();
    expect(await changes.confirm(press(id, { personId: other.ownerId }))).toBe('other');
    expect(await changes.confirm(press(id, { chatId: other.chat.id }))).toBe('other');
    expect(await changes.cancel(id, place.chat.id, other.ownerId)).toBe(false);
    expect(await changes.cancel(id, other.chat.id, place.ownerId)).toBe(false);
    expect(await changes.cancel(id, place.chat.id, place.ownerId)).toBe(true);
    expect(await changes.cancel(id, place.chat.id, place.ownerId)).toBe(false);
    expect(await changes.confirm(press(id))).toBe('other');
    expect((await storage.queued()).has(`phonebook:${id}`)).toBe(false);
    expect((await changes.read(id))?.state).toBe('cancelled');
  });

  test('needs the account that it was made for', async () => {
    const { id } = await changes.create(changeOf());
    await storage.link(place.chat.id, place.ownerId);
    expect(await changes.confirm(press(id))).toBe('not_connected');
    expect((await changes.read(id))?.state).toBe('open');
    expect((await storage.queued()).has(`phonebook:${id}`)).toBe(false);
  });
});

describe('ending a run', () => {
  test('writes the state and the audit together, once, without a number', async () => {
    const id = await running();
    const outcome = { state: 'done', tally: { done: 3, unknown: 0 }, updateId: 78 } as const;
    const ended = await Promise.all([changes.settle(id, outcome), changes.settle(id, outcome)]);
    expect(ended.toSorted()).toEqual([false, true]);
    const audit = (await storage.audit(place.chat.id)).filter(({ action }) => action.startsWith('book_'));
    expect(audit).toEqual([
      {
        action: 'book_numbers_added',
        person_id: place.ownerId,
        update_id: 78,
        details: { title: 'VIP «ویژه»', asked: 3, done: 3, unknown: 0 },
      },
    ]);
    expect(JSON.stringify(audit)).not.toContain('98912');
    expect(await changes.resume(press(id))).toBe('other');
    const [row] = await storage.sql`select ended_at from book_change where id = ${id}`;
    expect(row?.['ended_at']).not.toBe(null);
  });

  test.each([
    ['create', 'book_created'],
    ['add', 'book_numbers_added'],
    ['remove', 'book_numbers_removed'],
    ['delete', 'book_deleted'],
  ] as const)('of kind %s is told as %s', async (kind, action) => {
    const id = await running({ kind });
    await changes.settle(id, { state: 'done', tally: { done: 3, unknown: 0 }, updateId: 78 });
    expect((await storage.audit(place.chat.id)).at(-1)?.action).toBe(action);
  });

  test('with a stop can be taken up again, as a run that may have acted', async () => {
    const id = await running();
    await storage.emptyQueue();
    expect(await changes.resume(press(id))).toBe('other');
    expect(await changes.settle(id, { state: 'stopped', tally: null, updateId: 78 })).toBe(true);
    expect((await storage.audit(place.chat.id)).some(({ action }) => action.startsWith('book_'))).toBe(false);
    expect(await changes.confirm(press(id))).toBe('other');
    const results = await Promise.all([changes.resume(press(id)), changes.resume(press(id))]);
    expect(results.toSorted()).toEqual(['other', 'started']);
    expect((await storage.queued()).get(`phonebook:${id}`)?.payload).toMatchObject({ again: true });
  });

  test('leaves one job in the queue when the process has to go', async () => {
    const id = await running();
    const { chatId: _chat, personId: _person, ...work } = press(id);
    await changes.requeue({ ...work, again: true });
    await changes.requeue({ ...work, again: true });
    const keys = [...(await storage.queued()).keys()].filter((key) => key.startsWith('phonebook:'));
    expect(keys).toEqual([`phonebook:${id}`]);
    await changes.setBook(id, '2002');
    expect((await changes.read(id))?.bookId).toBe('2002');
  });
});
