import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptView } from '../../ports/jobs.ts';
import type { StatusEntry } from '../../ports/gateway.ts';
import { LINE, openTestStorage, type TestStorage } from '../testing.ts';
import {
  jobName,
  openSides,
  ownClock,
  ZONE,
  type Side,
  type Sides,
} from '../../../test/simulation/memory/two-sides.ts';

/*
 * Drafts, jobs and calls under whatever people, processes, time and the gateway do, against a gateway of the test's own
 * that keeps count of what it took. After every step: nobody got a message of one card twice, nobody has vanished, nothing
 * is said of a message that is not so, and no two equal messages are in doubt together. Each step is played on Postgres and
 * on the stores of the simulation, and comes to the same on both.
 */

let storage: TestStorage;
beforeAll(async () => {
  storage = await openTestStorage();
  await ownClock(storage);
});
afterAll(() => storage.close());

const numbers = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `98912${String(from + n).padStart(7, '0')}`);
/** Some have people in common, some the text, one needs two calls. */
const DRAFTS = [
  { text: 'Hello', recipients: numbers(0, 2) },
  { text: 'Hello', recipients: numbers(1, 202) },
  { text: 'Bye', recipients: numbers(0, 3) },
] as const;

/** A call as each side has it. */
interface Call {
  readonly both: readonly [AttemptView, AttemptView];
  readonly job: string;
  readonly name: string;
  readonly owner: string;
}

/** What the test knows: what was taken, and what a person has claimed. Drafts and jobs go by their names. */
interface Model {
  /** By the place of DRAFTS: the draft that is worked on. */
  readonly drafts: (string | undefined)[];
  /** Of each draft that was made, its place there. */
  readonly places: Map<string, number>;
  readonly jobs: string[];
  /** By job: whom the gateway took a message for. */
  readonly taken: Map<string, string[]>;
  /** Calls that may have been taken though no answer came. */
  readonly lost: Map<string, boolean>;
  /** Jobs of which a person has said something; what is said there need not be so. */
  readonly byWord: Set<string>;
  /** Calls that were taken by a process that has done nothing since. */
  readonly held: Call[];
  /** Calls that have left, and whose answer is still to come. */
  readonly out: Call[];
  isHalted: boolean;
  isLimited: boolean;
  /** Commits were lost: whatever may have left since is in doubt, and may be equal. */
  isLost: boolean;
}

type Step = fc.AsyncCommand<Model, Sides>;
/** What is to be seen in the rows once both sides were compared. */
type Seen = (() => void) | undefined;

/** One thing that happens, and what must hold after it. */
function step(name: string, run: (model: Model, sides: Sides) => Promise<Seen | void>): Step {
  return {
    check: () => true,
    run: async (model, sides) => {
      await sides.pass(10);
      const seen = await run(model, sides);
      await sides.compare();
      seen?.();
      await holds(model, sides);
    },
    toString: () => name,
  };
}

const press = ({ place }: Sides) => ({ personId: place.ownerId, updateId: storage.next() });

function took(model: Model, job: string, recipients: readonly string[]): void {
  model.taken.set(job, [...(model.taken.get(job) ?? []), ...recipients]);
}

const draftOf = (sides: Sides, code: string) => {
  const row = sides.rows().drafts.find((each) => each['code'] === code);
  if (row === undefined) throw new Error(`there is no draft ${code}`);
  const { state, version, expires_at: end, details } = row;
  return { state: String(state), version: Number(version), isOver: Number(end) <= sides.db.now, details };
};

const stateOf = (sides: Sides, job: string): string => {
  const code = job.replace('job ', '');
  const draft = sides.rows().drafts.find((each) => each['code'] === code);
  return String(sides.rows().jobs.find((each) => each['draft_id'] === draft?.['id'])?.['state']);
};

const prepare = (which: number) =>
  step(`prepare ${which}`, async (model, sides) => {
    const before = model.drafts[which];
    if (before !== undefined && !isOver(sides, before)) return;
    const { text, recipients } = DRAFTS[which] ?? DRAFTS[0];
    const draft = storage.draftIn(sides.place, { text, recipients: [...recipients] });
    await sides.both(async ({ drafts }) => await drafts.create(draft));
    await sides.both(async ({ drafts }) => await drafts.create(draft));
    return () => workOn(model, sides, which);
  });

/** The newest draft is the one that is worked on. */
function workOn(model: Model, sides: Sides, which: number): void {
  const code = String(sides.rows().drafts.at(-1)?.['code']);
  model.drafts[which] = code;
  model.places.set(code, which);
}

/** Whether nothing can be done any more with a draft or its job. */
function isOver(sides: Sides, code: string): boolean {
  const { state, isOver } = draftOf(sides, code);
  if (state === 'confirmed')
    return ['done', 'undone', 'stopped', 'missed'].includes(stateOf(sides, jobName(code)));
  return state === 'cancelled' || isOver;
}

/** Does something with the draft that is worked on. */
const onDraft = (
  name: string,
  which: number,
  run: (code: string, draft: ReturnType<typeof draftOf>, model: Model, sides: Sides) => Promise<Seen | void>,
) =>
  step(`${name} ${which}`, async (model, sides) => {
    const code = model.drafts[which];
    return code === undefined ? undefined : await run(code, draftOf(sides, code), model, sides);
  });

const edit = (which: number, inMs: number | null) =>
  onDraft(
    inMs === null ? 'edit' : `time in ${inMs}`,
    which,
    async (code, { state, version, isOver, details }, _, sides) => {
      const change =
        inMs === null ? { flash: true } : { when: { sendAt: new Date(sides.db.now + inMs), recur: null } };
      const [changed] = await sides.both(
        async ({ drafts, id }) => await drafts.edit(id(code), version, change),
      );
      const isFixed = inMs !== null && JSON.stringify(details).includes('"resends"');
      expect(changed).toBe((state === 'open' || state === 'asked') && !isOver && !isFixed);
    },
  );

const cancel = (which: number) =>
  onDraft('cancel', which, async (code, { state, version }, model, sides) => {
    const { personId, updateId } = press(sides);
    const [done] = await sides.both(
      async ({ drafts, id }) => await drafts.cancel(id(code), version, personId, updateId),
    );
    expect(done).toBe(state === 'open' || state === 'asked');
    model.drafts[which] = undefined;
  });

/** Several presses at once, of this version or of one before. */
const confirm = (which: number, { stale = false, times = 2, undoSeconds = 0 } = {}) =>
  onDraft(`confirm${stale ? ' stale' : ''} ×${times}`, which, async (code, draft, model, sides) => {
    const by = press(sides);
    const version = draft.version - (stale ? 1 : 0);
    const [results] = await sides.both(
      async ({ drafts, id }) =>
        await Promise.all(
          Array.from({ length: times }, async () => {
            return await drafts.confirm({ draftId: id(code), version, ...by, undoSeconds, timeZone: ZONE });
          }),
        ),
      (all) => all.map(({ result }) => result).toSorted(),
    );
    const confirmed = results.filter(({ result }) => result === 'confirmed');
    const may = draft.state === 'open' && !draft.isOver && !stale;
    if (!may || model.isHalted) expect(confirmed).toHaveLength(0);
    else if (!model.isLimited && !results.some(({ result }) => result === 'past' || result === 'changed'))
      expect(confirmed).toHaveLength(1);
    if (confirmed.length > 0) model.jobs.push(jobName(code));
  });

const ask = (which: number) =>
  onDraft('ask', which, async (code, { state, version, isOver }, _model, sides) => {
    const by = press(sides);
    const [{ result }] = await sides.both(
      async ({ drafts, id }) => await drafts.ask({ draftId: id(code), version, ...by }),
    );
    if (result === 'asked') expect(state === 'open' && !isOver).toBe(true);
  });

/** A second person's word, or the author's own, which is none. */
const answerAsked = (which: number, yes: boolean, own: boolean) =>
  onDraft(
    `${yes ? 'approve' : 'reject'}${own ? ' own' : ''}`,
    which,
    async (code, { state, version }, model, sides) => {
      const personId = own ? sides.place.ownerId : sides.place.secondId;
      const by = { version, personId, updateId: storage.next() };
      const [{ result }] = await sides.both(async ({ drafts, id }) =>
        yes
          ? await drafts.approve({ draftId: id(code), ...by, undoSeconds: 0, timeZone: ZONE })
          : await drafts.reject({ draftId: id(code), ...by }),
      );
      if (result === 'confirmed' || result === 'rejected') expect([state, own]).toEqual(['asked', false]);
      if (result === 'confirmed') model.jobs.push(jobName(code));
      if (result === 'rejected') model.drafts[which] = undefined;
    },
  );

const onJob = (
  name: string,
  which: number,
  run: (job: string, state: string, model: Model, sides: Sides) => Promise<Seen | void>,
) =>
  step(`${name} ${which}`, async (model, sides) => {
    const job = model.jobs.at(-1 - which);
    return job === undefined ? undefined : await run(job, stateOf(sides, job), model, sides);
  });

const placeOf = (model: Model, job: string): number => model.places.get(job.replace('job ', '')) ?? 0;

/** What was undone is a draft again, and goes on as such. */
const undo = (which: number) =>
  onJob('undo', which, async (job, state, model, sides) => {
    const { personId, updateId } = press(sides);
    const [done] = await sides.both(
      async ({ jobs, id }) => await jobs('1').undo(id(job), personId, updateId),
    );
    expect(done).toBe(state === 'holding');
    const place = placeOf(model, job);
    return () => {
      if (done) workOn(model, sides, place);
    };
  });

const start = (which: number) =>
  onJob('start', which, async (job, state, model, sides) => {
    await sides.both(async ({ jobs, id }) => await jobs('1').start(id(job)));
    return () => {
      const now = stateOf(sides, job);
      if (state !== 'holding' && state !== 'scheduled') expect(now).toBe(state);
      if (model.isHalted) expect(now === 'running' && state !== 'running').toBe(false);
    };
  });

const pause = (which: number) =>
  onJob('pause', which, async (job, state, _model, sides) => {
    const by = press(sides);
    const [paused] = await sides.both(
      async ({ jobs, id }) => await jobs('1').pause({ jobId: id(job), ...by }),
    );
    if (paused) expect(state).toBe('running');
    return () => expect(stateOf(sides, job)).toBe(paused ? 'paused' : state);
  });

const stop = (which: number) =>
  onJob('stop', which, async (job, state, _model, sides) => {
    const { personId, updateId } = press(sides);
    const [stopped] = await sides.both(
      async ({ jobs, id }) => await jobs('1').stop(id(job), 'person', personId, updateId),
    );
    if (stopped) expect(['holding', 'running', 'paused']).toContain(state);
    return () => expect(stateOf(sides, job)).toBe(stopped ? 'stopped' : state);
  });

const resume = (which: number, by: 'owner' | 'second', seen?: number) =>
  onJob(`resume by ${by}`, which, async (job, state, model, sides) => {
    const personId = by === 'owner' ? sides.place.ownerId : sides.place.secondId;
    const updateId = storage.next();
    const [{ result }] = await sides.both(
      async ({ jobs, id }) =>
        await jobs('1').resume({
          jobId: id(job),
          personId,
          updateId,
          timeZone: ZONE,
          ...(seen === undefined ? {} : { seen, told: {} }),
        }),
    );
    if (result === 'resumed') expect(['paused', 'stopped']).toContain(state);
    if (model.isHalted) expect(result).not.toBe('resumed');
    return () => {
      if (result !== 'resumed') expect(stateOf(sides, job)).toBe(state);
    };
  });

const finish = (which: number) =>
  onJob('finish', which, async (job, _state, _model, sides) => {
    await sides.both(async ({ jobs, id }) => {
      await jobs('1').schedule(id(job), 'send', 5000);
      return [await jobs('1').draftOf(id(job)), await jobs('1').finish(id(job))];
    });
    await sides.both(async ({ drafts, jobs, id }) => {
      await jobs('1').settle(id(job.replace('job ', '')));
      return await drafts.card(id(job.replace('job ', '')));
    });
  });

type Fate =
  | 'accepted'
  | 'rejected'
  | 'no_credit'
  | 'blocked'
  | 'not_sent'
  | 'lost'
  | 'lost_taken'
  | 'dies'
  | 'dies_taken'
  | 'slow'
  | 'slow_taken'
  | 'held';
const FATES: readonly Fate[] = [
  'accepted',
  'rejected',
  'no_credit',
  'blocked',
  'not_sent',
  'lost',
  'lost_taken',
  'dies',
  'dies_taken',
  'slow',
  'slow_taken',
  'held',
];

/** A process makes some calls of a job, each with a fate of its own. */
const call = (which: number, owner: string, fates: readonly Fate[]) =>
  onJob(`call ${owner} ${fates.join('/')}`, which, async (job, state, model, sides) => {
    const both = await sides.both(
      async ({ jobs, id }) => await jobs(owner).reserve(id(job), ownerOf(sides, owner), fates.length),
      withoutEpochs,
    );
    const [real, simulated] = both;
    if (!real.ok || !simulated.ok) return;
    expect(state).toBe('running');
    const calls = real.attempts.map((attempt, n): Call => {
      const other = simulated.attempts[n] ?? attempt;
      return { both: [attempt, other], job, name: sides.nameOf(attempt.id), owner };
    });
    for (const [n, each] of calls.entries()) await make(model, sides, each, fates[n] ?? 'accepted');
  });

/** Owners of other runs lie in the same database. */
const ownerOf = ({ place }: Sides, owner: string): string => `${owner} of ${place.chat.id}`;

function withoutEpochs(reserved: unknown): unknown {
  return JSON.parse(
    JSON.stringify(reserved, (name, value: unknown) => (name === 'epoch' ? undefined : value)),
  );
}

async function make(model: Model, sides: Sides, of: Call, fate: Fate): Promise<void> {
  const { job, name } = of;
  if (fate === 'held') {
    model.held.push(of);
    return;
  }
  let { recipients } = of.both[0];
  if (fate === 'blocked') {
    const left = await onCall(
      sides,
      of,
      async (jobs, { id, epoch }) => await jobs.dropBlocked(id, epoch, [recipients[0] ?? '']),
    );
    if (left === null || left.recipients.length === 0) return;
    recipients = left.recipients;
  }
  const onWire = await onCall(sides, of, async (jobs, { id, epoch }) => await jobs.goOnWire(id, epoch));
  if (model.isHalted || stateOf(sides, job) !== 'running') expect(onWire).toBe(false);
  if (!onWire) {
    await onCall(sides, of, async (jobs, { id, epoch }) => await jobs.release(id, epoch));
    return;
  }
  if (fate === 'accepted' || fate === 'blocked' || fate.endsWith('taken')) took(model, job, recipients);
  const messageIds = recipients.map((_, n) => String(storage.next() * 1000 + n));
  const results = {
    accepted: { outcome: 'accepted', raw: '', messageIds, recipients },
    blocked: { outcome: 'accepted', raw: '', messageIds, recipients },
    rejected: {
      outcome: 'rejected',
      code: 23,
      name: 'invalid_line',
      raw: '{"return":{"message":"no such line"}}',
    },
    no_credit: { outcome: 'rejected', code: 22, name: 'no_credit', raw: '' },
    not_sent: { outcome: 'not_sent', reason: 'refused' },
    lost: { outcome: 'unknown', reason: 'timeout', raw: '' },
    lost_taken: { outcome: 'unknown', reason: 'timeout', raw: '' },
  } as const;
  if (fate in results) {
    const result = results[fate as keyof typeof results];
    await onCall(sides, of, async (jobs, { id, epoch }) => await jobs.record(id, epoch, result));
  }
  if (/^(?:lost|dies|slow)/u.test(fate)) model.lost.set(name, fate.endsWith('taken'));
  if (fate.startsWith('slow')) model.out.push({ ...of, both: [{ ...of.both[0], recipients }, of.both[1]] });
}

/** Does something with a call, by its own id and epoch on each side. */
async function onCall<T>(
  sides: Sides,
  { both, owner }: Call,
  act: (jobs: ReturnType<Side['jobs']>, call: AttemptView) => Promise<T>,
): Promise<T> {
  const [result] = await sides.both(
    async ({ jobs, which }) => await act(jobs(owner), both[which] ?? both[0]),
  );
  return result;
}

/** A process comes back to what it has held, whatever has happened in between. */
const wake = (fate: Fate) =>
  step(`wake ${fate}`, async (model, sides) => {
    for (const each of model.held.splice(0)) await make(model, sides, each, fate);
  });

/** Answers come that were long awaited, whatever was concluded meanwhile. */
const answer = (how: 'plain' | 'lost') =>
  step(`late answers: ${how}`, async (model, sides) => {
    for (const of of model.out.splice(0)) {
      const { recipients } = of.both[0];
      const messageIds = recipients.map((_, n) => String(storage.next() * 1000 + n));
      const plain = model.lost.get(of.name)
        ? ({ outcome: 'accepted', raw: '', messageIds, recipients } as const)
        : ({ outcome: 'not_sent', reason: 'reset' } as const);
      const result = how === 'plain' ? plain : ({ outcome: 'unknown', reason: 'timeout', raw: '' } as const);
      await onCall(sides, of, async (jobs, { id, epoch }) => await jobs.record(id, epoch, result));
    }
  });

const die = (owner: string) =>
  step(`${owner} dies`, async (_model, sides) => {
    await sides.both(
      async ({ jobs, forget }) => {
        const concerned = await jobs('1').abandon([ownerOf(sides, owner)]);
        forget(owner);
        return concerned;
      },
      (jobs) => new Set(jobs),
    );
  });

const takeUp = (owner: string) =>
  step(`${owner} takes up what it does not know`, async (_model, sides) => {
    await sides.both(
      async ({ jobs }) => await jobs(owner).takeUp(ownerOf(sides, owner)),
      (jobs) => new Set(jobs),
    );
    await sides.both(
      async ({ jobs }) => await jobs(owner).owners(),
      (owners) => new Set(owners.filter((each) => each.endsWith(sides.place.chat.id))),
    );
  });

/**
 * The lists are read: what was taken is found, what was not is asked about, or looked for once more. Where they are blind,
 * all is asked about.
 */
const look = (how: 'whole' | 'blind' | 'once more') =>
  step(`look: ${how}`, async (model, sides) => {
    const unknown = sides.rows().calls.filter((each) => each['state'] === 'unknown');
    for (const { id, recipients } of unknown) {
      const name = sides.nameOf(String(id));
      const all = recipients as string[];
      const messages = all.map((recipient, n) => ({
        recipient,
        messageId: String(storage.next() * 1000 + n),
      }));
      const known = namedMessages(sides);
      const now = sides.db.now / 1000;
      const bindingId = sides.place.bindingId;
      await sides.both(async ({ reconciles, id }) => [
        await reconciles.doubt(id(name)),
        new Set((await reconciles.acceptedCalls(bindingId)).map((each) => JSON.stringify(each))),
        await reconciles.claimed(id(name), messages),
        await reconciles.claimed(id(name), known),
        await reconciles.unnamed(id(name), { from: now - 3600, to: now }),
      ]);
      if (how === 'once more') {
        await sides.both(
          async ({ reconciles, id }) => await reconciles.keepOpen(id(name), { at: now, absent: all }, 60_000),
        );
        continue;
      }
      const blocked = model.lost.get(name) === true ? [] : all.slice(1).slice(-1);
      const [done] = await sides.both(async ({ reconciles, id }) =>
        model.lost.get(name) === true && how === 'whole'
          ? await reconciles.found(id(name), messages, false)
          : await reconciles.ask(id(name), {
              found: [],
              blocked,
              absent: all.filter((each) => !blocked.includes(each)),
              proven: all.length > 2,
              look: { at: now, absent: all },
            }),
      );
      expect(done).toBe(true);
    }
  });

/** All messages whose ids are known, whichever call they are of. */
function namedMessages(sides: Sides): { recipient: string; messageId: string }[] {
  return sides.rows().calls.flatMap((call) => {
    const report = sides.rows().reports.find((each) => each['attempt_id'] === call['id']);
    const given = (call['message_ids'] ??
      ((report?.['ids'] as string | undefined) ?? '').split(',')) as string[];
    return (call['recipients'] as string[]).flatMap((recipient, n) => {
      const messageId = given[n] ?? '';
      return messageId === '' ? [] : [{ recipient, messageId }];
    });
  });
}

const decide = (which: number, sent: boolean) =>
  onJob(`decide ${sent ? 'sent' : 'not sent'}`, which, async (job, _state, model, sides) => {
    const by = press(sides);
    const [decided] = await sides.both(
      async ({ reconciles, id }) =>
        await reconciles.decide({ jobId: id(job), seen: [[0, 1000]], sent, ...by }),
    );
    if (decided > 0) model.byWord.add(job);
  });

const lookAgain = (which: number) =>
  onJob('look again', which, async (job, _state, _model, sides) => {
    await sides.both(async ({ reconciles, id }) => await reconciles.lookAgain(id(job), [[0, 1000]]));
  });

/** What is asked about goes into a draft of its own, which waits for its confirmation like any other. */
const resend = (which: number) =>
  onJob('send again', which, async (job, _state, model, sides) => {
    const asked = await sides.both(async ({ reconciles, id }) => await reconciles.asked(id(job)));
    const [mine] = asked;
    const recipients = mine.flatMap((each) => each.recipients);
    const place = placeOf(model, job);
    if (recipients.length === 0) return;
    // From its confirmation on the other card speaks for them.
    model.byWord.add(job);
    const { text } = DRAFTS[place] ?? DRAFTS[0];
    const draft = storage.draftIn(sides.place, { text, recipients });
    await sides.both(async ({ drafts, which }) => {
      const resends = asked[which]?.map(({ attemptId }) => attemptId) ?? [];
      return await drafts.create({ ...draft, resends });
    });
    return () => workOn(model, sides, place);
  });

/** Failures are sent again by a draft that nobody is in doubt about. */
const resendFailures = (which: number) =>
  onJob('send failures again', which, async (job, _state, model, sides) => {
    const code = job.replace('job ', '');
    const place = placeOf(model, job);
    const { text, recipients } = DRAFTS[place] ?? DRAFTS[0];
    const draft = storage.draftIn(sides.place, { text, recipients: recipients.slice(0, -1) });
    await sides.both(
      async ({ drafts, id }) =>
        await drafts.create({ ...draft, resendOf: { draftId: id(code), code, unknown: 0, blocked: 0 } }),
    );
    return () => workOn(model, sides, place);
  });

const track = (which: number, kinds: readonly StatusEntry['state']['kind'][], ends: boolean) =>
  onJob(`reports ${kinds.join('/')}`, which, async (job, _state, _model, sides) => {
    const [open] = await sides.both(async ({ jobs, id }) => await jobs('1').unsettled(id(job)));
    const entries = (open?.messageIds ?? []).map((id, n): StatusEntry => {
      const kind = kinds[n % kinds.length] ?? 'waiting';
      return { id, state: { kind, raw: n % 3, text: kind } };
    });
    await sides.both(async ({ jobs, id }) => await jobs('1').recordReports(id(job), entries, open?.calls));
    await sides.both(
      async ({ jobs, id }) => await jobs('1').openReports(id(job), { call: 0, messageId: '' }),
    );
    if (ends)
      await sides.both(async ({ jobs, id }) => {
        await jobs('1').trackOn(id(job), { call: 0, messageId: '7' });
        await jobs('1').endPolling(id(job));
      });
  });

/** Cards as processes note them, and tasks as they ask for them. */
const show = (which: number) =>
  onDraft('show', which, async (code, { version }, _model, sides) => {
    const shown = { messageId: storage.next(), threadId: 3 };
    await sides.both(async ({ drafts, id }) => {
      const until = await drafts.setCard(id(code), shown, sides.place.bindingId);
      await drafts.showLater(id(code), 9000);
      await drafts.showLater(id(code), 7000, 'turn');
      await drafts.claimCard(id(code), null);
      await drafts.setBlocked(id(code), version, {
        blocked: [{ line: LINE, recipient: DRAFTS[which]?.recipients[0] ?? '' }],
        untold: [],
      });
      await drafts.setCall(id(code), shown.messageId + 1);
      await drafts.forgetCall(id(code), shown.messageId);
      await drafts.turn(id(code), 'look', 3);
      await drafts.showOpen(sides.place.chat.id);
      return [
        until,
        await drafts.findByCode(sides.place.chat.id, code),
        await drafts.findByMessage(sides.place.chat.id, shown.messageId),
        await drafts.findBySource(sides.place.chat.id, shown.messageId),
        await drafts.newest(sides.place.chat.id, sides.place.ownerId, 'open'),
      ];
    });
  });

const halt = (on: boolean) =>
  step(on ? 'halt' : 'go', async (model, sides) => {
    const by = { chatId: sides.place.chat.id, ...press(sides) };
    await sides.both(
      async ({ limits }) => await (on ? limits.halt(by) : limits.go({ ...by, timeZone: ZONE })),
    );
    model.isHalted = on || sides.db.deployment.held_at !== null;
  });

const hold = (on: boolean) =>
  step(on ? 'the operator holds all' : 'the operator lets go', async (model, sides) => {
    await sides.hold(on);
    const [limits] = sides.rows().limits;
    model.isHalted = on || (limits?.['halted_at'] ?? null) !== null;
  });

/**
 * All sends are held, since a process misses what it knew or a backup was brought back; whatever may have left is looked
 * for, and the operator lets go.
 */
const lose = (by: 'process-1' | 'operator', between: readonly Step[] = []) =>
  step(`${by} finds commits lost`, async (model, sides) => {
    if (sides.rows().jobs.length === 0) return;
    const { chat } = sides.place;
    const [id, began] = [ownerOf(sides, by), new Date(sides.db.now)];
    const call = sides.nameOf(String(sides.rows().calls[0]?.['id']));
    if (by === 'operator') await sides.both(async ({ losses }) => await losses.restore(null));
    else {
      await sides.watch(by, true);
      const { server } = sides.db;
      await sides.both(async ({ losses, id: of }) => [
        await losses.look({ id, beats: 1 }, []),
        await losses.look({ id, beats: 1 }, [{ id: of(call), epoch: 2_100_000_000 }]),
        await losses.look({ id, beats: 9 }, []),
        await losses.hold({ id, beats: 9, server, began }),
      ]);
    }
    [model.isHalted, model.isLost] = [true, true];
    const from = sides.db.deployment.restored_from ?? began;
    await sides.both(async ({ losses }) => [
      await losses.unfinished(),
      (await losses.chats()).includes(chat.id),
      await losses.doubt(chat.id, from),
      await losses.finished(),
      await losses.unfinished(),
      (await losses.look({ id, beats: 9 }, [])).is_lost,
    ]);
    await sides.compare();
    for (const each of between) await each.run(model, sides);
    await sides.both(async ({ losses }) => [
      await losses.letGo(),
      (await losses.heldChats()).some((each) => each.chatId === chat.id),
      await losses.goOn({ chatId: chat.id, timeZone: ZONE }),
      by === 'operator' ? null : await losses.leave(id),
    ]);
    const [limits] = sides.rows().limits;
    model.isHalted = (limits?.['halted_at'] ?? null) !== null;
  });

const limit = (to: Parameters<Sides['limit']>[0]) =>
  step(`limit ${JSON.stringify(to)}`, async (model, sides) => {
    await sides.limit(to);
    model.isLimited = Object.values(to).some((each) => each !== null);
  });

const pass = (ms: number) => step(`${ms / 1000} s pass`, async (_model, sides) => await sides.pass(ms));

async function holds(model: Model, sides: Sides): Promise<void> {
  for (const recipients of model.taken.values()) expect(new Set(recipients).size).toBe(recipients.length);

  expect(sides.rows().jobs).toHaveLength(model.jobs.length);

  const inDoubt = await storage.sql`
    select 1 from attempt a join attempt b on b.id > a.id and a.message_keys && b.message_keys
    join job ja on ja.id = a.job_id join job jb on jb.id = b.job_id
    where ja.chat_id = ${sides.place.chat.id} and jb.chat_id = ${sides.place.chat.id}
      and a.state in ('reserved', 'on_wire', 'unknown', 'asked') and b.state in ('reserved', 'on_wire', 'unknown', 'asked')`;
  if (!model.isLost) expect(inDoubt).toHaveLength(0);

  for (const { draft, job } of sides.cards()) {
    if (draft.state !== 'confirmed') continue;
    if (job === null) throw new Error('a confirmed draft has a job');
    const name = jobName(draft.code);
    const counted = Object.values(job.counts).reduce((sum, count) => sum + count, 0) + job.said + job.resent;
    const row = sides.rows().drafts.find(({ code }) => code === draft.code);
    expect(counted).toBe((row === undefined ? [] : (row['recipients'] as string[])).length);
    const taken = model.taken.get(name)?.length ?? 0;
    const { accepted, delivered, failed, barred, onWire, unknown } = job.counts;
    // Known to be taken, at the least; at the most what is not known comes on top.
    expect(accepted + delivered + failed + barred).toBeLessThanOrEqual(taken);
    if (!model.byWord.has(name))
      expect(accepted + delivered + failed + barred + onWire + unknown).toBeGreaterThanOrEqual(taken);
  }
}

/** Several things one after the other. */
const inOrder = (...steps: readonly Step[]): Step => ({
  check: () => true,
  run: async (model, sides) => {
    for (const each of steps) await each.run(model, sides);
  },
  toString: () => steps.map(String).join(', '),
});

const drain = step('the queue is worked off', async (_model, sides) => await sides.drain());
const link = (on: boolean) => step(on ? 'linked' : 'unlinked', async (_model, sides) => await sides.link(on));
const watch = (by: string, found: boolean) =>
  step(
    `${by} ${found ? 'has found' : 'misses'} what it knew`,
    async (_model, sides) => await sides.watch(by, found),
  );
const role = (of: 'viewer' | 'owner') =>
  step(`the second is ${of}`, async (_model, sides) => await sides.role(sides.place.secondId, of));

const which = fc.nat(DRAFTS.length - 1);
const owner = fc.constantFrom('process-1', 'process-2');
const fates = fc.array(fc.constantFrom(...FATES), { minLength: 1, maxLength: 3 });
const REPORTED = ['delivered', 'failed', 'blocked', 'waiting', 'sent'] as const;
const reported = fc.array(fc.constantFrom(...REPORTED), { minLength: 1, maxLength: 4 });
const FREE = {
  approval_parts: null,
  cap_rial: null,
  cap_parts: null,
  person_cap_parts: null,
  window_from: null,
  window_to: null,
};
const LIMITS: readonly Parameters<Sides['limit']>[0][] = [
  { cap_parts: 210 },
  { person_cap_parts: 4 },
  { cap_rial: 1000, cap_parts: 210 },
  { window_from: 720, window_to: 780 },
];
/** What keeps sends from leaving, and its end. */
const OBSTACLES: readonly (readonly [Step, Step])[] = [
  [halt(true), halt(false)],
  [halt(true), halt(false)],
  [hold(true), hold(false)],
  [inOrder(halt(true), hold(true), halt(false)), hold(false)],
  [link(false), link(true)],
  [watch('process-1', true), die('process-1')],
  [inOrder(watch('process-1', true), watch('process-2', false)), inOrder(die('process-1'), die('process-2'))],
  ...LIMITS.map((each) => [limit(each), limit(FREE)] as const),
];

const NOTHING = [pass(10), pass(10)] as const;

const running = (n: number): Step => inOrder(prepare(n), confirm(n), start(0), drain);
/** All of them on their way: what happens to calls is what most runs are for. */
const launch = inOrder(running(0), running(1), running(2));

/** One thing done to a draft or a job. */
const deed: fc.Arbitrary<Step> = fc.oneof(
  which.map(running),
  which.map((n) =>
    inOrder(prepare(n), show(n), confirm(n), start(0), drain, show(n), call(0, 'process-1', ['accepted'])),
  ),
  which.map(prepare),
  fc.tuple(which, fc.constantFrom(null, 600_000, 5000)).map(([n, inMs]) => edit(n, inMs)),
  which.map(cancel),
  fc
    .tuple(which, fc.boolean(), fc.integer({ min: 1, max: 3 }))
    .map(([n, stale, times]) => confirm(n, { stale, times })),
  which.map((n) => confirm(n, { undoSeconds: 10 })),
  which.map(undo),
  which.map(start),
  which.map(pause),
  which.map(stop),
  which.map((n) => resume(n, 'owner')),
  fc.tuple(which, fc.constantFrom(undefined, 2)).map(([n, seen]) => resume(n, 'second', seen)),
  which.map(finish),
  fc.tuple(which, owner, fates).map(([n, by, all]) => call(n, by, all)),
  fc.constantFrom(...FATES).map(wake),
  fc.constantFrom('plain' as const, 'lost' as const).map(answer),
  owner.map(die),
  owner.map(takeUp),
  fc.constantFrom('whole' as const, 'blind' as const, 'once more' as const).map(look),
  fc.tuple(which, fc.boolean()).map(([n, sent]) => decide(n, sent)),
  which.map(lookAgain),
  which.map(resend),
  which.map(resendFailures),
  fc.tuple(which, reported, fc.boolean()).map(([n, kinds, ends]) => track(n, kinds, ends)),
  which.map((n) => inOrder(drain, show(n))),
  fc.constantFrom(lose('process-1'), lose('operator')),
  fc.constantFrom(1000, 12_000, 360_000, 660_000, 2_700_000, 90_000_000).map(pass),
);

const BETWEEN = [
  stop(0),
  pause(0),
  halt(true),
  hold(true),
  link(false),
  die('process-1'),
  lose('process-1'),
  inOrder(pass(360_000), takeUp('process-1'), takeUp('process-2')),
];

/** Somebody holds a job up right between the moment in which a process takes a call and the one in which it leaves. */
const tooLate = fc
  .tuple(owner, fc.constantFrom(...BETWEEN))
  .map(([by, held]) =>
    inOrder(
      call(0, by, ['held', 'held']),
      held,
      wake('accepted'),
      halt(false),
      hold(false),
      link(true),
      resume(0, 'owner'),
    ),
  );

/** An answer is lost, or the process: the lists are read, people are asked, and answers may come all the same. */
const doubt = fc
  .tuple(
    which,
    owner,
    fc.array(fc.constantFrom<Fate>('lost', 'lost_taken', 'dies', 'dies_taken', 'slow', 'slow_taken'), {
      minLength: 2,
      maxLength: 2,
    }),
    fc.constantFrom(
      [decide(0, true)],
      [decide(0, false)],
      [decide(0, false), finish(0), resendFailures(0)],
      [lookAgain(0), look('whole')],
      [resend(0), confirm(0), confirm(1), confirm(2)],
      [resend(0), lookAgain(0), look('whole'), confirm(0), confirm(1), confirm(2)],
      [resend(0), confirm(0, { undoSeconds: 10 }), confirm(1, { undoSeconds: 10 }), undo(0)],
      [],
    ),
    fc.constantFrom('plain' as const, 'plain' as const, 'lost' as const),
    fc.constantFrom('whole' as const, 'blind' as const),
    fc.boolean(),
  )
  .map(([n, by, all, settled, late, how, ends]) =>
    inOrder(
      running(n),
      call(0, by, all),
      ...(ends ? [finish(0), stop(0)] : []),
      die(by),
      look('once more'),
      look(how),
      ...settled,
      answer(late),
      track(0, ['delivered', 'failed'], false),
    ),
  );

/** A second person is asked, and says yes or no, to what was asked or to what has changed since. */
const approval = fc
  .tuple(
    fc.boolean(),
    fc.boolean(),
    fc.constantFrom(edit(1, null), confirm(1), role('viewer'), cancel(1), start(0)),
  )
  .map(([yes, own, between]) =>
    inOrder(
      limit({ approval_parts: 100 }),
      prepare(1),
      confirm(1),
      ask(1),
      between,
      answerAsked(1, yes, own),
      answerAsked(1, yes, false),
      role('owner'),
      ask(1),
      answerAsked(1, yes, false),
      start(0),
      stop(0),
      pass(90_000_000),
      resume(0, 'owner'),
      resume(0, 'second'),
      limit(FREE),
    ),
  );

/** An equal message of an earlier card is in flight, or in doubt, from the same account. */
const equal = fc
  .tuple(fc.constantFrom<Fate>('slow', 'lost_taken', 'held'), fc.constantFrom<Fate>('accepted', 'blocked'))
  .map(([first, second]) =>
    inOrder(
      running(0),
      call(0, 'process-1', [first]),
      running(1),
      call(0, 'process-2', [second, 'accepted']),
      call(0, 'process-2', [second]),
      look('once more'),
      wake('rejected'),
      answer('plain'),
      look('whole'),
      call(0, 'process-2', [second]),
    ),
  );

/** Something is to leave at a time, and may be prevented then. */
const timed = fc
  .tuple(
    which,
    fc.constantFrom(5000, 600_000),
    fc.constantFrom(6000, 660_000, 2_700_000, 2_700_000),
    fc.constantFrom(NOTHING, ...OBSTACLES),
  )
  .map(([n, inMs, passMs, [on, off]]) =>
    inOrder(
      prepare(n),
      edit(n, inMs),
      confirm(n),
      start(0),
      on,
      pass(passMs),
      start(0),
      off,
      start(0),
      limit({ cap_parts: 203 }),
      prepare((n + 1) % 3),
      confirm((n + 1) % 3),
      limit(FREE),
    ),
  );

/** Within the hold, or after it, people change their minds. */
const undone = fc
  .tuple(which, fc.constantFrom(0, 12_000), fc.constantFrom(pause(0), stop(0), halt(true)))
  .map(([n, ms, held]) =>
    inOrder(
      prepare(n),
      confirm(n, { undoSeconds: 10 }),
      pass(ms),
      undo(0),
      confirm(n, { undoSeconds: 10 }),
      held,
      halt(false),
      resume(0, 'owner'),
      pass(12_000),
      start(0),
    ),
  );

/** The account is refused, and the rest goes on later, unless its failures go by another card. */
const refused = fc
  .tuple(owner, fc.boolean(), fc.boolean())
  .map(([by, again, away]) =>
    inOrder(
      running(1),
      call(0, by, ['accepted', 'no_credit']),
      track(0, ['failed', 'delivered', 'blocked'], false),
      stop(0),
      ...(again ? [resendFailures(0), away ? pass(1_000_000) : confirm(1)] : []),
      resume(0, 'owner', 1),
      resume(0, 'owner'),
      resume(1, 'owner'),
      call(0, by, ['blocked', 'rejected']),
      finish(0),
    ),
  );

const STEPS: fc.Arbitrary<Step>[] = [
  fc.constant(launch),
  deed,
  deed,
  deed,
  fc
    .tuple(fc.constantFrom(...OBSTACLES), deed, deed)
    .map(([[on, off], one, other]) => inOrder(on, one, other, off)),
  tooLate,
  doubt,
  doubt,
  equal,
  approval,
  timed,
  undone,
  refused,
];

/** Plays steps on both sides of a place of their own; what the test knows after it. */
async function play(steps: Iterable<Step>): Promise<Model> {
  const sides = await openSides(storage);
  const model: Model = {
    drafts: [],
    places: new Map(),
    jobs: [],
    taken: new Map(),
    lost: new Map(),
    byWord: new Set(),
    held: [],
    out: [],
    isHalted: false,
    isLimited: false,
    isLost: false,
  };
  await fc.asyncModelRun(() => ({ model, real: sides }), steps);
  return model;
}

/** What so few runs come to that each is told for itself. */
const RARE: readonly (readonly [string, Step])[] = [
  ...(['process-1', 'operator'] as const).map((by): readonly [string, Step] => [
    `commits are lost, as ${by} says, of sends in every state`,
    inOrder(
      running(1),
      call(0, 'process-1', ['accepted', 'held']),
      running(0),
      call(0, 'process-2', ['slow_taken']),
      prepare(2),
      edit(2, 600_000),
      confirm(2),
      prepare(0),
      lose(by, [prepare(0), hold(true), start(0), start(1)]),
      wake('accepted'),
      look('whole'),
      answer('plain'),
      confirm(0),
      ...[0, 1, 2].flatMap((n) => [resume(n, 'owner'), start(n), finish(n), track(n, ['delivered'], false)]),
    ),
  ]),
  [
    'commits are lost while jobs wait for a person, and others for the operator',
    inOrder(
      running(0),
      pause(0),
      running(1),
      call(0, 'process-1', ['no_credit', 'rejected']),
      stop(0),
      prepare(2),
      confirm(2, { undoSeconds: 10 }),
      lose('process-1'),
      lose('operator'),
      look('blind'),
      resume(0, 'owner'),
      resume(1, 'owner'),
    ),
  ],
  [
    'a person says that it was not sent, and its answer comes that it was',
    inOrder(
      running(0),
      call(0, 'process-1', ['slow_taken']),
      die('process-1'),
      finish(0),
      look('blind'),
      decide(0, false),
      finish(0),
      resendFailures(0),
      answer('plain'),
    ),
  ],
  [
    'of what is to be sent again, some are not in doubt any more',
    inOrder(
      running(2),
      call(0, 'process-1', ['lost']),
      look('whole'),
      resend(0),
      lookAgain(0),
      look('whole'),
      confirm(2),
    ),
  ],
  [
    'a time passes while the chat’s switch is thrown',
    inOrder(prepare(0), edit(0, 5000), confirm(0), halt(true), pass(2_700_000), start(0), halt(false)),
  ],
  [
    'a time passes while the operator holds all sends',
    inOrder(prepare(0), edit(0, 5000), confirm(0), hold(true), pass(2_700_000), start(0), hold(false)),
  ],
  [
    'a cap keeps what the chat’s switch had paused',
    inOrder(
      running(0),
      running(2),
      halt(true),
      limit({ cap_parts: 1 }),
      halt(false),
      limit(FREE),
      resume(0, 'owner'),
    ),
  ],
  [
    'what was missed counts against no cap',
    inOrder(
      prepare(1),
      edit(1, 5000),
      confirm(1),
      pass(2_700_000),
      start(0),
      limit({ cap_parts: 203 }),
      prepare(2),
      confirm(2),
    ),
  ],
];

test.each(RARE)('the books are right when %s', async (_title, story) => {
  expect((await play([story])).jobs.length).toBeGreaterThan(0);
});

test('whatever people, processes and the gateway do, the books are right, here and in the simulation', async () => {
  let [taken, lost] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.commands(STEPS, { maxCommands: 16, size: 'max' }), async (commands) => {
      const model = await play(commands);
      taken += [...model.taken.values()].flat().length;
      lost += model.lost.size;
    }),
    { numRuns: 20, endOnFailure: true },
  );
  // A run in which nothing leaves would show nothing.
  expect(taken).toBeGreaterThan(200);
  expect(lost).toBeGreaterThan(5);
});
