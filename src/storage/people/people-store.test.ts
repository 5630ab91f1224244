import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KeptPerson } from '../../domain/people.ts';
import { createPeopleStore, keepIn, limitPeopleIn, MAX_PEOPLE } from './people-store.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';
import { receiveIn } from '../testing/received.ts';

let storage: TestStorage;
let people: ReturnType<typeof createPeopleStore>;

beforeAll(async () => {
  storage = await openTestStorage();
  people = createPeopleStore(storage.database);
});
afterAll(() => storage.close());

const SARA = '989120000001';
const OMID = '989120000002';

async function chatOf() {
  const place = await storage.addPlace();
  const chatId = place.chat.id;
  const personId = await storage.addPerson(chatId, 'operator', 'Maryam');
  const doer = () => ({ chatId, personId, updateId: storage.next() });
  const keep = async (...given: (Partial<KeptPerson> & Pick<KeptPerson, 'number'>)[]) =>
    await storage.sql.begin(async (tx) =>
      keepIn(
        tx,
        { chatId, personId },
        given.map((each) => ({ name: '', fields: {}, tags: [], ...each })),
      ),
    );
  return { place, chatId, personId, doer, keep };
}

const everybody: Parameters<typeof people.list>[1] = { tag: null, words: null, skip: 0, limit: 100 };

test('what is said of somebody again is put beside what is known of them, and goes before it', async () => {
  const { chatId, keep } = await chatOf();
  expect(
    await keep(
      { number: SARA, name: 'Sara', fields: { city: 'Tehran', size: '38' }, tags: ['vip'] },
      { number: OMID },
    ),
  ).toBe(2);
  expect(await keep({ number: SARA, fields: { size: '40', شهر: 'قم' }, tags: ['1405', 'vip'] })).toBe(0);
  expect(await people.find(chatId, SARA)).toEqual({
    number: SARA,
    name: 'Sara',
    fields: { city: 'Tehran', size: '40', شهر: 'قم' },
    tags: ['1405', 'vip'],
  });
  expect(await keep({ number: SARA, name: 'Sara Ahmadi' })).toBe(0);
  expect(await people.find(chatId, SARA)).toMatchObject({ name: 'Sara Ahmadi', tags: ['1405', 'vip'] });
});

test('people are found by their tag, and by words of their name and fields, in no other chat', async () => {
  const { chatId, keep } = await chatOf();
  const other = await chatOf();
  await other.keep({ number: SARA, name: 'Somebody', tags: ['vip'] });
  await keep(
    { number: SARA, name: 'Sara', fields: { city: 'Tehran' }, tags: ['vip', 'new'] },
    { number: OMID, name: 'Omid 100%', tags: ['vip'] },
    { number: '989120000003' },
  );
  const numbers = async (
    wanted: Partial<typeof everybody> & { tag?: string | null; words?: string | null },
  ) => {
    const found = await people.list(chatId, { ...everybody, ...wanted });
    return [found.all, ...found.people.map(({ number }) => number)];
  };
  expect(await numbers({})).toEqual([3, OMID, SARA, '989120000003']);
  expect(await numbers({ skip: 1, limit: 1 })).toEqual([3, SARA]);
  expect(await numbers({ tag: 'new' })).toEqual([1, SARA]);
  expect(await numbers({ words: 'tEHran' })).toEqual([1, SARA]);
  expect(await numbers({ words: '0%' })).toEqual([1, OMID]);
  expect(await numbers({ words: 'city' })).toEqual([0]);
  expect(await numbers({ words: '09120000003' })).toEqual([1, '989120000003']);
  expect(await numbers({ tag: 'new', words: 'omid' })).toEqual([0]);
  expect(await people.overview(chatId)).toEqual({
    all: 3,
    tags: [
      { tag: 'vip', people: 2 },
      { tag: 'new', people: 1 },
    ],
  });
  expect(await people.fieldNames(chatId, null)).toEqual(['city']);
  expect(await people.fieldNames(chatId, 'none')).toEqual([]);
});

test('all of many are read, each once', async () => {
  const { chatId, keep } = await chatOf();
  const all = Array.from({ length: 2300 }, (_, at) => `98912${String(at).padStart(7, '0')}`);
  await keep(...all.map((number) => ({ number, tags: Number(number) % 2 === 0 ? ['even'] : [] })));
  const read: string[] = [];
  for await (const block of people.each(chatId, null)) read.push(...block.map(({ number }) => number));
  expect(read).toEqual(all);
  const even: string[] = [];
  for await (const block of people.each(chatId, 'even')) even.push(...block.map(({ number }) => number));
  expect(even).toEqual(all.filter((number) => Number(number) % 2 === 0));
});

test('one person is changed field by field and tag by tag, and taken out, with a row in the audit that names no number', async () => {
  const { chatId, doer } = await chatOf();
  await people.set(doer(), SARA, {
    name: 'Sara',
    fields: { city: 'Tehran', size: '38' },
    tags: ['vip', 'new'],
  });
  const changed = await people.set(doer(), SARA, { fields: { size: '', city: 'Qom' }, without: ['new'] });
  expect(changed).toEqual({ number: SARA, name: 'Sara', fields: { city: 'Qom' }, tags: ['vip'] });
  expect(await people.drop(doer(), SARA)).toBe(true);
  expect(await people.drop(doer(), SARA)).toBe(false);
  expect(await people.find(chatId, SARA)).toBeNull();
  const rows = await storage.sql<{ action: string; details: unknown }[]>`
    select action, details from audit where chat_id = ${chatId} and action like 'person%' order by id`;
  expect(rows.map(({ action }) => action)).toEqual(['person_kept', 'person_kept', 'person_dropped']);
  expect(JSON.stringify(rows)).not.toContain('9120000001');
});

test('a number has one name in each chat, which can be changed and taken away with all that is known', async () => {
  const { place, chatId, personId, doer } = await chatOf();
  const { id } = (await receiveIn(storage, place).message(SARA, 'hello')) as { id: number };
  await storage.emptyQueue();
  await people.name(chatId, SARA, 'Maryam', personId);
  await people.name(chatId, SARA, 'مریم', personId);
  expect(await people.find(chatId, SARA)).toMatchObject({ name: 'مریم' });
  expect([...(await storage.queued()).keys()]).toEqual([`renotice:${id}`]);
  await people.name(chatId, SARA, null, personId);
  expect(await people.find(chatId, SARA)).toBeNull();
  // Who has a tag is not forgotten with the name.
  await people.set(doer(), SARA, { name: 'Sara', tags: ['vip'] });
  await people.name(chatId, SARA, null, personId);
  expect(await people.find(chatId, SARA)).toMatchObject({ name: '', tags: ['vip'] });
});

test('a chat keeps so many and no more', async () => {
  const { chatId, personId, doer } = await chatOf();
  await storage.sql`
    insert into contact (chat_id, number, name, set_by)
    select ${chatId}, '98910' || lpad(n::text, 7, '0'), '', ${personId} from generate_series(1, ${MAX_PEOPLE}) as n`;
  await expect(people.set(doer(), SARA, { name: 'Sara' })).rejects.toMatchObject({
    code: 'bad_input',
    params: { field: 'people', limit: MAX_PEOPLE },
  });
  expect(await people.find(chatId, SARA)).toBeNull();
  await storage.sql.begin(async (tx) => await limitPeopleIn(tx, chatId));
});
