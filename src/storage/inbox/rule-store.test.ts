import { afterAll, beforeAll, expect, test } from 'vitest';
import { autoResponsesIn } from './inbound-destinations.ts';
import { createRuleStore, MAX_RULES } from './rule-store.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';
import { receiveIn } from '../testing/received.ts';

const LINE = '3000123456';

let storage: TestStorage;
let rules: ReturnType<typeof createRuleStore>;

beforeAll(async () => {
  storage = await openTestStorage();
  rules = createRuleStore(storage.database);
});
afterAll(() => storage.close());

async function placed() {
  const place = await storage.addPlace();
  const press = () => ({ chatId: place.chat.id, personId: place.ownerId, updateId: storage.next() });
  const [destination] = await storage.sql<{ id: string }[]>`
    insert into sink (chat_id, telegram_id, title, kinds, created_by)
    values (${place.chat.id}, ${-storage.next()}, 'Sales', '{}', ${place.ownerId}) returning id`;
  const add = async (words: string, more: { destinationId?: string; answer?: string; line?: string } = {}) =>
    await rules.add({
      ...press(),
      way: 'contains',
      words,
      line: more.line ?? null,
      destinationId: more.destinationId ?? null,
      answer: more.answer ?? null,
    });
  return { ...receiveIn(storage, place), place, press, add, destinationId: destination?.id ?? '' };
}

test('a rule is kept with its place and who made it, in the order of adding, and told to the audit', async () => {
  const { place, add, press, destinationId } = await placed();
  const added = await add('price', { destinationId });
  expect(added).toMatchObject({
    result: 'added',
    rule: {
      words: 'price',
      destination: { id: destinationId, title: 'Sales', isChatItself: false },
      answer: null,
    },
  });
  expect((await add('price', { destinationId })).result).toBe('same');
  await add('hours', { answer: 'Nine to five.' });
  const list = await rules.list(place.chat.id);
  expect(list.map(({ words, createdBy }) => [words, createdBy.id])).toEqual([
    ['price', place.ownerId],
    ['hours', place.ownerId],
  ]);
  expect(await rules.remove({ ...press(), id: list[0]?.id ?? '' })).toMatchObject({ words: 'price' });
  expect(await rules.remove({ ...press(), id: list[0]?.id ?? '' })).toBeNull();
  const other = await placed();
  expect(await rules.remove({ ...other.press(), id: list[1]?.id ?? '' })).toBeNull();
  const told = (await storage.audit(place.chat.id)).map(({ action, details }) => [action, details]);
  expect(told.slice(-3)).toEqual([
    ['inbox_rule_added', { words: 'price', answers: false }],
    ['inbox_rule_added', { words: 'hours', answers: true }],
    ['inbox_rule_deleted', { words: 'price' }],
  ]);
});

test('a chat has so many rules and no more, whoever adds at once', async () => {
  const { place, add } = await placed();
  await storage.sql`
    insert into inbox_rule (chat_id, way, words, answer, created_by)
    select ${place.chat.id}, 'equals', 'word ' || n, 'x', ${place.ownerId} from generate_series(1, ${MAX_RULES - 1}) n`;
  const both = await Promise.all([add('one more', { answer: 'x' }), add('and another', { answer: 'x' })]);
  expect(both.map(({ result }) => result).toSorted()).toEqual(['added', 'full']);
});

test('a rule goes with its place', async () => {
  const { place, add, destinationId } = await placed();
  await add('price', { destinationId });
  await storage.sql`delete from sink where id = ${destinationId}`;
  expect(await rules.list(place.chat.id)).toEqual([]);
});

test('11 and 12 are switched for one line, each change told once', async () => {
  const { place, press } = await placed();
  const { bindingId } = place;
  expect(await rules.inboxOf(bindingId)).toMatchObject({ optOutLines: [] });
  const set = async (line: string, isOn: boolean) =>
    await rules.setOptOut({ ...press(), bindingId, line, isOn });
  expect(await set(LINE, true)).toBe(true);
  expect(await set(LINE, true)).toBe(true);
  await set('50001234', true);
  await set(LINE, false);
  expect(await rules.inboxOf(bindingId)).toMatchObject({ optOutLines: ['50001234'] });
  const told = (await storage.audit(place.chat.id)).map(({ action }) => action);
  expect(told.slice(-3)).toEqual(['optout_on', 'optout_on', 'optout_off']);
  expect(await rules.setOptOut({ ...press(), bindingId: place.chat.id, line: LINE, isOn: true })).toBe(false);
  expect(await rules.inboxOf(place.chat.id)).toBeNull();
});

test('marking read is off until somebody switches it, each change told once', async () => {
  const { place, press } = await placed();
  const { bindingId } = place;
  const marks = async () => (await rules.inboxOf(bindingId))?.marksRead;
  const set = async (isOn: boolean) => await rules.setMarksRead({ ...press(), bindingId, isOn });
  expect(await marks()).toBe(false);
  expect([await set(true), await set(true), await marks()]).toEqual([true, true, true]);
  expect([await set(false), await marks()]).toEqual([true, false]);
  const told = (await storage.audit(place.chat.id)).map(({ action }) => action);
  expect(told.slice(-2)).toEqual(['inbox_marked_on', 'inbox_marked_off']);
  expect(await rules.setMarksRead({ ...press(), bindingId: place.chat.id, isOn: true })).toBe(false);
});

test('how numbers are shown is nobody’s word at first, then the last one’s', async () => {
  const { place, press } = await placed();
  const { id } = place.chat;
  expect(await rules.showsNumbers(id)).toBeNull();
  await rules.setShowsNumbers({ ...press(), isWhole: true });
  expect(await rules.showsNumbers(id)).toBe(true);
  await rules.setShowsNumbers({ ...press(), isWhole: false });
  expect(await rules.showsNumbers(id)).toBe(false);
  expect((await storage.audit(id)).slice(-2).map(({ action }) => action)).toEqual([
    'inbox_numbers_whole',
    'inbox_numbers_masked',
  ]);
});

test('a stored message goes where the first fitting rule says, and has a duty only when something is to be done', async () => {
  const { place, add, message, destinationId, press } = await placed();
  await add('hours', { answer: 'Nine to five.' });
  await add('price', { destinationId, line: LINE });
  await rules.setOptOut({ ...press(), bindingId: place.bindingId, line: LINE, isOn: true });
  await storage.emptyQueue();
  const stored = [
    await message('989120000001', 'PRICE and hours'),
    await message('989120000001', 'price', '50001234'),
    await message('989120000001', '۱۱'),
    await message('989120000001', '11', '50001234'),
    await message('989120000001', 'hello'),
  ];
  const routes = await storage.sql.begin(async (tx) => await autoResponsesIn(tx, place.chat.id, stored));
  expect(stored.map(({ id }) => routes.get(id))).toEqual([destinationId, null, null, null, null]);
  const queued = await storage.queued();
  expect([...queued.keys()].filter((key) => key.startsWith('inbound-duty:')).toSorted()).toEqual(
    [stored[0], stored[2]].map((each) => `inbound-duty:${each?.id ?? 0}`).toSorted(),
  );
});
