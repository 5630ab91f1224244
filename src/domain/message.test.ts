import * as fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { describe, expect, it } from 'vitest';

import { MESSAGE_CHARACTERS } from './interface-limits.ts';
import { checkMessage, commandLineIn, measureMessage } from './message.ts';

// GSM 03.38, written out a second time: the basic set and the set behind the escape.
const GSM_BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const GSM_ESCAPED = '^{}\\[~]|€\f';

describe('parts of a message', () => {
  it.each([
    [0, 0],
    [1, 1],
    [70, 1],
    [71, 2],
    [134, 2],
    [135, 3],
    [201, 3],
    [900, 14],
  ])('a Persian text of %i characters takes %i', (length, parts) => {
    expect(measureMessage('م'.repeat(length)).parts).toBe(parts);
  });

  it.each([
    [1, 1],
    [160, 1],
    [161, 2],
    [306, 2],
    [307, 3],
    [900, 6],
  ])('a Latin text of %i characters takes %i', (length, parts) => {
    expect(measureMessage('a'.repeat(length))).toMatchObject({ encoding: 'gsm7', parts });
  });

  it('tells characters, units and what is left', () => {
    expect(measureMessage('جلسه فردا ساعت ۱۰ برگزار می‌شود.')).toEqual({
      encoding: 'ucs2',
      characters: 32,
      units: 32,
      parts: 1,
      unitsLeft: 38,
    });
    expect(measureMessage('{a}')).toEqual({
      encoding: 'gsm7',
      characters: 3,
      units: 5,
      parts: 1,
      unitsLeft: 155,
    });
    expect(measureMessage('a'.repeat(161))).toMatchObject({ units: 161, parts: 2, unitsLeft: 145 });
    expect(measureMessage('€'.repeat(100))).toMatchObject({ units: 200, parts: 2, unitsLeft: 105 });
    expect(measureMessage('')).toEqual({
      encoding: 'gsm7',
      characters: 0,
      units: 0,
      parts: 0,
      unitsLeft: 160,
    });
  });

  it('turn to UCS-2 with one character outside GSM-7', () => {
    for (const character of ['م', '۱', '😀', '’', '\u200c', 'ç', '`', '\u00a0', '\0', '\ud800']) {
      expect(measureMessage(`${'a'.repeat(70)}${character}`)).toMatchObject({
        encoding: 'ucs2',
        parts: 2,
      });
    }
    for (const character of GSM_BASIC + GSM_ESCAPED) expect(measureMessage(character).encoding).toBe('gsm7');
  });

  it('do not cut an emoji or an escape pair in two', () => {
    // 67 is odd: 33 emoji fill 66 units of a part and the next one does not fit.
    expect(measureMessage('😀'.repeat(35)).parts).toBe(1);
    expect(measureMessage('😀'.repeat(66)).parts).toBe(2);
    expect(measureMessage('😀'.repeat(67))).toMatchObject({ units: 134, parts: 3 });
    expect(measureMessage('{'.repeat(80)).parts).toBe(1);
    expect(measureMessage('{'.repeat(153)).parts).toBe(3);
  });

  it('cut between a letter and its marks, as the network does', () => {
    expect(measureMessage(`a${'\u0301'.repeat(899)}`)).toMatchObject({ units: 900, parts: 14 });
    expect(measureMessage('👨‍👩‍👧'.repeat(20))).toMatchObject({ units: 160, parts: 3 });
  });

  it('agree with a slow reference on any text', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({ unit: fc.constantFrom(...Array.from(GSM_BASIC + GSM_ESCAPED)), maxLength: 900 }),
      fc.string({
        unit: fc.constantFrom('م', 'ی', '\u200c', '😀', 'a', '{', '\r\n', '\ud83d', '\u0301'),
        maxLength: 450,
      }),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const { encoding, units, parts, unitsLeft } = measureMessage(text);
        expect({ encoding, units, parts, unitsLeft }).toEqual(slowReference(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('agree with the library on texts without clusters', () => {
    const units = fc.constantFrom('م', 'پ', 'a', '{', '€', ' ', '\n', '😀', '۱', 'é');
    fc.assert(
      fc.property(fc.string({ unit: units, minLength: 1, maxLength: 300 }), (text) => {
        const library = new SegmentedMessage(text);
        const { encoding, parts } = measureMessage(text);
        expect(encoding === 'gsm7' ? 'GSM-7' : 'UCS-2').toBe(library.encodingName);
        expect(parts).toBe(library.segmentsCount);
      }),
    );
  });
});

describe('a message that may go on the wire', () => {
  it('is one of 1 to 900 characters', () => {
    expect(checkMessage('سلام')).toEqual({ ok: true, measure: measureMessage('سلام') });
    expect(checkMessage('a'.repeat(MESSAGE_CHARACTERS)).ok).toBe(true);
    expect(checkMessage('😀'.repeat(450)).ok).toBe(true);
    expect(checkMessage('0').ok).toBe(true);
  });

  it.each([
    ['', 'empty'],
    [' \n\t\u00a0\u3000', 'empty'],
    ['\u200b\u200c\u2060\ufeff\u202e', 'empty'],
    ['\u2800\u3164', 'empty'],
    ['a'.repeat(901), 'too_long'],
    [`${'😀'.repeat(450)}a`, 'too_long'],
    ['a\ud800b', 'lone_surrogate'],
    ['\udc00', 'lone_surrogate'],
    ['😀'.slice(1), 'lone_surrogate'],
    ['a\0b', 'nul'],
  ] as const)('is not %j: %s', (text, reason) => {
    expect(checkMessage(text)).toEqual({ ok: false, reason, characters: text.length, limit: 900 });
  });

  it('always takes a part and can be carried by UTF-8 without change', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1000 }), (text) => {
        const check = checkMessage(text);
        fc.pre(check.ok);
        expect(measureMessage(text).parts).toBeGreaterThan(0);
        expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text))).toBe(
          text,
        );
      }),
    );
  });
});

/** Tries every cut, one character after the other, from the rules alone. */
function slowReference(text: string) {
  const isGsm = text.split('').every((unit) => GSM_BASIC.includes(unit) || GSM_ESCAPED.includes(unit));
  const encoding = isGsm ? 'gsm7' : 'ucs2';
  const [single, several] = isGsm ? [160, 153] : [70, 67];
  const size = (character: string): number =>
    isGsm ? (GSM_ESCAPED.includes(character) ? 2 : 1) : character.length;
  const characters = Array.from(text);
  const units = characters.reduce((sum, character) => sum + size(character), 0);
  if (units <= single) return { encoding, units, parts: units === 0 ? 0 : 1, unitsLeft: single - units };
  const parts: string[][] = [[]];
  for (const character of characters) {
    const filled = [...(parts.at(-1) ?? []), character].reduce((sum, each) => sum + size(each), 0);
    if (filled > several) parts.push([character]);
    else parts.at(-1)?.push(character);
  }
  const last = (parts.at(-1) ?? []).reduce((sum, each) => sum + size(each), 0);
  return { encoding, units, parts: parts.length, unitsLeft: several - last };
}

describe('a line of a text that reads as a command', () => {
  it.each([
    ['Hello\n/send 09121234567 Bye', '/send 09121234567 Bye'],
    ['سلام\n/ارسال ۰۹۱۲ سلام\nخداحافظ', '/ارسال ۰۹۱۲ سلام'],
    ['/stop@PeykBot', '/stop@PeykBot'],
    ['Write to 1/2 or /stop', null],
    ['Total\n/ 12', null],
    ['/x is a path\n//send', null],
    ['', null],
  ])('of %j is %j', (text, line) => {
    expect(commandLineIn(text)).toBe(line);
  });
});
