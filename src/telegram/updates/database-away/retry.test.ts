import type { Update } from '@grammyjs/types';
import { expect, test } from 'vitest';
import { createDatabaseRetry } from './retry.ts';

const UPDATE = { update_id: 7 } satisfies Update;
const failure = (code: string) => Object.assign(new Error('x'), { severity: 'ERROR', code });

/** A handler that fails so, one time after the other, and then does not. */
function handler(...codes: readonly string[]) {
  const left = [...codes];
  const held: string[] = [];
  const stuck: (string | null)[] = [];
  let runs = 0;
  let isLeader = true;
  const retry = createDatabaseRetry({
    pauseMs: 0,
    leads: () => isLeader,
    held: ({ update_id: id }, trouble) => void held.push(`${id} ${trouble}`),
    handle: () => {
      runs += 1;
      stuck.push(retry.stuck());
      const code = left.shift();
      return code === undefined ? Promise.resolve() : Promise.reject(failure(code));
    },
  });
  return { retry, held, stuck, runs: () => runs, resign: () => (isLeader = false) };
}

test('an update is handled again for as long as the database is full, takes no writes or is locked', async () => {
  const { retry, held, stuck, runs } = handler('53100', '25006', '55P03');
  await retry.handle(UPDATE);
  expect(runs()).toBe(4);
  expect(held).toEqual(['7 full', '7 read_only', '7 locked']);
  expect(stuck).toEqual([null, 'full', 'read_only', 'locked']);
  expect(retry.stuck()).toBe(null);
});

test.each(['57P01', '23505', '57014'])(
  'an update that fails with %s is not handled again here',
  async (code) => {
    const { retry, held, runs } = handler(code);
    await expect(retry.handle(UPDATE)).rejects.toMatchObject({ code });
    expect(runs()).toBe(1);
    expect(held).toEqual([]);
    expect(retry.stuck()).toBe(null);
  },
);

test('a process that leads no more leaves the update to the one that does', async () => {
  const { retry, held, resign } = handler('53100');
  resign();
  await expect(retry.handle(UPDATE)).rejects.toMatchObject({ code: '53100' });
  expect(held).toEqual([]);
});
