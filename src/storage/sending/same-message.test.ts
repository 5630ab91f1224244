import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OutgoingRow } from '../../domain/kinds/kind.ts';
import type { NewDraft } from '../../ports/stores.ts';
import { LINE, openTestStorage, type TestStorage } from '../testing.ts';
import { readReported } from '../../../test/support/reported.ts';

/* Whoever may already have a message does not get it again: across kinds of sends, links and chats of one account. */

let storage: TestStorage;
let place: Awaited<ReturnType<TestStorage['addPlace']>>;

beforeAll(async () => {
  storage = await openTestStorage();
});
beforeEach(async () => {
  await storage.sql`update attempt set state = 'closed' where state in ('reserved', 'on_wire', 'unknown')`;
  place = await storage.addPlace();
});
afterAll(() => storage.close());

const [SARA, ALI, MINA] = ['989120000001', '989120000002', '989120000003'];
const row = (recipient: string, text: string, line = LINE): OutgoingRow => ({
  line,
  recipient,
  text,
  flash: false,
});
const multi = (...rows: OutgoingRow[]): Partial<NewDraft> => ({
  outgoing: { kind: 'multi', rows },
  text: '',
  recipients: [...new Set(rows.map(({ recipient }) => recipient))],
});
const book = (way: 'call' | 'expanded'): Partial<NewDraft> => ({
  outgoing: { kind: 'book', bookId: '7', title: 'VIP', way },
});
const pattern = (variables: Record<string, string>, patternId = '1'): Partial<NewDraft> => ({
  outgoing: { kind: 'pattern', patternId, variables, perCall: 200 },
  text: '',
});
const future: Partial<NewDraft> = {
  outgoing: {
    kind: 'future',
    at: 4_000_000_000,
    local: { year: '1475', month: '07', day: '11', hour: '10', minute: '36' },
  },
};

async function reserve(more: Partial<NewDraft>, at = place) {
  const { jobId } = await storage.addRunningJob(at, more);
  return await storage.jobs.reserve(jobId, 'process-1');
}

/** A call of which nobody knows what became. */
async function inDoubt(more: Partial<NewDraft>, at = place): Promise<void> {
  const reserved = await reserve(more, at);
  if (!reserved.ok) throw new Error(reserved.reason);
  const { id, epoch } = reserved.attempts[0];
  await storage.jobs.goOnWire(id, epoch);
  await storage.jobs.record(id, epoch, { outcome: 'unknown', reason: 'timeout', raw: '' });
}

describe('a message in doubt', () => {
  const hello: Partial<NewDraft> = { text: 'Hello', recipients: [SARA, ALI] };

  test.each<[string, Partial<NewDraft>, Partial<NewDraft>]>([
    ['one text', hello, { ...hello, recipients: [ALI, MINA] }],
    [
      'a text that the lists may show in its place',
      { ...hello, text: 'كتاب  علي' },
      { ...hello, text: 'کتاب علی', recipients: [ALI] },
    ],
    ['a row of many', hello, multi(row(MINA, 'Hello'), row(ALI, 'Hello'))],
    ['rows of many', multi(row(SARA, 'a'), row(ALI, 'b')), multi(row(MINA, 'a'), row(ALI, 'b'))],
    ['a send for later', hello, { ...hello, ...future }],
    ['a phonebook in one call', hello, { ...hello, ...book('call') }],
    ['the numbers of a phonebook', { ...hello, ...book('call') }, { ...hello, ...book('expanded') }],
    ['a pattern with the same values', pattern({ a: '1', b: '2' }), pattern({ b: '2', a: '1' })],
  ])('keeps back the same message to the same number as %s', async (_what, first, second) => {
    await inDoubt(first);
    expect(await reserve(second)).toEqual({ ok: false, reason: 'earlier_unknown' });
  });

  test.each<[string, Partial<NewDraft>, Partial<NewDraft>]>([
    ['a row with another text', hello, multi(row(SARA, 'Bye'), row(ALI, 'Bye'))],
    ['a row from another line', hello, multi(row(SARA, 'Hello', '50001234'))],
    ['rows that cross', multi(row(SARA, 'a'), row(ALI, 'b')), multi(row(SARA, 'b'), row(ALI, 'a'))],
    ['a pattern with other values', pattern({ a: '1' }), pattern({ a: '2' })],
    ['a pattern with values under other names', pattern({ a: '1' }), pattern({ A: '1' })],
    ['another pattern', pattern({ a: '1' }), pattern({ a: '1' }, '2')],
  ])('lets %s pass', async (_what, first, second) => {
    await inDoubt(first);
    expect((await reserve(second)).ok).toBe(true);
  });

  test('keeps it back also after the account was linked anew, and not from another account’s chat', async () => {
    await inDoubt(hello);
    const bindingId = await storage.link(place.chat.id, place.ownerId);
    expect(await reserve(hello, { ...place, bindingId })).toEqual({ ok: false, reason: 'earlier_unknown' });
    expect((await reserve(hello, await storage.addPlace())).ok).toBe(true);
  });

  test('keeps it back in another chat that uses the same key', async () => {
    const key = 'one-key-for-two-chats';
    const chats = await Promise.all([storage.addPlace(), storage.addPlace()]);
    const [one, two] = await Promise.all(
      chats.map(async (each) => ({
        ...each,
        bindingId: await storage.link(each.chat.id, each.ownerId, key),
      })),
    );
    if (one === undefined || two === undefined) throw new Error('two chats');
    await inDoubt(hello, one);
    expect(await reserve(hello, two)).toEqual({ ok: false, reason: 'earlier_unknown' });
  });

  test('is never joined by a second one, however many come at once by whatever kind', async () => {
    for (let round = 0; round < 5; round += 1) {
      const text = `round ${round}`;
      const kinds = [
        { text },
        { text, ...book('call') },
        multi(row(SARA, text)),
        multi(row(ALI, text), row(SARA, text)),
      ];
      const made = await Promise.all(
        Array.from({ length: 16 }, (_, n) =>
          storage.addRunningJob(place, { recipients: [SARA], ...kinds[n % 4] }),
        ),
      );
      const reserved = await Promise.all(made.map(({ jobId }) => storage.jobs.reserve(jobId, 'process-1')));
      expect(reserved.filter(({ ok }) => ok)).toHaveLength(1);
      await storage.sql`update attempt set state = 'rejected' where state in ('planned', 'reserved')`;
    }
  });
});

test('a book of twenty thousand numbers is compared like any other', async () => {
  const recipients = Array.from({ length: 20_000 }, (_, n) => `98912${String(n).padStart(7, '0')}`);
  await inDoubt({ text: 'to all', recipients, ...book('call') });
  expect((await reserve({ text: 'to all!', recipients, ...book('call') })).ok).toBe(true);
  const last = recipients.slice(-1);
  expect(await reserve({ text: 'to all', recipients: last })).toEqual({
    ok: false,
    reason: 'earlier_unknown',
  });
});

describe('a report without a recipient', () => {
  test('of an id that one recipient alone has is that recipient’s, also a failure', async () => {
    const reserved = await reserve(multi(row(SARA, 'a'), row(ALI, 'b')));
    if (!reserved.ok) throw new Error(reserved.reason);
    const { id, epoch, jobId } = reserved.attempts[0];
    await storage.jobs.goOnWire(id, epoch);
    await storage.jobs.record(id, epoch, {
      outcome: 'accepted',
      raw: '',
      messageIds: ['7', '9'],
    });
    await storage.jobs.unsettled(jobId);
    const told = await storage.jobs.recordReports(jobId, [
      { id: '7', state: { raw: 5, text: '', kind: 'failed' } },
      { id: '9', state: { raw: 4, text: '', kind: 'delivered' } },
    ]);
    expect(told).toEqual({ changed: true, left: 0 });
    expect(await readReported(storage.sql, jobId)).toMatchObject([
      { recipient: SARA, kind: 'failed' },
      { recipient: ALI, kind: 'delivered' },
    ]);
  });
});

test('a send that the gateway keeps is not asked about before its time, and its age counts from then', async () => {
  const reserved = await reserve(future);
  if (!reserved.ok) throw new Error(reserved.reason);
  const { id, epoch, jobId, recipients } = reserved.attempts[0];
  await storage.jobs.goOnWire(id, epoch);
  await storage.jobs.record(id, epoch, {
    outcome: 'accepted',
    raw: '',
    messageIds: recipients.map(() => '7'),
  });
  expect((await storage.jobs.unsettled(jobId))?.ageSeconds).toBeLessThan(-86_400);
  await storage.sql`update draft set details = jsonb_set(details, '{at}', to_jsonb(extract(epoch from now())::int - 90))
    where id = (select draft_id from job where id = ${jobId})`;
  await storage.sql`update job set leaves_at = now() - interval '90 seconds' where id = ${jobId}`;
  await storage.sql`update attempt set ended_at = now() - interval '2 days' where id = ${id}`;
  expect((await storage.jobs.unsettled(jobId))?.ageSeconds).toBeCloseTo(90, -1);
});
