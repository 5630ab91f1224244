import { afterAll, beforeAll, expect, test } from 'vitest';
import { mayGrant, ROLES, type Role } from '../../domain/roles.ts';
import { createTeamStore } from './team-store.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;
let team: ReturnType<typeof createTeamStore>;

beforeAll(async () => {
  storage = await openTestStorage();
  team = createTeamStore(storage.database);
});
afterAll(() => storage.close());

const HOLDERS: readonly (Role | null)[] = [null, ...ROLES];

const roleOf = async (chatId: string, personId: number): Promise<Role | null> =>
  (await team.find(chatId, personId))?.role ?? null;

/** The audit of a chat without the linking of its account. */
const told = async (chatId: string) =>
  (await storage.audit(chatId)).filter((row) => row.action !== 'account_linked');

/** A chat with its owner and an admin. */
async function staffed() {
  const place = await storage.addPlace();
  return { ...place, chatId: place.chat.id, adminId: await storage.addPerson(place.chat.id, 'admin', 'Ada') };
}

const change = async (chatId: string, granterId: number, personId: number, role: Role | null) =>
  await team.change({ chatId, granterId, personId, role, updateId: storage.next() });

test('a role is given and taken as the rules say, for every role of the one, the other and the new one', async () => {
  const place = await storage.addPlace();
  const chatId = place.chat.id;
  for (const granter of HOLDERS) {
    for (const current of HOLDERS) {
      for (const next of HOLDERS) {
        const granterId = await storage.addPerson(chatId, granter);
        const personId = await storage.addPerson(chatId, current);
        const { result } = await change(chatId, granterId, personId, next);
        const allowed = mayGrant(granter, next, current);
        const wanted = !allowed ? 'not_allowed' : current === next ? 'same' : 'changed';
        expect(result, `${granter}: ${current} to ${next}`).toBe(wanted);
        expect(await roleOf(chatId, personId)).toBe(allowed ? next : current);
      }
    }
  }
});

test('each change is in the audit with both roles, and the menus of the person are made anew', async () => {
  const { chatId, ownerId } = await staffed();
  const personId = await storage.addPerson(chatId, null, 'Omid');
  await storage.emptyQueue();
  await team.change({ chatId, granterId: ownerId, personId, role: 'operator', updateId: 71 });
  await team.change({ chatId, granterId: ownerId, personId, role: 'operator', updateId: 72 });
  await team.change({ chatId, granterId: ownerId, personId, role: null, updateId: 73 });
  const by = ownerId;
  const person = { person: personId, name: 'Omid' };
  expect(await told(chatId)).toEqual([
    {
      action: 'role_granted',
      person_id: by,
      update_id: 71,
      details: { ...person, old: null, new: 'operator' },
    },
    {
      action: 'role_removed',
      person_id: by,
      update_id: 73,
      details: { ...person, old: 'operator', new: null },
    },
  ]);
  expect([...(await storage.queued()).values()].map(({ task, payload }) => ({ task, payload }))).toEqual([
    { task: 'menus', payload: { chatId, personId } },
  ]);
});

test('a chat keeps its last owner, also when two owners take each other’s role at once', async () => {
  const { chatId, ownerId } = await staffed();
  expect(await change(chatId, ownerId, ownerId, null)).toEqual({ result: 'last_owner' });
  expect(await change(chatId, ownerId, ownerId, 'admin')).toEqual({ result: 'last_owner' });
  for (let round = 0; round < 5; round += 1) {
    const [left = 0, right = 0] = (await team.members(chatId)).map(({ id }) => id);
    await change(chatId, left, right, 'owner');
    await Promise.all([change(chatId, left, right, 'admin'), change(chatId, right, left, 'admin')]);
    const owners = (await team.members(chatId)).filter(({ role }) => role === 'owner');
    expect(owners).toHaveLength(1);
  }
});

test('people are found by id and by user name in any case, the newest of two, with their role in this chat', async () => {
  const { chatId, adminId } = await staffed();
  await team.meet({ id: adminId, name: 'Ada', username: 'Ada_L' });
  await team.meet({ id: 61, name: 'Old', username: 'sara' });
  await storage.sql`update person set met_at = now() - interval '1 day' where telegram_id = 61`;
  await team.meet({ id: 62, name: 'New', username: 'Sara' });
  expect(await team.find(chatId, 'ada_l')).toEqual({
    id: adminId,
    name: 'Ada',
    username: 'Ada_L',
    role: 'admin',
  });
  expect(await team.find(chatId, 'SARA')).toMatchObject({ id: 62, role: null });
  expect(await team.find(chatId, adminId)).toMatchObject({ name: 'Ada' });
  expect(await team.find(chatId, "x' or true --")).toBe(null);
  expect(await team.find((await storage.addPlace()).chat.id, adminId)).toMatchObject({ role: null });
  expect(await change(chatId, adminId, 63, 'viewer')).toEqual({ result: 'unmet' });
});

test('members stand by rank, with who gave the role', async () => {
  const { chatId, ownerId, adminId } = await staffed();
  const viewer = await storage.addPerson(chatId, null, 'Vida');
  await change(chatId, adminId, viewer, 'viewer');
  const members = await team.members(chatId);
  expect(members.map(({ id, role, grantedBy }) => ({ id, role, by: grantedBy.name }))).toEqual([
    { id: ownerId, role: 'owner', by: 'Sara' },
    { id: adminId, role: 'admin', by: 'Ada' },
    { id: viewer, role: 'viewer', by: 'Ada' },
  ]);
  expect(members[2]?.grantedAt).toBeInstanceOf(Date);
});

const invite = async (chatId: string, granterId: number, role: Role, personId: number | null = null) =>
  await team.invite({ chatId, granterId, personId, role, updateId: storage.next(), ttlSeconds: 600 });

const join = async (token: string | null, personId: number, updateId = storage.next()) =>
  await team.join({ token: token ?? '', personId, updateId });

test('a link gives its role to whoever opens it first, once, and the audit says so', async () => {
  const { chatId, adminId } = await staffed();
  const [first, second] = [await storage.addPerson(chatId, null), await storage.addPerson(chatId, null)];
  const token = await invite(chatId, adminId, 'operator');
  const opened = await Promise.all([join(token, first), join(token, second)]);
  expect(opened.map(({ result }) => result).toSorted()).toEqual(['gone', 'joined']);
  const members = (await team.members(chatId)).filter(({ role }) => role === 'operator');
  expect(members).toHaveLength(1);
  expect(members[0]?.grantedBy).toEqual({ id: adminId, name: 'Ada' });
  expect((await told(chatId)).map(({ action, details }) => ({ action, details }))).toEqual([
    { action: 'join_link_made', details: { new: 'operator' } },
    { action: 'join_link_used', details: { granter: adminId, name: 'Ada', old: null, new: 'operator' } },
  ]);
});

test('the update that used a link up gets the same answer again, and changes nothing twice', async () => {
  const { chatId, adminId } = await staffed();
  const personId = await storage.addPerson(chatId, 'viewer');
  const token = await invite(chatId, adminId, 'operator');
  const first = await join(token, personId, 900_001);
  expect(first).toMatchObject({ result: 'joined', role: 'operator', granter: { name: 'Ada' } });
  expect(await join(token, personId, 900_001)).toEqual(first);
  expect(await join(token, personId)).toEqual({ result: 'gone' });
  expect((await told(chatId)).map(({ action }) => action)).toEqual(['join_link_made', 'join_link_used']);
});

test.each<Role>(['operator', 'admin', 'owner'])(
  'someone who is %s already keeps that, and leaves the link to others',
  async (role) => {
    const { chatId, adminId } = await staffed();
    const [has, has_not] = [await storage.addPerson(chatId, role), await storage.addPerson(chatId, null)];
    const token = await invite(chatId, adminId, 'operator');
    expect(await join(token, has)).toMatchObject({ result: 'has_role', role });
    expect(await roleOf(chatId, has)).toBe(role);
    expect(await join(token, has_not)).toMatchObject({ result: 'joined', role: 'operator' });
  },
);

test('a link is void once its maker may not give that role any more', async () => {
  const { chatId, ownerId, adminId } = await staffed();
  const personId = await storage.addPerson(chatId, null);
  const token = await invite(chatId, adminId, 'admin');
  await change(chatId, ownerId, adminId, 'approver');
  expect(await join(token, personId, 900_002)).toEqual({ result: 'void' });
  expect(await join(token, personId, 900_002)).toEqual({ result: 'void' });
  expect(await roleOf(chatId, personId)).toBe(null);
  expect((await told(chatId)).map(({ action }) => action)).not.toContain('join_link_used');
});

test('nobody makes a link for a role above their own, and one for a single person opens for no other', async () => {
  const { chatId, adminId, ownerId } = await staffed();
  const [meant, other] = [await storage.addPerson(chatId, null), await storage.addPerson(chatId, null)];
  expect(await invite(chatId, adminId, 'owner')).toBe(null);
  expect(await invite(chatId, other, 'viewer')).toBe(null);
  const token = await invite(chatId, ownerId, 'viewer', meant);
  expect(await join(token, other)).toEqual({ result: 'gone' });
  expect(await join(token, meant)).toMatchObject({ result: 'joined' });
});

test('an update that makes its link again leaves one link; links of other kinds and old ones give nothing', async () => {
  const { chatId, ownerId } = await staffed();
  const personId = await storage.addPerson(chatId, null);
  const again = { chatId, granterId: ownerId, personId: null, role: 'viewer', updateId: 900_003 } as const;
  const first = await team.invite({ ...again, ttlSeconds: 600 });
  const second = await team.invite({ ...again, ttlSeconds: 600 });
  expect(await join(first, personId)).toEqual({ result: 'gone' });
  const connect = await storage.links.mint({ purpose: 'connect', chatId, personId, ttlSeconds: 600 });
  expect(await join(connect, personId)).toEqual({ result: 'gone' });
  expect(await storage.links.claim(second ?? '', personId, storage.next())).toBe(null);
  const old = await team.invite({ ...again, updateId: storage.next(), ttlSeconds: 0 });
  expect(await join(old, personId)).toEqual({ result: 'gone' });
  expect(await join(second, personId)).toMatchObject({ result: 'joined', chat: { id: chatId } });
});
