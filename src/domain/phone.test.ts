import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  displayRecipient,
  maskRecipient,
  normalizeDigits,
  parseLine,
  parseRecipients,
  slipAtStart,
  splitNumbersAndText,
} from './phone.ts';

const A = '989121234567';
const B = '989351112233';

describe('one mobile number', () => {
  it.each([
    '09121234567',
    '9121234567',
    '989121234567',
    '+989121234567',
    '00989121234567',
    '+98 912 123 4567',
    '+98 9121234567',
    '00 98 912 123 45 67',
    '98 0 912 123 4567',
    '0 912 123 4567',
    '0912 \u200f 123 4567',
    '98 912 1234567',
    '00 98 912 123 4567',
    '00 989121234567',
    '0098-912-123-4567',
    '+98 (0) 912 123 4567',
    '0912 123 4567',
    '0912 123 45 67',
    '912 123 4567',
    '0912-123-4567',
    '0912\u2011123\u20114567',
    '(0912) 123-4567',
    '0912.123.4567',
    '0912/1234567',
    'tel:+98-912-123-4567',
    'TEL:09121234567',
    "'09121234567",
    '۰۹۱۲۱۲۳۴۵۶۷',
    '٠٩١٢١٢٣٤٥٦٧',
    '۰۹۱۲1234٥٦٧',
    '۰۹۱۲ ۱۲۳ ۴۵۶۷',
    '\u202a09121234567\u202c',
    '\u206609121234567\u2069',
    '0912\u200c123\u200b4567',
    '0912\u00a0123\u202f4567',
    '0912\u00ad1234567',
    '\ufeff09121234567',
    '＋989121234567',
    '﹢989121234567',
    '09121234567:',
    '09121234567.',
  ])('is read from %j', (input) => {
    expect(parseRecipients(input)).toEqual({ recipients: [A], repeated: [], invalid: [] });
  });

  it.each([
    ['0912123456', 'too_short'],
    ['98912123456', 'too_short'],
    ['0912001234', 'too_short'],
    ['110', 'too_short'],
    ['091212345678', 'too_long'],
    ['+9891212345678', 'too_long'],
    ['91212345678', 'too_long'],
    ['91212345608', 'too_long'],
    ['02188776655', 'not_mobile'],
    ['+982188776655', 'not_mobile'],
    ['+14155552671', 'not_mobile'],
    ['0014155552671', 'not_mobile'],
    ['＋14155552671', 'not_mobile'],
    ['+14150098123', 'not_mobile'],
    ['0912tel:1234567', 'not_a_number'],
    ['0912:1234567', 'not_a_number'],
    ['0912x', 'not_a_number'],
    ['0912123456x', 'not_a_number'],
    ['سلام', 'not_a_number'],
    ['++989121234567', 'not_a_number'],
    ['0912+1234567', 'not_a_number'],
    ['9.89121E+11', 'not_a_number'],
    ['0912123456.0', 'not_a_number'],
    ['912123456.0', 'not_a_number'],
    ['0912123456-7', 'not_a_number'],
    ['०९१२१२३४५६७', 'not_a_number'],
    ['０９１２１２３４５６７', 'not_a_number'],
    ['𝟎𝟗𝟏𝟐𝟏𝟐𝟑𝟒𝟓𝟔𝟕', 'not_a_number'],
    ['⁰⁹¹²¹²³⁴⁵⁶⁷', 'not_a_number'],
    ['1e400', 'not_a_number'],
    ['0x09121234567', 'not_a_number'],
    ['-', 'not_a_number'],
    ['{name}', 'not_a_number'],
  ])('is not in %j: %s', (raw, reason) => {
    expect(parseRecipients(raw)).toEqual({ recipients: [], repeated: [], invalid: [{ raw, reason }] });
  });
});

describe('a list of numbers', () => {
  it.each([
    ',',
    ' ',
    '\n',
    '\t',
    ';',
    '،',
    '؛',
    ', ',
    ' ، ',
    '\r\n',
    ',\n',
    '  \n\n ',
    '/',
    ' - '.trim(),
    ' و ',
    ' and ',
    ' & ',
    ' – ',
  ])('is separated by %j', (separator) => {
    expect(parseRecipients(`09121234567${separator}۰۹۳۵۱۱۱۲۲۳۳`).recipients).toEqual([A, B]);
  });

  it('keeps order, lists repetitions in whatever form, and explains what it could not read', () => {
    expect(parseRecipients('09351112233, ۰۹۱۲۱۲۳۴۵۶۷ +98 912 123 4567\n0912x; 9351112233')).toEqual({
      recipients: [B, A],
      repeated: [
        { raw: '+98 912 123 4567', recipient: A },
        { raw: '9351112233', recipient: B },
      ],
      invalid: [{ raw: '0912x', reason: 'not_a_number' }],
    });
  });

  it('joins pieces over spaces only, never over a comma or a line', () => {
    expect(parseRecipients('0912 123 4567 0935 111 2233').recipients).toEqual([A, B]);
    for (const input of ['0912, 1234567', '0912\n1234567', '0912\v1234567', '0912\t1234567']) {
      expect(parseRecipients(input).recipients).toEqual([]);
      expect(parseRecipients(input).invalid).toHaveLength(2);
    }
  });

  it.each([
    '0912 5 123456',
    '0912 0 123456',
    '91298 0 1234',
    '9 12 123 4567',
    '9 1 2 123 4567',
    '0912 123 456 7',
  ])('makes none of %j: nobody writes a number in single digits', (input) => {
    expect(parseRecipients(input).recipients).toEqual([]);
  });

  it('tells what it could not read without what cannot be seen', () => {
    expect(parseRecipients('\u202a0912x\u202c').invalid).toEqual([{ raw: '0912x', reason: 'not_a_number' }]);
  });

  it('is read from links that a slash joins', () => {
    expect(parseRecipients('tel:09121234567/tel:09351112233').recipients).toEqual([A, B]);
  });

  it('does not tear a whole number apart to mend a broken one', () => {
    expect(parseRecipients('0912123 09351112233 4567')).toEqual({
      recipients: [B],
      repeated: [],
      invalid: [
        { raw: '0912123', reason: 'too_short' },
        { raw: '4567', reason: 'too_short' },
      ],
    });
  });

  it('is empty where there is nothing to read', () => {
    for (const input of ['', '  \n', ', ،;', '\u200f\u202c']) {
      expect(parseRecipients(input)).toEqual({ recipients: [], repeated: [], invalid: [] });
    }
  });

  it('comes back whole from any mixture of forms, scripts and separators', () => {
    fc.assert(
      fc.property(fc.array(writtenMobile(), { maxLength: 12 }), separators(), (mobiles, separator) => {
        const parsed = parseRecipients(mobiles.map(({ written }) => written).join(separator));
        const canonical = mobiles.map(({ recipient }) => recipient);
        expect(parsed.recipients).toEqual([...new Set(canonical)]);
        expect(parsed.repeated).toHaveLength(canonical.length - new Set(canonical).size);
        expect(parsed.invalid).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('never makes a recipient that is not a mobile, nor one whose digits were not typed', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.stringMatching(/^[0-9+۰-۹٠-٩ ,.()/\n-]{0,24}$/u),
      writtenMobile().map(({ written }) => written),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const input = pieces.join('');
        const { recipients } = parseRecipients(input);
        const digits = normalizeDigits(input).replaceAll(/\D/g, '');
        expect(new Set(recipients).size).toBe(recipients.length);
        for (const recipient of recipients) {
          expect(recipient).toMatch(/^989\d{9}$/);
          expect(digits).toContain(recipient.slice(2));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('reads its own canonical output and its own display', () => {
    fc.assert(
      fc.property(writtenMobile(), ({ recipient }) => {
        expect(parseRecipients(recipient).recipients).toEqual([recipient]);
        expect(parseRecipients(displayRecipient(recipient)).recipients).toEqual([recipient]);
      }),
    );
  });
});

describe('numbers and then a text', () => {
  it.each([
    ['09121234567 Hello', '09121234567', 'Hello'],
    [
      '09121234567, ۰۹۳۵۱۱۱۲۲۳۳ +989190000000  جلسه فردا',
      '09121234567, ۰۹۳۵۱۱۱۲۲۳۳ +989190000000',
      'جلسه فردا',
    ],
    ['09121234567, ۰۹۳۵۱۱۱۲۲۳۳\nمتن\n\n  پیام ', '09121234567, ۰۹۳۵۱۱۱۲۲۳۳', 'متن\n\n  پیام '],
    ['0912 123 4567 hello', '0912 123 4567', 'hello'],
    ['09121234567: hello', '09121234567:', 'hello'],
    ['09121234567', '09121234567', ''],
    ['', '', ''],
    // Figures that begin a text stay in it.
    ['09121234567 1405 is the year', '09121234567', '1405 is the year'],
    ['09121234567 10% off', '09121234567', '10% off'],
    ['09121234567, 10% off', '09121234567', '10% off'],
    ['09121234567 9,000,000 rial', '09121234567', '9,000,000 rial'],
    ['09121234567 91 2000 4000 sold', '09121234567', '91 2000 4000 sold'],
    ['09121234567 09:30 meeting', '09121234567', '09:30 meeting'],
    ['09121234567, 09:30 meeting', '09121234567', '09:30 meeting'],
    ['09121234567 02188776655 is our number', '09121234567', '02188776655 is our number'],
    ['09121234567 0912x is a code', '09121234567', '0912x is a code'],
    ['10% off', '', '10% off'],
    ['1405 is the year', '', '1405 is the year'],
    ['Hello 09121234567', '', 'Hello 09121234567'],
    // Slips of the hand stay with the numbers, where they are listed as invalid.
    ['0912123456 hi', '0912123456', 'hi'],
    ['0912x hi', '0912x', 'hi'],
    ['02188776655 hi', '02188776655', 'hi'],
    ['021-88776655, 09121112233 hi', '021-88776655, 09121112233', 'hi'],
    ['+1 202 555 0100 hi', '+1 202 555 0100', 'hi'],
    ['0012025550100 hi', '0012025550100', 'hi'],
    ['09121112233 02188776655 is our phone', '09121112233', '02188776655 is our phone'],
    ['1234567 is your code', '', '1234567 is your code'],
    ['+50 % off', '', '+50 % off'],
    ['0 10 20 30 40 50 points', '', '0 10 20 30 40 50 points'],
    ['09121112233 0912x 09351112233 hi', '09121112233 0912x 09351112233', 'hi'],
    ['09121112233, 0912x hi', '09121112233, 0912x', 'hi'],
    ['09121112233 0912x 0913y 09351112233 hi', '09121112233 0912x 0913y 09351112233', 'hi'],
    ['09121112233 0912x 0912123456 09351112233', '09121112233 0912x 0912123456 09351112233', ''],
    ['09121112233 0912x hi 09351112233', '09121112233', '0912x hi 09351112233'],
    ['09121112233 0912x 0913y', '09121112233', '0912x 0913y'],
    ['09121112233 0912x\n09351112233', '09121112233', '0912x\n09351112233'],
    ['09121112233 0912-123-456 hi', '09121112233 0912-123-456', 'hi'],
    ['09121112233 0912123456789012 hi', '09121112233 0912123456789012', 'hi'],
    ['09121112233 09121234567890123 hi', '09121112233', '09121234567890123 hi'],
    ['09121112233 09123456 hi', '09121112233', '09123456 hi'],
    ['09121112233 12091234567 hi', '09121112233', '12091234567 hi'],
    ['09121112233 0935 111 2233 hi', '09121112233 0935 111 2233', 'hi'],
    ['09121234567 912-345 6789 units', '09121234567', '912-345 6789 units'],
    // A stump begins as a mobile does, has more digits than letters, and nothing else.
    ['9121234x hi', '9121234x', 'hi'],
    ['912123x hi', '', '912123x hi'],
    ['98912x hi', '98912x', 'hi'],
    ['+98912x hi', '+98912x', 'hi'],
    ['+1415x hi', '+1415x', 'hi'],
    ['+1x415 hi', '', '+1x415 hi'],
    ['x+1415 hi', '', 'x+1415 hi'],
    ['x0912 hi', '', 'x0912 hi'],
    ['0912abc hi', '0912abc', 'hi'],
    ['0912abcd hi', '', '0912abcd hi'],
    ['0912x% hi', '', '0912x% hi'],
    ['0912% hi', '', '0912% hi'],
    ['09121112233 +14155552671 hi', '09121112233 +14155552671', 'hi'],
    ['09121112233 ＋14155552671 hi', '09121112233 ＋14155552671', 'hi'],
    // A word between two numbers is what people write for a comma.
    ['09121234567 و ۰۹۳۵۱۱۱۲۲۳۳ سلام', '09121234567 و ۰۹۳۵۱۱۱۲۲۳۳', 'سلام'],
    ['09121234567 AND +989351112233', '09121234567 AND +989351112233', ''],
    ['09121234567و۰۹۳۵۱۱۱۲۲۳۳ سلام', '09121234567و۰۹۳۵۱۱۱۲۲۳۳', 'سلام'],
    ['۰۹۱۲ ۱۲۳ ۴۵۶۷و ۰۹۳۵ ۱۱۱ ۲۲۳۳ سلام', '۰۹۱۲ ۱۲۳ ۴۵۶۷و ۰۹۳۵ ۱۱۱ ۲۲۳۳', 'سلام'],
    ['09121234567 و09351112233and09361112244 hi', '09121234567 و09351112233and09361112244', 'hi'],
    ['09121234567 وسلام 2و3', '09121234567', 'وسلام 2و3'],
    ['09121234567 - 09351112233 - hi', '09121234567 - 09351112233', '- hi'],
    ['0912 123 4567 and 0935-111-2233: see you', '0912 123 4567 and 0935-111-2233:', 'see you'],
    ['09121234567 و ۰۹۳۵ ۱۱۱ ۲۲ ۳۳ سلام', '09121234567 و ۰۹۳۵ ۱۱۱ ۲۲ ۳۳', 'سلام'],
    ['09121234567 & +98 (935) 111-22-33', '09121234567 & +98 (935) 111-22-33', ''],
    ['0912 1234567 / 0935 1112233 hi', '0912 1234567 / 0935 1112233', 'hi'],
    ['09121234567 | 09351112233 hi', '09121234567 | 09351112233', 'hi'],
    ['09121234567 + 09351112233 hi', '09121234567 + 09351112233', 'hi'],
    ['09121234567 / 2 hi', '09121234567', '/ 2 hi'],
    ['1) 09121234567\n2) 09351112233\nhi', '1) 09121234567\n2) 09351112233', 'hi'],
    ['- 09121234567\n- 09351112233\nhi', '- 09121234567\n- 09351112233', 'hi'],
    ['۱- ۰۹۱۲۱۲۳۴۵۶۷\n۲- ۰۹۳۵۱۱۱۲۲۳۳\nسلام', '۱- ۰۹۱۲۱۲۳۴۵۶۷\n۲- ۰۹۳۵۱۱۱۲۲۳۳', 'سلام'],
    ['09121234567\n- 09351112233 is ours', '09121234567', '- 09351112233 is ours'],
    ['09121234567 and 09 and a half', '09121234567', 'and 09 and a half'],
    ['09121234567 و سلام', '09121234567', 'و سلام'],
    ['09121234567 و 91 2000 4000 تومان', '09121234567', 'و 91 2000 4000 تومان'],
    ['09121234567 and 021 88776655', '09121234567', 'and 021 88776655'],
    ['و 09121234567 سلام', '', 'و 09121234567 سلام'],
    ['09121234567\nو 09351112233 سلام', '09121234567', 'و 09351112233 سلام'],
    // A new line is numbers only if all of it is, or if a comma announced it.
    ['09121234567\n09351112233\nHello', '09121234567\n09351112233', 'Hello'],
    ['09121234567\n09351112233 is mine', '09121234567', '09351112233 is mine'],
    ['09121234567,\n09351112233 is mine', '09121234567,\n09351112233', 'is mine'],
    ['09121234567\r09351112233 is mine', '09121234567', '09351112233 is mine'],
    ['09121234567\n12345', '09121234567', '12345'],
    ['\n09121234567 hi', '\n09121234567', 'hi'],
    ['to 09121234567 hello', 'to 09121234567', 'hello'],
    ['send to 09121234567 hello', 'send to 09121234567', 'hello'],
    ['ارسال به شماره ۰۹۱۲۱۲۳۴۵۶۷ سلام', 'ارسال به شماره ۰۹۱۲۱۲۳۴۵۶۷', 'سلام'],
    ['برای 09121234567 سلام', 'برای 09121234567', 'سلام'],
    ['به ۰۹۱۲۱۲۳۴۵۶۷ و ۰۹۳۵۱۱۱۲۲۳۳ سلام', 'به ۰۹۱۲۱۲۳۴۵۶۷ و ۰۹۳۵۱۱۱۲۲۳۳', 'سلام'],
    ['to 09121234567: dinner', 'to 09121234567:', 'dinner'],
    ['به ۰۹۱۲ ۱۲۳ ۴۵ ۶۷: شام', 'به ۰۹۱۲ ۱۲۳ ۴۵ ۶۷:', 'شام'],
    // Behind a number it begins the text.
    ['09121234567 به 09351112233 زنگ بزن', '09121234567', 'به 09351112233 زنگ بزن'],
    ['to Ali hello', '', 'to Ali hello'],
  ])('%j', (args, numbers, text) => {
    expect(splitNumbersAndText(args)).toEqual({ numbers, text });
  });

  it('part so that nothing but separators is lost', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.stringMatching(/^[0-9+۰-۹ ,،;\n%:x-]{0,16}$/u),
      writtenMobile().map(({ written }) => written),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, separators()), { maxLength: 8 }), (pieces) => {
        const args = pieces.flat().join('');
        const { numbers, text } = splitNumbersAndText(args);
        expect(args.startsWith(numbers)).toBe(true);
        expect(args.endsWith(text)).toBe(true);
        expect(args.slice(numbers.length, args.length - text.length)).toMatch(/^[\s,،;؛，؍]*$/u);
      }),
      { numRuns: 1000 },
    );
  });

  it('give back every number and the whole of a text that begins with a word', () => {
    const words = fc.stringMatching(/^[a-zآ-ی][a-zآ-ی0-9۰-۹ ,،\n%+]{0,40}$/u);
    const lists = fc.array(writtenMobile(), { minLength: 1, maxLength: 8 });
    // A list of lines ends with its line; other lists may share a line with the text.
    const layouts = fc.oneof(
      fc.record({ separator: separators(), gap: fc.constantFrom('\n', '\n\n', ' \n') }),
      fc.record({
        separator: fc.constantFrom(' ', ', ', '، ', ',\n'),
        gap: fc.constantFrom(' ', ', ', '\t'),
      }),
    );
    fc.assert(
      fc.property(lists, layouts, words, (mobiles, { separator, gap }, text) => {
        const list = mobiles.map(({ written }) => written).join(separator);
        const split = splitNumbersAndText(`${list}${gap}${text}`);
        expect(split).toEqual({ numbers: list, text });
        const recipients = mobiles.map(({ recipient }) => recipient);
        expect(parseRecipients(split.numbers).recipients).toEqual([...new Set(recipients)]);
      }),
      { numRuns: 1000 },
    );
  });

  it('take no recipient from a text on a line of its own that holds a word', () => {
    const texts = fc.tuple(fc.stringMatching(/^[0-9۰-۹+ -]{0,30}$/u), fc.constantFrom('rial', 'متن'));
    fc.assert(
      fc.property(writtenMobile(), texts, ({ written, recipient }, [figures, word]) => {
        const { numbers, text } = splitNumbersAndText(`${written}\n${figures} ${word}`);
        expect(parseRecipients(numbers)).toEqual({ recipients: [recipient], repeated: [], invalid: [] });
        expect(text).toBe(`${figures} ${word}`.trimStart());
      }),
      { numRuns: 500 },
    );
  });
});

describe('a sender line', () => {
  it.each([
    ['3000123456', '3000123456'],
    ['+983000123456', '3000123456'],
    ['983000123456', '3000123456'],
    ['00983000123456', '3000123456'],
    ['003000123456', '3000123456'],
    ['۳۰۰۰ ۱۲۳-۴۵۶', '3000123456'],
    ['\u20663000123456\u2069', '3000123456'],
    ['50001', '50001'],
    ['98123', '98123'],
    ['9998123456', '9998123456'],
    ['02188776655', '02188776655'],
    ['12345678901234', '12345678901234'],
  ])('%j is %s', (input, line) => {
    expect(parseLine(input)).toBe(line);
  });

  it.each(['', '1234', '123456789012345', 'MyShop', '3000x', '+3000123456', '3000,50001'])(
    '%j is none',
    (input) => {
      expect(parseLine(input)).toBeNull();
    },
  );
});

describe('a number that was cut short at the beginning of a text', () => {
  it.each([
    ['0935111 Hello', '0935111', 'too_short'],
    ['۰۹۳۵۱۱۱ سلام', '۰۹۳۵۱۱۱', 'too_short'],
    ['+989121 Hello', '+989121', 'too_short'],
    ['093511122334 Hello', '093511122334', 'too_long'],
    [' 9351112x Hello', '9351112x', 'not_a_number'],
  ])('is seen in %j', (text, raw, reason) => {
    expect(slipAtStart(text)).toEqual({ raw, reason });
  });

  it.each(['', 'Hello 0935111', '12 000 off', '50% off', '9 AM', '09351112233 is my number', '1404/05/06'])(
    'is none in %j',
    (text) => {
      expect(slipAtStart(text)).toBeNull();
    },
  );
});

describe('a recipient on the screen', () => {
  it('is shown as people write it, or masked', () => {
    expect(displayRecipient(A)).toBe('09121234567');
    expect(maskRecipient(A)).toBe('0912•••4567');
    for (const other of ['+1415', '5989121234567', '9891212345678'])
      expect(displayRecipient(other)).toBe(other);
    expect(maskRecipient('0212345678')).toBe('0212•••5678');
    expect(maskRecipient('12345')).toBe('12•••');
  });

  it('never shows the middle of the number when masked', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), (text) => {
        expect(maskRecipient(text)).toContain('•••');
        expect(maskRecipient(text).length).toBeLessThanOrEqual(11);
      }),
    );
  });
});

interface WrittenMobile {
  recipient: string;
  written: string;
}

/** A mobile and one of the ways to write it. */
function writtenMobile(): fc.Arbitrary<WrittenMobile> {
  return fc
    .record({
      tail: fc.stringMatching(/^\d{9}$/),
      prefix: fc.constantFrom('0', '', '98', '+98', '0098'),
      zero: fc.constantFrom(0x30, 0x6f0, 0x660),
      dash: fc.constantFrom('', '', '-', '.', '\u2011', '\u200c'),
      wrap: fc.constantFrom(['', ''], ['', ''], ['\u2066', '\u2069'], ['(', ')'], ['tel:', '']),
    })
    .map(({ tail, prefix, zero, dash, wrap: [before = '', after = ''] }) => {
      const latin = `${prefix}9${tail.slice(0, 2)}${dash}${tail.slice(2, 5)}${dash}${tail.slice(5)}`;
      const digits = latin.replaceAll(/\d/g, (digit) =>
        String.fromCodePoint(zero + digit.charCodeAt(0) - 0x30),
      );
      return { recipient: `989${tail}`, written: `${before}${digits}${after}` };
    });
}

function separators(): fc.Arbitrary<string> {
  return fc.constantFrom(', ', ',', ' ', '\n', '\t', ';', '، ', ',\n');
}
