import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generatePassword, isPassword } from './password.ts';

describe('a typed password', () => {
  test.each(['12345678', 'p@5"/w+r%d\\&=x', '~!{}[]<>', 'x'.repeat(64)])('%j will do', (text) => {
    expect(isPassword(text)).toBe(true);
  });

  test.each([
    ['', 'nothing'],
    ['1234567', 'seven characters'],
    ['x'.repeat(65), 'too long'],
    ['pass word1', 'a space'],
    ['رمزعبور۱۲۳', 'other letters than English ones'],
    ['password۱', 'a Persian digit'],
    ['password\n', 'a line end'],
    ['🎲🎲🎲🎲', 'no letters at all'],
  ])('%j will not: %s', (text) => {
    expect(isPassword(text)).toBe(false);
  });
});

describe('a generated password', () => {
  /** Whatever the source of chance gives, a constant included. */
  const chance = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));

  test('is a good one whatever chance brings', () => {
    fc.assert(
      fc.property(chance, (stream) => {
        const made = generatePassword((limit) => {
          expect(limit).toBeGreaterThan(0);
          return Math.floor(Number(stream.next().value) * limit);
        });
        expect(isPassword(made)).toBe(true);
        expect(made).toMatch(/^[A-Za-z2-9]{16}$/);
        expect(made).toMatch(/[a-z]/);
        expect(made).toMatch(/[A-Z]/);
        expect(made).toMatch(/\d/);
        expect(made).not.toMatch(/[lIoO01]/);
      }),
    );
  });

  test('is another one each time', () => {
    const made = Array.from({ length: 500 }, () => generatePassword(randomInt));
    expect(new Set(made).size).toBe(500);
  });

  test('has each kind of character in each place now and then', () => {
    const made = Array.from({ length: 2000 }, () => generatePassword(randomInt));
    expect(made.filter((each) => !/^[A-Za-z2-9]{16}$/u.test(each))).toEqual([]);
    for (let at = 0; at < 16; at += 1) {
      const column = made.map((each) => each.charAt(at)).join('');
      expect(column).toMatch(/[a-z]/);
      expect(column).toMatch(/[A-Z]/);
      expect(column).toMatch(/\d/);
    }
  });
});
