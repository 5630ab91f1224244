import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { streamed, streamRefusal } from './testing/files.ts';

const card = (...lines: string[]): string =>
  ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\r\n');

describe('an address book', () => {
  it('is a table of names and numbers, with a row for whoever has none', async () => {
    const book = [
      card('FN:رضا', 'TEL;TYPE=CELL:0912 123 4567', 'TEL;TYPE=HOME:021 8888 7777'),
      card('FN:Mina'),
      card('N:Karimi;Ali', `PHOTO;ENCODING=b:${'QUJD'.repeat(200_000)}`, 'item1.TEL:=1+2'),
    ].join('');
    for (const text of [book, `\uFEFF${book}`, book.replaceAll('\r', '')])
      expect(await streamed(text)).toEqual({
        format: 'csv',
        sheet: null,
        blocks: [5],
        rows: [
          { number: 1, cells: ['name', 'mobile'] },
          { number: 2, cells: ['رضا', '0912 123 4567'] },
          { number: 3, cells: ['رضا', '021 8888 7777'] },
          { number: 4, cells: ['Mina'] },
          { number: 5, cells: ['Ali Karimi', '=1+2'] },
        ],
      });
  });

  it('is read whole, whatever lies between its pieces, and as long as a table may be', async () => {
    const many = Array.from({ length: 30_000 }, (_, index) => card(`FN:n${index}`, `TEL:${index}`)).join('');
    const { rows } = await streamed(many);
    expect(rows).toHaveLength(30_001);
    expect(rows.at(-1)).toEqual({ number: 30_001, cells: ['n29999', '29999'] });
  });

  it('that is damaged or hostile is read as far as it goes, or refused with its reason', async () => {
    expect((await streamed('BEGIN:VCARD\nFN:A\nTEL:1')).rows.at(-1)?.cells).toEqual(['A', '1']);
    expect(await streamRefusal('BEGIN:VCARD\nFN:A\u0001\n')).toMatchObject({ reason: 'not_a_table' });
    const name = Buffer.from([0xd1, 0xd6, 0xc7]);
    const arabic = Buffer.concat([Buffer.from('BEGIN:VCARD\nFN:'), name, Buffer.from('\nTEL:1\n')]);
    expect((await streamed(arabic)).rows.at(-1)?.cells).toEqual(['رضا', '1']);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string()), async (lines) => {
        const text = ['BEGIN:VCARD', ...lines.map((line) => line.replaceAll(/\p{Cc}/gu, '')), 'END:VCARD'];
        expect((await streamed(text.join('\n'))).rows.length).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 50 },
    );
  });
});
