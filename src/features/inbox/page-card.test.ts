import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fairShare } from './page-card.ts';

const lengths = fc.array(fc.nat({ max: 5000 }), { maxLength: 20 });

test('what each text takes at most fits into the room, and leaves less than one unit for each that is cut', () => {
  fc.assert(
    fc.property(lengths, fc.nat({ max: 6000 }), (all, room) => {
      const share = fairShare(all, room);
      const taken = all.reduce((sum, length) => sum + Math.min(length, share), 0);
      expect(taken).toBeLessThanOrEqual(room);
      const cut = all.filter((length) => length > share).length;
      if (cut > 0) expect(room - taken).toBeLessThan(cut);
    }),
  );
});

test('nothing is cut where everything fits', () => {
  fc.assert(
    fc.property(lengths, (all) => {
      const sum = all.reduce((total, length) => total + length, 0);
      expect(fairShare(all, sum)).toBe(Number.POSITIVE_INFINITY);
    }),
  );
});
