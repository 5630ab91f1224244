import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isAppError } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';
import type { NewUser } from '../../ports/gateway.ts';
import type { NewRegistration, RegistrationCard } from '../../ports/registrations.ts';
import { createRegistrationStore } from './registration-store.ts';
import type { Stores } from '../stores.ts';
import { BOT_ID, openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;
let store: Stores['registrations'];
let place: Awaited<ReturnType<TestStorage['addPlace']>>;
let card: RegistrationCard;

beforeAll(async () => {
  storage = await openTestStorage();
  store = createRegistrationStore(storage.database, storage.sealer);
});
afterAll(() => storage.close());
beforeEach(async () => {
  place = await storage.addPlace();
  card = { chatId: place.chat.id, chatTelegramId: 5, messageId: 7, lang: 'en' };
  await storage.emptyQueue();
});

const PASSWORD = 'canary-Pass-1/"\\';
const NATIONAL_CODE = '0012345679';
const USER = {
  userName: 'newUser1',
  password: new Secret(PASSWORD),
  parent: 'nik',
  mobile: '989120000001',
  nationalCode: NATIONAL_CODE,
  packageId: '14',
  reseller: false,
} as const satisfies NewUser;
const LEGAL = {
  ...USER,
  personality: { kind: 'legal', fields: { first_name: 'علی', company: 'نمونه' } },
} as const satisfies NewUser;

const fresh = (more: Partial<NewRegistration> = {}): NewRegistration => ({
  chatId: place.chat.id,
  bindingId: place.bindingId,
  botId: BOT_ID,
  updateId: storage.next(),
  personId: place.ownerId,
  user: USER,
  generated: false,
  ...more,
});
const prepared = async (more: Partial<NewRegistration> = {}): Promise<string> =>
  await store.prepare(fresh(more));
const press = (registrationId: string, personId = place.ownerId) => ({
  registrationId,
  personId,
  updateId: storage.next(),
  card,
});
const goes = async (id: string) => await store.goOnWire(press(id));
const onWire = async (more: Partial<NewRegistration> = {}): Promise<string> => {
  const id = await prepared(more);
  expect(await goes(id)).toMatchObject({ result: 'on_wire' });
  return id;
};
const row = async (id: string) => {
  const [found] = await storage.sql<{ state: string; wiped: boolean; called: boolean }[]>`
    select state, fields is null as wiped, called_at is not null as called from registration where id = ${id}`;
  return found;
};
const day = async () => (await store.eligibility(place.chat.id, place.ownerId))?.day;
const actions = async () => (await storage.audit(place.chat.id)).map(({ action }) => action).slice(1);
const elapse = async (id: string, seconds: number): Promise<void> => {
  await storage.sql`
    update registration set expires_at = expires_at - ${seconds} * interval '1 second',
      called_at = called_at - ${seconds} * interval '1 second' where id = ${id}`;
};

describe('what a person and a chat are', () => {
  test('is read with role, account and the count of the day', async () => {
    const admin = await storage.addPerson(place.chat.id, 'admin');
    expect(await store.eligibility(place.chat.id, admin)).toMatchObject({
      chat: { id: place.chat.id, telegramId: place.chat.telegramId, title: 'Shop' },
      role: 'admin',
      binding: { id: place.bindingId, kinds: ['api_key'], accountName: 'Demo' },
      day: { used: 0, unknown: 0 },
    });
  });

  test('is nothing for a stranger, without an account and in a chat that nobody knows', async () => {
    const chat = await storage.addChat();
    expect(await store.eligibility(chat.id, place.ownerId)).toMatchObject({
      role: null,
      binding: null,
      day: null,
    });
    expect(await store.eligibility('00000000-0000-4000-8000-000000000000', place.ownerId)).toBe(null);
  });
});

describe('a registration that is prepared', () => {
  test.each([
    ['short', USER],
    ['of a legal person', LEGAL],
  ])('gives back what was asked for: %s', async (_name, user) => {
    const id = await prepared({ user, generated: true });
    const open = await store.open(id);
    expect(open).toMatchObject({
      id,
      personId: place.ownerId,
      bindingId: place.bindingId,
      accountName: 'Demo',
      chat: { id: place.chat.id },
      generated: true,
      user: { ...user, password: expect.any(Secret) },
    });
    expect(open?.user.password.reveal()).toBe(PASSWORD);
  });

  test('is one for one update, and a replay gets what is there', async () => {
    const first = fresh();
    const id = await store.prepare(first);
    expect(await store.prepare({ ...first, user: { ...USER, userName: 'other' } })).toBe(id);
    expect((await store.open(id))?.user.userName).toBe('newUser1');
  });

  test('rests sealed for itself, its chat and its account alone', async () => {
    const [id, other] = [await prepared(), await prepared()];
    const [kept] = await storage.sql<{ text: string }[]>`
      select registration::text as text from registration where id = ${id}`;
    const hex = Buffer.from(kept?.text.match(/\\x([0-9a-f]+)/)?.[1] ?? '', 'hex').toString('latin1');
    for (const secret of [PASSWORD, NATIONAL_CODE, '989120000001', 'nik']) {
      expect(kept?.text).not.toContain(secret);
      expect(hex).not.toContain(secret);
    }
    await storage.sql`
      update registration set fields = (select fields from registration where id = ${id}) where id = ${other}`;
    await expect(store.open(other)).rejects.toSatisfy((error) => isAppError(error, 'crypto'));
  });

  test('is looked at when its ten minutes are over, then gone', async () => {
    const id = await prepared();
    await store.showOn(id, card);
    const queued = (await storage.queued()).get(`registration:${id}`);
    expect(queued).toMatchObject({ task: 'registration', payload: { registrationId: id, card } });
    expect(queued?.in_ms).toBeGreaterThan(590_000);
    expect(queued?.in_ms).toBeLessThan(600_001);

    expect(await store.settle({ registrationId: id, card })).toMatchObject({ state: 'prepared' });
    await elapse(id, 600);
    expect(await store.open(id)).toBe(null);
    expect(await store.settle({ registrationId: id, card })).toEqual({
      state: 'cancelled',
      changed: true,
      userName: 'newUser1',
    });
    expect(await row(id)).toEqual({ state: 'cancelled', wiped: true, called: false });
    expect(await store.settle({ registrationId: id, card })).toMatchObject({ changed: false });
  });

  test('is wiped by its person alone', async () => {
    const id = await prepared();
    expect(await store.cancel(id, place.ownerId + 1)).toBe(false);
    expect(await row(id)).toMatchObject({ state: 'prepared', wiped: false });
    expect(await store.cancel(id, place.ownerId)).toBe(true);
    expect(await row(id)).toEqual({ state: 'cancelled', wiped: true, called: false });
    expect(await store.cancel(id, place.ownerId)).toBe(false);
    expect(await goes(id)).toEqual({ result: 'not_open', state: 'cancelled' });
  });

  test('shows its password only with the end of the showing in the queue', async () => {
    const id = await prepared({ generated: true });
    expect(await store.reveal(id, place.ownerId + 1, card)).toBe(null);
    const open = await store.reveal(id, place.ownerId, card);
    expect(open?.user.password.reveal()).toBe(PASSWORD);
    const queued = (await storage.queued()).get(`registration-password:${id}`);
    expect(queued).toMatchObject({
      task: 'registration-password',
      payload: { registrationId: id, card },
    });
    expect(queued?.in_ms).toBeLessThan(60_001);
    await store.concealed(id);
    expect([...(await storage.queued()).keys()]).toEqual([`registration:${id}`]);
    await goes(id);
    expect(await store.reveal(id, place.ownerId, card)).toBe(null);
    expect([...(await storage.queued()).keys()]).toEqual([`registration:${id}`]);
  });
});

describe('going on the wire', () => {
  test('hands the fields over, and keeps them no longer', async () => {
    const id = await prepared({ user: LEGAL });
    const gone = await goes(id);
    expect(gone).toMatchObject({
      result: 'on_wire',
      registration: {
        bindingId: place.bindingId,
        user: { userName: 'newUser1', personality: LEGAL.personality },
      },
    });
    expect(await row(id)).toEqual({ state: 'on_wire', wiped: true, called: true });
    expect(await storage.audit(place.chat.id)).toContainEqual(
      expect.objectContaining({ action: 'user_register_called', details: { userName: 'newUser1' } }),
    );
  });

  test('happens once, however many press', async () => {
    const id = await prepared();
    const results = await Promise.all(Array.from({ length: 12 }, async () => (await goes(id)).result));
    expect(results.filter((result) => result === 'on_wire')).toHaveLength(1);
    expect(results.filter((result) => result === 'not_open')).toHaveLength(11);
    expect(await actions()).toEqual(['user_register_called']);
  });

  test('is for its own person', async () => {
    const id = await prepared();
    const other = await storage.addPerson(place.chat.id, 'owner');
    await expect(store.goOnWire(press(id, other))).rejects.toSatisfy((error) => isAppError(error, 'stale'));
    expect(await row(id)).toMatchObject({ state: 'prepared', wiped: false });
  });

  test.each([
    [
      'not_allowed',
      'the role was lowered',
      () => storage.sql`update member set role = 'approver' where chat_id = ${place.chat.id}`,
    ],
    [
      'not_allowed',
      'the role is gone',
      () => storage.sql`delete from member where chat_id = ${place.chat.id}`,
    ],
    ['account_gone', 'the account was replaced', () => storage.link(place.chat.id, place.ownerId)],
    [
      'account_gone',
      'the account was unlinked',
      () => storage.bindings.disconnect(place.chat.id, place.ownerId, 1),
    ],
    [
      'expired',
      'its time is over',
      () => storage.sql`update registration set expires_at = now() where chat_id = ${place.chat.id}`,
    ],
  ])('is barred by %s when %s, and ends it', async (bar, _why, change) => {
    const id = await prepared();
    await change();
    expect(await goes(id)).toMatchObject({ result: 'barred', bar, chat: { id: place.chat.id } });
    expect(await row(id)).toEqual({ state: 'cancelled', wiped: true, called: false });
    expect(await actions()).not.toContain('user_register_called');
  });

  test('is barred when the day is full, also for two who take the last place at once', async () => {
    await onWire();
    const ids = await Promise.all([prepared(), prepared(), prepared()]);
    const results = await Promise.all(ids.map(async (id) => (await goes(id)).result));
    expect(results.toSorted()).toEqual(['barred', 'barred', 'on_wire']);
    expect(await day()).toMatchObject({ used: 2 });
  });
});

describe('the count of the day', () => {
  test('has what succeeded, is unknown or under way, and neither refusals nor what never left', async () => {
    const [registered, refused] = [await onWire(), await onWire()];
    await store.record(press(registered), { state: 'registered' });
    await store.record(press(refused), { state: 'refused', name: 'user_name_taken' });
    expect(await day()).toMatchObject({ used: 1, unknown: 0 });
    const unknown = await onWire();
    await store.record(press(unknown), { state: 'unknown' });
    expect(await day()).toMatchObject({ used: 2, unknown: 1 });
    expect(await goes(await prepared())).toMatchObject({ bar: 'day_full', day: { used: 2, unknown: 1 } });
  });

  test('begins anew at midnight in Iran', async () => {
    const midnight = (await day())?.resetsAt;
    expect(midnight?.toISOString().slice(10)).toBe('T20:30:00.000Z');
    expect(midnight?.getTime()).toBeGreaterThan(Date.now());
    expect(midnight?.getTime()).toBeLessThanOrEqual(Date.now() + 86_400_000);
    const id = await onWire();
    await storage.sql`
      update registration set called_at = to_timestamp(${(midnight?.getTime() ?? 0) / 1000}) - interval '1 day' where id = ${id}`;
    expect(await day()).toMatchObject({ used: 1 });
    await storage.sql`update registration set called_at = called_at - interval '1 second' where id = ${id}`;
    expect(await day()).toMatchObject({ used: 0 });
  });

  test('goes with the account: into another chat, and past a link that replaces it', async () => {
    const key = `key-shared-${storage.next()}-abcdefgh`;
    const shared = await storage.link(place.chat.id, place.ownerId, key);
    await onWire({ bindingId: shared });
    const elsewhere = await storage.addPlace();
    expect((await store.eligibility(elsewhere.chat.id, elsewhere.ownerId))?.day).toMatchObject({ used: 0 });
    await storage.link(elsewhere.chat.id, elsewhere.ownerId, key);
    expect((await store.eligibility(elsewhere.chat.id, elsewhere.ownerId))?.day).toMatchObject({ used: 1 });
    await storage.link(place.chat.id, place.ownerId, key);
    expect(await day()).toMatchObject({ used: 1 });
    await storage.link(place.chat.id, place.ownerId);
    expect(await day()).toMatchObject({ used: 0 });
  });

  test('knows an account without keys by its user name, in whichever chat', async () => {
    const linkByPassword = async (chat: { id: string }, ownerId: number, username: string) => {
      const bindingId = await storage.bindings.savePending({
        chatId: chat.id,
        personId: ownerId,
        credentials: { username, password: new Secret(`pass-of-${username}`) },
        keyTail: '',
        accountName: 'Demo',
      });
      await storage.bindings.activate({ bindingId, personId: ownerId, updateId: storage.next() });
      return bindingId;
    };
    const id = await linkByPassword(place.chat, place.ownerId, 'nik');
    await onWire({ bindingId: id });
    await linkByPassword(place.chat, place.ownerId, 'nik');
    expect(await day()).toMatchObject({ used: 1 });
    const elsewhere = await storage.addPlace();
    await linkByPassword(elsewhere.chat, elsewhere.ownerId, 'nik');
    expect((await store.eligibility(elsewhere.chat.id, elsewhere.ownerId))?.day).toMatchObject({ used: 1 });
    await linkByPassword(elsewhere.chat, elsewhere.ownerId, 'nika');
    expect((await store.eligibility(elsewhere.chat.id, elsewhere.ownerId))?.day).toMatchObject({ used: 0 });
  });
});

describe('the outcome of a call', () => {
  test.each([
    [{ state: 'registered' }, 'user_registered', {}],
    [{ state: 'refused', name: 'user_name_taken' }, 'user_register_refused', { reason: 'user_name_taken' }],
    [{ state: 'unknown' }, 'user_register_unknown', {}],
  ] as const)('%j is written down, and audited by the user’s name alone', async (outcome, action, more) => {
    const id = await onWire();
    await store.record(press(id), outcome);
    expect(await row(id)).toEqual({ state: outcome.state, wiped: true, called: true });
    const audit = await storage.audit(place.chat.id);
    expect(audit.at(-1)).toMatchObject({ action, details: { userName: 'newUser1', ...more } });
    expect(JSON.stringify(audit)).not.toMatch(/canary|0012345679|9120000001/);
    await store.record(press(id), { state: 'unknown' });
    expect(await row(id)).toMatchObject({ state: outcome.state });
    expect(await goes(id)).toEqual({ result: 'not_open', state: outcome.state });
  });

  test('is unknown two minutes after a process that never told, and an answer that comes still counts', async () => {
    const id = await onWire();
    expect((await storage.queued()).get(`registration:${id}`)?.in_ms).toBeLessThan(120_001);
    const work = { registrationId: id, card };
    expect(await store.settle(work)).toEqual({ state: 'on_wire', changed: false, userName: 'newUser1' });
    await elapse(id, 120);
    expect(await store.settle(work)).toEqual({ state: 'unknown', changed: true, userName: 'newUser1' });
    expect(await actions()).toEqual(['user_register_called', 'user_register_unknown']);
    await store.record(press(id), { state: 'registered' });
    expect(await row(id)).toMatchObject({ state: 'registered' });
  });

  test('that surely never left opens it again for as long as it had, with its fields sealed as before', async () => {
    const id = await prepared({ generated: true });
    const gone = await goes(id);
    if (gone.result !== 'on_wire') throw new Error(gone.result);
    await store.record(press(id), { state: 'prepared', registration: gone.registration });
    expect(await row(id)).toEqual({ state: 'prepared', wiped: false, called: false });
    expect((await store.open(id))?.user.password.reveal()).toBe(PASSWORD);
    expect((await storage.queued()).get(`registration:${id}`)?.in_ms).toBeGreaterThan(590_000);
    expect(await day()).toMatchObject({ used: 0 });
    expect(await goes(id)).toMatchObject({ result: 'on_wire' });
  });

  test('that never left when its time is over ends it, and keeps nothing', async () => {
    const id = await prepared();
    const gone = await goes(id);
    if (gone.result !== 'on_wire') throw new Error(gone.result);
    await elapse(id, 600);
    await store.record(press(id), { state: 'prepared', registration: gone.registration });
    expect(await row(id)).toEqual({ state: 'cancelled', wiped: true, called: false });
  });
});

test('what nobody settled is wiped; the rest stays', async () => {
  const [old, open, called] = [await prepared(), await prepared(), await onWire()];
  await elapse(old, 700);
  await elapse(called, 700);
  await store.forgetOverdue();
  expect(await row(old)).toEqual({ state: 'cancelled', wiped: true, called: false });
  expect(await row(open)).toMatchObject({ state: 'prepared', wiped: false });
  expect(await row(called)).toMatchObject({ state: 'on_wire' });
});
