import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTemplateStore, MAX_TEMPLATES } from './template-store.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;
let templates: ReturnType<typeof createTemplateStore>;

beforeAll(async () => {
  storage = await openTestStorage();
  templates = createTemplateStore(storage.database);
});
afterAll(() => storage.close());

async function chatOf() {
  const chat = await storage.addChat();
  const personId = await storage.addPerson(chat.id, 'operator', 'Omid');
  const save = async (name: string, text: string, replacing: string | null = null) =>
    await templates.save({ chatId: chat.id, personId, updateId: storage.next(), name, text, replacing });
  const remove = async (id: string) =>
    await templates.remove({ chatId: chat.id, personId, updateId: storage.next(), id });
  return { chatId: chat.id, personId, save, remove };
}

const everything = { skip: 0, limit: 1000 };

test('a text is kept as it is, under its name in whatever case, with who saved it', async () => {
  const { chatId, personId, save } = await chatOf();
  const text = 'سلام {نام}\n\t«"\'\\» 😀 لغو۱۱';
  const saved = await save('Welcome', text);
  expect(saved.result).toBe('saved');
  const found = await templates.find(chatId, { name: 'wELCOME' });
  expect(found).toMatchObject({ name: 'Welcome', text, savedBy: { id: personId, name: 'Omid' } });
  expect(await templates.find(chatId, { id: found?.id ?? '' })).toEqual(found);
  expect(Math.abs((found?.savedAt.getTime() ?? 0) - Date.now())).toBeLessThan(600_000);
  expect(await templates.find(chatId, { name: 'Welcom' })).toBeNull();
});

test('a name that has another text is not taken from it, unless that very text is to be replaced', async () => {
  const { chatId, save } = await chatOf();
  const first = await save('offer', 'one');
  if (first.result !== 'saved') throw new Error('not saved');
  expect(await save('OFFER', 'two')).toEqual({ result: 'taken', template: first.template });
  expect(await save('OFFER', 'one')).toEqual({ result: 'same', template: first.template });

  const second = await save('OFFER', 'two', first.template.id);
  expect(second).toMatchObject({ result: 'replaced', template: { name: 'OFFER', text: 'two' } });
  // Whoever saw the first one does not know what the second says.
  expect(await save('offer', 'three', first.template.id)).toMatchObject({
    result: 'taken',
    template: { text: 'two' },
  });
  expect((await templates.list(chatId, everything)).templates.map(({ text }) => text)).toEqual(['two']);
  expect((await storage.audit(chatId)).map(({ action, details }) => [action, details])).toEqual([
    ['template_saved', { name: 'offer' }],
    ['template_replaced', { name: 'OFFER' }],
  ]);
});

test('chats do not see, replace or delete what another keeps', async () => {
  const [mine, other] = [await chatOf(), await chatOf()];
  const saved = await mine.save('x', 'mine');
  if (saved.result !== 'saved') throw new Error('not saved');
  expect(await templates.find(other.chatId, { name: 'x' })).toBeNull();
  expect(await templates.find(other.chatId, { id: saved.template.id })).toBeNull();
  expect(await templates.list(other.chatId, everything)).toEqual({ templates: [], all: 0 });
  expect(await other.remove(saved.template.id)).toBeNull();
  expect(await other.save('x', 'theirs', saved.template.id)).toMatchObject({ result: 'saved' });
  expect(await templates.find(mine.chatId, { name: 'x' })).toMatchObject({ text: 'mine' });
});

test('what is deleted is gone once, and its deletion is in the audit once', async () => {
  const { chatId, save, remove } = await chatOf();
  const saved = await save('bye', 'text');
  if (saved.result !== 'saved') throw new Error('not saved');
  const [one, two] = await Promise.all([remove(saved.template.id), remove(saved.template.id)]);
  expect([one, two].filter((each) => each !== null)).toEqual([saved.template]);
  expect(await templates.find(chatId, { name: 'bye' })).toBeNull();
  expect((await storage.audit(chatId)).map(({ action }) => action)).toEqual([
    'template_saved',
    'template_deleted',
  ]);
});

test('they are listed by name, page by page', async () => {
  const { chatId, save } = await chatOf();
  for (const name of ['c', 'A', 'b', 'D']) await save(name, `text of ${name}`);
  const page = await templates.list(chatId, { skip: 1, limit: 2 });
  expect(page.all).toBe(4);
  expect(page.templates.map(({ name }) => name)).toEqual(['b', 'c']);
  expect((await templates.list(chatId, { skip: 9, limit: 2 })).templates).toEqual([]);
});

test('a full chat takes no new name, but still another text for one that it has', async () => {
  const { chatId, save } = await chatOf();
  await storage.sql`
    insert into template (chat_id, name, text, created_by)
    select ${chatId}, 'n' || n, 'text', 1 from generate_series(1, ${MAX_TEMPLATES - 1}) as n`;
  // Both want the last place.
  const both = await Promise.all([save('one', 'x'), save('two', 'x')]);
  expect(both.map(({ result }) => result).toSorted()).toEqual(['full', 'saved']);
  expect(await save('three', 'x')).toEqual({ result: 'full', limit: MAX_TEMPLATES });
  const old = await templates.find(chatId, { name: 'n1' });
  expect(await save('n1', 'y', old?.id ?? null)).toMatchObject({ result: 'replaced' });
  expect((await templates.list(chatId, everything)).all).toBe(MAX_TEMPLATES);
});

test('two who save under one name at once do not both get it', async () => {
  const { chatId, save } = await chatOf();
  const results = await Promise.all(['a', 'b', 'c'].map(async (text) => await save('same', text)));
  expect(results.map(({ result }) => result).toSorted()).toEqual(['saved', 'taken', 'taken']);
  expect((await templates.list(chatId, everything)).all).toBe(1);
});
