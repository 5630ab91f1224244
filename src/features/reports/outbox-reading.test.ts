import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../domain/errors.ts';
import { splitDays, type TimeSpan } from '../../domain/time-range.ts';
import type { SentMessage } from '../../ports/gateway.ts';
import { gapOf, MAX_ROWS, readNewest, readOutbox } from './outbox-reading.ts';

const DAY = 86_400;
const noAnswer = (reason = 'timeout') =>
  new AppError('gateway_no_answer', 'no answer', { params: { reason } });
const refused = (name: string) => new AppError('gateway_refused', 'refused', { params: { name } });
const unreadable = () => new AppError('gateway_unreadable', 'unreadable');

function message(date: number, recipient = '989120000001'): SentMessage {
  return {
    id: String(1000 + date),
    text: 'a',
    recipient,
    date,
    state: { raw: 10, text: '', kind: 'delivered' },
  };
}

/** An outbox with a message at each of these times; `fails` says which questions are not answered. */
function outboxOf(dates: readonly number[], fails: (span: TimeSpan) => Error | null = () => null) {
  const asked: TimeSpan[] = [];
  return {
    asked,
    inRange: async (span: TimeSpan) => {
      asked.push(span);
      expect(span.to - span.from).toBeLessThan(DAY);
      const error = fails(span);
      if (error !== null) throw error;
      return dates.filter((date) => date >= span.from && date <= span.to).map((date) => message(date));
    },
  };
}

const spans = fc
  .record({ from: fc.integer({ min: 0, max: 10 * DAY }), length: fc.integer({ min: 0, max: 31 * DAY }) })
  .map(({ from, length }) => ({ from, to: from + length }));

describe('reading the outbox of a time', () => {
  it('finds each message of the time once, newest first, and nothing else', async () => {
    const dates = fc.uniqueArray(fc.integer({ min: 0, max: 41 * DAY }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(spans, dates, async (span, all) => {
        const reading = await readOutbox(outboxOf(all), span);
        const expected = all.filter((date) => date >= span.from && date <= span.to);
        expect(reading.rows.map(({ date }) => date)).toEqual(expected.toSorted((a, b) => b - a));
        expect(reading.totals.messages).toBe(expected.length);
        expect(reading).toMatchObject({ unread: [], left: 0 });
      }),
    );
  });

  it('finds a message once that the gateway lists in two days', async () => {
    const span = { from: 0, to: 3 * DAY - 1 };
    const dates = [DAY - 1, DAY, 2 * DAY - 1, 2 * DAY];
    const inRange = async ({ from, to }: TimeSpan) =>
      dates.filter((date) => date >= from - 1 && date <= to + 1).map((date) => message(date));
    const reading = await readOutbox({ inRange }, span);
    expect(reading.rows.map(({ date }) => date)).toEqual(dates.toReversed());
    expect(reading.totals.messages).toBe(4);
  });

  it('tells exactly the days that could not be read, oldest first, and counts the others', async () => {
    await fc.assert(
      fc.asyncProperty(spans, fc.array(fc.boolean(), { maxLength: 40 }), async (span, failing) => {
        const days = splitDays(span);
        const isLost = (day: TimeSpan): boolean =>
          failing[days.findIndex(({ from }) => from === day.from)] === true;
        const lost = days.filter(isLost);
        const outbox = outboxOf(
          days.map(({ from }) => from),
          (day) => (isLost(day) ? unreadable() : null),
        );
        if (lost.length === days.length) {
          await expect(readOutbox(outbox, span)).rejects.toMatchObject({ code: 'gateway_unreadable' });
          return;
        }
        const reading = await readOutbox(outbox, span);
        expect(reading.unread).toEqual(lost.map((day) => ({ ...day, reason: 'unreadable' })));
        expect(reading.totals.messages).toBe(days.length - lost.length);
      }),
    );
  });

  it('stops asking after two days without an answer, and says which it did not ask for', async () => {
    const span = { from: 0, to: 10 * DAY - 1 };
    const outbox = outboxOf([9 * DAY], ({ from }) => (from === 9 * DAY ? null : noAnswer()));
    const { unread, rows } = await readOutbox(outbox, span);
    expect(rows).toHaveLength(1);
    expect(outbox.asked).toHaveLength(3);
    expect(unread.map(({ reason }) => reason)).toEqual([
      ...Array.from({ length: 7 }, () => 'not_asked'),
      'no_answer',
      'no_answer',
    ]);
  });

  it('stops asking when the refusal is of the account, and goes on when it is of the day', async () => {
    const span = { from: 0, to: 10 * DAY - 1 };
    const locked = outboxOf([9 * DAY], ({ from }) => (from === 8 * DAY ? refused('user_locked') : null));
    expect((await readOutbox(locked, span)).unread.map(({ reason }) => reason)).toEqual([
      ...Array.from({ length: 7 }, () => 'not_asked'),
      'refused',
    ]);
    const odd = outboxOf([9 * DAY], ({ from }) => (from === 8 * DAY ? refused('unlisted') : null));
    expect((await readOutbox(odd, span)).unread).toEqual([
      { from: 8 * DAY, to: 9 * DAY - 1, reason: 'refused', refusal: 'unlisted' },
    ]);
    expect(odd.asked).toHaveLength(10);
  });

  it('asks for the halves of a day that is more than one answer holds', async () => {
    const span = { from: 0, to: DAY - 1 };
    const dates = Array.from({ length: 24 }, (_, hour) => hour * 3600);
    const outbox = outboxOf(dates, ({ from, to }) => (to - from > 20_000 ? noAnswer('too_big') : null));
    const reading = await readOutbox(outbox, span);
    expect(reading.rows.map(({ date }) => date)).toEqual(dates.toReversed());
    expect(reading.unread).toEqual([]);
  });

  it('keeps the newest rows when there are more than anybody reads, and counts all', async () => {
    const many = (day: number, count: number) =>
      Array.from({ length: count }, (_, n) => message(day * DAY + n));
    const outbox = { inRange: async ({ from }: TimeSpan) => many(from / DAY, MAX_ROWS - 5) };
    const reading = await readOutbox(outbox, { from: 0, to: 3 * DAY - 1 });
    expect(reading.rows).toHaveLength(MAX_ROWS);
    expect(reading.rows.at(0)?.date).toBe(2 * DAY + MAX_ROWS - 6);
    expect(reading.rows.at(-1)?.date).toBe(DAY + MAX_ROWS - 10);
    expect(reading.totals.messages).toBe(3 * (MAX_ROWS - 5));
    expect(reading.left).toBe(3 * (MAX_ROWS - 5) - MAX_ROWS);
  });

  it('passes on what is no fault of the gateway', async () => {
    const outbox = outboxOf([], () => new TypeError('a mistake of ours'));
    await expect(readOutbox(outbox, { from: 0, to: 1 })).rejects.toThrow(TypeError);
    expect(() => gapOf(new TypeError('a mistake of ours'))).toThrow(TypeError);
  });
});

describe('reading the newest', () => {
  it('gives each once, newest first', async () => {
    const newest = async () => [message(5), message(9), message(5), message(7)];
    expect((await readNewest({ newest })).rows.map(({ date }) => date)).toEqual([9, 7, 5]);
  });
});
