import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/support/until.ts';
import { Secret } from '../../domain/secret.ts';
import type { GatewayCredentials } from '../../ports/gateway.ts';
import type { ToldOfUser } from '../../ports/stores.ts';
import { createBindingStore } from './binding-store.ts';
import { createFingerprint } from '../keys/fingerprint.ts';
import { createPaceClocks } from '../sending/pace-in.ts';
import { createReconcileStore } from '../sending/reconcile-store.ts';
import { reserveIn } from '../sending/reserve-in.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

/* Which account of the gateway a binding is of: whatever the chat, the credential, and when the gateway tells it. */

let storage: TestStorage;

beforeAll(async () => {
  storage = await openTestStorage();
});
beforeEach(async () => {
  await storage.sql`update attempt set state = 'closed' where state in ('reserved', 'on_wire', 'unknown')`;
  // What earlier tests linked is of gateways of their own.
  await storage.sql`
    update binding set gateway_user = gen_random_uuid(), user_marks = '{}', prints = '{}', account_name = id::text`;
});
afterAll(() => storage.close());

const SARA = { nationalCode: '001*****89', certificateNumber: '12', fullName: 'Sara' };
const MINA = { nationalCode: '004*****21', certificateNumber: '0', fullName: 'Mina' };
const HELLO = { text: 'Hello', recipients: ['989120000001'] };

const key = (value = `key-${storage.next()}-abcdefgh`): GatewayCredentials => ({ apiKey: new Secret(value) });
const password = (username: string): GatewayCredentials => ({ username, password: new Secret('pass-word') });

type Place = Awaited<ReturnType<TestStorage['addPlace']>>;

async function addChat(): Promise<Place> {
  const chat = await storage.addChat();
  return { chat, ownerId: await storage.addPerson(chat.id, 'owner'), bindingId: '' };
}

async function link(
  place: Place,
  credentials: GatewayCredentials,
  told: ToldOfUser = {},
  accountName: string = storage.next().toString(),
  bindings = storage.bindings,
): Promise<Place> {
  const bindingId = await bindings.savePending({
    chatId: place.chat.id,
    personId: place.ownerId,
    credentials,
    keyTail: '',
    accountName,
    told,
  });
  const linked = await bindings.activate({ bindingId, personId: place.ownerId, updateId: storage.next() });
  if (linked === null) throw new Error('the account was not linked');
  return { ...place, bindingId };
}

async function userOf({ bindingId }: Place): Promise<string> {
  const [row] = await storage.sql<{ user: string }[]>`
    select gateway_user as user from binding where id = ${bindingId}`;
  return row?.user ?? '';
}

async function reserve(place: Place, more = HELLO) {
  const { jobId } = await storage.addRunningJob(place, more);
  return await storage.jobs.reserve(jobId, 'process-1');
}

/** A call of which nobody knows what became. */
async function inDoubt(place: Place, more = HELLO): Promise<string> {
  const reserved = await reserve(place, more);
  if (!reserved.ok) throw new Error(reserved.reason);
  const { id, epoch } = reserved.attempts[0];
  await storage.jobs.goOnWire(id, epoch);
  await storage.jobs.record(id, epoch, { outcome: 'unknown', reason: 'timeout', raw: '' });
  return id;
}

/** A call that the gateway has accepted. */
async function accepted(place: Place): Promise<{ readonly jobId: string }> {
  const { jobId } = await storage.addRunningJob(place, HELLO);
  const reserved = await storage.jobs.reserve(jobId, 'process-1');
  if (!reserved.ok) throw new Error(reserved.reason);
  const { id, epoch } = reserved.attempts[0];
  await storage.jobs.goOnWire(id, epoch);
  await storage.jobs.record(id, epoch, { outcome: 'accepted', raw: '', messageIds: ['71'] });
  return { jobId };
}

/** Two chats, linked one after the other. */
async function two(
  [one, toldOfOne]: readonly [GatewayCredentials, ToldOfUser?],
  [other, toldOfOther]: readonly [GatewayCredentials, ToldOfUser?],
): Promise<[Place, Place]> {
  return [await link(await addChat(), one, toldOfOne), await link(await addChat(), other, toldOfOther)];
}

describe('two chats have one account', () => {
  test.each<[string, () => Promise<[Place, Place]>]>([
    ['by one key', () => two([key('one-key-of-two-chats')], [key('one-key-of-two-chats')])],
    ['by one user name', () => two([password('nik')], [password('NIK')])],
    ['by a key and a password of one person', () => two([key(), SARA], [password('sara'), SARA])],
    [
      'by a key, and a token of a version that masks nothing',
      () =>
        two([key(), SARA], [{ token: new Secret('a-token-0123') }, { ...SARA, nationalCode: '0012345689' }]),
    ],
    [
      'by a third that has something of each',
      async () => {
        const [one, other] = await two([key('the-first-key-0')], [password('mina')]);
        await link(await addChat(), { ...key('the-first-key-0'), ...password('mina') });
        return [one, other];
      },
    ],
  ])('%s: none sends what is in doubt in the other', async (_how, link2) => {
    const [one, other] = await link2();
    expect(await userOf(one)).toBe(await userOf(other));
    await inDoubt(one);
    expect(await reserve(other)).toEqual({ ok: false, reason: 'earlier_unknown' });
  });

  test.each<[string, () => Promise<[Place, Place]>]>([
    ['other persons', () => two([key(), SARA], [key(), MINA])],
    ['other names', () => two([password('nik')], [password('nika')])],
    ['nothing that is told of either', () => two([key()], [key()])],
    [
      'one name at two addresses',
      async () => {
        const { database, sealer } = storage;
        const fingerprint = createFingerprint([
          { kid: 'test', key: new Secret(Buffer.alloc(32, 7).toString('base64')) },
        ]);
        const away = createBindingStore(database, sealer, fingerprint, {
          gateway: 'https://other.example',
          timeZone: 'UTC',
        });
        const one = await link(await addChat(), password('sara'), SARA);
        return [one, await link(await addChat(), password('sara'), SARA, 'x', away)];
      },
    ],
  ])('but not with %s', async (_how, link2) => {
    const [one, other] = await link2();
    expect(await userOf(one)).not.toBe(await userOf(other));
    await inDoubt(one);
    expect((await reserve(other)).ok).toBe(true);
  });

  test('however many are linked at the same moment', async () => {
    const chats = await Promise.all(Array.from({ length: 8 }, addChat));
    const linked = await Promise.all(
      chats.map(async (chat, n) => await link(chat, n % 2 === 0 ? key() : password('sara'), SARA)),
    );
    expect(new Set(await Promise.all(linked.map(userOf))).size).toBe(1);
  });

  test('from the moment on that it becomes known, with what is in doubt already', async () => {
    const [one, other] = await two([key(), SARA], [key()]);
    await inDoubt(one);
    await storage.bindings.identify(other.bindingId, SARA);
    expect(await reserve(other)).toEqual({ ok: false, reason: 'earlier_unknown' });
    const user = await userOf(one);
    await storage.bindings.identify(other.bindingId, SARA);
    expect([await userOf(one), await userOf(other)]).toEqual([user, user]);
  });
});

describe('one chat', () => {
  test('that is linked to another user leaves what is in doubt to the account by which it left', async () => {
    const place = await addChat();
    const before = await link(place, password('sara'), SARA);
    await inDoubt(before);
    const now = await link(place, password('mina'), MINA);
    expect(await userOf(now)).not.toBe(await userOf(before));
    expect((await reserve(now)).ok).toBe(true);
    const back = await link(place, key(), SARA);
    expect(await userOf(back)).toBe(await userOf(before));
    expect(await reserve(back)).toMatchObject({ ok: false });
  });

  test('whose account is unlinked and linked again by a new key has the same one', async () => {
    const place = await addChat();
    const before = await link(place, key(), SARA);
    await inDoubt(before);
    await storage.bindings.disconnect(place.chat.id, place.ownerId, storage.next());
    expect(await reserve(await link(place, key(), SARA))).toEqual({ ok: false, reason: 'earlier_unknown' });
  });

  test('looks up what it has sent by the account that is linked now, where that is surely the same', async () => {
    const place = await addChat();
    const before = await link(place, key('linked-again-0123'), SARA);
    const by = async () => (await storage.bindings.credentials(before.bindingId))?.username ?? null;
    await storage.bindings.disconnect(place.chat.id, place.ownerId, storage.next());
    expect(await storage.bindings.credentials(before.bindingId)).toBeNull();
    await link(place, { ...key(), ...password('mina') }, MINA);
    expect(await by()).toBeNull();
    // One person may have several users.
    await link(place, { ...key(), ...password('sara2') }, SARA);
    expect(await by()).toBeNull();
    await link(await addChat(), { ...key('linked-again-0123'), ...password('sara') }, SARA);
    expect(await by()).toBeNull();
    await link(place, { ...key('linked-again-0123'), ...password('sara') }, SARA);
    expect(await by()).toBe('sara');
  });

  test('has the same one by its name where the gateway tells nothing else', async () => {
    const place = await addChat();
    const before = await link(place, key(), {}, '');
    expect(await userOf(await link(place, key(), {}, ''))).toBe(await userOf(before));
  });
});

describe('a row of the gateway', () => {
  const claims = (attemptId: string) =>
    createReconcileStore(storage.database).claimed(attemptId, [
      { recipient: '989120000001', messageId: '71' },
    ]);

  test.each<[string, ToldOfUser]>([
    ['of the account', SARA],
    ['of an account that was not told to be the same, with an equal message', {}],
  ])('that is bound to a call of another chat %s is claimed', async (_what, told) => {
    const [one, other] = await two([key(), SARA], [key(), told]);
    await accepted(other);
    expect(await claims(await inDoubt(one))).toEqual(new Set(['71 989120000001']));
  });

  test('whose call left long ago by another account is not', async () => {
    const [one, other] = await two([key(), SARA], [key(), MINA]);
    await accepted(other);
    await storage.sql`update attempt set on_wire_at = on_wire_at - interval '1 day' where state = 'accepted'`;
    expect(await claims(await inDoubt(one))).toEqual(new Set());
  });

  test('without an id is surely another’s only where the account is', async () => {
    for (const [first, second, isSure] of [
      [key('a-key-of-both-12'), key('a-key-of-both-12'), true],
      [password('sara'), password('sara'), true],
      [key(), password('sara'), false],
    ] as const) {
      await storage.sql`update binding set gateway_user = gen_random_uuid(), user_marks = '{}'`;
      await storage.sql`update attempt set state = 'closed' where state = 'unknown'`;
      const [one, other] = await two([first, SARA], [second, SARA]);
      const reserved = await reserve(other);
      if (!reserved.ok) throw new Error(reserved.reason);
      const { id, epoch } = reserved.attempts[0];
      await storage.jobs.goOnWire(id, epoch);
      await storage.jobs.record(id, epoch, { outcome: 'accepted', raw: '', messageIds: [''] });
      const found = await createReconcileStore(storage.database).unnamed(await inDoubt(one), {
        from: Date.now() / 1000 - 3600,
        to: Date.now() / 1000 + 3600,
      });
      expect(found.map((each) => each.isSure)).toEqual([isSure]);
    }
  });
});

test('an account that becomes part of another while somebody waits to take calls of it is held as that one', async () => {
  const [one, other] = await two([key(), SARA], [key()]);
  const ended = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const jobs = await Promise.all(
    [other, other, one].map(
      async (place, n) => await storage.addRunningJob(place, n === 0 ? { text: 'before' } : HELLO),
    ),
  );
  const [before, waits, after] = jobs.map(({ jobId }) => ({
    jobId,
    owner: `process-${jobId}`,
    most: 1,
    timeZone: 'UTC',
    clocks: createPaceClocks(),
    from: 0,
  }));
  if (before === undefined || waits === undefined || after === undefined) throw new Error('three jobs');
  const waiting = async (queries: number) =>
    await until(async () => {
      const rows = await storage.sql`
        select 1 from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`;
      expect(rows).toHaveLength(queries);
    });

  const holds = storage.sql.begin(async (tx) => {
    await reserveIn(tx, before);
    await ended.promise;
  });
  await until(async () => {
    const rows = await storage.sql`
      select 1 from pg_locks where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())`;
    expect(rows.length).toBeGreaterThan(0);
  });
  const learns = storage.bindings.identify(other.bindingId, SARA);
  await waiting(1);
  const took = Promise.withResolvers<boolean>();
  const takes = storage.sql.begin(async (tx) => {
    took.resolve((await reserveIn(tx, waits)).ok);
    await goOn.promise;
  });
  await waiting(2);
  ended.resolve();
  await Promise.all([holds, learns]);
  expect(await took.promise).toBe(true);
  // What has been taken is not committed yet: only who holds the account keeps the same from being taken in the other chat.
  const second = storage.sql.begin(async (tx) => await reserveIn(tx, after));
  await Promise.race([waiting(1), second]);
  goOn.resolve();
  await takes;
  expect(await second).toEqual({ ok: false, reason: 'earlier_in_flight' });
});

test('bindings of before are one account by a key or by chat and name, and learn the rest when they are asked next', async () => {
  const [one, other] = await two([key('the-key-of-before')], [key('the-key-of-before')]);
  const again = await link(other.chat.id === '' ? one : other, key(), {}, 'Shop');
  const third = await link(other, key(), {}, 'Shop');
  const apart = await link(await addChat(), key(), {}, 'Shop');
  await storage.sql`update binding set gateway_user = gen_random_uuid(), user_marks = null`;
  const folder = join(import.meta.dirname, '../../../drizzle');
  const name = readdirSync(folder).find((each) => each.endsWith('_gateway_user.sql')) ?? '';
  const migration = readFileSync(join(folder, name), 'utf8');
  await storage.sql.unsafe(migration.slice(migration.indexOf('DO $$')));
  expect(await userOf(one)).toBe(await userOf(other));
  expect(await userOf(again)).toBe(await userOf(third));
  expect(new Set(await Promise.all([one, third, apart].map(userOf))).size).toBe(3);
});
