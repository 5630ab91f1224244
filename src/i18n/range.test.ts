import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRange } from './range.ts';

const TEHRAN = 'Asia/Tehran';
/** Tuesday, 3 Azar 1405, 14:02:30 in Tehran. */
const NOW = new Date('2026-11-24T10:32:30Z');

function read(text: string, timeZone = TEHRAN): [string, string] | null {
  const range = parseRange(text, { now: NOW, timeZone });
  return range === null ? null : [range.from.toISOString(), range.to.toISOString()];
}

const tonight = '2026-11-24T20:29:59.000Z';
const today = '2026-11-23T20:30:00.000Z';

describe('a range of past time', () => {
  it.each([
    ['today', [today, tonight]],
    ['امروز', [today, tonight]],
    [' TODAY ', [today, tonight]],
    ['yesterday', ['2026-11-22T20:30:00.000Z', '2026-11-23T20:29:59.000Z']],
    ['دیروز', ['2026-11-22T20:30:00.000Z', '2026-11-23T20:29:59.000Z']],
    ['1d', [today, tonight]],
    ['7d', ['2026-11-17T20:30:00.000Z', tonight]],
    ['7 days', ['2026-11-17T20:30:00.000Z', tonight]],
    ['۷ روز', ['2026-11-17T20:30:00.000Z', tonight]],
    ['۷روز', ['2026-11-17T20:30:00.000Z', tonight]],
    ['last 7 days', ['2026-11-17T20:30:00.000Z', tonight]],
    ['week', ['2026-11-17T20:30:00.000Z', tonight]],
    ['هفته', ['2026-11-17T20:30:00.000Z', tonight]],
    ['24h', ['2026-11-23T10:32:30.000Z', tonight]],
    ['۲۴ ساعت', ['2026-11-23T10:32:30.000Z', tonight]],
    ['1405/09/01', ['2026-11-21T20:30:00.000Z', '2026-11-22T20:29:59.000Z']],
    ['۱۴۰۵/۰۹/۰۱', ['2026-11-21T20:30:00.000Z', '2026-11-22T20:29:59.000Z']],
    ['2026-11-22', ['2026-11-21T20:30:00.000Z', '2026-11-22T20:29:59.000Z']],
    ['1405/09/03', [today, tonight]],
    ['1405/09/03 10:00', ['2026-11-24T06:30:00.000Z', tonight]],
    ['1405/09/01..1405/09/02', ['2026-11-21T20:30:00.000Z', '2026-11-23T20:29:59.000Z']],
    ['1405/09/01 1405/09/02', ['2026-11-21T20:30:00.000Z', '2026-11-23T20:29:59.000Z']],
    ['از ۱۴۰۵/۰۹/۰۱ تا ۱۴۰۵/۰۹/۰۲', ['2026-11-21T20:30:00.000Z', '2026-11-23T20:29:59.000Z']],
    ['2026-11-22 to yesterday', ['2026-11-21T20:30:00.000Z', '2026-11-23T20:29:59.000Z']],
    ['1405/09/02 10:00 1405/09/03 10:00', ['2026-11-23T06:30:00.000Z', '2026-11-24T06:30:00.000Z']],
    ['yesterday now', ['2026-11-22T20:30:00.000Z', tonight]],
    ['1405/09/01 1406/01/01', ['2026-11-21T20:30:00.000Z', tonight]],
    ['\u20661405/09/01\u2069', ['2026-11-21T20:30:00.000Z', '2026-11-22T20:29:59.000Z']],
  ])('is read from %j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    '',
    'soon',
    '0d',
    '0h',
    '99999d',
    'today today today',
    '1405/09/03 1405/09/01',
    '1405/09/04',
    '1405/13/01',
    '1404/12/30',
    '2026-02-30',
    '2026-11-22 10:00 09:00',
    'd',
    '-7d',
    '7',
    '1405/09/01 or so',
    'a'.repeat(5000),
    '..',
  ])('is not read from %j', (text) => {
    expect(read(text)).toBeNull();
  });

  it('is of whole days in the zone it is asked for', () => {
    expect(read('today', 'UTC')).toEqual(['2026-11-24T00:00:00.000Z', '2026-11-24T23:59:59.000Z']);
    expect(read('today', 'America/New_York')).toEqual([
      '2026-11-24T05:00:00.000Z',
      '2026-11-25T04:59:59.000Z',
    ]);
  });

  it('has begun, ends today at the latest, runs forwards, and is quick to read or refuse', () => {
    const words = fc.constantFrom(
      'today',
      'دیروز',
      '7d',
      '1405/09/01',
      '2026-11-20 10:00',
      '..',
      ' ',
      'to',
      'تا',
      '۳',
      'h',
      '\u202e',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words, { maxLength: 6 }).map((each) => each.join('')),
        ),
        (text) => {
          const range = parseRange(text, { now: NOW, timeZone: TEHRAN });
          if (range === null) return;
          expect(range.from.getTime()).toBeLessThanOrEqual(range.to.getTime());
          expect(range.from.getTime()).toBeLessThanOrEqual(NOW.getTime());
          expect(range.to.getTime()).toBeLessThanOrEqual(Date.parse(tonight));
        },
      ),
      { numRuns: 2000 },
    );
  });
});
