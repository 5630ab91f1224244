import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PIECE_BYTES } from './byte-source.ts';
import { read, streamed, streamRefusal } from './testing/files.ts';

const ROWS = [
  ['شماره', 'نام'],
  ['۰۹۱۲۱۲۳۴۵۶۷', 'علی گچ‌پژ'],
  ['09351234567', 'Sara "S" 😀'],
];
const TEXT = ROWS.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join(
  '\r\n',
);

type Encode = (text: string) => Buffer;
const bigEndian: Encode = (text) => Buffer.from(text, 'utf16le').swap16();

const ENCODINGS: readonly (readonly [name: string, encode: Encode])[] = [
  ['UTF-8', (text) => Buffer.from(text)],
  ['UTF-8 with its mark', (text) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16 LE with its mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16 BE with its mark', (text) => bigEndian(`\ufeff${text}`)],
  ['UTF-16 LE without', (text) => Buffer.from(text, 'utf16le')],
  ['UTF-16 BE without', bigEndian],
];

describe('the encoding of a CSV', () => {
  it.each(ENCODINGS)('is %s', async (_, encode) => {
    expect(await read(encode(TEXT))).toEqual(ROWS);
    expect(await read(encode('0912;x'))).toEqual([['0912', 'x']]);
    expect(await read(encode('۰۹۱۲\n۰۹۳۵\n'))).toEqual([['۰۹۱۲'], ['۰۹۳۵']]);
  });

  it.each(ENCODINGS)('is the same wherever its pieces end: %s', async (_, encode) => {
    const row = ['سلام، 😀', 'a\r\n"b"', 'پ‌گ'];
    const line = `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`;
    const unit = encode('x').length - encode('').length;
    const end = Math.floor((PIECE_BYTES - encode('').length) / unit);
    for (let before = 0; before <= encode(line).length / unit; before += 1) {
      // Rows of a few letters, then one over the end of the first piece.
      const filler = `${'x'.repeat(99)}\n`.repeat(Math.floor((end - before) / 100));
      const padding = `${'y'.repeat(Math.max(0, end - before - filler.length - 1))}\n`;
      const { rows } = await streamed(encode(`${filler}${padding}${line}z,1`));
      expect(rows.slice(-2).map(({ cells }) => cells)).toEqual([row, ['z', '1']]);
    }
  });

  it.each(ENCODINGS)('is told from one that broke off within a letter: %s', async (_, encode) => {
    for (const text of [`${TEXT}\nپ`, `${'ا,x\n'.repeat(30_000)}پ`]) {
      expect(await streamRefusal(encode(text).subarray(0, -1))).toEqual({ reason: 'damaged' });
    }
  });

  it('is windows-1256 where the first letters are no UTF-8, however late they come', async () => {
    for (const before of ['', '0912,x\n'.repeat(20_000)]) {
      const { rows } = await streamed(Buffer.concat([Buffer.from(before), arabic('علي,سلام گچ\n')]));
      expect(rows.at(-1)?.cells).toEqual(['علي', 'سلام گچ']);
    }
    expect(await read(Buffer.concat([Buffer.from('a,'), arabic('پ')]))).toEqual([['a', 'پ']]);
    expect(await read(Buffer.concat([Buffer.from('a,'), arabic('ا')]))).toEqual([['a', 'ا']]);
  });

  it('stays windows-1256 where letters further on could be UTF-8', async () => {
    // Two bytes that are one letter of UTF-8.
    expect(arabic('اگ').toString('utf8')).toBe('ǐ');
    const ascii = Buffer.from('0912,x\n'.repeat(20_000));
    const parts = [arabic('سلام\n'), ascii, arabic('اگ\n'), ascii, arabic('سلام\n')];
    const { rows } = await streamed(Buffer.concat(parts));
    expect([rows[0], rows[20_001], rows[40_002]].map((each) => each?.cells)).toEqual([
      ['سلام'],
      ['اگ'],
      ['سلام'],
    ]);
  });

  it('is one for the whole file: what is UTF-8 is not read as anything else further on', async () => {
    const good = 'شماره,نام\n'.repeat(10);
    const bad = Buffer.concat([Buffer.from('0912,'), arabic('سلام'), Buffer.from('\n')]);
    // Close to its beginning, and far behind it.
    for (const times of [1, 2_000]) {
      expect(await streamRefusal(Buffer.concat([Buffer.from(good.repeat(times)), bad]))).toEqual({
        reason: 'mixed_encoding',
        row: times * 10 + 1,
      });
      expect(
        await streamRefusal(
          Buffer.concat([Buffer.from(`\ufeff${good.repeat(times)}`), bad, Buffer.from(good)]),
        ),
      ).toEqual({ reason: 'mixed_encoding', row: times * 10 + 1 });
    }
  });

  it('has letters that were lost before, as they were lost', async () => {
    expect(await read('0912,Al\ufffd\n')).toEqual([['0912', 'Al\ufffd']]);
  });

  it('is not what only looks like UTF-16', async () => {
    expect(
      await streamRefusal(Buffer.from(Array.from('0912').flatMap((digit) => [digit.charCodeAt(0), 0, 0, 0]))),
    ).toEqual({
      reason: 'not_a_table',
    });
    expect(await streamRefusal(Buffer.from('\ufeff0912\n', 'utf16le').subarray(0, 9))).toEqual({
      reason: 'damaged',
    });
    // UTF-32, with its mark and without.
    const wide = Array.from('\ufeff0912\n').flatMap((letter) => [
      letter.charCodeAt(0) & 255,
      letter.charCodeAt(0) >> 8,
      0,
      0,
    ]);
    expect(await streamRefusal(Buffer.from(wide))).toEqual({ reason: 'not_a_table' });
    expect(await streamRefusal(Buffer.from(wide).swap32())).toEqual({ reason: 'not_a_table' });
    expect(await streamRefusal(Buffer.from(wide.slice(4)).swap32())).toEqual({ reason: 'not_a_table' });
    expect(await streamRefusal(Buffer.from('\ufeff09\ud83d\n', 'utf16le'))).toEqual({ reason: 'damaged' });
  });

  it('does not change what a text says', async () => {
    const cell = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter(isPlain);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...ENCODINGS.slice(0, 4)),
        async (rows, [, encode]) => {
          const text = [['phone', 'name'], ...rows]
            .map((cells) => cells.map((each) => `"${each}"`).join(','))
            .join('\n');
          expect(await read(encode(text))).toEqual([['phone', 'name'], ...rows]);
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** Neither a quote, nor what no table has, nor what reading cuts or takes off. */
function isPlain(text: string): boolean {
  return !/["'\p{Cc}]/u.test(text) && text.trim() === text && text !== '';
}

/** Letters in windows-1256. */
function arabic(text: string): Buffer {
  const decoder = new TextDecoder('windows-1256');
  const codes = new Map(
    Array.from({ length: 256 }, (_, code) => [decoder.decode(Uint8Array.of(code)), code]),
  );
  return Buffer.from(Array.from(text, (letter) => codes.get(letter) ?? 0));
}
