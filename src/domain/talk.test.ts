import fc from 'fast-check';
import { expect, test } from 'vitest';
import { handlingOf } from './talk.ts';

const at = (seconds: number) => new Date(seconds * 1000);
const nothing = {
  takenBy: null,
  takenAt: null,
  answeredBy: null,
  answeredAt: null,
  doneBy: null,
  doneAt: null,
};

test('an answer and an end count for what came before them alone', () => {
  const talk = { ...nothing, answeredBy: 'Sara', answeredAt: at(20), doneBy: 'Omid', doneAt: at(30) };
  expect(handlingOf(talk, at(10))).toEqual({ takenBy: null, answeredBy: 'Sara', doneBy: 'Omid' });
  expect(handlingOf(talk, at(25))).toEqual({ takenBy: null, answeredBy: null, doneBy: 'Omid' });
  expect(handlingOf(talk, at(31))).toEqual({ takenBy: null, answeredBy: null, doneBy: null });
});

test('who has taken somebody has the next message too, unless all was done in between', () => {
  const taken = { ...nothing, takenBy: 'Sara', takenAt: at(20) };
  expect(handlingOf(taken, at(40)).takenBy).toBe('Sara');
  const done = { ...taken, doneBy: 'Sara', doneAt: at(30) };
  expect(handlingOf(done, at(10)).takenBy).toBe('Sara');
  expect(handlingOf(done, at(40)).takenBy).toBeNull();
  expect(handlingOf({ ...done, takenAt: at(35) }, at(40)).takenBy).toBe('Sara');
});

test('what counts for a message counts for all before it', () => {
  expect.hasAssertions();
  const moment = fc.option(fc.integer({ min: 0, max: 50 }).map(at));
  fc.assert(
    fc.property(
      moment,
      moment,
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 0, max: 50 }),
      (a, d, x, y) => {
        const talk = { ...nothing, answeredBy: 'A', answeredAt: a, doneBy: 'D', doneAt: d };
        const [early, late] = [handlingOf(talk, at(Math.min(x, y))), handlingOf(talk, at(Math.max(x, y)))];
        if (late.answeredBy !== null) expect(early.answeredBy).toBe('A');
        if (late.doneBy !== null) expect(early.doneBy).toBe('D');
      },
    ),
  );
});
