import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { copyRows } from '../database/copy-rows.ts';
import { createReconcileStore, SAMPLES } from './reconcile-store.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';
import { readReported } from '../../../test/support/reported.ts';

let storage: TestStorage;
let place: Awaited<ReturnType<TestStorage['addPlace']>>;
let reconciles: ReturnType<typeof createReconcileStore>;

beforeAll(async () => {
  storage = await openTestStorage();
  reconciles = createReconcileStore(storage.database);
});
beforeEach(async () => {
  place = await storage.addPlace();
});
afterAll(() => storage.close());

/** Every call of a job. */
const ALL = [[0, 1000]] as const;
const R = ['989120000001', '989120000002', '989120000003'];

/** A job with one call that has gone out, and what came of it. */
async function called(
  outcome: 'unknown' | 'accepted',
  {
    messageIds = R.map(() => '71'),
    at = place,
    ...more
  }: Parameters<TestStorage['addRunningJob']>[1] & { messageIds?: string[]; at?: typeof place } = {},
) {
  const { jobId, draftId } = await storage.addRunningJob(at, {
    recipients: R,
    text: `Hello ${storage.next()}`,
    ...more,
  });
  const reserved = await storage.jobs.reserve(jobId, 'process-1');
  if (!reserved.ok) throw new Error(reserved.reason);
  const { id, epoch } = reserved.attempts[0];
  await storage.jobs.goOnWire(id, epoch);
  await storage.jobs.record(
    id,
    epoch,
    outcome === 'unknown' ? { outcome, reason: 'timeout', raw: '' } : { outcome, raw: '', messageIds },
  );
  await storage.emptyQueue();
  return { attemptId: id, jobId, draftId };
}

async function attempts(jobId: string) {
  return await storage.sql<
    {
      chunk: number;
      state: string;
      recipients: string[];
      keys: string[];
      messages: { recipient: string }[] | null;
    }[]
  >`
    select chunk, state, recipients, message_keys as keys, messages from attempt where job_id = ${jobId} order by chunk`;
}

describe('a doubt', () => {
  test('is what was sent to whom, and when', async () => {
    place = await storage.addPlace();
    const { attemptId } = await called('unknown', { text: 'Hi' });
    const doubt = await reconciles.doubt(attemptId);
    const [user] =
      await storage.sql`select gateway_user as account from binding where id = ${place.bindingId}`;
    expect(doubt).toMatchObject({
      ...user,
      attemptId,
      bindingId: place.bindingId,
      recipients: R,
      checks: 0,
      lastLook: null,
    });
    expect(doubt?.messages).toEqual(new Map(R.map((r) => [r, { line: '3000123456', text: 'Hi' }])));
    expect(doubt && doubt.from <= doubt.to && doubt.to <= doubt.now).toBe(true);
  });

  test('has each message of its own where a call carries several', async () => {
    const rows = R.map((recipient, n) => ({
      line: n === 0 ? '50001234' : '3000123456',
      recipient,
      text: `for ${n}`,
      flash: false,
    }));
    const { attemptId } = await called('unknown', { outgoing: { kind: 'multi', rows }, text: '' });
    const doubt = await reconciles.doubt(attemptId);
    expect(doubt?.messages?.get(R[0] ?? '')).toEqual({ line: '50001234', text: 'for 0' });
    expect(doubt?.messages?.get(R[2] ?? '')).toEqual({ line: '3000123456', text: 'for 2' });
  });

  test('has no text to look for where the gateway keeps it', async () => {
    const outgoing = { kind: 'pattern', patternId: '1', variables: {}, perCall: 200 } as const;
    const { attemptId } = await called('unknown', { outgoing, text: '' });
    expect((await reconciles.doubt(attemptId))?.messages).toBeNull();
  });

  test('is none once the outcome is known', async () => {
    const { attemptId } = await called('accepted');
    expect(await reconciles.doubt(attemptId)).toBeNull();
    expect(await reconciles.found(attemptId, [], false)).toBe(false);
    expect(
      await reconciles.ask(attemptId, { found: [], blocked: [], absent: R, proven: true, look: null }),
    ).toBe(false);
  });
});

test('accepted calls of the account tell its clock, and claim their messages', async () => {
  const { attemptId: known } = await called('accepted');
  const { attemptId } = await called('unknown');
  const calls = await reconciles.acceptedCalls(place.bindingId);
  expect(calls).toMatchObject([{ messageId: '71' }]);
  expect(calls[0] && calls[0].from <= calls[0].to).toBe(true);
  const messages = [...R, '989129999999'].map((recipient) => ({ recipient, messageId: '71' }));
  expect(await reconciles.claimed(attemptId, messages)).toEqual(new Set(R.map((r) => `71 ${r}`)));
  expect(await reconciles.claimed(known, messages)).toEqual(new Set());
});

test('the clock is told by what was accepted in the last days, the newest first, with how many ids a call was given', async () => {
  const older = await called('accepted', { messageIds: ['9', '8', '9'], text: 'older' });
  const past = await called('accepted', { messageIds: ['1', '1', '1'] });
  await called('accepted', { messageIds: ['', '', ''] });
  // The gateway keeps a pattern's text, and when messages to a book leave.
  const pattern = { kind: 'pattern', patternId: '1', variables: {}, perCall: 200 } as const;
  await called('accepted', { messageIds: ['4', '4', '4'], outgoing: pattern, text: '' });
  await called('accepted', { outgoing: { kind: 'book', bookId: '7', title: 'VIP', way: 'call' } });
  await called('accepted', { messageIds: ['5', '6', '7'], text: 'newer' });
  await called('accepted', { at: await storage.addPlace() });
  const lost = await called('unknown');
  await storage.sql`
    update attempt set ended_at = now() - case id when ${past.attemptId} then interval '8 days' else interval '1 hour' end
    where id in (${past.attemptId}, ${older.attemptId})`;
  // As of a call whose answer came after all, and was none.
  await storage.sql`
    update attempt set state = 'rejected', message_ids = array['3', '3', '3'] where id = ${lost.attemptId}`;
  const calls = await reconciles.acceptedCalls(place.bindingId);
  expect(calls.map(({ messageId, ids, text }) => [messageId, ids, text])).toEqual([
    ['5', 3, 'newer'],
    ['4', 1, null],
    ['8', 2, 'older'],
  ]);
  for (let n = 1; n <= SAMPLES; n += 1)
    await storage.sql.begin(async (tx) => {
      const given = { id: tx`gen_random_uuid()`, chunk: tx`${n}::int` };
      await copyRows(tx, 'attempt', { where: tx`id = ${older.attemptId}`, given });
    });
  expect(await reconciles.acceptedCalls(place.bindingId)).toHaveLength(SAMPLES);
});

test('what may be out is told by its card, the longest waiting first, of this chat alone', async () => {
  const minutes = [3, 6, 4, 0, 5, 10];
  const calls: Awaited<ReturnType<typeof called>>[] = [];
  for (const _ of minutes) calls.push(await called('unknown'));
  calls.push(await called('accepted'), await called('unknown', { at: await storage.addPlace() }));
  for (const [index, { attemptId }] of calls.entries())
    await storage.sql`
      update attempt set on_wire_at = now() - ${minutes[index] ?? 10} * interval '1 minute' where id = ${attemptId}`;
  const last = calls[5]?.jobId ?? '';
  await storage.sql`update attempt set state = 'asked' where job_id = ${last}`;
  // Of several calls the one that waits longest counts.
  await storage.sql`
    update attempt set job_id = ${last}, chunk = 1 where job_id = ${calls[0]?.jobId ?? ''}`;
  const told = await reconciles.waiting(place.chat.id, 60);
  expect(told).toMatchObject([
    { draftId: calls[5]?.draftId, recipients: 6, asked: 3 },
    ...[1, 4, 2].map((index) => ({ draftId: calls[index]?.draftId, recipients: 3, asked: 0 })),
  ]);
  const [longest] = await storage.sql<{ at: Date }[]>`
    select on_wire_at as at from attempt where id = ${calls[5]?.attemptId ?? ''}`;
  expect(told[0]?.since).toEqual(longest?.at);
});

describe('equal messages of accepted calls', () => {
  const text = 'twice the same';
  const around = { from: Date.now() / 1000 - 3600, to: Date.now() / 1000 + 3600 };

  test('whose id stands for several recipients are told, with the time of their call', async () => {
    const { jobId } = await called('accepted', { text });
    const { attemptId } = await called('unknown', { text, recipients: R.slice(1) });
    const unnamed = await reconciles.unnamed(attemptId, around);
    expect(new Map(unnamed.map(({ recipient, messageId }) => [recipient, messageId]))).toEqual(
      new Map(R.slice(1).map((recipient) => [recipient, '71'])),
    );
    expect(unnamed.every(({ from, to }) => around.from < from && from <= to && to < around.to)).toBe(true);
    // Once its reports are asked for, its ids stand with them.
    await storage.jobs.unsettled(jobId);
    expect(await reconciles.unnamed(attemptId, around)).toEqual(unnamed);
  });

  test('to which the gateway gave no id are told without one', async () => {
    const { jobId } = await called('accepted', { text, messageIds: ['71', '', ''] });
    const { attemptId } = await called('unknown', { text });
    const told = async () =>
      new Map(
        (await reconciles.unnamed(attemptId, around)).map(({ recipient, messageId }) => [
          recipient,
          messageId,
        ]),
      );
    const unnamed = new Map(R.slice(1).map((recipient) => [recipient, '']));
    expect(await told()).toEqual(unnamed);
    await storage.jobs.unsettled(jobId);
    expect(await told()).toEqual(unnamed);
  });

  test.each<[string, Parameters<typeof called>[1]]>([
    ['with an id for each recipient', { text, messageIds: ['71', '72', '73'] }],
    ['with another text', { text: 'another' }],
  ])('%s are none', async (_what, more) => {
    await called('accepted', more);
    const { attemptId } = await called('unknown', { text });
    expect(await reconciles.unnamed(attemptId, around)).toEqual([]);
  });

  test('from another time, of another chat, or refused, are none', async () => {
    await called('accepted', { text, at: await storage.addPlace() });
    const refused = await called('accepted', { text, messageIds: ['', '', ''] });
    await storage.sql`update attempt set state = 'rejected' where id = ${refused.attemptId}`;
    await called('accepted', { text });
    const { attemptId } = await called('unknown', { text });
    for (const other of [
      { from: around.from - 7200, to: around.from },
      { from: around.to, to: around.to + 7200 },
    ])
      expect(await reconciles.unnamed(attemptId, other)).toEqual([]);
    expect(await reconciles.unnamed(attemptId, around)).toHaveLength(3);
  });
});

describe('what was found out', () => {
  test('that everybody has it: sent, with ids to ask the reports for', async () => {
    const other = await called('unknown');
    const { attemptId, jobId, draftId } = await called('unknown');
    const messages = R.map((recipient) => ({ recipient, messageId: '90' }));
    expect(await reconciles.found(attemptId, messages, true)).toBe(true);
    expect(await attempts(jobId)).toMatchObject([{ state: 'sent', recipients: R }]);
    expect(await attempts(other.jobId)).toMatchObject([{ state: 'unknown' }]);
    const [looked] = await storage.sql`select shared, checks from attempt where id = ${attemptId}`;
    expect(looked).toEqual({ shared: true, checks: 1 });
    expect((await storage.jobs.unsettled(jobId))?.messageIds).toEqual(['90']);
    expect((await storage.drafts.card(draftId))?.job?.counts).toMatchObject({ unknown: 0, accepted: 3 });
    expect([...(await storage.queued()).keys()].toSorted()).toEqual([`card:${draftId}`, `track:${jobId}`]);
    expect(await reconciles.found(attemptId, messages, true)).toBe(false);
  });

  test('a row of the gateway belongs to one call, however many claim it at once', async () => {
    const calls = await Promise.all([called('unknown'), called('unknown'), called('unknown')]);
    const messages = R.map((recipient) => ({ recipient, messageId: '95' }));
    const claimed = await Promise.all(
      calls.map(({ attemptId }, n) =>
        n === 0
          ? reconciles.ask(attemptId, {
              found: messages.slice(0, 1),
              blocked: [],
              absent: R.slice(1),
              proven: true,
              look: null,
            })
          : reconciles.found(attemptId, messages, false),
      ),
    );
    expect(claimed.filter(Boolean)).toHaveLength(1);
    const each = await Promise.all(calls.map(({ jobId }) => readReported(storage.sql, jobId)));
    const rows = each.flat().filter((row) => row.message_id === '95');
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map(({ recipient }) => recipient)).size).toBe(rows.length);
  });

  test('nothing yet: remembered, and looked for again', async () => {
    const [{ attemptId }, other] = [await called('unknown'), await called('unknown')];
    await reconciles.keepOpen(attemptId, { at: 5, absent: R }, 60_000);
    expect(await reconciles.doubt(other.attemptId)).toMatchObject({ checks: 0, lastLook: null });
    const known = await called('accepted');
    await reconciles.keepOpen(known.attemptId, null, 60_000);
    expect((await storage.queued()).has(`reconcile:${known.attemptId}`)).toBe(false);
    expect(await reconciles.doubt(attemptId)).toMatchObject({ checks: 1, lastLook: { at: 5, absent: R } });
    await reconciles.keepOpen(attemptId, null, 60_000);
    expect(await reconciles.doubt(attemptId)).toMatchObject({ checks: 2, lastLook: { at: 5, absent: R } });
    const job = (await storage.queued()).get(`reconcile:${attemptId}`);
    expect(job?.payload).toEqual({ attemptId });
    expect(Math.round((job?.in_ms ?? 0) / 1000)).toBe(60);
  });

  test('in part: each recipient stands where it belongs, and none is lost', async () => {
    const numbers = [...R, '989120000004'];
    const rows = numbers.map((recipient, n) => ({
      line: '3000123456',
      recipient,
      text: `for ${n}`,
      flash: false,
    }));
    const others = rows.map((row) => ({ ...row, text: `other ${row.text}` }));
    const other = await called('unknown', { outgoing: { kind: 'multi', rows: others }, text: '' });
    await storage.sql`update attempt set chunk = 7 where id = ${other.attemptId}`;
    const { attemptId, jobId, draftId } = await called('unknown', {
      outgoing: { kind: 'multi', rows },
      text: '',
    });
    await storage.sql`
      update draft set details = details || '{"answers": {"inboundId": 1, "isAuto": false}}' where id = ${draftId}`;
    const [before] = await attempts(jobId);
    const [first = '', second = '', third = '', fourth = ''] = numbers;
    const look = { at: 6, absent: [first] };
    const parts = { found: [{ recipient: third, messageId: `${storage.next()}` }], blocked: [second] };
    expect(await reconciles.ask(attemptId, { ...parts, absent: [fourth, first], proven: true, look })).toBe(
      true,
    );
    const queued = ['card:' + draftId, 'track:' + jobId, 'unanswered:' + jobId];
    expect(new Set((await storage.queued()).keys())).toEqual(
      new Set([...queued, `remind:${jobId}:0`, `remind:${jobId}:1`]),
    );
    const now = await attempts(jobId);
    expect(now.map(({ chunk, state, recipients }) => [chunk, state, recipients])).toEqual([
      [0, 'asked', [fourth, first]],
      [1, 'sent', [third]],
      [2, 'not_sent', [second]],
    ]);
    for (const { recipients, keys, messages } of now) {
      expect(messages?.map(({ recipient }) => recipient)).toEqual(recipients);
      expect(keys).toEqual(recipients.map((each) => before?.keys[numbers.indexOf(each)]));
    }
    const { counts } = (await storage.drafts.card(draftId))?.job ?? {};
    expect(counts).toMatchObject({ accepted: 1, rejected: 1, unknown: 2 });
    const looks =
      await storage.sql`select outcome, checks, last_look from attempt where job_id = ${jobId} order by chunk`;
    expect(looks).toEqual([
      { outcome: 'absent', checks: 1, last_look: look },
      { outcome: 'found', checks: 1, last_look: null },
      { outcome: 'blocked', checks: 1, last_look: null },
    ]);
    expect(await attempts(other.jobId)).toMatchObject([{ state: 'unknown', recipients: numbers }]);
    expect(await reconciles.doubt(attemptId)).toBeNull();
  });

  test.each(['with its call', 'with its reports', 'as releases before 0.2 kept it'])(
    'an id that stands %s belongs to it and its recipient: in its account, or in an equal call of that hour',
    async (where) => {
      const [text, there] = [`Hello ${storage.next()}`, await storage.addPlace()];
      const ids = Array.from({ length: 12 }, () => `${storage.next()}`);
      const calls = [
        await called('accepted', { messageIds: ids.slice(0, 3) }),
        await called('accepted', { messageIds: ids.slice(3, 6), text, at: there }),
        await called('accepted', { messageIds: ids.slice(6, 9), at: there }),
        await called('accepted', { messageIds: ids.slice(9), text, at: there }),
      ];
      await storage.sql`
        update attempt set on_wire_at = on_wire_at - interval '2 hours' where id = ${calls[3]?.attemptId ?? ''}`;
      for (const [index, { attemptId, jobId }] of calls.entries()) {
        if (where === 'with its call') continue;
        await storage.jobs.unsettled(jobId);
        if (where === 'with its reports') continue;
        await storage.sql`delete from call_report where attempt_id = ${attemptId}`;
        for (const [place, recipient] of R.entries())
          await storage.sql`
            insert into delivery (attempt_id, recipient, message_id, kind)
            values (${attemptId}, ${recipient}, ${ids[index * 3 + place] ?? ''}, 'waiting')`;
      }
      const { attemptId } = await called('unknown', { text });
      const listed = ids.flatMap((messageId) => R.map((recipient) => ({ messageId, recipient })));
      expect(await reconciles.claimed(attemptId, listed)).toEqual(
        new Set(ids.slice(0, 6).map((id, index) => `${id} ${R[index % 3]}`)),
      );
    },
  );
});

describe('what a person decides', () => {
  async function asked() {
    const made = await called('unknown');
    const ask = async () =>
      await reconciles.ask(made.attemptId, { found: [], blocked: [], absent: R, proven: true, look: null });
    expect((await Promise.all([ask(), ask()])).filter(Boolean)).toEqual([true]);
    await storage.emptyQueue();
    return made;
  }
  const job = async (draftId: string) => (await storage.drafts.card(draftId))?.job;

  test('is asked about as long as nobody has', async () => {
    const { attemptId, jobId, draftId } = await asked();
    expect(await reconciles.asked(jobId)).toEqual([{ attemptId, recipients: R, messages: null }]);
    expect(await job(draftId)).toMatchObject({ asked: 3, counts: { unknown: 3 }, said: 0, resent: 0 });
  });

  test.each([
    { sent: true, shows: { asked: 0, said: 3, counts: { unknown: 0, accepted: 0, rejected: 0 } } },
    { sent: false, shows: { asked: 0, said: 0, counts: { unknown: 0, accepted: 0, rejected: 3 } } },
  ])('counts as their word, once, with a row in the audit: sent $sent', async ({ sent, shows }) => {
    const other = await asked();
    const { attemptId, jobId, draftId } = await asked();
    const word = { jobId, seen: ALL, sent, personId: place.ownerId, updateId: storage.next() };
    expect(await Promise.all([reconciles.decide(word), reconciles.decide(word)])).toEqual(
      expect.arrayContaining([3, 0]),
    );
    expect(await job(draftId)).toMatchObject(shows);
    expect(await job(other.draftId)).toMatchObject({ asked: 3 });
    const [by] = await storage.sql`select settled_by from attempt where id = ${attemptId}`;
    expect(by).toEqual({ settled_by: place.ownerId });
    const queued = await storage.queued();
    expect([draftId, other.draftId].map((each) => queued.has(`card:${each}`))).toEqual([true, false]);
    const settled = (await storage.audit(place.chat.id)).filter(({ action }) => action === 'send_settled');
    const code = (await storage.drafts.card(draftId))?.draft.code;
    expect(settled).toMatchObject([{ person_id: place.ownerId, details: { code, sent, recipients: 3 } }]);
  });

  test('to send again closes the question when the new card is confirmed, and not before', async () => {
    const other = await asked();
    const { attemptId, jobId, draftId } = await asked();
    const again = storage.draftIn(place, { recipients: R, text: 'Hello', resends: [attemptId] });
    const { id } = await storage.drafts.create(again);
    expect((await reconciles.asked(jobId)).length).toBe(1);
    await storage.emptyQueue();
    const press = {
      draftId: id,
      version: 1,
      personId: place.ownerId,
      updateId: storage.next(),
      undoSeconds: 0,
    };
    const { result } = await storage.drafts.confirm({ ...press, timeZone: 'UTC' });
    expect(result).toBe('confirmed');
    expect(await reconciles.asked(jobId)).toEqual([]);
    expect(await job(draftId)).toMatchObject({ asked: 0, resent: 3, counts: { unknown: 0 } });
    const [closed] = await storage.sql`select settled_by from attempt where id = ${attemptId}`;
    expect(closed).toEqual({ settled_by: place.ownerId });
    const queued = await storage.queued();
    expect([draftId, other.draftId].map((each) => queued.has(`card:${each}`))).toEqual([true, false]);
    expect((await reconciles.asked(other.jobId)).length).toBe(1);
  });

  test('is not overruled by a card that was made to send again before it', async () => {
    const { attemptId, jobId, draftId } = await asked();
    const { id } = await storage.drafts.create(
      storage.draftIn(place, { recipients: R, resends: [attemptId] }),
    );
    await reconciles.decide({
      jobId,
      seen: ALL,
      sent: true,
      personId: place.ownerId,
      updateId: storage.next(),
    });
    const press = {
      draftId: id,
      version: 1,
      personId: place.ownerId,
      updateId: storage.next(),
      undoSeconds: 0,
    };
    expect(await storage.drafts.confirm({ ...press, timeZone: 'UTC' })).toEqual({ result: 'changed' });
    expect(await job(draftId)).toMatchObject({ said: 3, resent: 0 });
    expect(await job(id)).toBeNull();
  });

  test('to send again is void once another look has found some of them', async () => {
    const other = await asked();
    const { attemptId, jobId } = await asked();
    const again = storage.draftIn(place, { recipients: R, text: 'Hello', resends: [attemptId] });
    const { id } = await storage.drafts.create(again);
    expect(await reconciles.lookAgain(jobId, ALL)).toBe(1);
    expect((await storage.queued()).has(`reconcile:${attemptId}`)).toBe(true);
    expect((await reconciles.asked(other.jobId)).length).toBe(1);
    // What is known already, also of a call that was shown, is not looked for.
    const known = await called('accepted');
    expect(await reconciles.lookAgain(known.jobId, ALL)).toBe(0);
    expect(await attempts(known.jobId)).toMatchObject([{ state: 'accepted' }]);
    await reconciles.ask(attemptId, {
      found: [{ recipient: R[0] ?? '', messageId: '96' }],
      blocked: [],
      absent: R.slice(1),
      proven: true,
      look: null,
    });
    const press = {
      draftId: id,
      version: 1,
      personId: place.ownerId,
      updateId: storage.next(),
      undoSeconds: 0,
    };
    expect(await storage.drafts.confirm({ ...press, timeZone: 'UTC' })).toEqual({ result: 'changed' });
    expect((await reconciles.asked(jobId)).map(({ recipients }) => recipients)).toEqual([R.slice(1)]);
  });

  test('to send again is void too where what was found is one of several messages to one of them', async () => {
    const [one = '', two = ''] = R;
    const rows = [
      { recipient: one, text: 'first' },
      { recipient: one, text: 'second' },
      { recipient: two, text: 'other' },
    ].map((row) => ({ ...row, line: '3000123456', flash: false }));
    const multi = { outgoing: { kind: 'multi' as const, rows }, text: '', recipients: [one, two] };
    const { attemptId, jobId } = await called('unknown', multi);
    const next = await storage.jobs.reserve(jobId, 'process-1');
    if (!next.ok) throw new Error(next.reason);
    const { id: later, epoch } = next.attempts[0];
    await storage.jobs.goOnWire(later, epoch);
    await storage.jobs.record(later, epoch, { outcome: 'unknown', reason: 'timeout', raw: '' });
    const undecided = { found: [], blocked: [], proven: false, look: null };
    await reconciles.ask(attemptId, { ...undecided, absent: [one, two] });
    await reconciles.ask(later, { ...undecided, absent: [one] });
    const again = { ...multi, resends: [attemptId, later] };
    const { id } = await storage.drafts.create(storage.draftIn(place, again));
    // Another person has them looked for once more.
    await reconciles.lookAgain(jobId, ALL);
    const found = [{ recipient: one, messageId: '98' }];
    await reconciles.ask(attemptId, { ...undecided, found, absent: [two] });
    await reconciles.ask(later, { ...undecided, absent: [one] });
    const press = { draftId: id, version: 1, personId: place.ownerId, updateId: storage.next() };
    const confirmed = await storage.drafts.confirm({ ...press, undoSeconds: 0, timeZone: 'UTC' });
    expect(confirmed).toEqual({ result: 'changed' });
    const left = (await reconciles.asked(jobId)).flatMap(({ messages }) => messages ?? []);
    expect(left.map(({ text }) => text).toSorted()).toEqual(['other', 'second']);
  });

  test('is about the calls that were shown, and no others', async () => {
    const { jobId, draftId } = await asked();
    expect((await job(draftId))?.doubt?.seen).toEqual([[0, 0]]);
    const word = { jobId, sent: false, personId: place.ownerId, updateId: storage.next() };
    expect(await reconciles.decide({ ...word, seen: [[1, 5]] })).toBe(0);
    expect(await reconciles.decide({ ...word, seen: [] })).toBe(0);
    expect(await reconciles.lookAgain(jobId, [[1, 5]])).toBe(0);
    expect(await reconciles.asked(jobId, [[1, 5]])).toEqual([]);
    expect(await reconciles.decide({ ...word, seen: [[0, 0]] })).toBe(3);
  });

  test('that is being written as a card to send again is confirmed comes first', async () => {
    const { attemptId } = await asked();
    const { id } = await storage.drafts.create(
      storage.draftIn(place, { recipients: R, resends: [attemptId] }),
    );
    const { going } = await storage.sql.begin(async (tx) => {
      await tx`update attempt set state = 'sent', settled_by = ${place.ownerId} where id = ${attemptId}`;
      const going = storage.drafts.confirm({
        draftId: id,
        version: 1,
        personId: place.ownerId,
        updateId: storage.next(),
        undoSeconds: 0,
        timeZone: 'UTC',
      });
      const over = going.then(() => true);
      for (let waits = false; !waits;) {
        const locks = await storage.sql`select 1 from pg_locks where not granted`;
        waits = locks.length > 0 || (await Promise.race([over, Promise.resolve(false)]));
      }
      return { going };
    });
    expect(await going).toEqual({ result: 'changed' });
    expect(await job(id)).toBeNull();
  });

  test('of two cards to send again, one is confirmed', async () => {
    const { attemptId } = await asked();
    const make = () => storage.drafts.create(storage.draftIn(place, { recipients: R, resends: [attemptId] }));
    const drafts = [await make(), await make()];
    const results = await Promise.all(
      drafts.map(({ id }) =>
        storage.drafts.confirm({
          draftId: id,
          version: 1,
          personId: place.ownerId,
          updateId: storage.next(),
          undoSeconds: 0,
          timeZone: 'UTC',
        }),
      ),
    );
    expect(results.map(({ result }) => result).toSorted()).toEqual(['changed', 'confirmed']);
  });
});
