import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../domain/errors.ts';
import type { TimeSpan } from '../../domain/time-range.ts';
import { countAll, counted, countSent } from './counting.ts';

const DAY = 86_400;
const refused = (name: string) => new AppError('gateway_refused', 'refused', { params: { name } });
const noAnswer = () => new AppError('gateway_no_answer', 'no answer');

/** Counts one message of two parts and 300 rial a second, in times of at most `most` seconds. */
function countsOf(most: number, error: AppError = refused('bad_request')) {
  const asked: TimeSpan[] = [];
  const measure = ({ from, to }: TimeSpan): number => {
    asked.push({ from, to });
    if (to - from > most) throw error;
    return to - from + 1;
  };
  return {
    asked,
    sent: async (span: TimeSpan) => {
      const messages = measure(span);
      return { messages, parts: 2 * messages, cost: 300 * messages };
    },
    received: async (query: TimeSpan & { readonly read?: boolean }) =>
      measure(query) * (query.read === true ? 2 : 1),
  };
}

describe('counting what was sent', () => {
  it('asks once where the gateway counts any time', async () => {
    const counts = countsOf(Infinity);
    expect(await countSent(counts, { from: 0, to: 400 * DAY })).toMatchObject({ messages: 400 * DAY + 1 });
    expect(counts.asked).toHaveLength(1);
  });

  it('adds up the days where it refuses a longer time, and comes to the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(30 * DAY), fc.nat(DAY), async (length, from) => {
        const span = { from, to: from + length };
        const whole = await countSent(countsOf(Infinity), span);
        expect(await countSent(countsOf(DAY), span)).toEqual(whole);
      }),
    );
  });

  it.each([
    { what: 'the account is locked', error: refused('user_locked'), days: 7 },
    { what: 'there is no answer', error: noAnswer(), days: 7 },
    { what: 'there are too many days', error: refused('bad_request'), days: 60 },
    { what: 'it is one day', error: refused('bad_request'), days: 1 },
  ])('does not ask day by day when $what', async ({ error, days }) => {
    const counts = countsOf(-1, error);
    await expect(countSent(counts, { from: 0, to: days * DAY - 1 })).rejects.toBe(error);
    expect(counts.asked).toHaveLength(1);
  });
});

describe('counting from all sides', () => {
  const span = { from: 0, to: 9 };

  it('asks for read and unread messages apart', async () => {
    expect(await countAll(countsOf(Infinity), span)).toEqual({
      sent: { value: { messages: 10, parts: 20, cost: 3000 } },
      read: { value: 20 },
      unread: { value: 10 },
    });
  });

  it('tells what could not be counted beside what could', async () => {
    const counts = {
      ...countsOf(Infinity),
      received: async ({ read }: { readonly read?: boolean }) => {
        if (read === true) throw noAnswer();
        return 4;
      },
    };
    expect(await countAll(counts, span)).toMatchObject({
      read: { gap: { reason: 'no_answer' } },
      unread: { value: 4 },
    });
  });

  it('fails when nothing at all could be counted', async () => {
    const error = refused('user_locked');
    await expect(countAll(countsOf(-1, error), span)).rejects.toBe(error);
  });

  it('never hides a mistake of ours', async () => {
    await expect(counted(Promise.reject(new TypeError('ours')))).rejects.toThrow(TypeError);
    expect(await counted(Promise.reject(noAnswer()))).toEqual({ gap: { reason: 'no_answer' } });
    expect(await counted(Promise.resolve(1))).toEqual({ value: 1 });
  });
});
