import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import { createBindingStore } from './binding-store.ts';
import { createSealer } from '../keys/crypto.ts';
import { createFingerprint } from '../keys/fingerprint.ts';
import { countSealed, rotateCredentials } from './key-rotation.ts';
import type { MasterKey, MasterKeys } from '../keys/master-keys.ts';
import { GATEWAY, openTestStorage, type TestStorage } from '../testing.ts';

const keyOf = (kid: string, byte: number): MasterKey => ({
  kid,
  key: new Secret(Buffer.alloc(32, byte).toString('base64')),
});
const OLD = keyOf('old', 1);
const NEW = keyOf('new', 2);

let storage: TestStorage;

beforeAll(async () => {
  storage = await openTestStorage();
});
beforeEach(async () => {
  await storage.sql`update binding set credentials = null, prints = '{}'`;
  await storage.sql`delete from form`;
  await storage.sql`update update set payload = null`;
});
afterAll(() => storage.close());

const bindingsUnder = (...keys: MasterKeys) =>
  createBindingStore(storage.database, createSealer(keys), createFingerprint(keys), {
    gateway: GATEWAY,
    timeZone: 'UTC',
  });

const rotate = async (moving?: () => void) =>
  await rotateCredentials(
    storage.database,
    { sealer: createSealer([NEW, OLD]), fingerprint: createFingerprint([NEW, OLD]), newest: 'new' },
    moving,
  );

/** So many accounts, sealed under the old key. */
async function linked(count: number): Promise<string[]> {
  const store = bindingsUnder(OLD);
  const chat = await storage.addChat();
  const personId = await storage.addPerson(chat.id, 'owner');
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const credentials = {
      apiKey: new Secret(`api-key-${n}-x`),
      username: 'u',
      password: new Secret(`password-${n}`),
    };
    const given = { chatId: chat.id, personId, credentials, keyTail: '', accountName: '' };
    ids.push(await store.savePending(given));
  }
  return ids;
}

const opened = async (ids: readonly string[], ...keys: MasterKeys): Promise<(string | undefined)[]> => {
  const store = bindingsUnder(...keys);
  return await Promise.all(ids.map(async (id) => (await store.credentials(id))?.apiKey?.reveal()));
};

describe('bringing credentials under a new master key', () => {
  test('leaves them as they were, openable without the old key and not with it alone', async () => {
    const ids = await linked(250);
    expect(await rotate()).toEqual({ moved: 250, unreadable: 0 });
    expect(await opened(ids, NEW)).toEqual(ids.map((_, n) => `api-key-${n}-x`));
    await expect(opened(ids.slice(0, 1), OLD)).rejects.toMatchObject({ code: 'crypto' });
    expect(await rotate()).toEqual({ moved: 0, unreadable: 0 });
  });

  test('that ends in the middle is gone on with', async () => {
    const ids = await linked(30);
    let moved = 0;
    const dying = rotate(() => {
      moved += 1;
      if (moved === 7) throw new Error('killed');
    });
    await expect(dying).rejects.toThrow('killed');
    expect(await opened(ids, NEW, OLD)).toEqual(ids.map((_, n) => `api-key-${n}-x`));
    expect(await rotate()).toEqual({ moved: 23, unreadable: 0 });
    expect(await opened(ids, NEW)).toEqual(ids.map((_, n) => `api-key-${n}-x`));
  });

  test('of several at once, and beside accounts that are linked and unlinked, loses nothing', async () => {
    const ids = await linked(60);
    const [gone = '', ...kept] = ids;
    let unlinked: Promise<unknown> | undefined;
    const unlinking = (): void => {
      unlinked ??= storage.sql`update binding set credentials = null where id = ${gone}`.execute();
    };
    const results = await Promise.all([rotate(unlinking), rotate(unlinking), rotate(unlinking)]);
    await unlinked;
    const late = await linked(3);
    expect(results.reduce((sum, { moved }) => sum + moved, 0)).toBeLessThanOrEqual(60);
    await rotate();
    const [row] = await storage.sql`select credentials from binding where id = ${gone}`;
    expect(row).toEqual({ credentials: null });
    expect(await opened([...kept, ...late], NEW)).not.toContain(undefined);
  });

  test('keeps accounts recognisable by what somebody types, under the new key alone', async () => {
    await linked(2);
    await rotate();
    const store = bindingsUnder(NEW);
    const chat = await storage.addChat();
    expect(await store.knowsAny(chat.telegramId, ['api-key-1-x'])).toBe(true);
    expect(await store.knowsAny(chat.telegramId, ['api-key-999-x'])).toBe(false);
  });

  test('passes over what no key opens, and says how much that is', async () => {
    const [broken = '', ...rest] = await linked(4);
    await storage.sql`
      update binding set credentials = set_byte(credentials, length(credentials) - 1,
        get_byte(credentials, length(credentials) - 1) # 1) where id = ${broken}`;
    expect(await rotate()).toEqual({ moved: 3, unreadable: 1 });
    expect(await opened(rest, NEW)).toEqual(['api-key-1-x', 'api-key-2-x', 'api-key-3-x']);
  });
});

test('what is sealed is counted by the key that it needs', async () => {
  await linked(3);
  const sealed = (keys: MasterKeys) => createSealer(keys).sealShort('x', { purpose: 'form', key: 'k' });
  await storage.sql`
    insert into form (key, update_id, state) values ('a', 1, ${sealed([OLD])}), ('b', 2, ${sealed([NEW])})`;
  expect(await countSealed(storage.database)).toEqual([
    { what: 'credentials', kid: 'old', rows: 3 },
    { what: 'forms', kid: 'new', rows: 1 },
    { what: 'forms', kid: 'old', rows: 1 },
  ]);
});
