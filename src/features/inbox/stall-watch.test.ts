import { beforeEach, describe, expect, test } from 'vitest';
import type { Condition } from '../../ports/alerts.ts';
import type { StalledAccount } from '../../ports/inbound.ts';
import { createStallWatch } from './stall-watch.ts';

const SINCE = new Date('2026-11-24T08:00:00Z');
const stalledOne: StalledAccount = { accountId: 'a', chatId: 'c', since: SINCE };

let found: Condition[];
let stalled: StalledAccount[];
let alarmed: { accountId: string; chatId: string }[];
let ms: number;
let asked: { lateSeconds: number; refusedSeconds: number } | undefined;

beforeEach(() => {
  found = [];
  stalled = [];
  alarmed = [];
  ms = 0;
});

const watch = (inboxSeconds = 15) =>
  createStallWatch({
    accounts: {
      stalled: async (after) => {
        asked = after;
        return stalled;
      },
      alarmed: async () => alarmed,
    },
    alarms: {
      find: async (condition) => {
        found.push(condition);
        return 'risen';
      },
    },
    clock: { monotonic: () => ms },
    inboxSeconds,
  });

describe('an inbox that nobody reads', () => {
  test('is told of when it was seen so for a while: three polls after its time', async () => {
    const look = watch();
    stalled = [stalledOne];
    await look();
    ms = 14_000;
    await look();
    expect(found).toEqual([]);
    ms = 15_000;
    await look();
    expect(asked).toEqual({ lateSeconds: 30, refusedSeconds: 900 });
    expect(found).toEqual([
      {
        chatId: 'c',
        accountId: 'a',
        kind: 'inbox',
        subject: 'stalled',
        level: 1,
        facts: { reason: 'stalled', since: SINCE.toISOString() },
      },
    ]);
  });

  test('is not told of when it was late for a moment only, as after a stop of everything', async () => {
    const look = watch();
    stalled = [stalledOne];
    await look();
    stalled = [];
    ms = 10_000;
    await look();
    stalled = [stalledOne];
    ms = 20_000;
    await look();
    expect(found).toEqual([]);
  });

  test('is told of once, and its alarm ends when it is read again', async () => {
    const look = watch();
    stalled = [stalledOne];
    alarmed = [{ accountId: 'a', chatId: 'c' }];
    await look();
    ms = 60_000;
    await look();
    expect(found).toEqual([]);
    stalled = [];
    await look();
    expect(found).toEqual([expect.objectContaining({ accountId: 'a', subject: 'stalled', level: 0 })]);
  });

  test('has at least the half minute in which a dead process is made up for', async () => {
    await watch(0.05)();
    expect(asked).toEqual({ lateSeconds: 30, refusedSeconds: 30 });
  });
});
