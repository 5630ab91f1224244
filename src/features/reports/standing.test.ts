import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ATTEMPT_STATES } from '../../domain/attempt.ts';
import type { JobState } from '../../ports/jobs.ts';
import { STANDINGS, standingOf, summarize } from './standing.ts';

const KINDS = ['waiting', 'sent', 'delivered', 'failed', 'blocked', 'unknown'] as const;
const JOB_STATES = ['holding', 'running', 'done', 'undone', 'stopped'] as const satisfies JobState[];

const tally = fc.record({
  call: fc.constantFrom(...ATTEMPT_STATES),
  delivery: fc.option(fc.constantFrom(...KINDS)),
  word: fc.constantFrom('', 'not reached', 'returned'),
  recipients: fc.integer({ min: 1, max: 10_000 }),
});
const job = fc.record({ tallies: fc.array(tally), state: fc.constantFrom(...JOB_STATES) });

describe('the summary of a job', () => {
  it('counts every recipient once, and its shares are a whole', () => {
    fc.assert(
      fc.property(job, (each) => {
        const { recipients, accepted, standings } = summarize(each);
        const all = each.tallies.reduce((sum, { recipients: count }) => sum + count, 0);
        expect(recipients).toBe(all);
        expect(standings.reduce((sum, { recipients: count }) => sum + count, 0)).toBe(all);
        expect(standings.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(all === 0 ? 0 : 1);
        expect(accepted).toBeLessThanOrEqual(all);
        const order = standings.map(({ standing }) => STANDINGS.indexOf(standing));
        expect(order).toEqual([...new Set(order)].toSorted((left, right) => left - right));
      }),
    );
  });

  it('says accepted of what the gateway took, and of nothing else', () => {
    fc.assert(
      fc.property(job, (each) => {
        const taken = each.tallies
          .filter(({ call }) => call === 'accepted' || call === 'sent')
          .reduce((sum, { recipients }) => sum + recipients, 0);
        expect(summarize(each).accepted).toBe(taken);
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
        const standing = standingOf(each, state);
        expect(['refused', 'absent', 'left_out'].includes(standing)).toBe(neverLeft || leftOut);
        expect(standing === 'in_doubt').toBe(['unknown', 'asked', 'closed'].includes(call));
      }),
    );
  });

  it('keeps the gateway’s words for what did not arrive alone, most frequent first', () => {
    const { words } = summarize({
      state: 'done',
      tallies: [
        { call: 'accepted', delivery: 'failed', word: 'returned', recipients: 2 },
        { call: 'accepted', delivery: 'blocked', word: 'not reached', recipients: 5 },
        { call: 'sent', delivery: 'failed', word: 'not reached', recipients: 1 },
        { call: 'accepted', delivery: 'delivered', word: 'reached', recipients: 90 },
        { call: 'accepted', delivery: 'failed', word: '', recipients: 3 },
      ],
    });
    expect(words).toEqual([
      { word: 'not reached', recipients: 6 },
      { word: 'returned', recipients: 2 },
    ]);
  });
});
