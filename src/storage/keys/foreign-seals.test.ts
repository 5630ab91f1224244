import { afterAll, beforeAll, expect, test } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import { createForeignSeals } from './foreign-seals.ts';
import type { MasterKeys } from './master-keys.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

const ring = (first: string, ...others: string[]): MasterKeys => {
  const key = (kid: string) => ({ kid, key: new Secret(Buffer.alloc(32, 9).toString('base64')) });
  return [key(first), ...others.map(key)];
};

test('credentials under a key that is not in the ring are counted, by the name of the key alone', async () => {
  let now = 0;
  const count = (keys: MasterKeys) => createForeignSeals(storage.database, keys, { monotonic: () => now });
  expect(await count(ring('new'))()).toBe(0);

  const mine = count(ring('test', 'older'));
  const others = count(ring('new', 'tes'));
  const place = await storage.addPlace();
  expect(await mine()).toBe(0);
  expect(await others()).toBe(1);

  // What was read just now is not read again; a little later it is.
  await storage.addPlace();
  expect(await others()).toBe(1);
  now += 30_000;
  expect(await others()).toBe(2);
  expect(await mine()).toBe(0);

  // What is not kept any more needs no key.
  await storage.database.sql`update binding set credentials = null where id = ${place.bindingId}`;
  now += 30_000;
  expect(await others()).toBe(1);
});

test('a failure is not remembered', async () => {
  let fails = true;
  const sql = new Proxy(storage.database.sql, {
    apply: (target, self, rest) => {
      if (fails) return Promise.reject(new Error('away'));
      return Reflect.apply(target, self, rest);
    },
  });
  const count = createForeignSeals({ ...storage.database, sql }, ring('test'), { monotonic: () => 0 });
  await expect(count()).rejects.toThrow('away');
  fails = false;
  expect(await count()).toBe(0);
});
