import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../domain/limits.ts';
import type { Role } from '../domain/roles.ts';
import { createLimitsStore, limitsIn, spentTodayIn } from './limits-store.ts';
import { openTestStorage, type TestStorage } from './testing.ts';

let storage: TestStorage;
let limits: ReturnType<typeof createLimitsStore>;

beforeAll(async () => {
  storage = await openTestStorage();
  limits = createLimitsStore(storage.database);
});
afterAll(() => storage.close());

/** A chat whose jobs are of these parts and prices, all confirmed now. */
async function chatWithJobs(jobs: readonly { parts: number; price: number | null }[]) {
  const place = await storage.addPlace();
  const ids: string[] = [];
  for (const { parts, price } of jobs) {
    const { jobId } = await storage.addRunningJob(place);
    await storage.sql`update job set parts = ${parts}, price_rial = ${price} where id = ${jobId}`;
    ids.push(jobId);
  }
  return { place, chatId: place.chat.id, ids };
}

test('a chat that has set nothing has the defaults, and a change of one keeps the others', async () => {
  const { chat, ownerId } = await storage.addPlace();
  expect(await limits.of(chat.id)).toEqual(DEFAULT_LIMITS);
  const by = { chatId: chat.id, personId: ownerId };
  await limits.change({ ...by, updateId: 1, to: { window: { from: 1260, to: 540 } } });
  await limits.change({
    ...by,
    updateId: 2,
    to: { cap: { unit: 'rial', rial: 1_000_000_000_000, parts: 2e9 } },
  });
  const done = await limits.change({ ...by, updateId: 3, to: { approvalParts: 0 } });
  const after = {
    approvalParts: 0,
    cap: { unit: 'rial', rial: 1_000_000_000_000, parts: 2_000_000_000 },
    window: { from: 1260, to: 540 },
  };
  expect(done).toEqual({ before: { ...after, approvalParts: 500 }, after });
  expect(await limits.of(chat.id)).toEqual(after);
  await limits.change({
    ...by,
    updateId: 4,
    to: { approvalParts: null, cap: { unit: 'parts', parts: 10 }, window: null },
  });
  expect(await limits.of(chat.id)).toEqual({
    approvalParts: null,
    cap: { unit: 'parts', parts: 10 },
    window: null,
  });
});

test('each change is in the audit with what it was before; a change to the same is none', async () => {
  const { chat, ownerId } = await storage.addPlace();
  const by = { chatId: chat.id, personId: ownerId };
  await limits.change({ ...by, updateId: 11, to: { cap: { unit: 'parts', parts: 10 } } });
  await limits.change({ ...by, updateId: 12, to: { cap: { unit: 'parts', parts: 10 } } });
  await limits.change({ ...by, updateId: 13, to: { approvalParts: 200 } });
  const rows = (await storage.audit(chat.id)).filter((row) => row.action === 'limits_changed');
  expect(rows).toEqual([
    {
      action: 'limits_changed',
      person_id: String(ownerId),
      update_id: '11',
      details: { old: { cap: null }, new: { cap: { unit: 'parts', parts: 10 } } },
    },
    {
      action: 'limits_changed',
      person_id: String(ownerId),
      update_id: '13',
      details: { old: { approvalParts: 500 }, new: { approvalParts: 200 } },
    },
  ]);
});

test.each<Role | null>([null, 'viewer', 'operator', 'approver'])(
  'somebody whose role by now is %s changes nothing',
  async (role) => {
    const { chat } = await storage.addPlace();
    const personId = await storage.addPerson(chat.id, role);
    expect(await limits.change({ chatId: chat.id, personId, updateId: 1, to: { approvalParts: 9 } })).toBe(
      null,
    );
    expect(await limits.of(chat.id)).toEqual(DEFAULT_LIMITS);
    expect((await storage.audit(chat.id)).map((row) => row.action)).not.toContain('limits_changed');
  },
);

test('what was confirmed today counts, but not what was undone, and not another chat’s', async () => {
  const { chatId, ids } = await chatWithJobs([
    { parts: 10, price: 14_200 },
    { parts: 7, price: null },
    { parts: 100, price: 142_000 },
  ]);
  await chatWithJobs([{ parts: 1000, price: 1 }]);
  await storage.sql`update job set state = 'undone' where id = ${ids[2] ?? ''}`;
  expect(await limits.spentToday(chatId, 'Asia/Tehran')).toEqual({
    parts: 17,
    rial: 14_200,
    unpricedParts: 7,
  });
  expect(await limits.spentToday((await storage.addPlace()).chat.id, 'UTC')).toEqual({
    parts: 0,
    rial: 0,
    unpricedParts: 0,
  });
});

test('a day begins at midnight in the chat’s time zone', async () => {
  const { chatId, ids } = await chatWithJobs([
    { parts: 1, price: null },
    { parts: 10, price: null },
  ]);
  const [beforeMidnight = '', atMidnight = ''] = ids;
  for (const zone of ['Asia/Tehran', 'America/St_Johns', 'Pacific/Kiritimati']) {
    const midnight = storage.sql`(date_trunc('day', now() at time zone ${zone}) at time zone ${zone})`;
    await storage.sql`update job set confirmed_at = ${midnight} where id = ${atMidnight}`;
    await storage.sql`
      update job set confirmed_at = ${midnight} - interval '1 millisecond' where id = ${beforeMidnight}`;
    expect((await spentTodayIn(storage.sql, chatId, zone)).parts, zone).toBe(10);
  }
});

test('of many that decide at once, each sees what those before it have written', async () => {
  const { place, chatId } = await chatWithJobs([]);
  const drafts = await Promise.all(
    Array.from({ length: 20 }, async () => await storage.drafts.create(storage.draftIn(place))),
  );
  const confirmed = await Promise.all(
    drafts.map(
      async ({ id }) =>
        await storage.sql.begin(async (tx) => {
          await limitsIn(tx, chatId);
          const { parts } = await spentTodayIn(tx, chatId, 'UTC');
          if (parts + 10 > 55) return false;
          await tx`
            insert into job (id, draft_id, chat_id, binding_id, state, payload_sha256, confirmed_by, hold_until, parts)
            values (gen_random_uuid(), ${id}, ${chatId}, ${place.bindingId}, 'holding', '\\x00', ${place.ownerId}, now(), 10)`;
          return true;
        }),
    ),
  );
  expect(confirmed.filter(Boolean)).toHaveLength(5);
  expect((await limits.spentToday(chatId, 'UTC')).parts).toBe(50);
});
