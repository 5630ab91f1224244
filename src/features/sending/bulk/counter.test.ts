import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../test/support/memory-log.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Blacklist } from '../../../ports/gateway.ts';
import { lookUpBlocked } from './counter.ts';

const LINE = '3000123456';
const numbers = Array.from({ length: 1000 }, (_, index) => `98912${String(index).padStart(7, '0')}`);
const never: Pick<Parameters<typeof lookUpBlocked>[1], 'clock' | 'signal' | 'log' | 'line'> = {
  line: LINE,
  clock: { sleep: async () => await new Promise(() => undefined) },
  signal: new AbortController().signal,
  log: createMemoryLog(),
};

/** Answers each question after the others have had a turn; every tenth number is blocked. */
function blacklist(answer?: (asked: number) => void) {
  const seen = { most: 0, under: 0, asked: new Array<string>() };
  const blocked: Blacklist['blocked'] = async (line, portion) => {
    expect(line).toBe(LINE);
    expect(portion.length).toBeLessThanOrEqual(200);
    expect(portion.length).toBeGreaterThan(0);
    seen.asked.push(...portion);
    seen.under += 1;
    seen.most = Math.max(seen.most, seen.under);
    await new Promise(setImmediate);
    seen.under -= 1;
    answer?.(seen.asked.length);
    return portion.filter((number) => number.endsWith('0'));
  };
  return { blocked, seen };
}

describe('looking up who is blocked', () => {
  it('asks about everybody once, a few calls at a time', async () => {
    const { blocked, seen } = blacklist();
    let waited: AbortSignal | undefined;
    const clock: typeof never.clock = {
      sleep: async (_ms, until) => {
        waited = until;
        await never.clock.sleep(0);
      },
    };
    const found = await lookUpBlocked({ blocked }, { ...never, clock, recipients: numbers });
    expect(waited?.aborted).toBe(true);
    expect(seen.asked.toSorted()).toEqual(numbers);
    expect(seen.most).toBe(4);
    expect([...(found ?? [])].toSorted()).toEqual(numbers.filter((number) => number.endsWith('0')));
    expect(await lookUpBlocked({ blocked }, { ...never, recipients: [] })).toEqual(new Set());
  });

  it('says that it does not know where the gateway does not tell all of it', async () => {
    const { blocked, seen } = blacklist((asked) => {
      if (asked > 400) throw new AppError('gateway_no_answer', 'no answer');
    });
    expect(await lookUpBlocked({ blocked }, { ...never, recipients: numbers })).toBeNull();
    await new Promise(setImmediate);
    expect(seen.asked.length).toBeLessThan(numbers.length);
  });

  it('waits no longer than people do', async () => {
    const blocked: Blacklist['blocked'] = async () => await new Promise(() => undefined);
    const clock = { sleep: () => Promise.resolve() };
    expect(await lookUpBlocked({ blocked }, { ...never, clock, recipients: numbers })).toBeNull();
  });

  it('ends with the process, and hides no mistake of ours', async () => {
    const stop = new AbortController();
    const clock = {
      sleep: async (ms: number, signal?: AbortSignal) => {
        await sleep(ms, undefined, signal === undefined ? {} : { signal });
      },
    };
    const blocked: Blacklist['blocked'] = async () => {
      stop.abort();
      return await new Promise(() => undefined);
    };
    const going = lookUpBlocked({ blocked }, { ...never, clock, signal: stop.signal, recipients: numbers });
    await expect(going).rejects.toMatchObject({ name: 'AbortError' });
    const broken = lookUpBlocked(
      { blocked: () => Promise.reject(new TypeError('ours')) },
      { ...never, recipients: numbers },
    );
    await expect(broken).rejects.toThrow('ours');
  });
});
