import { expect, it } from 'vitest';
import { createMemoryLog } from '../../../../test/support/memory-log.ts';
import { createProgress, Outdated } from './progress.ts';

const WORK = { draftId: 'd', version: 2 };

/** A task on a clock that is set by hand. */
function working({ waitedFor = true, shown = () => Promise.resolve() } = {}) {
  const seen = { now: 0, told: new Array<number>(), refreshed: 0 };
  const stop = new AbortController();
  const log = createMemoryLog();
  const step = createProgress({
    bulks: {
      progress: (work, done) => {
        expect(work).toEqual(WORK);
        seen.told.push(done);
        return Promise.resolve(waitedFor);
      },
    },
    cards: {
      follow: async () => {
        seen.refreshed += 1;
        await shown();
      },
    },
    clock: { monotonic: () => seen.now, now: () => new Date(), sleep: () => Promise.resolve() },
    log,
  })(WORK, stop.signal);
  return { seen, step, stop, log };
}

it('tells how far it has come once in five seconds', async () => {
  const { seen, step } = working();
  for (let second = 0; second <= 16; second += 1) {
    seen.now = second * 1000;
    await step(second);
  }
  expect(seen).toMatchObject({ told: [5, 10, 15], refreshed: 3 });
});

it('ends what nobody waits for any more, and with the process', async () => {
  const { seen, step, stop } = working({ waitedFor: false });
  seen.now = 5000;
  await expect(step(1)).rejects.toBeInstanceOf(Outdated);
  expect(seen.refreshed).toBe(0);
  stop.abort(new Error('has to go'));
  await expect(step(2)).rejects.toThrow('has to go');
});

it('does not wait for a card, nor fall over one that cannot be shown', async () => {
  const slow = working({ shown: () => new Promise(() => undefined) });
  slow.seen.now = 5000;
  await slow.step(1);
  const broken = working({ shown: () => Promise.reject(new Error('no Telegram')) });
  broken.seen.now = 5000;
  await broken.step(1);
  await new Promise(setImmediate);
  expect(broken.seen.told).toEqual([1]);
  expect(broken.log.lines).toHaveLength(1);
});
