import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptView } from '../ports/jobs.ts';
import { createLimitsStore } from './limits-store.ts';
import { createReconcileStore } from './reconcile-store.ts';
import { openTestStorage, type TestStorage } from './testing.ts';

/*
 * Drafts, jobs and calls under whatever people, processes and the gateway do, against a gateway of the test's own that
 * keeps count of what it took. After every step: nobody got a message of one card twice, nobody has vanished, nothing is
 * said of a message that is not so, and no two equal messages are in doubt together.
 */

let storage: TestStorage;
beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

const ZONE = 'Asia/Tehran';
const numbers = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `98912${String(from + n).padStart(7, '0')}`);
/** Some have people in common, some the text, one needs two calls. */
const DRAFTS = [
  { text: 'Hello', recipients: numbers(0, 2) },
  { text: 'Hello', recipients: numbers(1, 202) },
  { text: 'Bye', recipients: numbers(0, 3) },
] as const;

interface Told {
  readonly jobId: string;
  readonly recipients: readonly string[];
}

/** What the test knows: what was taken, and what a person has claimed. */
interface Model {
  readonly drafts: ({ id: string; version: number; state: string; job: string | null } | undefined)[];
  readonly jobs: Map<string, { readonly recipients: readonly string[]; state: string }>;
  /** By job: whom the gateway took a message for. */
  readonly taken: Map<string, string[]>;
  /** Calls that may have been taken though no answer came. */
  readonly lost: Map<string, boolean>;
  /** Jobs of which a person has said something; what is said there need not be so. */
  readonly byWord: Set<string>;
  /** Calls that were taken by a process that has done nothing since. */
  readonly held: AttemptView[];
  halted: boolean;
}

interface Real {
  readonly place: Awaited<ReturnType<TestStorage['addPlace']>>;
  readonly limits: ReturnType<typeof createLimitsStore>;
  readonly reconciles: ReturnType<typeof createReconcileStore>;
}

type Step = fc.AsyncCommand<Model, Real>;

/** One thing that happens, and what must hold after it. */
function step(name: string, run: (model: Model, real: Real) => Promise<void>): Step {
  return {
    check: () => true,
    run: async (model, real) => {
      await run(model, real);
      await holds(model, real);
    },
    toString: () => name,
  };
}

const press = (real: Real) => ({ personId: real.place.ownerId, updateId: storage.next() });

function took(model: Model, { jobId, recipients }: Told): void {
  model.taken.set(jobId, [...(model.taken.get(jobId) ?? []), ...recipients]);
}

const prepare = (which: number) =>
  step(`prepare ${which}`, async (model, real) => {
    if (model.drafts[which] !== undefined) return;
    const { text, recipients } = DRAFTS[which] ?? DRAFTS[0];
    const { id } = await storage.drafts.create(
      storage.draftIn(real.place, { text, recipients: [...recipients] }),
    );
    model.drafts[which] = { id, version: 1, state: 'open', job: null };
  });

const edit = (which: number) =>
  step(`edit ${which}`, async (model) => {
    const draft = model.drafts[which];
    if (draft === undefined) return;
    const changed = await storage.drafts.edit(draft.id, draft.version, { flash: true });
    expect(changed).toBe(draft.state === 'open');
    if (changed) draft.version += 1;
  });

const cancel = (which: number) =>
  step(`cancel ${which}`, async (model, real) => {
    const draft = model.drafts[which];
    if (draft === undefined) return;
    const { personId, updateId } = press(real);
    const cancelled = await storage.drafts.cancel(draft.id, draft.version, personId, updateId);
    expect(cancelled).toBe(draft.state === 'open');
    if (!cancelled) return;
    draft.state = 'cancelled';
    draft.version += 1;
  });

/** Several presses at once, of this version or of one before. */
const confirm = (which: number, stale: boolean, times: number) =>
  step(`confirm ${which}${stale ? ' stale' : ''} ×${times}`, async (model, real) => {
    const draft = model.drafts[which];
    if (draft === undefined) return;
    const version = draft.version - (stale ? 1 : 0);
    const results = await Promise.all(
      Array.from({ length: times }, () =>
        storage.drafts.confirm({
          draftId: draft.id,
          version,
          ...press(real),
          undoSeconds: 0,
          timeZone: ZONE,
        }),
      ),
    );
    const confirmed = results.flatMap((each) => (each.result === 'confirmed' ? [each.jobId] : []));
    expect(confirmed).toHaveLength(draft.state === 'open' && !stale && !model.halted ? 1 : 0);
    const [jobId] = confirmed;
    if (jobId === undefined) return;
    draft.state = 'confirmed';
    draft.job = jobId;
    model.jobs.set(jobId, { recipients: (DRAFTS[which] ?? DRAFTS[0]).recipients, state: 'holding' });
  });

const onJob = (
  name: string,
  which: number,
  run: (jobId: string, job: { state: string }, model: Model, real: Real) => Promise<void>,
) =>
  step(`${name} ${which}`, async (model, real) => {
    const jobId = [...model.jobs.keys()][which];
    const job = jobId === undefined ? undefined : model.jobs.get(jobId);
    if (jobId === undefined || job === undefined) return;
    await run(jobId, job, model, real);
    job.state = await stateOf(jobId);
  });

const undo = (which: number) =>
  onJob('undo', which, async (jobId, job, _model, real) => {
    const { personId, updateId } = press(real);
    expect(await storage.jobs.undo(jobId, personId, updateId)).toBe(job.state === 'holding');
  });

const start = (which: number) =>
  onJob('start', which, async (jobId, job, model) => {
    await storage.jobs.start(jobId);
    const now = await stateOf(jobId);
    if (job.state === 'holding') expect(now).toBe(model.halted ? 'paused' : 'running');
    else expect(now).toBe(job.state);
  });

const pause = (which: number) =>
  onJob('pause', which, async (jobId, job, _model, real) => {
    const paused = await storage.jobs.pause({ jobId, ...press(real) });
    if (paused) expect(job.state).toBe('running');
    expect(await stateOf(jobId)).toBe(paused ? 'paused' : job.state);
  });

const stop = (which: number) =>
  onJob('stop', which, async (jobId, job, _model, real) => {
    const { personId, updateId } = press(real);
    const stopped = await storage.jobs.stop(jobId, 'person', personId, updateId);
    if (stopped) expect(['holding', 'running', 'paused']).toContain(job.state);
    expect(await stateOf(jobId)).toBe(stopped ? 'stopped' : job.state);
  });

const resume = (which: number) =>
  onJob('resume', which, async (jobId, job, model, real) => {
    const { result } = await storage.jobs.resume({ jobId, ...press(real), timeZone: ZONE });
    if (result === 'resumed') expect(['paused', 'stopped']).toContain(job.state);
    if (model.halted) expect(result).not.toBe('resumed');
    expect(await stateOf(jobId)).toBe(result === 'resumed' ? 'running' : job.state);
  });

const finish = (which: number) =>
  onJob('finish', which, async (jobId) => {
    await storage.jobs.finish(jobId);
  });

type Fate = 'accepted' | 'rejected' | 'not_sent' | 'lost' | 'lost_taken' | 'dies' | 'dies_taken' | 'held';
const FATES: readonly Fate[] = [
  'accepted',
  'rejected',
  'not_sent',
  'lost',
  'lost_taken',
  'dies',
  'dies_taken',
  'held',
];

/** A process makes some calls of a job, each with a fate of its own. */
const call = (which: number, owner: string, fates: readonly Fate[]) =>
  onJob(`call ${owner} ${fates.join('/')}`, which, async (jobId, job, model) => {
    const reserved = await storage.jobs.reserve(jobId, owner, fates.length);
    if (!reserved.ok) return;
    expect(job.state).toBe('running');
    await Promise.all(
      reserved.attempts.map(async (attempt, index) => await make(model, attempt, fates[index] ?? 'accepted')),
    );
  });

async function make(model: Model, attempt: AttemptView, fate: Fate): Promise<void> {
  const { id, jobId, epoch, recipients } = attempt;
  if (fate === 'held') {
    model.held.push(attempt);
    return;
  }
  const onWire = await storage.jobs.goOnWire(id, epoch);
  if (model.halted || (await stateOf(jobId)) !== 'running') expect(onWire).toBe(false);
  if (!onWire) return await storage.jobs.release(id, epoch);
  if (fate === 'accepted' || fate === 'lost_taken' || fate === 'dies_taken')
    took(model, { jobId, recipients });
  if (fate === 'accepted') {
    const messageIds = recipients.map((_, n) => String(storage.next() * 1000 + n));
    await storage.jobs.record(id, epoch, { outcome: 'accepted', raw: '', messageIds });
  } else if (fate === 'rejected') {
    await storage.jobs.record(id, epoch, { outcome: 'rejected', code: 23, name: 'invalid_line', raw: '' });
  } else if (fate === 'not_sent') {
    await storage.jobs.record(id, epoch, { outcome: 'not_sent', reason: 'refused' });
  } else {
    model.lost.set(id, fate.endsWith('taken'));
    if (fate === 'lost' || fate === 'lost_taken')
      await storage.jobs.record(id, epoch, { outcome: 'unknown', reason: 'timeout', raw: '' });
  }
}

/** A process comes back to what it has held, whatever has happened in between. */
const wake = (fate: Fate) =>
  step(`wake ${fate}`, async (model) => {
    for (const attempt of model.held.splice(0)) await make(model, attempt, fate);
    await refresh(model);
  });

const die = (owner: string) =>
  step(`${owner} dies`, async (model) => {
    await storage.jobs.abandon([owner]);
    await refresh(model);
  });

/** The lists are read: what was taken is found, what was not is asked about. */
const look = () =>
  step('look', async (model, real) => {
    const unknown = await storage.sql<{ id: string; recipients: string[] }[]>`
      select a.id, a.recipients from attempt a join job j on j.id = a.job_id
      where j.chat_id = ${real.place.chat.id} and a.state = 'unknown'`;
    for (const { id, recipients } of unknown) {
      const found = recipients.map((recipient, n) => ({
        recipient,
        messageId: String(storage.next() * 1000 + n),
      }));
      const done =
        model.lost.get(id) === true
          ? await real.reconciles.found(id, found, false)
          : await real.reconciles.ask(id, {
              found: [],
              blocked: [],
              absent: recipients,
              proven: true,
              look: null,
            });
      expect(done).toBe(true);
    }
  });

const decide = (which: number, sent: boolean) =>
  onJob(`decide ${sent ? 'sent' : 'not sent'}`, which, async (jobId, _job, model, real) => {
    if ((await real.reconciles.decide({ jobId, seen: [[0, 1000]], sent, ...press(real) })) > 0 && sent)
      model.byWord.add(jobId);
  });

const lookAgain = (which: number) =>
  onJob('look again', which, async (jobId, _job, _model, real) => {
    await real.reconciles.lookAgain(jobId, [[0, 1000]]);
  });

const halt = (on: boolean) =>
  step(on ? 'halt' : 'go', async (model, real) => {
    const by = { chatId: real.place.chat.id, ...press(real) };
    await (on ? real.limits.halt(by) : real.limits.go({ ...by, timeZone: ZONE }));
    model.halted = on;
    await refresh(model);
  });

async function stateOf(jobId: string): Promise<string> {
  const [row] = await storage.sql<{ state: string }[]>`select state from job where id = ${jobId}`;
  return row?.state ?? 'gone';
}

async function refresh(model: Model): Promise<void> {
  for (const [jobId, job] of model.jobs) job.state = await stateOf(jobId);
}

async function holds(model: Model, { place }: Real): Promise<void> {
  for (const recipients of model.taken.values()) expect(new Set(recipients).size).toBe(recipients.length);

  const jobs = await storage.sql<{ id: string }[]>`select id from job where chat_id = ${place.chat.id}`;
  expect(jobs.map(({ id }) => id).toSorted()).toEqual([...model.jobs.keys()].toSorted());

  const inDoubt = await storage.sql`
    select 1 from attempt a join attempt b on b.id > a.id and a.message_keys && b.message_keys
    join job ja on ja.id = a.job_id join job jb on jb.id = b.job_id
    where ja.chat_id = ${place.chat.id} and jb.chat_id = ${place.chat.id}
      and a.state in ('reserved', 'on_wire', 'unknown', 'asked') and b.state in ('reserved', 'on_wire', 'unknown', 'asked')`;
  expect(inDoubt).toHaveLength(0);

  for (const draft of model.drafts) {
    if (draft === undefined) continue;
    const card = await storage.drafts.card(draft.id);
    expect(card?.draft).toMatchObject({ state: draft.state, version: draft.version });
    if (draft.job === null) continue;
    const { recipients } = model.jobs.get(draft.job) ?? { recipients: [] };
    const job = card?.job;
    if (job === null || job === undefined) throw new Error('a confirmed draft has a job');
    const counted = Object.values(job.counts).reduce((sum, count) => sum + count, 0) + job.said + job.resent;
    expect(counted).toBe(recipients.length);
    const taken = model.taken.get(draft.job)?.length ?? 0;
    const { accepted, delivered, failed, onWire, unknown } = job.counts;
    // Known to be taken, at the least; at the most what is not known comes on top.
    expect(accepted + delivered + failed).toBeLessThanOrEqual(taken);
    if (!model.byWord.has(draft.job))
      expect(accepted + delivered + failed + onWire + unknown).toBeGreaterThanOrEqual(taken);
  }
}

/** Somebody holds a job up right between the moment in which a process takes a call and the one in which it leaves. */
const tooLate = (n: number, by: string, held: Step) =>
  step(`too late: ${held.toString()}`, async (model, real) => {
    await call(n, by, ['held', 'held']).run(model, real);
    await held.run(model, real);
    await wake('accepted').run(model, real);
  });

/** All of them on their way: what happens to calls is what most runs are for. */
const launch = step('launch all', async (model, real) => {
  for (const n of DRAFTS.keys()) {
    await prepare(n).run(model, real);
    await confirm(n, false, 2).run(model, real);
  }
  for (const n of DRAFTS.keys()) await start(n).run(model, real);
});

const which = fc.nat(DRAFTS.length - 1);
const owner = fc.constantFrom('process-1', 'process-2');
const COMMANDS: fc.Arbitrary<Step>[] = [
  fc.constant(launch),
  fc.constant(launch),
  which.map(prepare),
  which.map(prepare),
  which.map(edit),
  which.map(cancel),
  fc
    .tuple(which, fc.boolean(), fc.integer({ min: 1, max: 3 }))
    .map(([n, stale, times]) => confirm(n, stale, times)),
  fc.tuple(which, fc.constant(false), fc.constant(2)).map(([n, stale, times]) => confirm(n, stale, times)),
  which.map(undo),
  which.map(start),
  which.map(start),
  which.map(start),
  which.map(pause),
  which.map(stop),
  which.map(resume),
  which.map(resume),
  which.map(finish),
  fc
    .tuple(which, owner, fc.array(fc.constantFrom(...FATES), { minLength: 1, maxLength: 3 }))
    .map(([n, by, fates]) => call(n, by, fates)),
  fc
    .tuple(which, owner, fc.array(fc.constantFrom(...FATES), { minLength: 1, maxLength: 3 }))
    .map(([n, by, fates]) => call(n, by, fates)),
  fc.constantFrom(...FATES).map(wake),
  fc.constantFrom<Fate>('accepted', 'lost_taken').map(wake),
  fc.constantFrom<Fate>('accepted', 'lost_taken').map(wake),
  fc.tuple(which, owner).map(([n, by]) => call(n, by, ['held', 'accepted'])),
  fc.tuple(which, owner, fc.boolean()).map(([n, by, ends]) => tooLate(n, by, ends ? stop(n) : pause(n))),
  owner.map(die),
  fc.constant(look()),
  fc.tuple(which, fc.boolean()).map(([n, sent]) => decide(n, sent)),
  which.map(lookAgain),
  fc.boolean().map(halt),
  fc.constant(halt(false)),
];

test('whatever people, processes and the gateway do, the books are right', async () => {
  let [taken, lost] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 80, size: 'max' }), async (commands) => {
      const place = await storage.addPlace();
      await storage.sql`
        insert into chat_limits (chat_id, approval_parts, updated_by) values (${place.chat.id}, null, ${place.ownerId})`;
      const model: Model = {
        drafts: [],
        jobs: new Map(),
        taken: new Map(),
        lost: new Map(),
        byWord: new Set(),
        held: [],
        halted: false,
      };
      const real: Real = {
        place,
        limits: createLimitsStore(storage.database),
        reconciles: createReconcileStore(storage.database),
      };
      await fc.asyncModelRun(() => ({ model, real }), commands);
      taken += [...model.taken.values()].flat().length;
      lost += model.lost.size;
    }),
    { numRuns: 40, endOnFailure: true },
  );
  // A run in which nothing leaves would show nothing.
  expect(taken).toBeGreaterThan(200);
  expect(lost).toBeGreaterThan(5);
});
