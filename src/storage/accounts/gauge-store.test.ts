import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NOTHING_PAID, type Prices } from '../../domain/price.ts';
import { createAlertReads } from '../alerts/alert-reads.ts';
import { createGaugeStore } from './gauge-store.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;
let gauges: ReturnType<typeof createGaugeStore>;

beforeAll(async () => {
  storage = await openTestStorage();
  gauges = createGaugeStore(storage.database);
});
afterAll(() => storage.close());

type Place = Awaited<ReturnType<TestStorage['addPlace']>>;

const paid = (cost: number, parts: number) => ({ cost: BigInt(cost), parts: BigInt(parts) });
/** 1,000 rial a part. */
const KNOWN: Prices = { gsm7: paid(500_000, 500), ucs2: paid(0, 0) };

/** An account whose credit and prices were read just now. */
async function known(credit: number, prices = KNOWN): Promise<Place> {
  const place = await storage.addPlace();
  await gauges.readCredit(place.bindingId, () => Promise.resolve(credit));
  await gauges.savePrices(place.bindingId, { prices, rialPerDay: 700 });
  return place;
}

const age = async ({ bindingId }: Place, column: 'credit_at' | 'learned_at', seconds: number) => {
  await storage.sql`
    update account_gauge set ${storage.sql(column)} = now() - ${seconds} * interval '1 second' where binding_id = ${bindingId}`;
};

const confirm = async (place: Place, draftId: string, warned = false) =>
  await storage.drafts.confirm({
    draftId,
    version: 1,
    personId: place.ownerId,
    updateId: storage.next(),
    undoSeconds: 10,
    timeZone: 'UTC',
    warned,
  });

const draft = async (place: Place, recipients: number, more: { text?: string } = {}) => {
  const numbers = Array.from({ length: recipients }, (_, index) => `98912${String(index).padStart(7, '0')}`);
  const { id } = await storage.drafts.create(storage.draftIn(place, { recipients: numbers, ...more }));
  return id;
};

const jobOf = async (draftId: string) => {
  const [row] = await storage.sql<{ id: string; price: number | null; state: string }[]>`
    select id, price_rial as price, state from job where draft_id = ${draftId}`;
  return row ?? null;
};

describe('what was read', () => {
  test('is kept to the last rial, and is null before', async () => {
    const place = await storage.addPlace();
    expect(await gauges.of(place.bindingId)).toBe(null);
    await gauges.readCredit(place.bindingId, () => Promise.resolve(-5));
    expect(await gauges.of(place.bindingId)).toEqual({
      prices: NOTHING_PAID,
      credit: -5,
      committed: 0,
      rialPerDay: null,
    });
    const prices: Prices = {
      gsm7: { cost: 9_007_199_254_740_993n, parts: 21n },
      ucs2: paid(1420, 1),
    };
    await gauges.savePrices(place.bindingId, { prices, rialPerDay: 10 ** 12 });
    expect(await gauges.of(place.bindingId)).toEqual({
      prices,
      credit: -5,
      committed: 0,
      rialPerDay: 10 ** 12,
    });
  });

  test('of the credit is no longer told after ten minutes', async () => {
    const place = await known(5000);
    await age(place, 'credit_at', 590);
    expect((await gauges.of(place.bindingId))?.credit).toBe(5000);
    await age(place, 'credit_at', 601);
    expect((await gauges.of(place.bindingId))?.credit).toBe(null);
  });

  test('of the credit gives way to no answer that was asked for before it', async () => {
    const { bindingId } = await storage.addPlace();
    const late = Promise.withResolvers<number>();
    const isAsked = Promise.withResolvers<void>();
    const first = gauges.readCredit(bindingId, () => {
      isAsked.resolve();
      return late.promise;
    });
    await isAsked.promise;
    expect(await gauges.readCredit(bindingId, () => Promise.resolve(1000))).toBe(1000);
    late.resolve(5000);
    expect(await first).toBe(5000);
    expect((await gauges.of(bindingId))?.credit).toBe(1000);
  });

  test('of an encoding that was not seen this time stays as it was', async () => {
    const { bindingId } = await known(5000);
    await gauges.savePrices(bindingId, {
      prices: { gsm7: paid(0, 0), ucs2: paid(100, 1) },
      rialPerDay: null,
    });
    expect((await gauges.of(bindingId))?.prices).toEqual({ gsm7: KNOWN.gsm7, ucs2: paid(100, 1) });
    const operators = { irancell: { cost: 9_007_199_254_740_993n, parts: 7n }, mci: paid(1, 1) };
    const own = { gsm7: paid(0, 0), ucs2: { ...paid(100, 1), operators } };
    await gauges.savePrices(bindingId, { prices: own, rialPerDay: null });
    await gauges.savePrices(bindingId, {
      prices: { gsm7: paid(9000, 3), ucs2: paid(0, 0) },
      rialPerDay: null,
    });
    expect((await gauges.of(bindingId))?.prices).toEqual({ gsm7: paid(9000, 3), ucs2: own.ucs2 });
    // Seen again, and one price for all.
    await gauges.savePrices(bindingId, {
      prices: { gsm7: paid(0, 0), ucs2: paid(100, 1) },
      rialPerDay: null,
    });
    expect((await gauges.of(bindingId))?.prices.ucs2).toEqual(paid(100, 1));
  });
});

describe('what is due', () => {
  const all = { credit: true, creditIsStale: true, prices: true };
  const none = { credit: false, creditIsStale: false, prices: false };
  const due = async (bindingId: string) => {
    const { account: _account, at: _at, ...said } = await gauges.due(bindingId);
    return said;
  };

  test('is everything of a new account, and nothing of what was just read or is not linked', async () => {
    const place = await storage.addPlace();
    expect(await due(place.bindingId)).toEqual(all);
    expect(await due((await known(1)).bindingId)).toEqual(none);
    expect((await gauges.due(place.bindingId)).account).toEqual(expect.any(String));
    await storage.bindings.disconnect(place.chat.id, place.ownerId, storage.next());
    expect(await gauges.due(place.bindingId)).toEqual({ ...none, account: null, at: null });
  });

  test('is the credit after a minute, and nobody goes by it after ten', async () => {
    const place = await known(1);
    await age(place, 'credit_at', 61);
    expect(await due(place.bindingId)).toEqual({ ...none, credit: true });
    await age(place, 'credit_at', 601);
    expect(await due(place.bindingId)).toEqual({ ...all, prices: false });
  });

  test('are prices after a day', async () => {
    const place = await known(1);
    await age(place, 'learned_at', 86_300);
    expect((await gauges.due(place.bindingId)).prices).toBe(false);
    await age(place, 'learned_at', 86_401);
    expect((await gauges.due(place.bindingId)).prices).toBe(true);
  });

  test('after a send is the credit, and the prices where few parts or not this one have told any', async () => {
    const dues: unknown[] = [];
    for (const [parts, price] of [
      [19, 1000],
      [20, 1000],
      [20, null],
    ] as const) {
      const place = await known(10 ** 9, { ...NOTHING_PAID, ucs2: paid(1000 * parts, parts) });
      const { jobId } = await storage.addRunningJob(place);
      await age(place, 'credit_at', 1);
      expect(await due(place.bindingId)).toEqual(none);
      await storage.sql`
        update job set state = 'done', ended_at = now(), price_rial = ${price} where id = ${jobId}`;
      const soon = await due(place.bindingId);
      await age(place, 'learned_at', 601);
      await storage.sql`update job set ended_at = now() - interval '590 seconds' where id = ${jobId}`;
      dues.push([parts, price, soon, (await gauges.due(place.bindingId)).prices]);
    }
    expect(dues).toEqual([
      [19, 1000, { ...none, credit: true, prices: true }, true],
      [20, 1000, { ...none, credit: true }, false],
      [20, null, { ...none, credit: true }, true],
    ]);
  });

  test('a new draft and the end of a job ask for it, the draft with what its card says', async () => {
    const place = await known(5000);
    await storage.emptyQueue();
    await age(place, 'credit_at', 5);
    await age(place, 'learned_at', 5);
    const draftId = await draft(place, 1);
    expect((await storage.queued()).get(`gauge:${draftId}`)).toMatchObject({
      task: 'gauge',
      payload: { bindingId: place.bindingId, draftId, shown: '1000 1000  4000 5' },
    });
    const { jobId } = await storage.addRunningJob(place);
    await storage.sql`update attempt set state = 'accepted', ended_at = now() where job_id = ${jobId}`;
    await storage.emptyQueue();
    await storage.jobs.finish(jobId);
    expect((await storage.queued()).get(`gauge:${place.bindingId}`)).toMatchObject({
      payload: { bindingId: place.bindingId },
    });
    const stopped = await storage.addRunningJob(place);
    await storage.emptyQueue();
    await storage.jobs.stop(stopped.jobId, 'credit', null, null);
    expect((await storage.queued()).has(`gauge:${place.bindingId}`)).toBe(true);
  });
});

describe('a confirmed send', () => {
  test('keeps its price, by which the day’s cap counts', async () => {
    const place = await known(10 ** 9, { ...KNOWN, gsm7: paid(10, 3) });
    const id = await draft(place, 4);
    expect(await confirm(place, id)).toMatchObject({ result: 'confirmed' });
    expect((await jobOf(id))?.price).toBe(14);
    await storage.sql`
      insert into chat_limits (chat_id, approval_parts, cap_rial, cap_parts, updated_by)
      values (${place.chat.id}, null, 30, 9, ${place.ownerId})`;
    // By the nine parts that the cap once stood for, four would be 14 too, but six would be 20.
    expect(await confirm(place, await draft(place, 5))).toMatchObject({
      result: 'limited',
      verdict: { kind: 'cap', unit: 'rial', used: 14, wanted: 17 },
    });
    expect(await confirm(place, await draft(place, 4))).toMatchObject({ result: 'confirmed' });
  });

  test('of an account without a price has none', async () => {
    const place = await storage.addPlace();
    const id = await draft(place, 4);
    await confirm(place, id);
    expect(await jobOf(id)).toMatchObject({ price: null });
  });

  test('that the credit does not pay for needs a press of a card that says so', async () => {
    const place = await known(2999);
    const id = await draft(place, 3);
    expect(await confirm(place, id)).toEqual({ result: 'short' });
    expect(await jobOf(id)).toBe(null);
    expect(await confirm(place, id, true)).toMatchObject({ result: 'confirmed' });
    const enough = await known(3000);
    expect(await confirm(enough, await draft(enough, 3))).toMatchObject({ result: 'confirmed' });
  });

  test('is not held up by a credit that nobody knows any more', async () => {
    const place = await known(1);
    await age(place, 'credit_at', 601);
    expect(await confirm(place, await draft(place, 3))).toMatchObject({ result: 'confirmed' });
  });
});

describe('what earlier sends still take of the credit', () => {
  const committed = async ({ bindingId }: Place) => (await gauges.of(bindingId))?.committed;

  test('is the price of what has not left, so that two do not both fit', async () => {
    const place = await known(5000);
    expect(await confirm(place, await draft(place, 3))).toMatchObject({ result: 'confirmed' });
    expect(await committed(place)).toBe(3000);
    expect(await confirm(place, await draft(place, 3))).toEqual({ result: 'short' });
    expect(await confirm(place, await draft(place, 2))).toMatchObject({ result: 'confirmed' });
    expect(await committed(place)).toBe(5000);
  });

  test('is nothing of what was undone, refused, waits for its time, or was paid before the credit was read', async () => {
    const place = await known(10 ** 9);
    const ids = await Promise.all(Array.from({ length: 6 }, async () => await draft(place, 3)));
    for (const id of ids) await confirm(place, id);
    const jobs = await Promise.all(ids.map(async (id) => (await jobOf(id))?.id ?? ''));
    const [undone = '', refused = '', scheduled = '', paidFor = '', running = '', stopped = ''] = jobs;
    const end = async (job: string, state: string, attempts: string, seconds: number) => {
      await storage.sql`
        update job set state = ${state}, ended_at = now() - ${seconds} * interval '1 second' where id = ${job}`;
      await storage.sql`
        update attempt set state = ${attempts}, ended_at = now() - ${seconds} * interval '1 second' where job_id = ${job}`;
    };
    await age(place, 'credit_at', 30);
    await end(undone, 'undone', 'planned', 0);
    await end(refused, 'stopped', 'rejected', 0);
    await storage.sql`update job set state = 'scheduled' where id = ${scheduled}`;
    await end(paidFor, 'done', 'accepted', 40);
    await storage.sql`update job set state = 'running' where id = ${running}`;
    await end(stopped, 'stopped', 'accepted', 10);
    expect(await committed(place)).toBe(6000);
    await gauges.readCredit(place.bindingId, () => Promise.resolve(10 ** 9));
    expect(await committed(place)).toBe(3000);
  });

  test('is that of all chats by the same account, which have one credit', async () => {
    const [place, other, stranger] = [await known(5000), await known(5000), await known(5000)];
    await storage.sql`
      update binding set gateway_user = (select gateway_user from binding where id = ${place.bindingId})
      where id = ${other.bindingId}`;
    expect(await confirm(other, await draft(other, 3))).toMatchObject({ result: 'confirmed' });
    for (const each of [place, other]) expect(await committed(each)).toBe(3000);
    expect(await committed(stranger)).toBe(0);
    expect((await storage.drafts.card(await draft(place, 1)))?.gauge?.committed).toBe(3000);
    expect(await confirm(place, await draft(place, 3))).toEqual({ result: 'short' });
  });

  test('of a send under way is the share of its calls that is not in the credit yet', async () => {
    const place = await known(10 ** 9);
    const id = await draft(place, 500);
    await storage.sql`
      insert into chat_limits (chat_id, approval_parts, updated_by) values (${place.chat.id}, null, ${place.ownerId})`;
    await confirm(place, id);
    const job = (await jobOf(id))?.id ?? '';
    await storage.sql`update job set state = 'running' where id = ${job}`;
    await storage.sql`
      update attempt set state = 'accepted', ended_at = now() - interval '1 minute' where job_id = ${job} and chunk = 0`;
    await age(place, 'credit_at', 30);
    expect(await committed(place)).toBe(300_000);
    await storage.sql`update attempt set state = 'unknown', ended_at = now() where job_id = ${job} and chunk = 2`;
    expect(await committed(place)).toBe(300_000);
    await gauges.readCredit(place.bindingId, () => Promise.resolve(10 ** 9));
    expect(await committed(place)).toBe(200_000);
  });

  test('of one that has gone on is the whole price of its rest, and nothing of what was refused before', async () => {
    const place = await known(10 ** 9);
    const recipients = Array.from({ length: 500 }, (_, n) => `98912${String(n).padStart(7, '0')}`);
    const { jobId } = await storage.addRunningJob(place, { recipients });
    await storage.sql`
      update attempt set state = 'rejected', gateway_code = 23, ended_at = now() where job_id = ${jobId} and chunk = 0`;
    // As long as it runs, its price is that of all.
    expect(await committed(place)).toBe(300_000);
    await storage.jobs.stop(jobId, 'person', place.ownerId, storage.next());
    const press = { jobId, personId: place.ownerId, updateId: storage.next(), timeZone: 'UTC' };
    expect(await storage.jobs.resume(press)).toMatchObject({ result: 'resumed', recipients: 300 });
    expect(await committed(place)).toBe(300_000);
  });
});

test('what scheduled sends need is told with those that have no price', async () => {
  const place = await known(10 ** 9);
  expect(await gauges.scheduled(place.bindingId)).toEqual({ sends: 0, rial: 0, unpriced: 0, elsewhere: 0 });
  for (const [recipients, state] of [
    [3, 'scheduled'],
    [4, 'scheduled'],
    [5, 'scheduled'],
    [6, 'holding'],
  ] as const) {
    const id = await draft(place, recipients);
    await confirm(place, id);
    await storage.sql`
      update job set state = ${state}, price_rial = nullif(price_rial, 5000) where draft_id = ${id}`;
  }
  expect(await gauges.scheduled(place.bindingId)).toEqual({
    sends: 3,
    rial: 7000,
    unpriced: 1,
    elsewhere: 0,
  });
});

test('what scheduled sends of other chats need of the same credit is known, and is not named', async () => {
  const [place, other, stranger] = [await known(10 ** 9), await known(10 ** 9), await known(10 ** 9)];
  await storage.sql`
    update binding set gateway_user = (select gateway_user from binding where id = ${place.bindingId})
    where id = ${other.bindingId}`;
  for (const each of [place, other, stranger]) {
    const id = await draft(each, each === other ? 3 : 2);
    await confirm(each, id);
    await storage.sql`update job set state = 'scheduled' where draft_id = ${id}`;
  }
  const { waiting } = createAlertReads(storage.database);
  const told = async ({ bindingId }: typeof place) =>
    (await waiting(bindingId)).map(({ rial, isElsewhere }) => [rial, isElsewhere]);
  expect(await gauges.scheduled(place.bindingId)).toMatchObject({ sends: 1, rial: 2000, elsewhere: 3000 });
  expect(await gauges.scheduled(other.bindingId)).toMatchObject({ sends: 1, rial: 3000, elsewhere: 2000 });
  expect(await told(place)).toEqual([
    [2000, false],
    [3000, true],
  ]);
  // By an account that is not linked any more nothing leaves.
  await storage.sql`update binding set state = 'gone' where id = ${other.bindingId}`;
  expect(await gauges.scheduled(place.bindingId)).toMatchObject({ sends: 1, rial: 2000, elsewhere: 0 });
  expect(await told(place)).toEqual([[2000, false]]);
});

test('a card has what is known of its account for as long as it can become a send', async () => {
  const place = await known(5000);
  const id = await draft(place, 1);
  expect((await storage.drafts.card(id))?.gauge).toEqual(await gauges.of(place.bindingId));
  await confirm(place, id);
  expect((await storage.drafts.card(id))?.gauge).toBe(null);
  const unknown = await storage.addPlace();
  expect((await storage.drafts.card(await draft(unknown, 1)))?.gauge).toBe(null);
});
