import { describe, expect, test } from 'vitest';
import { createMemoryLog } from '../../test/support/memory-log.ts';
import { startInterval } from './interval.ts';

describe('interval', () => {
  test('a run begins only when the one before it has ended', async () => {
    let at = 0;
    let most = 0;
    let runs = 0;
    const enough = Promise.withResolvers<void>();
    const interval = startInterval({
      seconds: 0,
      name: 'busy',
      log: createMemoryLog(),
      run: async () => {
        most = Math.max(most, ++at);
        await new Promise(setImmediate);
        at--;
        if (++runs === 20) enough.resolve();
      },
    });
    await enough.promise;
    await interval.stop();
    expect(most).toBe(1);
    expect(at).toBe(0);
  });

  test('a run that throws is logged by the name of the sweep, and the next one comes', async () => {
    const log = createMemoryLog();
    let runs = 0;
    const third = Promise.withResolvers<void>();
    const interval = startInterval({
      seconds: 0,
      name: 'shaky',
      log,
      run: async () => {
        if (++runs === 3) third.resolve();
        throw new Error('canary');
      },
    });
    await third.promise;
    await interval.stop();
    expect(log.lines[0]).toMatchObject({
      level: 'error',
      message: 'sweep failed',
      fields: { sweep: 'shaky' },
    });
    expect(JSON.stringify(log.lines)).not.toContain('canary');
  });

  test('stop tells the run by its signal, waits for it, and keeps quiet about how it ended', async () => {
    const log = createMemoryLog();
    const begun = Promise.withResolvers<void>();
    let ended = false;
    const interval = startInterval({
      seconds: 3600,
      name: 'long',
      log,
      run: async ({ signal }) => {
        begun.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        ended = true;
        throw signal.reason;
      },
    });
    await begun.promise;
    await interval.stop();
    expect(ended).toBe(true);
    expect(log.lines).toEqual([]);
  });
});
