import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ATTEMPT_MOVES, heardLate, type AttemptState } from '../../domain/attempt.ts';
import type { JobState } from '../../domain/job.ts';
import type { Moves } from '../../domain/machine.ts';
import type { AttemptResult } from '../../ports/jobs.ts';
import {
  ACCEPTED,
  NOT_SENT,
  numbers,
  OWNER,
  REJECTED,
  UNKNOWN,
  useCalls,
} from '../../../test/support/calls.ts';

const { storage, place, running, onWire, jobOf, doubtful } = useCalls();

describe('starting and undoing', () => {
  async function holding(undoSeconds: number, text = 'Hello') {
    const { id: draftId } = await storage.drafts.create(storage.draftIn(place, { text }));
    const made = await storage.drafts.confirm({
      draftId,
      version: 1,
      personId: place.ownerId,
      updateId: storage.next(),
      undoSeconds,
      timeZone: 'UTC',
    });
    return { draftId, jobId: made.result === 'confirmed' ? made.jobId : '' };
  }

  test('a job starts when its hold has passed, not before', async () => {
    const [held, free] = [await holding(600), await holding(0)];
    const early = await storage.jobs.start(held.jobId);
    expect(early).toMatchObject({ state: 'holding', bindingId: place.bindingId });
    expect(early?.waitMs).toBeGreaterThan(500_000);
    expect(early?.waitMs).toBeLessThanOrEqual(600_000);
    expect(await storage.jobs.start(free.jobId)).toEqual({
      state: 'running',
      waitMs: 0,
      bindingId: place.bindingId,
      account: expect.any(String),
    });
    expect(await storage.jobs.start('00000000-0000-4000-8000-000000000000')).toBe(null);
    expect(await storage.jobs.reserve(held.jobId, OWNER)).toEqual({ ok: false, reason: 'not_running' });
  });

  test('undo works before the start alone, and then nothing ever leaves', async () => {
    const other = await holding(10, 'another');
    const { draftId, jobId } = await holding(10);
    await storage.emptyQueue();
    const updateId = storage.next();
    expect(await storage.jobs.undo(jobId, place.ownerId, updateId)).toBe(true);
    expect(await storage.jobs.undo(jobId, place.ownerId, storage.next())).toBe(false);
    expect((await storage.jobs.start(other.jobId))?.state).toBe('holding');
    const [row] = await storage.sql`select stopped_by, ended_at is null as open from job where id = ${jobId}`;
    expect(row).toEqual({ stopped_by: place.ownerId, open: false });
    await storage.sql`update job set hold_until = now()`;
    expect((await storage.jobs.start(jobId))?.state).toBe('undone');
    expect(await storage.jobs.reserve(jobId, OWNER)).toEqual({ ok: false, reason: 'not_running' });
    expect([...(await storage.queued()).keys()]).toContain(`card:${draftId}`);
    expect(await storage.audit(place.chat.id)).toContainEqual({
      action: 'send_undone',
      person_id: place.ownerId,
      update_id: updateId,
      details: { code: 'A2', jobId },
    });
    const { jobId: started } = await running();
    expect(await storage.jobs.undo(started, place.ownerId, storage.next())).toBe(false);
  });

  test('undo against start at the same moment: one of both holds', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { jobId } = await holding(0, `round ${round}`);
      const [undone, started] = await Promise.all([
        storage.jobs.undo(jobId, place.ownerId, storage.next()),
        storage.jobs.start(jobId).then(() => storage.jobs.reserve(jobId, OWNER)),
      ]);
      expect(started.ok).toBe(!undone);
    }
  });
});

describe('the end', () => {
  test('comes when no call is left to make, once', async () => {
    const { jobId, draftId } = await running({ recipients: numbers(0, 400) });
    expect(await storage.jobs.finish(jobId)).toBe(false);
    const first = await onWire(jobId);
    const second = await onWire(jobId);
    await storage.jobs.record(first.id, first.epoch, UNKNOWN);
    expect(await storage.jobs.finish(jobId)).toBe(false);
    await storage.jobs.record(second.id, second.epoch, ACCEPTED);
    await storage.emptyQueue();
    const ends = await Promise.all(Array.from({ length: 6 }, () => storage.jobs.finish(jobId)));
    expect(ends.filter(Boolean).length).toBe(1);
    expect([...(await storage.queued()).keys()].toSorted()).toEqual([
      `card:${draftId}`,
      `gauge:${place.bindingId}`,
      `track:${jobId}`,
    ]);
    expect(await jobOf(draftId)).toMatchObject({ state: 'done' });
    expect(await storage.jobs.stop(jobId, 'person', place.ownerId, 1)).toBe(false);
  });

  test('by a person stops what has not left, and is audited', async () => {
    const { jobId, draftId } = await running({ recipients: numbers(0, 400) });
    const attempt = await onWire(jobId);
    const updateId = storage.next();
    expect(await storage.jobs.stop(jobId, 'person', place.ownerId, updateId)).toBe(true);
    expect(await storage.jobs.stop(jobId, 'credit', null, null)).toBe(false);
    expect(await storage.jobs.reserve(jobId, OWNER)).toEqual({ ok: false, reason: 'not_running' });
    await storage.jobs.record(attempt.id, attempt.epoch, ACCEPTED);
    expect(await jobOf(draftId)).toMatchObject({
      state: 'stopped',
      stopReason: 'person',
      counts: { planned: 200, accepted: 200 },
    });
    expect(await storage.audit(place.chat.id)).toContainEqual({
      action: 'send_stopped',
      person_id: place.ownerId,
      update_id: updateId,
      details: { code: 'A1', jobId, reason: 'person' },
    });
  });
});

describe('a look at the reports', () => {
  test.for([
    { name: 'a nearer time replaces a farther one', times: [60_000, 5000] },
    { name: 'a farther time leaves a nearer one as it is', times: [5000, 60_000] },
    {
      name: 'of times set at once the nearest is kept',
      times: [60_000, 5000, 30_000, 60_000, 90_000],
      at: 'once',
    },
  ])('is taken again when scheduled; $name', async ({ times, at }) => {
    const { jobId } = await running();
    await storage.emptyQueue();
    const schedule = async (ms: number) => await storage.jobs.schedule(jobId, 'track', ms);
    if (at === 'once') await Promise.all(times.map(schedule));
    else for (const ms of times) await schedule(ms);
    const queued = await storage.queued();
    expect([...queued.keys()]).toEqual([`track:${jobId}`]);
    // Of those that come at once, one that has begun before may be the last to touch the row.
    expect(queued.get(`track:${jobId}`)?.in_ms).toBeLessThan(30_000);
  });
});

interface ModelAttempt {
  state: AttemptState;
  epoch: number;
  owner: string | null;
  recipients: string[];
}

interface ModelDraft {
  id: string;
  state: 'open' | 'confirmed' | 'cancelled';
  version: number;
  expired: boolean;
  text: string;
  recipients: string[];
  jobId: string;
  job: JobState | null;
  attempts: ModelAttempt[];
}

const RESULTS: Readonly<Record<AttemptResult['outcome'], AttemptResult>> = {
  accepted: ACCEPTED,
  rejected: REJECTED,
  unknown: UNKNOWN,
  not_sent: NOT_SENT,
};

/** What nobody has passed the fence with is taken from its holder when its job is interrupted. */
function takenBack({ attempts }: ModelDraft): void {
  for (const attempt of attempts) {
    if (attempt.state !== 'reserved') continue;
    attempt.state = 'planned';
    attempt.owner = null;
    attempt.epoch += 1;
  }
}

/** Where a move takes an attempt. */
function by(name: keyof typeof ATTEMPT_MOVES, state: AttemptState): AttemptState | undefined {
  const leads: Moves<AttemptState>[string] = ATTEMPT_MOVES[name];
  return leads[state];
}

/** Where an outcome takes an attempt: while its holder has it, or late. */
function after(state: AttemptState, outcome: AttemptResult['outcome']): AttemptState | undefined {
  return by(`hear_${outcome}`, state) ?? heardLate(state, outcome, false);
}

test('any sequence of commands moves drafts, jobs and attempts as the model does', async () => {
  const which = fc.nat(2);
  const chunk = fc.nat(1);
  const most = fc.integer({ min: 1, max: 3 });
  const stale = fc.integer({ min: 0, max: 4 }).map((n) => n === 0);
  const owner = fc.constantFrom('process-1', 'process-2');
  const outcome = fc.constantFrom('accepted', 'rejected', 'unknown', 'not_sent' as const);
  const step = fc.oneof(
    { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), which, stale }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('confirm' as const), which, stale }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which, stale }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constantFrom('expire' as const, 'undo' as const, 'stop' as const),
        which,
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('start' as const, 'finish' as const), which }) },
    { weight: 8, arbitrary: fc.record({ do: fc.constant('reserve' as const), which, owner, most }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('fence' as const), which, chunk, stale }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), which, chunk, stale }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('record' as const), which, chunk, stale, outcome }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('abandon' as const), owner }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('unlink' as const), often: fc.nat(5) }) },
  );

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
      await storage.sql`update attempt set state = 'closed' where owner is not null`;
      const at = await storage.addPlace();
      const make = async (text: string, recipients: string[]): Promise<ModelDraft> => {
        const { id } = await storage.drafts.create(storage.draftIn(at, { text, recipients }));
        return {
          id,
          state: 'open',
          version: 1,
          expired: false,
          text,
          recipients,
          jobId: '00000000-0000-4000-8000-000000000000',
          job: null,
          attempts: [],
        };
      };
      // The second shares numbers with both calls of the first; the third has the same numbers and another text.
      const model = [
        await make('same', numbers(0, 203)),
        await make('same', numbers(197, 6)),
        await make('other', numbers(0, 203)),
      ];
      let live = true;
      let audited = 0;
      const all = () => model.flatMap((each) => each.attempts.map((attempt) => ({ ...each, attempt })));
      const sum = (draft: ModelDraft, ...states: AttemptState[]) =>
        draft.attempts
          .filter((each) => states.includes(each.state))
          .reduce((total, each) => total + each.recipients.length, 0);

      for (const each of steps) {
        const draft = 'which' in each ? (model[each.which] as ModelDraft) : (model[0] as ModelDraft);
        const version = 'stale' in each && each.stale ? draft.version - 1 : draft.version;
        const index = 'chunk' in each ? each.chunk : 0;
        const attempt = draft.attempts[index];
        const epoch = (attempt?.epoch ?? 1) - ('stale' in each && each.stale ? 1 : 0);
        const attemptId = attempt === undefined ? draft.jobId : await attemptIdOf(draft.jobId, index);
        const updateId = storage.next();

        switch (each.do) {
          case 'edit': {
            const wanted = draft.state === 'open' && !draft.expired && version === draft.version;
            expect(await storage.drafts.edit(draft.id, version, { flash: true })).toBe(wanted);
            if (wanted) draft.version += 1;
            break;
          }
          case 'cancel': {
            const wanted = draft.state === 'open' && version === draft.version;
            expect(await storage.drafts.cancel(draft.id, version, at.ownerId, updateId)).toBe(wanted);
            if (!wanted) break;
            draft.state = 'cancelled';
            draft.version += 1;
            audited += 1;
            break;
          }
          case 'expire':
            await storage.sql`update draft set expires_at = now() where id = ${draft.id}`;
            draft.expired = true;
            break;
          case 'confirm': {
            const wanted = ((): string => {
              if (draft.state === 'cancelled') return 'cancelled';
              if (draft.state === 'confirmed') return 'already';
              if (version !== draft.version) return 'changed';
              if (draft.expired) return 'expired';
              return live ? 'confirmed' : 'not_connected';
            })();
            const made = await storage.drafts.confirm({
              draftId: draft.id,
              version,
              personId: at.ownerId,
              updateId,
              undoSeconds: 0,
              timeZone: 'UTC',
            });
            expect(made.result).toBe(wanted);
            if (made.result !== 'confirmed') break;
            audited += 1;
            draft.state = 'confirmed';
            draft.jobId = made.jobId;
            draft.job = 'holding';
            for (let start = 0; start < draft.recipients.length; start += 200) {
              const recipients = draft.recipients.slice(start, start + 200);
              draft.attempts.push({ state: 'planned', epoch: 0, owner: null, recipients });
            }
            break;
          }
          case 'undo':
          case 'stop': {
            const from: (JobState | null)[] = each.do === 'undo' ? ['holding'] : ['holding', 'running'];
            const wanted = from.includes(draft.job);
            const done =
              each.do === 'undo'
                ? await storage.jobs.undo(draft.jobId, at.ownerId, updateId)
                : await storage.jobs.stop(draft.jobId, 'person', at.ownerId, updateId);
            expect(done).toBe(wanted);
            if (!wanted) break;
            draft.job = each.do === 'undo' ? 'undone' : 'stopped';
            takenBack(draft);
            audited += 1;
            break;
          }
          case 'start':
            if (draft.job === 'holding') draft.job = 'running';
            expect((await storage.jobs.start(draft.jobId))?.state ?? null).toBe(draft.job);
            break;
          case 'finish': {
            const wanted = draft.job === 'running' && sum(draft, 'planned', 'reserved', 'on_wire') === 0;
            expect(await storage.jobs.finish(draft.jobId)).toBe(wanted);
            if (wanted) draft.job = 'done';
            break;
          }
          case 'reserve': {
            const planned = draft.attempts.filter((one) => one.state === 'planned');
            const taken: ModelAttempt[] = [];
            const obstacles = new Set<'in doubt' | 'in flight'>();
            for (const next of draft.job === 'running' ? planned : []) {
              if (taken.length === each.most) break;
              const equal = all()
                .filter((one) => one.attempt !== next && one.text === draft.text)
                .map(({ attempt: one }) => one)
                .filter((one) => one.recipients.some((to) => next.recipients.includes(to)));
              const inFlight = equal.some((one) => ['reserved', 'on_wire'].includes(one.state));
              if (inFlight) obstacles.add('in flight');
              else if (equal.some((one) => one.state === 'unknown')) obstacles.add('in doubt');
              else {
                next.state = by('reserve', next.state) ?? 'closed';
                next.owner = each.owner;
                taken.push(next);
              }
            }
            const refusal = ((): string => {
              if (draft.job !== 'running') return 'not_running';
              if (obstacles.has('in flight')) return 'earlier_in_flight';
              return obstacles.has('in doubt') ? 'earlier_unknown' : 'none_left';
            })();
            const reserved = await storage.jobs.reserve(draft.jobId, each.owner, each.most);
            if (taken.length === 0) {
              expect(reserved).toEqual({ ok: false, reason: refusal });
            } else {
              expect(reserved).toMatchObject({
                ok: true,
                attempts: taken.map(({ recipients }) => ({ recipients })),
              });
              // Epochs are drawn, and only grow.
              for (const [at, next] of taken.entries()) {
                const epoch = reserved.ok ? (reserved.attempts[at]?.epoch ?? 0) : 0;
                expect(epoch).toBeGreaterThan(next.epoch);
                next.epoch = epoch;
              }
            }
            break;
          }
          case 'fence': {
            const wanted =
              attempt?.state === 'reserved' && epoch === attempt.epoch && live && draft.job === 'running';
            expect(await storage.jobs.goOnWire(attemptId, epoch)).toBe(wanted);
            if (wanted) attempt.state = by('write_ahead', attempt.state) ?? 'closed';
            break;
          }
          case 'release':
            await storage.jobs.release(attemptId, epoch);
            if (attempt === undefined || epoch !== attempt.epoch) break;
            if (['reserved', 'on_wire'].includes(attempt.state)) {
              attempt.state = 'planned';
              attempt.owner = null;
            } else attempt.state = after(attempt.state, 'not_sent') ?? attempt.state;
            break;
          case 'record': {
            await storage.jobs.record(attemptId, epoch, RESULTS[each.outcome]);
            const next = attempt === undefined ? undefined : after(attempt.state, each.outcome);
            if (attempt === undefined || next === undefined || epoch !== attempt.epoch) break;
            attempt.state = next;
            if (next === 'planned') attempt.owner = null;
            break;
          }
          case 'abandon': {
            const held = all().filter(
              (one) =>
                one.attempt.owner === each.owner && ['reserved', 'on_wire'].includes(one.attempt.state),
            );
            expect((await storage.jobs.abandon([each.owner])).toSorted()).toEqual(
              [...new Set(held.map((one) => one.jobId))].toSorted(),
            );
            for (const { attempt: one } of held) {
              const next = by('lose_owner', one.state);
              if (next === 'planned') {
                one.owner = null;
                one.epoch += 1;
              }
              one.state = next ?? 'closed';
            }
            break;
          }
          case 'unlink':
            if (each.often > 0) break;
            expect(await storage.bindings.disconnect(at.chat.id, at.ownerId, updateId)).toBe(live);
            if (live) audited += 1;
            live = false;
            for (const one of model) {
              if (one.job !== 'holding' && one.job !== 'running') continue;
              one.job = 'stopped';
              takenBack(one);
            }
            break;
        }

        const rows = await storage.sql<
          { draft: string; state: string; epoch: number; owner: string | null }[]
        >`
          select j.draft_id as draft, a.state, a.epoch, a.owner from attempt a join job j on j.id = a.job_id
          where j.chat_id = ${at.chat.id} order by a.chunk`;
        for (const one of model) {
          expect(rows.filter((row) => row.draft === one.id)).toMatchObject(
            one.attempts.map(({ state, epoch, owner }) => ({
              state,
              epoch,
              ...(['reserved', 'on_wire', 'planned'].includes(state) ? { owner } : {}),
            })),
          );
          const card = await storage.drafts.card(one.id);
          expect(card?.draft).toMatchObject({ state: one.state, version: one.version });
          expect(card?.job?.state ?? null).toBe(one.job);
          if (card?.job === undefined || card.job === null) continue;
          expect(card.job.counts).toEqual({
            planned: sum(one, 'planned', 'reserved'),
            onWire: sum(one, 'on_wire'),
            accepted: sum(one, 'accepted'),
            rejected: sum(one, 'rejected', 'not_sent'),
            unknown: sum(one, 'unknown'),
            delivered: 0,
            failed: 0,
            blocked: 0,
            barred: 0,
          });
          expect(Object.values(card.job.counts).reduce((total, count) => total + count, 0)).toBe(
            one.recipients.length,
          );
        }
        expect(await doubtful()).toEqual([]);
      }
      const jobs = await storage.sql`select 1 from job where chat_id = ${at.chat.id}`;
      expect(jobs).toHaveLength(model.filter((one) => one.state === 'confirmed').length);
      // One more for the account that was linked.
      expect(await storage.audit(at.chat.id)).toHaveLength(audited + 1);
    }),
    { numRuns: 30, endOnFailure: true },
  );
});

async function attemptIdOf(jobId: string, chunk: number): Promise<string> {
  const [row] = await storage.sql<{ id: string }[]>`
    select id from attempt where job_id = ${jobId} and chunk = ${chunk}`;
  return row?.id ?? jobId;
}
