import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SeenCalls } from '../../ports/stores.ts';
import { createCallsInHand } from '../restore/calls-in-hand.ts';
import { createDecide } from './decide.ts';
import { createDraftStore } from './draft-store.ts';
import { createJobStore } from './job-store.ts';
import { createLossStore } from '../restore/loss-store.ts';
import { createReconcileStore } from './reconcile-store.ts';
import { createScheduleStore } from './schedule-store.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

const ZONE = 'Asia/Tehran';
const press = {
  draftId: randomUUID(),
  version: 1,
  personId: 1,
  updateId: 1,
  undoSeconds: 10,
  timeZone: ZONE,
};
const waiting = { jobId: randomUUID(), chatId: randomUUID(), personId: 1, updateId: 1 };
const seen: SeenCalls = [[1, 1]];

let storage: TestStorage;
beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

test('nobody decides anything about a send before all processes have found in the database what they knew', async () => {
  const { database, sql } = storage;
  const hand = createCallsInHand();
  const decide = createDecide(database, hand);
  const drafts = createDraftStore(database, decide);
  const jobs = createJobStore(database, ZONE, hand);
  const reconciles = createReconcileStore(database, decide);
  const schedule = createScheduleStore(database, ZONE, decide);
  const decisions: Readonly<Record<string, () => Promise<unknown>>> = {
    confirm: async () => await drafts.confirm(press),
    ask: async () => await drafts.ask(press),
    approve: async () => await drafts.approve(press),
    reject: async () => await drafts.reject(press),
    'cancel a draft': async () => await drafts.cancel(press.draftId, 1, 1, 1),
    'cancel the newest': async () => await drafts.cancelNewest(waiting.chatId, 1, 1),
    undo: async () => await jobs.undo(waiting.jobId, 1, 1),
    stop: async () => await jobs.stop(waiting.jobId, 'person', 1, 1),
    pause: async () => await jobs.pause(waiting),
    resume: async () => await jobs.resume({ ...waiting, timeZone: ZONE }),
    'take off the schedule': async () => await schedule.cancel({ ...waiting, series: false }),
    'pause what is scheduled': async () => await schedule.pause(waiting),
    'send now': async () => await schedule.sendNow({ ...waiting, ...press }),
    'look again': async () => await reconciles.lookAgain(waiting.jobId, seen),
    decide: async () => await reconciles.decide({ ...waiting, seen, sent: true }),
  };
  const done = async (): Promise<string[]> => {
    const names: string[] = [];
    for (const [name, work] of Object.entries(decisions))
      await work().then(
        () => names.push(name),
        (error: unknown) => expect(error, name).toMatchObject({ code: '55P03' }),
      );
    return names;
  };
  const all = Object.keys(decisions);

  const { server } = await createLossStore(sql, ZONE).enter('this');
  hand.server = server;
  expect(await done()).toEqual(all);
  // Another start of the server than the one in which this process looked.
  hand.server = 'the one before';
  expect(await done()).toEqual([]);
  hand.server = server;
  await sql`insert into process (id, beats, server) values ('another', 1, 'the one before')`;
  expect(await done()).toEqual([]);
  await jobs.abandon(['another']);
  expect(await done()).toEqual(all);
});
