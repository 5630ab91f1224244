import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ATTEMPT_STATES } from '../../domain/attempt.ts';
import type { JobState } from '../../domain/job.ts';
import { RECIPIENT_STATUSES, recipientStatus, summarize, summarizeAll } from './recipient-status.ts';

const KINDS = ['waiting', 'sent', 'delivered', 'failed', 'blocked', 'unknown'] as const;
const JOB_STATES = ['holding', 'running', 'done', 'undone', 'stopped'] as const satisfies JobState[];

const tally = fc.record({
  call: fc.constantFrom(...ATTEMPT_STATES),
  delivery: fc.option(fc.constantFrom(...KINDS)),
  word: fc.constantFrom('', 'not reached', 'returned'),
  rawState: fc.constantFrom('', '2', '5', '6', '99'),
  recipients: fc.integer({ min: 1, max: 10_000 }),
});
const job = fc.record({ tallies: fc.array(tally), state: fc.constantFrom(...JOB_STATES) });

describe('the summary of a job', () => {
  it('counts every recipient once, and its shares are a whole', () => {
    fc.assert(
      fc.property(job, (each) => {
        const { recipients, statuses } = summarize(each);
        const all = each.tallies.reduce((sum, { recipients: count }) => sum + count, 0);
        expect(recipients).toBe(all);
        expect(statuses.reduce((sum, { recipients: count }) => sum + count, 0)).toBe(all);
        expect(statuses.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(all === 0 ? 0 : 1);
        const order = statuses.map(({ status }) => RECIPIENT_STATUSES.indexOf(status));
        expect(order).toEqual([...new Set(order)].toSorted((left, right) => left - right));
      }),
    );
  });

  it('says not sent exactly of what cannot have left any more, and leaves open what is open', () => {
    fc.assert(
      fc.property(tally, fc.constantFrom(...JOB_STATES), (each, state) => {
        const { call } = each;
        const isOver = state === 'stopped' || state === 'undone';
        const neverLeft = call === 'rejected' || call === 'not_sent';
        const leftOut = isOver && (call === 'planned' || call === 'reserved');
        const status = recipientStatus(each, state);
        expect(['refused', 'absent', 'left_out'].includes(status)).toBe(neverLeft || leftOut);
        expect(status === 'in_doubt').toBe(['unknown', 'asked', 'closed'].includes(call));
      }),
    );
  });

  it('gives each that failed or is blocked one reason, and says who got nothing', () => {
    fc.assert(
      fc.property(job, (each) => {
        const { statuses, reasons, missed } = summarize(each);
        const sumOf = (...wanted: readonly string[]): number =>
          statuses.reduce(
            (sum, { status, recipients }) => sum + (wanted.includes(status) ? recipients : 0),
            0,
          );
        expect(reasons.reduce((sum, { count }) => sum + count, 0)).toBe(sumOf('failed', 'blocked'));
        expect(missed).toBe(sumOf('failed', 'blocked', 'refused', 'absent'));
      }),
    );
  });

  it('adds up several jobs, each by its own state', () => {
    const planned = { call: 'planned', delivery: null, word: '', rawState: '', recipients: 3 } as const;
    const { statuses } = summarizeAll([
      { ...planned, job: 'stopped' },
      { ...planned, job: 'running' },
    ]);
    expect(statuses.map(({ status, recipients }) => [status, recipients])).toEqual([
      ['to_leave', 3],
      ['left_out', 3],
    ]);
  });

  it('keeps the gateway’s words where they are no reason of ours, most frequent first', () => {
    const tally = { call: 'accepted', delivery: 'failed', rawState: '13' } as const;
    const { words, reasons } = summarize({
      state: 'done',
      tallies: [
        { ...tally, word: 'returned', recipients: 2 },
        { ...tally, delivery: 'blocked', word: 'not reached', recipients: 5 },
        { ...tally, call: 'sent', word: 'not reached', recipients: 1 },
        { ...tally, word: 'odd', recipients: 4 },
        { ...tally, delivery: 'delivered', word: 'reached', recipients: 90 },
        { ...tally, word: '', recipients: 3 },
        { ...tally, word: '', rawState: '5', recipients: 7 },
      ],
    });
    expect(words).toEqual([
      { word: 'odd', count: 4 },
      { word: 'not reached', count: 1 },
    ]);
    expect(reasons).toEqual([
      { reason: 'handset', count: 7 },
      { reason: 'returned', count: 2 },
      { reason: 'blocked', count: 5 },
      { reason: 'other', count: 8 },
    ]);
  });
});
