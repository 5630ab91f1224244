import { describe, expect, test } from 'vitest';
import type { AttemptState } from '../../domain/attempt.ts';
import { newBulk } from '../../domain/bulk.ts';
import type { NewDraft } from '../../ports/stores.ts';
import { writeOutgoing } from './kinds/details.ts';
import {
  ACCEPTED,
  NOT_SENT,
  numbers,
  OWNER,
  REJECTED,
  UNKNOWN,
  useCalls,
} from '../../../test/support/calls.ts';
import { readReported } from '../../../test/support/reported.ts';

const { storage, place, running, reserve, onWire, jobOf, doubtful } = useCalls();

async function stateOf(attemptId: string): Promise<AttemptState | undefined> {
  const [row] = await storage.sql<
    { state: AttemptState }[]
  >`select state from attempt where id = ${attemptId}`;
  return row?.state;
}

describe('the fence', () => {
  test('lets the holder through once', async () => {
    const { jobId } = await running();
    const attempt = await reserve(jobId);
    expect(attempt).toMatchObject({
      jobId,
      bindingId: place.bindingId,
      state: 'reserved',
      text: 'Hello',
      flash: false,
      tries: 0,
      recipients: ['989120000001', '989120000002'],
    });
    expect(await storage.jobs.goOnWire(attempt.id, attempt.epoch)).toBe(true);
    expect(await storage.jobs.goOnWire(attempt.id, attempt.epoch)).toBe(false);
    const [row] = await storage.sql`
      select state, fenced, on_wire_at is null as unseen from attempt where id = ${attempt.id}`;
    expect(row).toEqual({ state: 'on_wire', fenced: attempt.epoch, unseen: false });
  });

  test('lets the call go that was asked for, and not one that was reserved under the same epoch', async () => {
    const { jobId } = await running({ recipients: numbers(0, 600) });
    const { id, epoch } = await reserve(jobId);
    const [other, third] = [await reserve(jobId), await reserve(jobId)];
    await storage.sql`update attempt set epoch = ${epoch} where id in ${storage.sql([other.id, third.id])}`;
    const states = async () => [await stateOf(id), await stateOf(other.id)];
    // Nor are numbers left out of the other.
    await storage.jobs.dropBlocked(id, epoch, [...numbers(0, 1), ...numbers(200, 1)]);
    const [asItWas] = await storage.sql`select recipients from attempt where id = ${other.id}`;
    expect(asItWas?.['recipients']).toEqual(other.recipients);
    expect(await storage.jobs.goOnWire(id, epoch)).toBe(true);
    expect(await states()).toEqual(['on_wire', 'reserved']);
    // Nor is what comes of it written down for the other.
    await storage.jobs.record(id, epoch, UNKNOWN);
    expect(await states()).toEqual(['unknown', 'reserved']);
    await storage.jobs.release(other.id, epoch);
    expect(await states()).toEqual(['unknown', 'planned']);
    expect(await stateOf(third.id)).toBe('reserved');
    const [back] = await storage.sql`select owner from attempt where id = ${other.id}`;
    expect(back).toEqual({ owner: null });
  });

  test('at the same moment lets one of many through', async () => {
    const { jobId } = await running();
    const attempt = await reserve(jobId);
    const passed = await Promise.all(
      Array.from({ length: 20 }, () => storage.jobs.goOnWire(attempt.id, attempt.epoch)),
    );
    expect(passed.filter(Boolean).length).toBe(1);
  });

  test.each([
    ['the job was stopped', (jobId: string) => storage.jobs.stop(jobId, 'person', place.ownerId, 1)],
    [
      'the job alone runs no longer',
      (jobId: string) => storage.sql`update job set state = 'paused' where id = ${jobId}`,
    ],
    [
      'the switch of the chat alone was thrown',
      () => storage.sql`update chat_limits set halted_at = now() where chat_id = ${place.chat.id}`,
    ],
    [
      'the account was unlinked',
      () => storage.bindings.disconnect(place.chat.id, place.ownerId, storage.next()),
    ],
    ['the account was replaced', () => storage.link(place.chat.id, place.ownerId)],
    [
      'the account alone has ended',
      () => storage.sql`update binding set state = 'gone' where id = ${place.bindingId}`,
    ],
    [
      'the reservation went to somebody else',
      async (jobId: string) => {
        await storage.jobs.abandon([OWNER]);
        await reserve(jobId, 'process-2');
      },
    ],
    ['the reservation was given back', () => storage.jobs.abandon([OWNER])],
  ])('refuses when %s', async (_why, happen) => {
    const { jobId } = await running();
    const attempt = await reserve(jobId);
    await happen(jobId);
    expect(await storage.jobs.goOnWire(attempt.id, attempt.epoch)).toBe(false);
    expect(await stateOf(attempt.id)).not.toBe('on_wire');
  });
});

describe('reserving', () => {
  test('of many runs at once takes each call for exactly one of them', async () => {
    const { jobId } = await running({ recipients: numbers(0, 1000) });
    const taken = await Promise.all(
      Array.from({ length: 15 }, (_, n) => storage.jobs.reserve(jobId, `process-${n}`)),
    );
    const attempts = taken.flatMap((each) => (each.ok ? each.attempts : []));
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(attempts.length);
    expect(attempts.length).toBe(5);
    expect(new Set(attempts.flatMap((each) => each.recipients)).size).toBe(1000);
    expect(taken.filter((each) => !each.ok).map((each) => (each.ok ? '' : each.reason))).toEqual(
      Array.from({ length: 10 }, () => 'none_left'),
    );
  });

  test('of equal messages to a shared number never lets two be in doubt together', async () => {
    for (let round = 0; round < 5; round += 1) {
      const text = `round ${round}`;
      const made = await Promise.all(
        Array.from({ length: 16 }, (_, n) => running({ text, recipients: numbers(n, 2) })),
      );
      await Promise.all(made.map(({ jobId }) => storage.jobs.reserve(jobId, OWNER)));
      expect(await doubtful()).toEqual([]);
      const held = await storage.sql`select 1 from attempt where state = 'reserved'`;
      expect(held.length).toBeGreaterThan(0);
      await storage.sql`update job set state = 'stopped'`;
      await storage.sql`update attempt set state = 'rejected'`;
    }
  });

  test('waits for an equal call in flight, and gives up behind one of unknown outcome', async () => {
    const [first, second] = [
      await running(),
      await running({ recipients: ['989120000002', '989120000003'] }),
    ];
    const attempt = await reserve(first.jobId);
    const blocked = () => storage.jobs.reserve(second.jobId, OWNER);
    expect(await blocked()).toEqual({ ok: false, reason: 'earlier_in_flight' });
    await storage.jobs.goOnWire(attempt.id, attempt.epoch);
    expect(await blocked()).toEqual({ ok: false, reason: 'earlier_in_flight' });
    await storage.jobs.record(attempt.id, attempt.epoch, UNKNOWN);
    expect(await blocked()).toEqual({ ok: false, reason: 'earlier_unknown' });
    // A question is one too.
    await storage.sql`update attempt set state = 'asked' where id = ${attempt.id}`;
    expect(await blocked()).toEqual({ ok: false, reason: 'earlier_unknown' });
    await storage.jobs.record(attempt.id, attempt.epoch, ACCEPTED);
    expect((await blocked()).ok).toBe(true);
  });

  test.each<[string, Partial<NewDraft>]>([
    ['another text', { text: 'Hello!' }],
    ['another line', { line: '3000999' }],
    ['other numbers', { recipients: ['989120000003'] }],
  ])('does not mind an unknown one with %s', async (_what, more) => {
    const [first, second] = [await running(), await running(more)];
    const attempt = await onWire(first.jobId);
    await storage.jobs.record(attempt.id, attempt.epoch, UNKNOWN);
    expect((await storage.jobs.reserve(second.jobId, OWNER)).ok).toBe(true);
  });

  test('takes back a reservation that nobody knows of, after some minutes, and shuts its holder out', async () => {
    const { jobId } = await running();
    const lost = await reserve(jobId);
    expect(await storage.jobs.reserve(jobId, OWNER)).toEqual({ ok: false, reason: 'none_left' });
    await storage.sql`update attempt set reserved_at = now() - interval '6 minutes'`;
    // Whoever holds it lives, and alone can say that it is not on its way.
    expect(await storage.jobs.reserve(jobId, 'process-2')).toEqual({ ok: false, reason: 'none_left' });
    expect(await storage.jobs.takeUp('process-2')).toEqual([]);
    expect(await storage.jobs.takeUp(OWNER)).toEqual([jobId]);
    const again = await reserve(jobId, 'process-2');
    expect(again.id).toBe(lost.id);
    expect(again.epoch).toBeGreaterThan(lost.epoch + 1);
    // What was taken just now is on its way to the fence.
    expect(await storage.jobs.takeUp('process-2')).toEqual([]);
    expect(await storage.jobs.goOnWire(lost.id, lost.epoch)).toBe(false);
    expect(await storage.jobs.goOnWire(again.id, again.epoch)).toBe(true);
    await storage.sql`update attempt set reserved_at = now() - interval '6 hours'`;
    expect(await storage.jobs.takeUp('process-2')).toEqual([]);
    expect(await storage.jobs.reserve(jobId, OWNER)).toEqual({ ok: false, reason: 'none_left' });
  });

  test('takes up its own call on the wire that nothing here knows of, and leaves those alone that are in hand', async () => {
    const { jobId, draftId } = await running();
    const call = await onWire(jobId);
    const inHand = await onWire((await running({ text: 'another' })).jobId);
    expect(await storage.jobs.takeUp(OWNER)).toEqual([]);
    // As after the database has lost the outcome: the row says so, and the process is long done with it.
    await storage.jobs.record(call.id, call.epoch, ACCEPTED);
    await storage.sql`update attempt set state = 'on_wire', outcome = null where id = ${call.id}`;
    expect(await storage.jobs.takeUp('process-2')).toEqual([]);
    expect(await storage.jobs.takeUp(OWNER)).toEqual([jobId]);
    const [row] = await storage.sql`select state, epoch from attempt where id = ${call.id}`;
    expect(row).toEqual({ state: 'unknown', epoch: call.epoch });
    expect(await stateOf(inHand.id)).toBe('on_wire');
    expect([...(await storage.queued()).keys()]).toEqual(
      expect.arrayContaining([`reconcile:${call.id}`, `card:${draftId}`]),
    );
  });
});

describe('reserving several', () => {
  async function take(jobId: string, most: number, from = 0) {
    const reserved = await storage.jobs.reserve(jobId, OWNER, most, from);
    return reserved.ok
      ? { sizes: reserved.attempts.map(({ recipients }) => recipients.length), next: reserved.next }
      : reserved.reason;
  }

  test('takes the next ones in their order, and says where to go on', async () => {
    const { jobId } = await running({ recipients: numbers(0, 850) });
    expect(await take(jobId, 2)).toEqual({ sizes: [200, 200], next: 2 });
    expect(await take(jobId, 2, 2)).toEqual({ sizes: [200, 200], next: 4 });
    expect(await take(jobId, 2, 4)).toEqual({ sizes: [50], next: 5 });
    // What comes before that is not looked at.
    await storage.sql`update attempt set state = 'planned' where job_id = ${jobId} and chunk = 0`;
    expect(await take(jobId, 2, 5)).toBe('none_left');
  });

  test('leaves out what equals a call in doubt, and finds what is behind it', async () => {
    const [first, second] = [
      await running({ recipients: numbers(0, 12_000) }),
      await running({ recipients: numbers(0, 12_401) }),
    ];
    await storage.sql`update attempt set state = 'unknown' where job_id = ${first.jobId}`;
    expect(await take(second.jobId, 2)).toEqual({ sizes: [200, 200], next: 62 });
    expect(await take(second.jobId, 2)).toEqual({ sizes: [1], next: 63 });
    expect(await take(second.jobId, 2)).toBe('earlier_unknown');
    await storage.sql`update attempt set state = 'on_wire' where job_id = ${first.jobId} and chunk = 3`;
    expect(await take(second.jobId, 2)).toBe('earlier_in_flight');
    await storage.sql`update attempt set state = 'not_sent' where job_id = ${first.jobId} and chunk = 3`;
    expect(await take(second.jobId, 2)).toEqual({ sizes: [200], next: 63 });
  });

  test('never takes two equal messages to one number together', async () => {
    const row = { line: '3000123456', recipient: '989120000001', text: 'twice', flash: false };
    const { jobId } = await running({
      outgoing: { kind: 'multi', rows: [row, row, { ...row, text: 'once' }] },
      text: '',
      recipients: [row.recipient],
    });
    expect(await storage.sql`select 1 from attempt where job_id = ${jobId}`).toHaveLength(3);
    const reserved = await storage.jobs.reserve(jobId, OWNER, 5);
    if (!reserved.ok) throw new Error(reserved.reason);
    expect(reserved.attempts.map(({ messages }) => messages?.map(({ text }) => text))).toEqual([
      ['twice'],
      ['once'],
    ]);
    expect(await doubtful()).toEqual([]);
    expect(await take(jobId, 5)).toBe('earlier_in_flight');
    for (const { id, epoch } of reserved.attempts) await storage.jobs.record(id, epoch, ACCEPTED);
    expect(await take(jobId, 5, 1)).toEqual({ sizes: [1], next: 3 });
    // Nor the first of them while the second is out.
    await storage.sql`update attempt set state = 'planned' where job_id = ${jobId} and chunk = 0`;
    expect(await take(jobId, 5)).toBe('earlier_in_flight');
  });

  test('takes what equals a part of a call that is kept back', async () => {
    const [row, other] = numbers(0, 2).map((recipient, n) => ({
      line: '3000123456',
      recipient,
      text: `text ${n}`,
      flash: false,
    }));
    if (row === undefined || other === undefined) throw new Error('two rows');
    const made = async (...rows: (typeof row)[]) =>
      await running({
        outgoing: { kind: 'multi', rows },
        text: '',
        recipients: [...new Set(rows.map(({ recipient }) => recipient))],
      });
    const [inDoubt, later] = [await made(row), await made(row, other, other)];
    await storage.sql`update attempt set state = 'unknown' where job_id = ${inDoubt.jobId}`;
    expect(await take(later.jobId, 5)).toEqual({ sizes: [1], next: 2 });
  });

  test('of equal jobs at the same moment never lets two be in doubt together', async () => {
    for (let round = 0; round < 5; round += 1) {
      const text = `round ${round}`;
      const made = await Promise.all(
        Array.from({ length: 8 }, (_, n) => running({ text, recipients: numbers(n * 150, 900) })),
      );
      await Promise.all(made.map(({ jobId }) => storage.jobs.reserve(jobId, OWNER, 3)));
      expect(await doubtful()).toEqual([]);
      await storage.sql`update attempt set state = 'rejected' where state = 'reserved'`;
    }
  });

  test('gives the calls of a file the messages and keys that were counted', async () => {
    const recipients = numbers(0, 3);
    const another = await running({ recipients, text: 'another file' });
    const { jobId, draftId } = await running({ recipients, text: 'Hi {name}' });
    await storage.sql`
      insert into bulk_call (draft_id, chunk, recipients, texts, row_numbers, payload_sha256)
      values (${draftId}, 0, ${recipients}, ${['Hi A', 'Hi B', 'Hi C']}, '{2,3,4}', ''),
        (${draftId}, 1, ${recipients}, ${['a', 'b', 'c']}, '{5,6,7}', ''),
        (${another.draftId}, 0, ${recipients}, ${['d', 'e', 'f']}, '{2,3,4}', '')`;
    await storage.sql`update draft set kind = 'bulk', details = ${JSON.stringify(writeOutgoing(newBulk({ name: 'a.csv', reference: 'x' })).details)}::text::jsonb where id = ${draftId}`;
    await storage.sql`update attempt set message_keys = '{}' where job_id = ${jobId}`;
    const reserved = await storage.jobs.reserve(jobId, OWNER, 5);
    if (!reserved.ok) throw new Error(reserved.reason);
    const [attempt, ...more] = reserved.attempts;
    expect(more).toEqual([]);
    expect(attempt.messages?.map(({ recipient, text }) => [recipient, text])).toEqual([
      [recipients[0], 'Hi A'],
      [recipients[1], 'Hi B'],
      [recipients[2], 'Hi C'],
    ]);
    const row = { line: '3000123456', recipient: recipients[1] ?? '', text: 'Hi B', flash: false };
    const other = await running({
      outgoing: { kind: 'multi', rows: [row] },
      text: '',
      recipients: [row.recipient],
    });
    expect(await storage.jobs.reserve(other.jobId, OWNER)).toEqual({
      ok: false,
      reason: 'earlier_in_flight',
    });
    await storage.jobs.release(attempt.id, attempt.epoch);
    expect(await reserve(jobId)).toMatchObject({ messages: attempt.messages });
  });
});

describe('what is asked for several calls at the same time', () => {
  async function several(count: number, owner = OWNER) {
    const made = await running({ recipients: numbers(0, count * 200), text: `text ${storage.next()}` });
    const reserved = await storage.jobs.reserve(made.jobId, owner, count);
    if (!reserved.ok) throw new Error(reserved.reason);
    return { ...made, calls: reserved.attempts };
  }

  test('has the card shown of a stopped job that has calls back after all: it says that they are waited for', async () => {
    const { jobId, draftId, calls } = await several(2);
    for (const { id, epoch } of calls) await storage.jobs.goOnWire(id, epoch);
    await storage.jobs.stop(jobId, 'person', place.ownerId, 1);
    await storage.emptyQueue();
    await Promise.all(calls.map(async ({ id, epoch }) => await storage.jobs.release(id, epoch)));
    expect((await storage.queued()).has(`card:${draftId}`)).toBe(true);
  });

  test('is the answer to each of its own: the fence lets those through that are held, and run', async () => {
    const [one, two, three] = [await several(3), await several(2), await several(2)];
    await storage.jobs.stop(two.jobId, 'person', place.ownerId, 1);
    const [stale, fresh] = three.calls;
    const passed = await Promise.all([
      ...one.calls.map(({ id, epoch }) => storage.jobs.goOnWire(id, epoch)),
      ...two.calls.map(({ id, epoch }) => storage.jobs.goOnWire(id, epoch)),
      storage.jobs.goOnWire(stale.id, stale.epoch - 1),
      storage.jobs.goOnWire(fresh?.id ?? '', fresh?.epoch ?? 0),
    ]);
    expect(passed).toEqual([true, true, true, false, false, false, true]);
    expect(await Promise.all(two.calls.map(({ id }) => stateOf(id)))).toEqual(['planned', 'planned']);
    expect(await stateOf(stale.id)).toBe('reserved');
  });

  test('the fence lets a holder of now through beside one of before', async () => {
    const { calls } = await several(1);
    const [{ id, epoch }] = calls;
    const asked = [epoch - 1, epoch, epoch - 1, epoch];
    expect(await Promise.all(asked.map((each) => storage.jobs.goOnWire(id, each)))).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  test('passes by a call that somebody else has in hand, and holds up no other', async () => {
    const { calls } = await several(4);
    const [held, one, two, three] = calls;
    const write = (call = held) => storage.jobs.record(call.id, call.epoch, ACCEPTED);
    let late: Promise<void> | undefined;
    await storage.sql.begin(async (tx) => {
      await tx`select 1 from attempt where id = ${held.id} for update`;
      expect(await Promise.all(calls.map(({ id, epoch }) => storage.jobs.goOnWire(id, epoch)))).toEqual([
        false,
        true,
        true,
        true,
      ]);
      late = write();
      await Promise.all([write(one), write(two)]);
      await write(three);
      expect(await Promise.all(calls.map(({ id }) => stateOf(id)))).toEqual([
        'reserved',
        'accepted',
        'accepted',
        'accepted',
      ]);
    });
    await late;
    expect(await stateOf(held.id)).toBe('accepted');
  });

  test('each outcome is written, also beside one that cannot be', async () => {
    const { jobId, calls } = await several(4);
    const [one, two, three, four] = calls;
    const results = [ACCEPTED, { ...REJECTED, code: 2 ** 40 }, UNKNOWN, NOT_SENT] as const;
    const written = await Promise.allSettled(
      [one, two, three, four].map((call, index) =>
        storage.jobs.record(call?.id ?? '', call?.epoch ?? 0, results[index] ?? UNKNOWN),
      ),
    );
    expect(written.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await Promise.all(calls.map(({ id }) => stateOf(id)))).toEqual([
      'accepted',
      'reserved',
      'unknown',
      'planned',
    ]);
    const waiting = [...(await storage.queued()).keys()];
    expect(waiting.filter((key) => key.startsWith('reconcile:'))).toEqual([`reconcile:${three?.id}`]);
    expect(jobId).not.toBe('');
  });

  test('each outcome is that of its own call', async () => {
    const { draftId, calls } = await several(5);
    await storage.emptyQueue();
    const accepted = { ...ACCEPTED, messageIds: ['7'] };
    const results = [UNKNOWN, REJECTED, accepted, UNKNOWN, NOT_SENT] as const;
    await Promise.all(
      calls.map(({ id, epoch }, index) => storage.jobs.record(id, epoch, results[index] ?? UNKNOWN)),
    );
    const rows = await storage.sql`
      select state, message_ids as ids, ended_at is null as open from attempt
      where id in ${storage.sql(calls.map(({ id }) => id))} order by chunk`;
    expect(rows).toEqual([
      { state: 'unknown', ids: null, open: false },
      { state: 'rejected', ids: null, open: false },
      { state: 'accepted', ids: ['7'], open: false },
      { state: 'unknown', ids: null, open: false },
      { state: 'planned', ids: null, open: true },
    ]);
    const looked = [calls[0], calls[3]].map((call) => `reconcile:${call?.id}`);
    expect([...(await storage.queued()).keys()].toSorted()).toEqual(
      [`card:${draftId}`, ...looked].toSorted(),
    );
  });

  test('an outcome that is told twice at once is the first of the two', async () => {
    const { calls } = await several(1);
    const [{ id, epoch }] = calls;
    await Promise.all([ACCEPTED, REJECTED].map((result) => storage.jobs.record(id, epoch, result)));
    expect(await stateOf(id)).toBe('accepted');
    const again = await several(1);
    const [call] = again.calls;
    await Promise.all([UNKNOWN, ACCEPTED].map((result) => storage.jobs.record(call.id, call.epoch, result)));
    expect(await stateOf(call.id)).toBe('accepted');
  });

  test('an answer is kept as far as it is characters', async () => {
    const { calls } = await several(1);
    const [{ id, epoch }] = calls;
    await storage.jobs.record(id, epoch, { ...UNKNOWN, raw: 'half \ud83d and \0' });
    const [row] = await storage.sql`select raw from attempt where id = ${id}`;
    expect(row).toEqual({ raw: 'half \ufffd and \ufffd' });
  });

  test('asks for the card once, and after a look at it again', async () => {
    const { draftId, calls } = await several(4);
    await storage.emptyQueue();
    const [one, two, three, four] = calls;
    const card = async () =>
      (
        await storage.sql<{ revision: number; key: string }[]>`
          select key, revision from graphile_worker._private_jobs where key like 'card:%'`
      ).map(({ key, revision }) => [key, revision]);
    await Promise.all(calls.map(({ id, epoch }) => storage.jobs.goOnWire(id, epoch)));
    await storage.jobs.record(one.id, one.epoch, ACCEPTED);
    await storage.jobs.record(two?.id ?? '', two?.epoch ?? 0, UNKNOWN);
    expect(await card()).toEqual([[`card:${draftId}`, 0]]);
    // Somebody draws it: what comes from now on needs another look.
    await storage.sql`
      update graphile_worker._private_jobs set locked_at = now(), locked_by = 'somebody' where key = ${`card:${draftId}`}`;
    await storage.jobs.record(three?.id ?? '', three?.epoch ?? 0, ACCEPTED);
    await storage.jobs.record(four?.id ?? '', four?.epoch ?? 0, ACCEPTED);
    expect(await card()).toEqual([[`card:${draftId}`, 0]]);
    expect(
      await storage.sql`select 1 from graphile_worker._private_jobs where locked_by = 'somebody' and key is null`,
    ).toHaveLength(1);
  });

  test('a card that waits for a later look is brought forward', async () => {
    const { draftId, calls } = await several(1);
    await storage.sql`update graphile_worker._private_jobs set attempts = 3, run_at = now() + interval '1 hour' where key = ${`card:${draftId}`}`;
    await storage.jobs.goOnWire(calls[0].id, calls[0].epoch);
    expect((await storage.queued()).get(`card:${draftId}`)?.in_ms).toBeLessThanOrEqual(1000);
  });

  test('a card that the clock changes much later is looked at now all the same', async () => {
    const { draftId, calls } = await several(1);
    await storage.emptyQueue();
    await storage.drafts.showLater(draftId, 800_000, 'turn');
    await storage.jobs.goOnWire(calls[0].id, calls[0].epoch);
    expect((await storage.queued()).get(`card:${draftId}`)?.in_ms).toBeLessThanOrEqual(1000);
  });

  test('a process that dies between the fence and the outcome leaves all of them unknown', async () => {
    const owner = `process-${storage.next()}`;
    const { jobId, draftId, calls } = await several(8, owner);
    const gone = calls.slice(0, 6);
    await Promise.all(gone.map(({ id, epoch }) => storage.jobs.goOnWire(id, epoch)));
    await storage.emptyQueue();
    expect(await storage.jobs.abandon([owner])).toEqual([jobId]);
    expect((await jobOf(draftId))?.counts).toMatchObject({ unknown: 1200, planned: 400, onWire: 0 });
    expect([...(await storage.queued()).keys()].toSorted()).toEqual(
      [`card:${draftId}`, `send:${jobId}`, ...gone.map(({ id }) => `reconcile:${id}`)].toSorted(),
    );
  });
});

describe('numbers that are blocked', () => {
  const [a, b, c] = numbers(0, 3) as [string, string, string];

  test('leave the call before it leaves, with what belongs to them', async () => {
    const rows = [a, b, c].map((recipient, n) => ({
      line: '3000123456',
      recipient,
      text: `text ${n}`,
      flash: false,
    }));
    const { jobId, draftId } = await running({
      outgoing: { kind: 'multi', rows },
      text: '',
      recipients: [a, b, c],
    });
    const { id, epoch } = await reserve(jobId);
    const [before] = await storage.sql<
      { message_keys: string[] }[]
    >`select message_keys from attempt where id = ${id}`;
    expect(await storage.jobs.dropBlocked(id, epoch, [b])).toEqual({
      recipients: [a, c],
      messages: [rows[0], rows[2]],
    });
    const [row] =
      await storage.sql`select recipients, blocked, message_keys, size from attempt where id = ${id}`;
    expect(row).toEqual({
      recipients: [a, c],
      blocked: [b],
      message_keys: [before?.message_keys[0], before?.message_keys[2]],
      size: 2,
    });
    await storage.jobs.goOnWire(id, epoch);
    await storage.jobs.record(id, epoch, { ...ACCEPTED, messageIds: ['1', '2'] });
    expect((await jobOf(draftId))?.counts).toMatchObject({ accepted: 2, blocked: 1, planned: 0 });
  });

  test('end a call of which nobody is left, and are no refusal of the gateway', async () => {
    const { jobId, draftId } = await running({ recipients: [a, b] });
    const { id, epoch } = await reserve(jobId);
    expect(await storage.jobs.dropBlocked(id, epoch, [a])).toEqual({ recipients: [b], messages: null });
    expect(await storage.jobs.dropBlocked(id, epoch, [b])).toEqual({ recipients: [], messages: null });
    expect(await storage.jobs.goOnWire(id, epoch)).toBe(false);
    const [row] = await storage.sql`select outcome, ended_at is null as open from attempt where id = ${id}`;
    expect(row).toEqual({ outcome: 'blocked', open: false });
    expect(await storage.jobs.finish(jobId)).toBe(true);
    const job = await jobOf(draftId);
    expect(job).toMatchObject({
      state: 'done',
      refusals: [],
      settled: true,
      counts: { blocked: 2, rejected: 0 },
    });
    expect(Object.values(job?.counts ?? {}).reduce((sum, count) => sum + count, 0)).toBe(2);
  });

  test('of a call that is held no more, or has left, stay in it, and of any while all sends are held', async () => {
    const { jobId } = await running({ recipients: [a, b] });
    const { id, epoch } = await reserve(jobId);
    expect(await storage.jobs.dropBlocked(id, epoch - 1, [a])).toBe(null);
    await storage.sql`update deployment set held_at = now()`;
    expect(await storage.jobs.dropBlocked(id, epoch, [a])).toBe(null);
    await storage.sql`update deployment set held_at = null`;
    await storage.jobs.goOnWire(id, epoch);
    expect(await storage.jobs.dropBlocked(id, epoch, [a])).toBe(null);
    const [row] = await storage.sql`select recipients, blocked from attempt where id = ${id}`;
    expect(row).toEqual({ recipients: [a, b], blocked: [] });
  });

  test.each(['on_wire', 'unknown'])(
    'have not got it by a call that is %s, also when the database has forgotten that they were left out',
    async (state) => {
      const { jobId, draftId } = await running({ recipients: [a, b, c] });
      const { id, epoch } = await reserve(jobId);
      const [before] = await storage.sql<{ keys: string[] }[]>`
        select message_keys as keys from attempt where id = ${id}`;
      await storage.jobs.dropBlocked(id, epoch, [b]);
      await storage.jobs.goOnWire(id, epoch);
      await storage.sql`update attempt set recipients = ${[a, b, c]}, blocked = '{}', message_keys = ${before?.keys ?? []},
        state = ${state} where id = ${id}`;
      await storage.jobs.record(id, epoch, { ...ACCEPTED, recipients: [a, c], messageIds: ['1', '2'] });
      const [row] = await storage.sql`
        select state, recipients, blocked, message_ids, message_keys from attempt where id = ${id}`;
      expect(row).toEqual({
        state: 'accepted',
        recipients: [a, c],
        blocked: [b],
        message_ids: ['1', '2'],
        message_keys: [before?.keys[0], before?.keys[2]],
      });
      expect((await jobOf(draftId))?.counts).toMatchObject({ accepted: 2, blocked: 1 });
    },
  );

  test('are of no account for an equal message any more', async () => {
    const [first, second] = [await running({ recipients: [a, b] }), await running({ recipients: [a] })];
    const { id, epoch } = await reserve(first.jobId);
    expect(await storage.jobs.reserve(second.jobId, OWNER)).toEqual({
      ok: false,
      reason: 'earlier_in_flight',
    });
    await storage.jobs.dropBlocked(id, epoch, [a]);
    expect((await storage.jobs.reserve(second.jobId, OWNER)).ok).toBe(true);
  });
});

describe('an outcome', () => {
  test('is written once; repeating it changes nothing', async () => {
    for (const result of [ACCEPTED, REJECTED]) {
      const { jobId } = await running({ text: result.outcome });
      const attempt = await onWire(jobId);
      await storage.jobs.record(attempt.id, attempt.epoch, result);
      await storage.jobs.record(attempt.id, attempt.epoch, result);
      await storage.jobs.record(attempt.id, attempt.epoch, UNKNOWN);
      await storage.jobs.record(attempt.id, attempt.epoch, NOT_SENT);
      await storage.jobs.release(attempt.id, attempt.epoch);
      const [row] = await storage.sql`
        select state, tries, gateway_code, raw, outcome from attempt where id = ${attempt.id}`;
      expect(row).toEqual({
        state: result.outcome,
        tries: 1,
        gateway_code: result.outcome === 'rejected' ? 23 : null,
        raw: 'raw' in result ? result.raw : null,
        outcome: result.outcome === 'rejected' ? 'invalid_line' : 'accepted',
      });
    }
  });

  test('of a stale epoch changes nothing', async () => {
    const { jobId } = await running();
    const old = await reserve(jobId);
    await storage.jobs.abandon([OWNER]);
    const fresh = await onWire(jobId, 'process-2');
    for (const result of [ACCEPTED, REJECTED, UNKNOWN, NOT_SENT]) {
      await storage.jobs.record(old.id, old.epoch, result);
      await storage.jobs.release(old.id, old.epoch);
      expect(await stateOf(fresh.id)).toBe('on_wire');
    }
    await storage.jobs.unsettled(jobId);
    expect(await readReported(storage.sql, jobId)).toEqual([]);
  });

  test('that surely never left goes back to planned and counts as a try', async () => {
    const { jobId } = await running();
    const attempt = await onWire(jobId);
    await storage.sql`update attempt set pace_ms = 1 where id = ${attempt.id}`;
    await storage.jobs.record(attempt.id, attempt.epoch, NOT_SENT);
    const [row] = await storage.sql`
      select state, owner, on_wire_at, ended_at, outcome from attempt where id = ${attempt.id}`;
    expect(row).toEqual({
      state: 'planned',
      owner: null,
      on_wire_at: null,
      ended_at: null,
      outcome: 'refused',
    });
    const again = await reserve(jobId);
    expect(again).toMatchObject({ id: attempt.id, tries: 1 });
    expect(again.epoch).toBeGreaterThan(attempt.epoch);
    // What pace it was let through by says nothing of the next time.
    const [anew] = await storage.sql`select pace_ms from attempt where id = ${attempt.id}`;
    expect(anew).toEqual({ pace_ms: null });
  });

  test('that comes after all, when the sweep has called it unknown, counts', async () => {
    const { jobId, draftId } = await running({ recipients: numbers(0, 600) });
    const [one, two, three] = [await onWire(jobId), await onWire(jobId), await onWire(jobId)];
    await storage.jobs.abandon([OWNER]);
    expect((await jobOf(draftId))?.counts).toMatchObject({ unknown: 600, accepted: 0 });
    await storage.sql`update attempt set epoch = ${one.epoch}, ended_at = now() - interval '1 day' where job_id = ${jobId}`;
    await storage.emptyQueue();
    await storage.jobs.record(one.id, one.epoch, { ...ACCEPTED, messageIds: ['1', '2'] });
    await storage.jobs.record(two.id, one.epoch, REJECTED);
    // Of the last it was said to another holder.
    await storage.jobs.record(three.id, one.epoch - 1, ACCEPTED);
    expect([...(await storage.queued()).keys()].toSorted()).toEqual([`card:${draftId}`, `track:${jobId}`]);
    expect((await jobOf(draftId))?.counts).toMatchObject({ accepted: 200, rejected: 200, unknown: 200 });
    const rows = await storage.sql`
      select state, outcome, tries, gateway_code, raw, message_ids[1:2] as ids, ended_at > now() - interval '1 hour' as now
      from attempt where job_id = ${jobId} order by chunk`;
    const late = { tries: 1, now: true };
    const unheard = { outcome: 'owner_gone', tries: 0, gateway_code: null, raw: null, ids: null, now: false };
    expect(rows).toEqual([
      { ...late, state: 'accepted', outcome: 'accepted', gateway_code: null, raw: '{}', ids: ['1', '2'] },
      { ...late, state: 'rejected', outcome: 'invalid_line', gateway_code: 23, raw: '23', ids: null },
      { ...unheard, state: 'unknown' },
    ]);
  });

  test('that belies a person is recorded and told, with who it was and the newest that was sent instead', async () => {
    const resent = async (state: string, details: object) => {
      const { draftId } = await running({ text: `text ${storage.next()}` });
      const [row] = await storage.sql<{ code: string }[]>`
        update draft set state = ${state}, details = details || ${JSON.stringify(details)}::text::jsonb
        where id = ${draftId} returning code`;
      return row?.code;
    };
    await resent('confirmed', {});
    const { jobId, draftId } = await running();
    const { id, epoch } = await onWire(jobId);
    await resent('confirmed', { resends: [id] });
    const again = await resent('confirmed', { resendOf: { draftId } });
    await resent('cancelled', { resends: [id] });
    await resent('confirmed', { resends: [] });
    const ann = await storage.addPerson(place.chat.id, 'approver', 'Ann');
    await storage.sql`update attempt set state = 'closed', settled_by = ${ann} where id = ${id}`;
    await storage.jobs.record(id, epoch, ACCEPTED);
    expect((await storage.queued()).get(`late-answer:${id}`)?.payload).toMatchObject({
      jobId,
      untrue: 'sent_again',
      recipients: 2,
      by: 'Ann',
      again,
    });
    expect(await storage.audit(place.chat.id)).toContainEqual({
      action: 'send_heard_late',
      person_id: null,
      update_id: null,
      details: { code: 'A2', recipients: 2, sent: true },
    });
  });

  test('that belies who said that nothing had left counts again, by its own job once that has ended', async () => {
    await storage.sql`
      insert into account_gauge (binding_id, gsm_cost, gsm_parts) values (${place.bindingId}, 142, 1)`;
    const text = 'x'.repeat(200);
    const [beside, ended, open] = [
      await running(),
      await running({ text }),
      await running({ text: `${text}!` }),
    ];
    const calls = [await onWire(ended.jobId), await onWire(open.jobId)];
    await storage.jobs.stop(beside.jobId, 'person', null, null);
    await storage.jobs.stop(ended.jobId, 'person', null, null);
    await storage.sql`update job set parts = 1 where id = ${open.jobId}`;
    for (const { id } of calls)
      await storage.sql`
        update attempt set state = 'not_sent', settled_by = ${place.ownerId}, ended_at = now() where id = ${id}`;
    await storage.jobs.settle(ended.draftId);
    const counted = async () =>
      await Promise.all(
        [beside, ended, open].map(
          async ({ jobId }) => (await storage.sql`select parts, price_rial from job where id = ${jobId}`)[0],
        ),
      );
    const [nothing, , begun] = await counted();
    expect(nothing).toMatchObject({ parts: 0 });
    expect((await counted())[1]).toMatchObject({ parts: 0 });
    for (const { id, epoch } of calls) await storage.jobs.record(id, epoch, ACCEPTED);
    expect(await counted()).toEqual([nothing, { parts: 4, price_rial: 568 }, begun]);

    // What goes on without it counts it too, once: that it would not leave was known when it went on.
    const press = { jobId: ended.jobId, personId: place.ownerId, updateId: storage.next(), timeZone: 'UTC' };
    const resumed = await running({ text: `${text}?`, recipients: numbers(0, 400) });
    const late = await onWire(resumed.jobId);
    await storage.jobs.pause({ ...press, jobId: resumed.jobId });
    await storage.sql`
      update attempt set state = 'not_sent', settled_by = ${place.ownerId}, ended_at = now() where id = ${late.id}`;
    const goesOn = await storage.jobs.resume({ ...press, jobId: resumed.jobId });
    expect(goesOn).toMatchObject({ result: 'resumed', recipients: 200 });
    const ofResumed = async () =>
      await storage.sql`select parts, price_rial from job where id = ${resumed.jobId}`;
    expect(await ofResumed()).toEqual([{ parts: 400, price_rial: 56_800 }]);
    await storage.jobs.record(late.id, late.epoch, ACCEPTED);
    expect(await ofResumed()).toEqual([{ parts: 800, price_rial: 113_600 }]);

    // By an account of which no price is known yet, nobody knows what it has cost.
    const moved = await running({ text });
    const { id, epoch } = await onWire(moved.jobId);
    await storage.jobs.stop(moved.jobId, 'person', null, null);
    await storage.sql`update attempt set state = 'not_sent', settled_by = ${place.ownerId} where id = ${id}`;
    await storage.jobs.settle(moved.draftId);
    await storage.sql`delete from account_gauge where binding_id = ${place.bindingId}`;
    await storage.jobs.record(id, epoch, ACCEPTED);
    expect(await storage.sql`select parts, price_rial from job where id = ${moved.jobId}`).toEqual([
      { parts: 4, price_rial: null },
    ]);
  });

  test('that comes after the job was stopped is followed up like any other', async () => {
    const { jobId, draftId } = await running();
    const attempt = await onWire(jobId);
    await storage.jobs.stop(jobId, 'person', place.ownerId, storage.next());
    await storage.emptyQueue();
    await storage.jobs.record(attempt.id, attempt.epoch, ACCEPTED);
    expect([...(await storage.queued()).keys()].toSorted()).toEqual([`card:${draftId}`, `track:${jobId}`]);
  });

  test('updates the card in the same transaction', async () => {
    const { jobId, draftId } = await running();
    const attempt = await onWire(jobId);
    await storage.emptyQueue();
    await storage.jobs.record(attempt.id, attempt.epoch, REJECTED);
    expect((await storage.queued()).get(`card:${draftId}`)).toMatchObject({ payload: { draftId } });
    expect(await jobOf(draftId)).toMatchObject({
      refusals: [{ name: 'invalid_line', recipients: 2 }],
      counts: { rejected: 2 },
    });
  });
});

describe('what a dead process held', () => {
  test('was reserved: planned again; was on the wire: unknown for good', async () => {
    const { jobId, draftId } = await running({ recipients: numbers(0, 800) });
    const [called, held] = [await onWire(jobId), await reserve(jobId)];
    const [other, third] = [await onWire(jobId, 'process-2'), await reserve(jobId, 'process-3')];
    await storage.emptyQueue();
    expect((await storage.jobs.owners()).toSorted()).toEqual([OWNER, 'process-2', 'process-3']);
    expect(await storage.jobs.abandon([OWNER])).toEqual([jobId]);
    const rows = await storage.sql`
      select state, outcome, owner, epoch, ended_at is null as open from attempt where job_id = ${jobId} order by chunk`;
    expect(rows).toEqual([
      { state: 'unknown', outcome: 'owner_gone', owner: OWNER, epoch: called.epoch, open: false },
      { state: 'planned', outcome: null, owner: null, epoch: held.epoch + 1, open: true },
      { state: 'on_wire', outcome: null, owner: 'process-2', epoch: other.epoch, open: true },
      { state: 'reserved', outcome: null, owner: 'process-3', epoch: third.epoch, open: true },
    ]);
    expect((await storage.jobs.owners()).toSorted()).toEqual(['process-2', 'process-3']);
    expect([...(await storage.queued()).keys()].toSorted()).toEqual([
      `card:${draftId}`,
      `reconcile:${called.id}`,
      `send:${jobId}`,
    ]);
    expect(await storage.jobs.abandon([OWNER])).toEqual([]);
    expect(await storage.jobs.goOnWire(called.id, called.epoch)).toBe(false);
    expect((await reserve(jobId)).id).toBe(held.id);
  });
});

test('a process holds calls until it is given up, and its row stays for a week: one that was only cut off comes back to it', async () => {
  await storage.sql`delete from process`;
  await storage.sql`
    insert into process (id, beats, server, gone_at) values ('here', 1, '', null), ('dies', 1, '', null),
      ('for long', 1, '', now() - interval '8 days'), ('of late', 1, '', now() - interval '6 days')`;
  expect((await storage.jobs.owners()).toSorted()).toEqual(['dies', 'here']);
  await storage.jobs.abandon(['dies', 'of late']);
  const rows =
    await storage.sql`select id, gone_at > now() - interval '1 day' as now from process order by id`;
  expect(rows).toEqual([
    { id: 'dies', now: true },
    { id: 'here', now: null },
    { id: 'of late', now: false },
  ]);
});
