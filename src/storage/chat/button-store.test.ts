import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rankOf, ROLES, type Role } from '../../domain/roles.ts';
import type { ButtonClaim, ButtonSpec } from '../../ports/stores.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

const SPEC: ButtonSpec = { action: 'do.it', payload: { n: 1 }, minRank: -1, ttlSeconds: 600 };

async function mint(chatId: string, more: Partial<ButtonSpec> = {}): Promise<string> {
  const [token] = await storage.buttons.mint(chatId, [{ ...SPEC, ...more }]);
  return token ?? '';
}

function why(claim: ButtonClaim): string {
  return claim.ok ? 'ok' : claim.reason;
}

describe('minting', () => {
  test('gives one token each, in order, and keeps only hashes', async () => {
    const chat = await storage.addChat();
    const tokens = await storage.buttons.mint(
      chat.id,
      [1, 2, 3].map((n) => ({ ...SPEC, payload: { n } })),
    );
    expect(new Set(tokens).size).toBe(3);
    for (const [index, token] of tokens.entries()) {
      expect(token).toMatch(/^[A-Za-z0-9_-]{22}$/);
      const claim = await storage.buttons.claim({
        token,
        chatTelegramId: chat.telegramId,
        personId: 1,
        updateId: storage.next(),
      });
      expect(claim).toEqual({ ok: true, action: 'do.it', payload: { n: index + 1 } });
    }
    const rows = await storage.sql<{ row: string }[]>`select button::text as row from button`;
    for (const { row } of rows) for (const token of tokens) expect(row).not.toContain(token);
  });

  test('of nothing asks nothing of the database', async () => {
    expect(await storage.buttons.mint('no chat at all', [])).toEqual([]);
  });
});

describe('a claim', () => {
  test('of a token that nobody minted is unknown', async () => {
    const claim = await storage.buttons.claim({
      token: 'A'.repeat(22),
      chatTelegramId: -1,
      personId: 1,
      updateId: 1,
    });
    expect(claim).toEqual({ ok: false, reason: 'unknown' });
  });

  test('of a reusable button may be made again and again, by each who may', async () => {
    const chat = await storage.addChat();
    const token = await mint(chat.id, { reusable: true });
    for (const personId of [5, 5, 6]) {
      const press = { token, chatTelegramId: chat.telegramId, personId, updateId: storage.next() };
      expect(why(await storage.buttons.claim(press))).toBe('ok');
    }
    const late = await mint(chat.id, { reusable: true, ttlSeconds: -1 });
    const press = { chatTelegramId: chat.telegramId, personId: 5, updateId: storage.next() };
    expect(why(await storage.buttons.claim({ ...press, token: late }))).toBe('expired');
  });

  test('of an action that is left out for now leaves the button as it was, and one that was made is not taken back', async () => {
    const chat = await storage.addChat();
    const token = await mint(chat.id, { action: 'x' });
    const press = { token, chatTelegramId: chat.telegramId, personId: 5, updateId: storage.next() };
    expect(why(await storage.buttons.claim({ ...press, only: ['another'] }))).toBe('left_out');
    expect(why(await storage.buttons.claim({ ...press, only: [] }))).toBe('left_out');
    expect(why(await storage.buttons.claim({ ...press, only: ['another', 'x'] }))).toBe('ok');
    expect(why(await storage.buttons.claim({ ...press, only: [] }))).toBe('ok');
    expect(why(await storage.buttons.claim({ ...press, updateId: storage.next(), only: [] }))).toBe('used');
  });

  test('in another chat is refused, and leaves the button as it was', async () => {
    const [chat, other] = [await storage.addChat(), await storage.addChat()];
    const token = await mint(chat.id);
    const press = { token, personId: 5, updateId: storage.next() };
    expect(why(await storage.buttons.claim({ ...press, chatTelegramId: other.telegramId }))).toBe(
      'other_chat',
    );
    expect(why(await storage.buttons.claim({ ...press, chatTelegramId: chat.telegramId }))).toBe('ok');
  });

  test('by another person than the one it was made for is refused', async () => {
    const chat = await storage.addChat();
    const token = await mint(chat.id, { personId: 5 });
    const press = { token, chatTelegramId: chat.telegramId };
    expect(why(await storage.buttons.claim({ ...press, personId: 6, updateId: storage.next() }))).toBe(
      'other_person',
    );
    expect(why(await storage.buttons.claim({ ...press, personId: 5, updateId: storage.next() }))).toBe('ok');
  });

  test('goes by the role that the person has now', async () => {
    const chat = await storage.addChat();
    for (const role of [null, ...ROLES]) {
      for (const needed of [null, ...ROLES]) {
        const personId = await storage.addPerson(chat.id, role);
        const token = await mint(chat.id, { minRank: rankOf(needed) });
        const claim = await storage.buttons.claim({
          token,
          chatTelegramId: chat.telegramId,
          personId,
          updateId: storage.next(),
        });
        expect(why(claim), `${role} where ${needed} is needed`).toBe(
          rankOf(role) >= rankOf(needed) ? 'ok' : 'role',
        );
      }
    }
  });

  test('fails when the role was taken away after the button was made, also for a replay', async () => {
    const chat = await storage.addChat();
    const personId = await storage.addPerson(chat.id, 'operator');
    const [first, second] = [
      await mint(chat.id, { minRank: rankOf('operator') }),
      await mint(chat.id, { minRank: rankOf('operator') }),
    ];
    const press = { token: first, chatTelegramId: chat.telegramId, personId, updateId: storage.next() };
    expect(why(await storage.buttons.claim(press))).toBe('ok');
    await storage.sql`delete from member where person_id = ${personId}`;
    expect(why(await storage.buttons.claim(press))).toBe('role');
    expect(why(await storage.buttons.claim({ ...press, token: second, updateId: storage.next() }))).toBe(
      'role',
    );
  });

  test('of a role held in another chat counts for nothing', async () => {
    const [chat, other] = [await storage.addChat(), await storage.addChat()];
    const personId = await storage.addPerson(other.id, 'owner');
    const token = await mint(chat.id, { minRank: 0 });
    const press = { token, chatTelegramId: chat.telegramId, personId, updateId: storage.next() };
    expect(why(await storage.buttons.claim(press))).toBe('role');
  });

  test('after the first one is told who pressed and when', async () => {
    const chat = await storage.addChat();
    const [sara, ali] = [
      await storage.addPerson(chat.id, null, 'Sara'),
      await storage.addPerson(chat.id, null, 'Ali'),
    ];
    const token = await mint(chat.id);
    const press = { token, chatTelegramId: chat.telegramId };
    await storage.buttons.claim({ ...press, personId: sara, updateId: storage.next() });
    const claim = await storage.buttons.claim({ ...press, personId: ali, updateId: storage.next() });
    expect(claim).toMatchObject({ ok: false, reason: 'used', by: { name: 'Sara' } });
    const at = claim.ok ? undefined : claim.by?.at;
    const [row] = await storage.sql<
      { ms: number }[]
    >`select (extract(epoch from max(used_at)) * 1000)::float8 as ms from button`;
    expect(at?.getTime()).toBe(Math.trunc(row?.ms ?? 0));
  });

  test('by the update that used it gets the same answer again, however late', async () => {
    const place = await storage.addPlace();
    const { id } = await storage.drafts.create(storage.draftIn(place));
    const token = await mint(place.chat.id, { draft: { id, version: 1 } });
    const press = {
      token,
      chatTelegramId: place.chat.telegramId,
      personId: place.ownerId,
      updateId: storage.next(),
    };
    const first = await storage.buttons.claim(press);
    expect(first).toEqual({ ok: true, action: 'do.it', payload: { n: 1 } });
    await storage.drafts.edit(id, 1, { text: 'changed by what the press did' });
    await storage.sql`update button set expires_at = now() - interval '1 hour'`;
    expect(await storage.buttons.claim(press)).toEqual(first);
    expect(why(await storage.buttons.claim({ ...press, updateId: storage.next() }))).toBe('used');
  });

  test('for an older version, a closed draft or one that is gone is refused as changed', async () => {
    const place = await storage.addPlace();
    const changes: ((id: string) => Promise<unknown>)[] = [
      (id) => storage.drafts.edit(id, 1, { text: 'other' }),
      (id) => storage.drafts.cancel(id, 1, place.ownerId, storage.next()),
      (id) => storage.sql`delete from draft where id = ${id}`,
    ];
    for (const change of changes) {
      const { id } = await storage.drafts.create(storage.draftIn(place));
      const token = await mint(place.chat.id, { draft: { id, version: 1 } });
      await change(id);
      const press = { token, chatTelegramId: place.chat.telegramId, personId: 1, updateId: storage.next() };
      expect(why(await storage.buttons.claim(press))).toBe('changed');
    }
  });

  test('of a draft that a second person was asked about is for others than its author', async () => {
    const place = await storage.addPlace();
    const ann = await storage.addPerson(place.chat.id, 'approver', 'Ann');
    const { id } = await storage.drafts.create(storage.draftIn(place));
    const draft = { id, version: 1 };
    const [answer, edit] = [
      await mint(place.chat.id, { draft, minRank: rankOf('approver') }),
      await mint(place.chat.id, { draft, personId: place.ownerId }),
    ];
    const press = (token: string, personId: number) =>
      storage.buttons.claim({
        token,
        chatTelegramId: place.chat.telegramId,
        personId,
        updateId: storage.next(),
      });
    await storage.sql`update draft set state = 'asked' where id = ${id}`;
    expect(why(await press(answer, place.ownerId))).toBe('own_question');
    await storage.sql`update member set role = 'operator' where person_id = ${place.ownerId}`;
    expect(why(await press(answer, place.ownerId))).toBe('own_question');
    // In vain, and not used up by it.
    expect(why(await press(answer, ann))).toBe('ok');
    expect(why(await press(edit, place.ownerId))).toBe('ok');
    const late = await mint(place.chat.id, { draft, minRank: rankOf('approver') });
    await storage.sql`update draft set state = 'confirmed' where id = ${id}`;
    expect(why(await press(late, ann))).toBe('changed');
    expect(why(await press(late, place.ownerId))).toBe('role');
  });

  test('past its time is refused as expired, by the clock of the database', async () => {
    const chat = await storage.addChat();
    const token = await mint(chat.id, { ttlSeconds: 60 });
    const [row] = await storage.sql<{ left: number }[]>`
      select extract(epoch from expires_at - now())::float8 as left from button
      where chat_id = ${chat.id}`;
    expect(row?.left).toBeGreaterThan(0);
    expect(row?.left).toBeLessThanOrEqual(60);
    await storage.sql`update button set expires_at = now() where chat_id = ${chat.id}`;
    const press = { token, chatTelegramId: chat.telegramId, personId: 1, updateId: storage.next() };
    expect(why(await storage.buttons.claim(press))).toBe('expired');
  });

  test('is won by exactly one of fifty at the same moment', async () => {
    const chat = await storage.addChat();
    for (let round = 0; round < 5; round += 1) {
      const token = await mint(chat.id);
      const claims = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          storage.buttons.claim({
            token,
            chatTelegramId: chat.telegramId,
            personId: 9000 + index,
            updateId: storage.next(),
          }),
        ),
      );
      const answers = claims.map(why).toSorted();
      expect(answers).toEqual(['ok', ...Array.from({ length: 49 }, () => 'used')].toSorted());
    }
  });
});

test('any sequence of presses, edits and role changes is answered as a small model answers', async () => {
  const place = await storage.addPlace();
  const other = await storage.addChat();
  const people = [await storage.addPerson(place.chat.id, null), await storage.addPerson(place.chat.id, null)];
  const role = fc.constantFrom<Role | null>(null, 'viewer', 'operator', 'owner');
  const step = fc.oneof(
    fc.record({
      do: fc.constant('press' as const),
      who: fc.nat(1),
      update: fc.nat(3),
      elsewhere: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
    }),
    fc.record({ do: fc.constant('role' as const), who: fc.nat(1), role }),
    fc.record({ do: fc.constantFrom('edit' as const, 'expire' as const) }),
  );
  const spec = fc.record({
    minRank: fc.integer({ min: -1, max: 4 }),
    owner: fc.option(fc.nat(1)),
    onDraft: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(spec, fc.array(step, { minLength: 1, maxLength: 12 }), async (button, steps) => {
      const roles: (Role | null)[] = [null, null];
      await storage.sql`delete from member where person_id = any(${people}::bigint[])`;
      const { id } = await storage.drafts.create(storage.draftIn(place));
      const personId = button.owner === null ? undefined : people[button.owner];
      const token = await mint(place.chat.id, {
        minRank: button.minRank,
        personId,
        ...(button.onDraft ? { draft: { id, version: 1 } } : {}),
      });
      const updates = [0, 1, 2, 3].map(() => storage.next());
      let [usedBy, edited, expired]: [number | null, boolean, boolean] = [null, false, false];

      for (const each of steps) {
        if (each.do === 'edit') {
          if (!edited) await storage.drafts.edit(id, 1, { flash: true });
          edited = true;
        } else if (each.do === 'expire') {
          await storage.sql`update button set expires_at = now() where draft_id = ${id} or chat_id = ${place.chat.id}`;
          expired = true;
        } else if (each.do === 'role') {
          roles[each.who] = each.role;
          await storage.sql`delete from member where person_id = ${people[each.who] ?? 0}`;
          if (each.role !== null)
            await storage.sql`insert into member (chat_id, person_id, role, granted_by)
              values (${place.chat.id}, ${people[each.who] ?? 0}, ${each.role}, 1)`;
        } else if (each.do === 'press') {
          const claim = await storage.buttons.claim({
            token,
            chatTelegramId: each.elsewhere ? other.telegramId : place.chat.telegramId,
            personId: people[each.who] ?? 0,
            updateId: updates[each.update] ?? 0,
          });
          const wanted = ((): string => {
            if (each.elsewhere) return 'other_chat';
            if (button.owner !== null && button.owner !== each.who) return 'other_person';
            if (rankOf(roles[each.who] ?? null) < button.minRank) return 'role';
            if (usedBy !== null) return usedBy === each.update ? 'ok' : 'used';
            if (button.onDraft && edited) return 'changed';
            if (expired) return 'expired';
            usedBy = each.update;
            return 'ok';
          })();
          expect(why(claim)).toBe(wanted);
        }
      }
    }),
    { numRuns: 80 },
  );
});

describe('a button that stands in another place than the chat whose roles count', () => {
  async function away(more: Partial<ButtonSpec> = {}) {
    const [home, channel, third] = [
      await storage.addChat(),
      await storage.addChat('channel'),
      await storage.addChat(),
    ];
    const token = await mint(channel.id, { homeChatId: home.id, minRank: rankOf('operator'), ...more });
    const press = (chatTelegramId: number, personId: number) =>
      storage.buttons.claim({ token, chatTelegramId, personId, updateId: storage.next() });
    return { home, channel, third, press };
  }

  test('is pressed there by whoever has the role at home, and says where that is', async () => {
    const { home, channel, press } = await away();
    const operator = await storage.addPerson(home.id, 'operator');
    expect(await press(channel.telegramId, operator)).toEqual({
      ok: true,
      action: 'do.it',
      payload: { n: 1 },
      home: { telegramId: home.telegramId, type: 'supergroup', title: 'Shop' },
    });
    expect(why(await press(channel.telegramId, operator))).toBe('used');
  });

  test('counts no role of the place itself, nor of any third one', async () => {
    const { home, channel, third, press } = await away();
    const people = [
      await storage.addPerson(channel.id, 'owner'),
      await storage.addPerson(third.id, 'owner'),
      await storage.addPerson(home.id, 'viewer'),
      await storage.addPerson(home.id, null),
    ];
    for (const person of people) expect(why(await press(channel.telegramId, person))).toBe('role');
  });

  test('works neither in the home itself nor in a third chat', async () => {
    const { home, third, press } = await away();
    const owner = await storage.addPerson(home.id, 'owner');
    await storage.sql`insert into member (chat_id, person_id, role, granted_by) values (${third.id}, ${owner}, 'owner', ${owner})`;
    expect(why(await press(home.telegramId, owner))).toBe('other_chat');
    expect(why(await press(third.telegramId, owner))).toBe('other_chat');
  });

  test('that needs no role is still only for that place, and for its person where it has one', async () => {
    const { channel, third, press } = await away({ minRank: -1, personId: 5 });
    expect(why(await press(third.telegramId, 5))).toBe('other_chat');
    expect(why(await press(channel.telegramId, 6))).toBe('other_person');
    expect(why(await press(channel.telegramId, 5))).toBe('ok');
  });
});
