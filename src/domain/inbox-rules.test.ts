import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { optOf, WORD_WAYS, ruleFits, ruleProblem, WORDS_MAX, type WordWay } from './inbox-rules.ts';

const LINE = '3000123456';
const rule = (way: WordWay, words: string, line: string | null = null) => ({ way, words, line });
const says = (text: string, line = LINE) => ({ text, line, isClosed: true });

describe('a rule', () => {
  test.each([
    ['contains', 'قیمت', 'سلام، قيمت چند است؟', true],
    ['contains', 'كيك', 'یک کیک', true],
    ['contains', 'code 12', 'your CODE ۱۲!', true],
    ['contains', 'می‌خواهم', 'میخواهم', true],
    ['contains', 'stop', 'sto p', false],
    ['equals', '۵', ' 5 ', true],
    ['equals', '5', '55', false],
    ['equals', 'YES', 'yes', true],
    ['pattern', '^سفارش \\d+$', 'سفارش ۱۲۳', true],
    ['pattern', 'قيمت|هزینه', 'هزینه‌ی ارسال', true],
    ['pattern', '^\\S+$', 'two words', false],
    ['pattern', 'می‌خواهم', 'میخواهم', true],
    ['contains', 'end', `${'x'.repeat(997)}end`, true],
    ['contains', 'end', `${'x'.repeat(998)}end`, false],
  ] as const)('%s «%s» on «%s»: %s', (way, words, text, fits) => {
    expect(ruleFits(rule(way, words), says(text))).toBe(fits);
  });

  test('of one line holds for no other', () => {
    expect(ruleFits(rule('contains', 'a', LINE), says('a'))).toBe(true);
    expect(ruleFits(rule('contains', 'a', LINE), says('a', '50001234'))).toBe(false);
  });

  test('is refused when it says nothing, too much, or no pattern', () => {
    expect(ruleProblem('contains', ' \u200c ')).toBe('empty');
    expect(ruleFits(rule('contains', ' \u200c '), says('x'))).toBe(false);
    expect(ruleProblem('equals', 'x'.repeat(WORDS_MAX + 1))).toBe('long');
    expect([ruleProblem('equals', 'x'.repeat(WORDS_MAX)), ruleProblem('contains', '(')]).toEqual([
      null,
      null,
    ]);
    for (const words of [
      '(',
      '(?=a)',
      '(a)\\1',
      'a**',
      '((a{100}){100}){100}',
      '(a{40}){60}',
      '[\\u0600-\\u06ff]',
    ])
      expect(ruleProblem('pattern', words), words).toBe('pattern');
    expect(ruleProblem('pattern', '(a+)+$')).toBeNull();
    expect(ruleFits(rule('pattern', '('), says('('))).toBe(false);
  });

  test('takes any words and any text without failing, and a refused pattern fits nothing', () => {
    let refused = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...WORD_WAYS),
        fc.string({ unit: 'binary', maxLength: 120 }),
        fc.string({ unit: 'binary', maxLength: 300 }),
        (way, words, text) => {
          const fits = ruleFits(rule(way, words), says(text));
          if (way !== 'pattern' || ruleProblem(way, words) !== 'pattern') return;
          refused += 1;
          expect(fits).toBe(false);
        },
      ),
    );
    expect(refused).toBeGreaterThanOrEqual(0);
  });

  test('contains what stands in a text, and equals the text itself', () => {
    const word = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => /[a-z]/iu.test(text));
    fc.assert(
      fc.property(
        word,
        fc.string({ maxLength: 50 }),
        fc.string({ maxLength: 50 }),
        (words, before, after) => {
          expect(ruleFits(rule('contains', words.trim()), says(`${before} ${words.trim()} ${after}`))).toBe(
            true,
          );
          expect(ruleFits(rule('equals', words), says(` ${words.toUpperCase()}\n`))).toBe(
            words.toUpperCase().toLowerCase() === words.toLowerCase(),
          );
        },
      ),
    );
  });

  test('is matched in time that grows no faster than the text', () => {
    const evil = rule('pattern', '^(([a-z])+.)+[A-Z]([a-z])+$');
    const steps = [100, 1000, 100_000].map((length) => ruleFits(evil, says('a'.repeat(length))));
    expect(steps).toEqual([true, true, true].map(() => steps[0]));
  });
});

describe('11 and 12', () => {
  test.each([
    ['11', 'out'],
    ['۱۱', 'out'],
    ['١١', 'out'],
    [' 11\n', 'out'],
    ['\u200f11', 'out'],
    ['12', 'in'],
    ['۱۲', 'in'],
    ['1 1', null],
    ['111', null],
    ['11.', null],
    ['لغو ۱۱', null],
    ['', null],
    [`11${' '.repeat(1000)}x`, null],
  ] as const)('«%s» asks for %s', (text, what) => {
    expect(optOf(text)).toBe(what);
  });
});

test('one for when nobody is there holds for whatever then comes, but for 11 and 12', () => {
  const closed = { way: 'closed', words: '', line: null } as const;
  expect(ruleFits(closed, says('anything'))).toBe(true);
  expect(ruleFits(closed, { ...says('anything'), isClosed: false })).toBe(false);
  expect(['11', ' ۱۲ '].map((text) => ruleFits(closed, says(text)))).toEqual([false, false]);
});
