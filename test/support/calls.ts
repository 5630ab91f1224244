import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { AttemptResult, AttemptView } from '../../src/ports/jobs.ts';
import type { NewDraft } from '../../src/ports/stores.ts';
import { openTestStorage, type TestStorage } from '../../src/storage/testing.ts';

export const OWNER = 'process-1';

export const ACCEPTED = {
  outcome: 'accepted',
  raw: '{}',
  messageIds: ['9007199254740993'],
} satisfies AttemptResult;
export const REJECTED = {
  outcome: 'rejected',
  code: 23,
  name: 'invalid_line',
  raw: '23',
} satisfies AttemptResult;
export const UNKNOWN = { outcome: 'unknown', reason: 'timeout', raw: '' } satisfies AttemptResult;
export const NOT_SENT = { outcome: 'not_sent', reason: 'refused' } satisfies AttemptResult;

export function numbers(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `98912${String(from + n).padStart(7, '0')}`);
}

/** Stores for the tests of a file, a place for each of them, and calls on their way. */
export function useCalls() {
  const storage = {} as TestStorage;
  const place = {} as Awaited<ReturnType<TestStorage['addPlace']>>;
  beforeAll(async () => void Object.assign(storage, await openTestStorage()));
  beforeEach(async () => {
    // What earlier tests left in the air is nobody's any more.
    await storage.sql`update attempt set state = 'closed' where state in ('reserved', 'on_wire', 'unknown')`;
    Object.assign(place, await storage.addPlace());
    await storage.emptyQueue();
  });
  afterAll(async () => await storage.close());

  const reserve = async (jobId: string, owner = OWNER): Promise<AttemptView> => {
    const reserved = await storage.jobs.reserve(jobId, owner);
    if (!reserved.ok) throw new Error(reserved.reason);
    return reserved.attempts[0];
  };

  return {
    storage,
    place,
    reserve,
    running: async (more: Partial<NewDraft> = {}) => await storage.addRunningJob(place, more),
    async onWire(jobId: string, owner = OWNER): Promise<AttemptView> {
      const attempt = await reserve(jobId, owner);
      if (!(await storage.jobs.goOnWire(attempt.id, attempt.epoch))) throw new Error('the fence refused');
      return attempt;
    },
    jobOf: async (draftId: string) => (await storage.drafts.card(draftId))?.job,

    /** Pairs of calls that nobody could tell apart, were both of them in doubt: there must be none. */
    doubtful: async () =>
      await storage.sql<{ id: string }[]>`
        select a.id from attempt a join attempt b on a.id < b.id
          and a.message_keys && b.message_keys
        where a.state in ('reserved', 'on_wire', 'unknown', 'asked')
          and b.state in ('reserved', 'on_wire', 'unknown', 'asked')`,
  };
}
