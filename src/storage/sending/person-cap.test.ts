import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { projectFiles } from '../../../test/support/project-files.ts';
import { localTimeOf, weekdayOf } from '../../domain/calendar.ts';
import { JOB_MOVES, type JobState } from '../../domain/job.ts';
import type { Moves } from '../../domain/machine.ts';
import type { NewDraft } from '../../ports/stores.ts';
import { createLimitsStore } from './limits-store.ts';
import { createUnsentStore } from './unsent-store.ts';
import { createScheduleStore } from './schedule-store.ts';
import { BOT_ID, openTestStorage, type TestStorage } from '../testing.ts';

/* The cap of each person, on every path by which something comes to leave. */

let storage: TestStorage;
let limits: ReturnType<typeof createLimitsStore>;
let place: Awaited<ReturnType<TestStorage['addPlace']>>;
let omid: number;
let ann: number;

beforeAll(async () => {
  storage = await openTestStorage();
  limits = createLimitsStore(storage.database);
});
beforeEach(async () => {
  place = await storage.addPlace();
  omid = await storage.addPerson(place.chat.id, 'operator', 'Omid');
  ann = await storage.addPerson(place.chat.id, 'approver', 'Ann');
});
afterAll(() => storage.close());

const ZONE = 'Asia/Tehran';
const leaving = { undoSeconds: 0, timeZone: ZONE };

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `98912${String(n + 1).padStart(7, '0')}`);
}

async function cap(parts: number | null, approvalParts: number | null = null): Promise<void> {
  await limits.change({
    chatId: place.chat.id,
    personId: place.ownerId,
    updateId: storage.next(),
    to: { approvalParts, personCap: parts === null ? null : { unit: 'parts', parts } },
  });
}

async function draft(parts: number, more: Partial<NewDraft> = {}): Promise<string> {
  const made = storage.draftIn(place, { authorId: omid, recipients: numbers(parts), ...more });
  return (await storage.drafts.create(made)).id;
}

const press = (draftId: string, personId = omid) => ({
  draftId,
  version: 1,
  personId,
  updateId: storage.next(),
  ...leaving,
});
const confirm = async (id: string, by = omid) => await storage.drafts.confirm(press(id, by));
const jobIdOf = async (draftId: string): Promise<string> => {
  const [row] = await storage.sql<{ id: string }[]>`select id from job where draft_id = ${draftId}`;
  return row?.id ?? '';
};
const stop = async (jobId: string) => await storage.jobs.stop(jobId, 'person', place.ownerId, storage.next());
const spent = async () => (await limits.spentToday(place.chat.id, ZONE, omid)).parts;
const over = { result: 'limited', verdict: { kind: 'cap', whose: 'person', cap: 5 } } as const;
const tomorrow = () => new Date(Date.now() + 86_400_000);

/** Each brings four parts of Omid's on their way, where one of five may be used, or is refused where two were. */
const PATHS: Readonly<Record<string, () => Promise<unknown>>> = {
  'his own yes': async () => await confirm(await draft(4)),
  'a second person’s yes': async () => {
    const id = await draft(4);
    await cap(5, 1);
    expect(await storage.drafts.ask(press(id))).toEqual({ result: 'asked' });
    const done = await storage.drafts.approve(press(id, ann));
    await cap(5);
    return done;
  },
  'going on after a stop, by anybody': async () => {
    const id = await draft(4);
    await cap(null);
    await confirm(id);
    const jobId = await jobIdOf(id);
    await stop(jobId);
    await cap(5);
    return await storage.jobs.resume({ jobId, personId: ann, updateId: storage.next(), timeZone: ZONE });
  },
  'his own yes to those who got nothing': async () => {
    const id = await draft(4);
    await cap(null);
    await confirm(id);
    const jobId = await jobIdOf(id);
    await storage.sql`update attempt set state = 'rejected' where job_id = ${jobId}`;
    await stop(jobId);
    await cap(5);
    const made = await createUnsentStore(storage.database).resend({
      jobId,
      chatId: place.chat.id,
      bindingId: place.bindingId,
      botId: BOT_ID,
      personId: omid,
      updateId: storage.next(),
      lang: 'en',
      threadId: undefined,
    });
    return await confirm(made.result === 'made' ? made.draftId : '');
  },
};

describe.each(Object.keys(PATHS))('by %s', (path) => {
  test('his sends of a day pass the cap together with nothing else, and count for him alone', async () => {
    await confirm(await draft(1, { text: 'before' }));
    await confirm(await draft(9, { authorId: ann, text: 'of another' }), ann);
    await cap(5);
    expect(await PATHS[path]?.()).toMatchObject({
      result: path.startsWith('going') ? 'resumed' : 'confirmed',
    });
    expect(await spent()).toBe(5);
    expect(await confirm(await draft(1, { text: 'after' }))).toMatchObject({
      ...over,
      verdict: { ...over.verdict, used: 5, wanted: 1 },
    });
  });

  test('what would pass the cap is refused, and reserves nothing', async () => {
    await confirm(await draft(2, { text: 'before' }));
    await cap(5);
    expect(await PATHS[path]?.()).toMatchObject({
      ...over,
      verdict: { ...over.verdict, used: 2, wanted: 4 },
    });
    expect(await spent()).toBe(2);
  });
});

describe('what leaves later', () => {
  test('counts on its own day, and is held against that day’s cap', async () => {
    await cap(5);
    expect((await confirm(await draft(4, { sendAt: tomorrow() }))).result).toBe('confirmed');
    expect(await spent()).toBe(0);
    expect((await confirm(await draft(5, { text: 'today' }))).result).toBe('confirmed');
    expect(await confirm(await draft(2, { sendAt: tomorrow(), text: 'too much' }))).toMatchObject(over);
  });

  test('is held against it again when its time comes, and asks where it is over by then', async () => {
    const id = await draft(4, { sendAt: tomorrow() });
    await confirm(id);
    const jobId = await jobIdOf(id);
    await storage.sql`update job set hold_until = now(), leaves_at = now() where id = ${jobId}`;
    await cap(3);
    expect((await storage.jobs.start(jobId))?.state).toBe('missed');
    const [row] = await storage.sql`select stop_reason from job where id = ${jobId}`;
    expect(row).toEqual({ stop_reason: 'cap' });
    // Whoever is asked and says yes is held against it as well.
    const schedules = createScheduleStore(storage.database, ZONE);
    const now = { jobId, chatId: place.chat.id, personId: omid, updateId: storage.next(), ...leaving };
    expect(await schedules.sendNow(now)).toMatchObject({ pressed: { result: 'limited' } });
    await cap(4);
    expect(await schedules.sendNow({ ...now, updateId: storage.next() })).toMatchObject({
      pressed: { result: 'confirmed' },
    });
    expect(await spent()).toBe(4);
  });

  test('in a series counts for whoever confirmed the first, each on its day', async () => {
    // Another day than that of the first.
    const weekday = (weekdayOf(localTimeOf(new Date(), ZONE)) + 3) % 7;
    const recur = { every: 'week', weekday, minute: 600 } as const;
    const id = await draft(4, { sendAt: tomorrow(), recur });
    await confirm(id);
    const jobId = await jobIdOf(id);
    await cap(5);
    await storage.sql`update job set hold_until = now(), leaves_at = now() where id = ${jobId}`;
    expect((await storage.jobs.start(jobId))?.state).toBe('running');
    const jobs = await storage.sql<{ state: string; confirmed_by: number; parts: number }[]>`
      select state, confirmed_by, parts from job where chat_id = ${place.chat.id} and state = 'scheduled'`;
    expect(jobs).toEqual([{ state: 'scheduled', confirmed_by: omid, parts: 4 }]);
  });
});

test('there is no other path: jobs are made in one place, and begin or go on in two', () => {
  const away = Object.entries<Moves<JobState>[string]>(JOB_MOVES)
    .filter(
      ([, leads]) => !Object.values(leads).some((to) => ['running', 'holding', 'scheduled'].includes(to)),
    )
    .map(([name]) => `'${name}'`);
  const made = new RegExp(`insert into job \\(|= move\\(\\w+, 'job', (?!${away.join('|')})`, 'gu');
  const writes = projectFiles('src/**/*.ts')
    .filter(({ path }) => !/\.test\.ts$|\/testing/.test(path))
    .flatMap(({ path, text }) => [...text.matchAll(made)].map(([found]) => `${path}: ${found}`));
  expect(writes.toSorted()).toEqual([
    'src/storage/sending/draft-confirmation.ts: insert into job (',
    "src/storage/sending/job-resume.ts: = move(tx, 'job', ",
    "src/storage/sending/schedule-start.ts: = move(tx, 'job', ",
  ]);
});
