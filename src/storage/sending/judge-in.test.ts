import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../domain/limits.ts';
import { dayRoomIn, spentOnDayIn } from './judge-in.ts';
import { limitsIn } from './limits-in.ts';
import { createLimitsStore } from './limits-store.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

/* What counts against the caps of a day, by rows. A slow send over its days: test/scenario/paced-days.test.ts. */

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

test('what was confirmed today counts, but not what was undone or missed, and not another chat’s', async () => {
  const { chatId, ids } = await chatWithJobs([
    { parts: 10, price: 14_200 },
    { parts: 7, price: null },
    { parts: 100, price: 142_000 },
  ]);
  await chatWithJobs([{ parts: 1000, price: 1 }]);
  for (const state of ['undone', 'missed']) {
    await storage.sql`update job set state = ${state} where id = ${ids[2] ?? ''}`;
    expect(await limits.spentToday(chatId, 'Asia/Tehran')).toEqual({
      parts: 17,
      rial: 14_200,
      unpricedParts: 7,
    });
  }
  expect(await limits.spentToday((await storage.addPlace()).chat.id, 'UTC')).toEqual({
    parts: 0,
    rial: 0,
    unpricedParts: 0,
  });
});

test('what one person has confirmed counts apart', async () => {
  const { place, chatId, ids } = await chatWithJobs([
    { parts: 10, price: 14_200 },
    { parts: 7, price: null },
  ]);
  const ann = await storage.addPerson(chatId, 'operator', 'Ann');
  await storage.sql`update job set confirmed_by = ${ann} where id = ${ids[1] ?? ''}`;
  expect(await limits.spentToday(chatId, 'UTC', ann)).toEqual({ parts: 7, rial: 0, unpricedParts: 7 });
  expect((await limits.spentToday(chatId, 'UTC', place.ownerId)).parts).toBe(10);
  expect((await limits.spentToday(chatId, 'UTC')).parts).toBe(17);
});

test('a day begins at midnight in the chat’s time zone', async () => {
  const { chatId, ids } = await chatWithJobs([
    { parts: 1, price: null },
    { parts: 10, price: null },
  ]);
  const [beforeMidnight = '', atMidnight = ''] = ids;
  for (const zone of ['Asia/Tehran', 'America/St_Johns', 'Pacific/Kiritimati']) {
    const midnight = storage.sql`(date_trunc('day', now() at time zone ${zone}) at time zone ${zone})`;
    await storage.sql`update job set leaves_at = ${midnight} where id = ${atMidnight}`;
    await storage.sql`
      update job set leaves_at = ${midnight} - interval '1 millisecond' where id = ${beforeMidnight}`;
    expect(
      (await spentOnDayIn(storage.sql, { chatId, timeZone: zone, limits: DEFAULT_LIMITS }, null)).parts,
      zone,
    ).toBe(10);
    await storage.sql`update job set leaves_at = leaves_at + interval '1 day' where chat_id = ${chatId}`;
    expect(
      (await spentOnDayIn(storage.sql, { chatId, timeZone: zone, limits: DEFAULT_LIMITS }, null)).parts,
      zone,
    ).toBe(1);
  }
});

/** A zone in which it is about noon: its day does not end while the test runs. */
const AHEAD = 12 - new Date().getUTCHours();
const NOON = AHEAD === 0 ? 'UTC' : `Etc/GMT${AHEAD > 0 ? '-' : '+'}${Math.abs(AHEAD)}`;

/** A running job of 2 parts and 100 rial for each recipient that leaves 48 an hour from 22:00 to midnight: 96 on a day. */
async function slowJob() {
  const place = await storage.addPlace();
  const { jobId, draftId } = await storage.addRunningJob(place);
  await storage.sql`
    update draft set pace_per_hour = 50, pace_from = ${22 * 60}, pace_to = 0 where id = ${draftId}`;
  const calls = storage.sql`(values ('accepted', 10, now() - interval '1 day'), ('sent', 20, now() - interval '1 hour'), ('unknown', 5, now()),
    ('rejected', 7, now()), ('reserved', 4, null), ('planned', 100, null)) as c (state, size, at)`;
  await storage.sql`
    insert into attempt (id, job_id, binding_id, chunk, state, on_wire_at, payload_sha256, text_sha256, line, recipients)
    select gen_random_uuid(), a.job_id, a.binding_id, row_number() over (), c.state, c.at, a.payload_sha256, a.text_sha256, a.line,
      array_fill(a.recipients[1], array[c.size]) from attempt a, ${calls} where a.job_id = ${jobId}`;
  await storage.sql`delete from attempt where job_id = ${jobId} and chunk = 0`;
  const all = 10 + 20 + 5 + 4 + 100;
  await storage.sql`
    update job set parts = ${2 * all}, price_rial = ${100 * all}, leaves_at = now() - interval '1 day' where id = ${jobId}`;
  const spent = async (days: number, of: Parameters<typeof spentOnDayIn>[3] = {}) => {
    const counted = { chatId: place.chat.id, timeZone: NOON, limits: await limits.of(place.chat.id) };
    const moment = days === 0 ? null : new Date(Date.now() + days * 86_400_000);
    return await spentOnDayIn(storage.sql, counted, moment, of);
  };
  const recipients = async (days: number, of?: Parameters<typeof spentOnDayIn>[3]) => {
    const { parts, rial, unpricedParts } = await spent(days, of);
    expect({ rial, unpricedParts }).toEqual({ rial: parts * 50, unpricedParts: 0 });
    return parts / 2;
  };
  return { ...place, jobId, draftId, spent, recipients };
}

test('of a slow send counts on a day what left on it, and what its hours let leave yet', async () => {
  const { recipients, jobId, ownerId, chat, spent } = await slowJob();
  expect(await recipients(-1)).toBe(10);
  expect(await recipients(0)).toBe(20 + 5 + 96);
  expect(await recipients(1)).toBe(104 - 96);
  expect(await recipients(2)).toBe(0);
  expect(await recipients(0, { personId: ownerId })).toBe(121);
  expect(await recipients(0, { onlyJob: jobId })).toBe(121);
  for (const whose of [{ personId: ownerId + 1 }, { exceptJob: jobId }, { onlyJob: chat.id }])
    expect(await recipients(0, whose)).toBe(0);
  await storage.sql`update job set price_rial = null where id = ${jobId}`;
  expect(await spent(0)).toEqual({ parts: 242, rial: 0, unpricedParts: 242 });
});

test('what was refused of a slow send since it last began is part of what it counts whole, and not of a day', async () => {
  const { recipients, jobId, chat } = await slowJob();
  await storage.sql`update attempt set ended_at = now() where job_id = ${jobId} and state = 'rejected'`;
  await storage.sql`update job set parts = parts + 14, price_rial = price_rial + 700 where id = ${jobId}`;
  expect(await recipients(0)).toBe(20 + 5 + 96);
  const room = await storage.sql.begin(
    async (tx) =>
      await dayRoomIn(tx, {
        jobId,
        chatId: chat.id,
        limits: { ...DEFAULT_LIMITS, cap: { unit: 'parts', parts: 2 * 40 } },
        timeZone: NOON,
      }),
  );
  // 20 and 5 have left, and 4 are about to.
  expect([room?.fits(11), room?.fits(12)]).toEqual([true, false]);
  // When it goes on, it counts what is left anew.
  await storage.sql`
    update job set started_at = now() + interval '1 second', parts = parts - 14, price_rial = price_rial - 700 where id = ${jobId}`;
  expect(await recipients(0)).toBe(20 + 5 + 96);
});

test('who was left out of a call before a slow send was paused counts no more when it goes on', async () => {
  const place = await storage.addPlace();
  const recipients = Array.from({ length: 100 }, (_, n) => `98912${String(n).padStart(7, '0')}`);
  const { id: draftId } = await storage.drafts.create(storage.draftIn(place, { recipients }));
  await storage.drafts.edit(draftId, 1, { pace: { perHour: 600, window: null } });
  const draft = { draftId, version: 2, personId: place.ownerId, updateId: storage.next() };
  const made = await storage.drafts.confirm({ ...draft, undoSeconds: 0, timeZone: 'UTC' });
  const jobId = made.result === 'confirmed' ? made.jobId : '';
  await storage.sql`update job set state = 'running', started_at = now() where id = ${jobId}`;
  const take = async () => {
    const taken = await storage.jobs.reserve(jobId, 'process-1');
    if (!taken.ok) throw new Error(`not taken: ${taken.reason}`);
    return taken.attempts[0];
  };
  const used = async () => (await limits.spentToday(place.chat.id, NOON)).parts;
  const { id, epoch } = await take();
  await storage.jobs.dropBlocked(id, epoch, recipients.slice(0, 49));
  await storage.jobs.release(id, epoch);
  // What left all of them out and came back counts what it did.
  expect(await used()).toBe(51);
  const press = { jobId, personId: place.ownerId, updateId: storage.next() };
  await storage.jobs.pause(press);
  expect(await storage.jobs.resume({ ...press, updateId: storage.next(), timeZone: 'UTC' })).toMatchObject({
    recipients: 51,
  });
  const again = await take();
  expect(again.recipients).toHaveLength(1);
  expect(await used()).toBe(51);
  await storage.jobs.dropBlocked(id, again.epoch, again.recipients);
  expect(await used()).toBe(50);
});

test('a call of a slow send that left at midnight is of the day that begins', async () => {
  const { recipients, jobId } = await slowJob();
  await storage.sql`
    update attempt set on_wire_at = date_trunc('day', now() at time zone ${NOON}) at time zone ${NOON} where job_id = ${jobId} and state = 'sent'`;
  expect(await recipients(0)).toBe(121);
  expect(await recipients(-1)).toBe(10);
});

test('of a slow send that waits for its day counts nothing before', async () => {
  const { recipients, jobId } = await slowJob();
  await storage.sql`update job set state = 'scheduled', leaves_at = now() + interval '1 day' where id = ${jobId}`;
  expect(await recipients(0)).toBe(0);
  expect(await recipients(1)).toBe(96);
  expect(await recipients(2)).toBe(8);
});

test.each(['undone', 'missed'])('of a slow send that was %s counts nothing', async (state) => {
  const { recipients, jobId } = await slowJob();
  await storage.sql`update job set state = ${state} where id = ${jobId}`;
  expect(await recipients(0)).toBe(0);
});

test('of a slow send that waits for somebody, or has ended, counts what has left', async () => {
  const { recipients, spent, jobId } = await slowJob();
  await storage.sql`update job set state = 'paused' where id = ${jobId}`;
  expect([await recipients(0), await recipients(1)]).toEqual([25, 0]);
  // What it counts is then what was spent.
  await storage.sql`
    update job set state = 'stopped', ended_at = now(), parts = 78, price_rial = 3900 where id = ${jobId}`;
  expect([await recipients(0), await recipients(1)]).toEqual([25, 0]);
  await storage.sql`update job set ended_at = now() - interval '1 day' where id = ${jobId}`;
  expect(await spent(0)).toEqual({ parts: 0, rial: 0, unpricedParts: 0 });
});

test('a slow send keeps to the hours of its chat, and counts by them', async () => {
  const { recipients, chat, ownerId } = await slowJob();
  await limits.change({
    chatId: chat.id,
    personId: ownerId,
    updateId: storage.next(),
    to: { window: { from: 23 * 60, to: 0 } },
  });
  expect([await recipients(0), await recipients(1), await recipients(2)]).toEqual([25 + 48, 48, 8]);
});

test('what starts counts the price by which it was judged then, and not the one of its confirmation', async () => {
  const place = await storage.addPlace();
  const { chat, ownerId: personId, bindingId } = place;
  const cap = { unit: 'rial', rial: 1000, parts: 10 } as const;
  await limits.change({ chatId: chat.id, personId, updateId: storage.next(), to: { cap } });
  const price = async (rial: number) =>
    await storage.sql`
      insert into account_gauge (binding_id, gsm_cost, gsm_parts) values (${bindingId}, ${rial}, 1)
      on conflict (binding_id) do update set gsm_cost = excluded.gsm_cost`;
  const confirm = async (count: number, text: string) => {
    const recipients = Array.from({ length: count }, (_, n) => `98912${String(n).padStart(7, '0')}`);
    const { id: draftId } = await storage.drafts.create(storage.draftIn(place, { recipients, text }));
    const press = { draftId, version: 1, personId, updateId: storage.next(), undoSeconds: 0 };
    return await storage.drafts.confirm({ ...press, timeZone: NOON });
  };
  await price(100);
  const first = await confirm(4, 'dear');
  await price(200);
  const jobId = first.result === 'confirmed' ? first.jobId : '';
  expect(await storage.jobs.start(jobId)).toMatchObject({ state: 'running' });
  expect((await limits.spentToday(chat.id, NOON)).rial).toBe(800);
  expect(await confirm(2, 'too much')).toMatchObject({ verdict: { kind: 'cap', used: 800, wanted: 400 } });
  expect(await confirm(1, 'just fits')).toMatchObject({ result: 'confirmed' });
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
          const { parts } = await spentOnDayIn(tx, { chatId, timeZone: 'UTC', limits: DEFAULT_LIMITS }, null);
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
