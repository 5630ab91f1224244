import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDateTime } from './jalali.ts';

describe('wall-clock times', () => {
  it('come back from every instant in zones with and without summer time', () => {
    const zones = [
      'Asia/Tehran',
      'UTC',
      'Europe/Berlin',
      'America/St_Johns',
      'Pacific/Kiritimati',
      'Asia/Kathmandu',
    ];
    const minutes = fc.integer({ min: Date.UTC(1990, 0, 1) / 60_000, max: Date.UTC(2060, 0, 1) / 60_000 });
    fc.assert(
      fc.property(minutes, fc.constantFrom(...zones), (minute, timeZone) => {
        const instant = new Date(minute * 60_000);
        const text = new Intl.DateTimeFormat('sv-SE', {
          timeZone,
          dateStyle: 'short',
          timeStyle: 'short',
        }).format(instant);
        const read = parseDateTime(text, timeZone);
        // The hour that comes twice in autumn is read as its first coming.
        expect([0, 3_600_000]).toContain(instant.getTime() - (read?.getTime() ?? 0));
      }),
      { numRuns: 500 },
    );
  });

  it('know that Tehran had summer time until 2022 and has none since', () => {
    expect(parseDateTime('1401/05/01 10:00', 'Asia/Tehran')).toEqual(new Date('2022-07-23T05:30:00Z'));
    expect(parseDateTime('1402/05/01 10:00', 'Asia/Tehran')).toEqual(new Date('2023-07-23T06:30:00Z'));
  });
});

describe('reading a time that a person typed', () => {
  const expected = new Date('2026-11-24T06:30:00Z');

  it.each([
    '1405/09/03 10:00',
    '1405-9-3 10:00',
    '۱۴۰۵/۰۹/۰۳ ۱۰:۰۰',
    '2026-11-24 10:00',
    '2026/11/24T10:00',
    ' \u20661405/09/03\u2069 10:00 ',
  ])('understands %j', (text) => {
    expect(parseDateTime(text, 'Asia/Tehran')).toEqual(expected);
  });

  it.each([
    '',
    'tomorrow',
    '1405/09/03',
    '10:00',
    '1405/09-03 10:00',
    '1405/09/03 24:00',
    '1405/09/03 10:60',
    '2026-02-30 10:00',
    '1404/12/30 10:00',
    '05/09/03 10:00',
    '1405/09/03 10:00 x',
    '1405/09/03 -1:00',
  ])('does not understand %j', (text) => {
    expect(parseDateTime(text, 'Asia/Tehran')).toBeNull();
  });
});
