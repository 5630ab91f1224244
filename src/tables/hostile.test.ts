import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FIXED_LIMITS, markLimit, READ_LIMITS } from './limits.ts';
import { number, read, refusal, row, streamed, streamRefusal, workbook } from './testing/files.ts';
import { zip } from './testing/zip.ts';

const SHEET = 'xl/worksheets/sheet1.xml';
const OPEN = '<worksheet><sheetData>';
const CLOSE = '</sheetData></worksheet>';

describe('a zip that unpacks to more than anybody needs', () => {
  it('ends when it passes the limit', async () => {
    const content = await workbook({ parts: { [SHEET]: comments(READ_LIMITS.unpacked + 1) } });
    expect(content.length).toBeLessThan(READ_LIMITS.unpacked / 50);
    expect(await refusal(content)).toBe('too_large');
  });

  it('ends when its parts pass the limit together', async () => {
    const half = comments(READ_LIMITS.unpacked / 2);
    const parts = { 'xl/sharedStrings.xml': half, [SHEET]: half };
    expect(await refusal(await workbook({ strings: '', parts }))).toBe('too_large');
    expect(await read(await workbook({ parts: { [SHEET]: half } }))).toEqual([]);
  });

  it.each([
    ['empty cells', '<c/>'],
    ['empty cells that say where they are', '<c r="A1" s="1"/>'],
    ['empty rows', '<row/>'],
    ['elements of no meaning', '<a/>'],
    ['attributes', '<c a="" b="" c="" d="" e="" f="" g="" h=""/>'],
    ['comments between elements', `${'<!---->'.repeat(1_000)}<a/>`],
    ['instructions between elements', `${'<?a?>'.repeat(1_000)}<a/>`],
    ['empty texts', '<a><![CDATA[]]></a>'],
  ])('ends after as many marks as a small file may have: %s', async (_, piece) => {
    const marks = (piece.match(/<[^/]|=/g) ?? []).length;
    const least = markLimit(0);
    const content = await workbook({ rows: piece.repeat(Math.ceil(least / marks)) });
    expect(content.length).toBeLessThan(least / 20);
    expect(await streamRefusal(content)).toEqual({ reason: 'too_many_cells', limit: least });
  });

  it('is read where people have formatted far more cells than they have filled', async () => {
    const cells = (line: number) =>
      Array.from({ length: 100 }, (_, at) => `<c r="${columnName(at)}${line}" s="7"/>`).join('');
    const rows = Array.from({ length: 10_000 }, (_, at) => `<row r="${at + 2}">${cells(at + 2)}</row>`);
    const content = await workbook({ rows: row(number('09121234567')) + rows.join('') });
    expect((await streamed(content)).rows).toEqual([{ number: 1, cells: ['09121234567'] }]);
  });

  it('counts the marks of all parts together', async () => {
    const workbooks = { 'xl/workbook.xml': `<workbook>${'<a/>'.repeat(markLimit(0))}</workbook>` };
    expect(await refusal(await workbook({ parts: workbooks }))).toBe('too_many_cells');
    const half = '<a/>'.repeat(markLimit(0) / 2);
    expect(await refusal(await workbook({ rows: half, strings: half }))).toBe('too_many_cells');
    expect(await read(await workbook({ rows: half, strings: '' }))).toEqual([]);
  });

  it('ends early where it is one text, one tag or one comment', async () => {
    const long = 'x'.repeat(FIXED_LIMITS.token * 20);
    for (const rows of [long, `<row><c a="${long}"/></row>`, `<row ${long}`, `<!--${long}-->`]) {
      expect(await refusal(await workbook({ rows })), rows.slice(0, 12)).toBe('too_large');
    }
  });

  it('ends early where it only says that it is large', async () => {
    const content = await workbook({ rows: row(number('1')) });
    expect(await refusal(withSize(content, SHEET, 0xfffffff0))).toBe('damaged');
    expect(await refusal(withSize(content, SHEET, 5))).toBe('damaged');
  });

  it('may not have directories of any size, nor thousands of files', async () => {
    const parts = {
      'xl/workbook.xml': `<workbook>${`<a/>${' '.repeat(100_000)}`.repeat(FIXED_LIMITS.directory / 100_000)}</workbook>`,
    };
    expect(await refusal(await workbook({ parts }))).toBe('too_large');
    const many = Array.from(
      { length: FIXED_LIMITS.entries + 1 },
      (_, index) => [`xl/media/${index}.png`, ''] as const,
    );
    expect(await refusal(await workbook({ parts: Object.fromEntries(many) }))).toBe('too_large');
  });

  it('may not have two files of one name', async () => {
    const content = Buffer.from('x');
    expect(
      await refusal(
        await zip([
          { path: 'a.xml', content },
          { path: 'A.XML', content },
        ]),
      ),
    ).toBe('damaged');
  });
});

describe('XML that would do more than hold cells', () => {
  it.each([
    ['names a file', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '&x;'],
    ['has entities of entities', '<!DOCTYPE a [<!ENTITY y "lol"><!ENTITY x "&y;&y;&y;">]>', '&x;'],
    ['has a document type', '<!DOCTYPE worksheet>', '1'],
    ['uses what nobody declared', '', '&x;'],
  ])('is refused: it %s', async (_, type, value) => {
    const xml = `${type}${OPEN}${row(number(value))}${CLOSE}`;
    expect(await refusal(await workbook({ parts: { [SHEET]: xml } }))).toBe('damaged');
  });

  it('is refused in every part', async () => {
    for (const path of [
      '_rels/.rels',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      'xl/sharedStrings.xml',
    ]) {
      const content = await workbook({ strings: '', parts: { [path]: '<!DOCTYPE a><a/>' } });
      expect(await refusal(content), path).toBe('damaged');
    }
  });

  it('is refused when it is nested, or has attributes, without end', async () => {
    const nested = (depth: number) => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`;
    expect(await read(await workbook({ rows: nested(50) }))).toEqual([]);
    expect(await refusal(await workbook({ rows: nested(100) }))).toBe('damaged');
    expect(await refusal(await workbook({ rows: nested(1_000_000) }))).toBe('damaged');
    const attributes = Array.from({ length: 500_000 }, (_, index) => ` a${index}=""`).join('');
    expect(await refusal(await workbook({ rows: `<row${attributes}/>` }))).toBe('damaged');
  });

  it('is refused when it is not whole, not well-formed or not in its encoding', async () => {
    for (const xml of [OPEN, `${OPEN}<row></c></row>${CLOSE}`, '', 'a,b', '\u0000', '<chartsheet/>']) {
      expect(await refusal(await workbook({ parts: { [SHEET]: xml } })), xml).toBe('damaged');
    }
    const wrong = Buffer.from(`${OPEN}${row('<c t="str"><v>\u00ff</v></c>')}${CLOSE}`, 'latin1');
    expect(await refusal(await workbook({ parts: { [SHEET]: wrong } }))).toBe('damaged');
  });
});

describe('a sheet beyond the limits', () => {
  it('has too many rows, full or empty', async () => {
    const one = row(number('09121234567'));
    expect(await read(await workbook({ rows: one.repeat(READ_LIMITS.rows) }))).toHaveLength(READ_LIMITS.rows);
    expect(await refusal(await workbook({ rows: one.repeat(READ_LIMITS.rows + 1) }))).toBe('too_many_rows');
    expect(await refusal(await workbook({ rows: one.repeat(4) }), { rows: 3 })).toBe('too_many_rows');
    const parts = { 'xl/media/a.png': randomBytes(READ_LIMITS.lines / 4) };
    expect(await refusal(await workbook({ rows: '<row/>'.repeat(READ_LIMITS.lines + 1), parts }))).toBe(
      'too_many_rows',
    );
  });

  it('has cells in too many columns, named or counted', async () => {
    expect(await refusal(await workbook({ rows: '<row><c r="IW1"><v>1</v></c></row>' }))).toBe('too_wide');
    expect(await refusal(await workbook({ rows: '<row><c r="XFD1"><v>1</v></c></row>' }))).toBe('too_wide');
    expect(await refusal(await workbook({ rows: row(number('1').repeat(16_384)) }))).toBe('too_wide');
    expect(await read(await workbook({ rows: '<row><c r="IV1"><v>1</v></c></row>' }))).toHaveLength(1);
  });

  it('has a cell that is too long, in whatever way it is written', async () => {
    const long = 'x'.repeat(READ_LIMITS.cell + 1);
    const sharing = row('<c t="s"><v>0</v></c>');
    expect(await refusal(await workbook({ rows: row(`<c t="str"><v>${long}</v></c>`) }))).toBe(
      'too_long_cell',
    );
    expect(await refusal(await workbook({ rows: sharing, strings: `<si><t>${long}</t></si>` }))).toBe(
      'too_long_cell',
    );
    const runs = `<si>${`<r><t>${'x'.repeat(1000)}</t></r>`.repeat(40)}</si>`;
    expect(await refusal(await workbook({ rows: sharing, strings: runs }))).toBe('too_long_cell');
    const huge = row(`<c t="str"><v>${'x'.repeat(50_000_000)}</v></c>`);
    expect(await refusal(await workbook({ rows: huge }))).toBe('too_large');
  });

  it('has one long text in many cells', async () => {
    const strings = `<si><t>${'x'.repeat(30_000)}</t></si>`;
    const rows = row('<c t="s"><v>0</v></c>'.repeat(100)).repeat(10);
    expect(await refusal(await workbook({ rows, strings }))).toBe('too_large');
  });

  it('has shared texts without number', async () => {
    expect(await refusal(await workbook({ strings: '<si/>'.repeat(2_500_001) }))).toBe('too_many_cells');
    const long = `<si><t>${'x'.repeat(30_000)}</t></si>`;
    const some = Math.ceil(READ_LIMITS.shared / 30_000);
    expect(await refusal(await workbook({ strings: long.repeat(some) }))).toBe('too_large');
  });
});

describe('a workbook of which a part is missing', () => {
  it('is damaged, wherever it breaks off', async () => {
    const content = await workbook({ rows: row(number('1')).repeat(200), strings: '<si><t>a</t></si>' });
    for (let length = 4; length < content.length; length += 7) {
      expect(await refusal(content.subarray(0, length)), String(length)).toBe('damaged');
    }
  });

  it('is damaged when its bytes do not add up', async () => {
    const content = Buffer.from(await workbook({ rows: row(number('1')) }));
    const sum = directoryEntry(content, SHEET) + 16;
    content.writeUInt8(content.readUInt8(sum) ^ 1, sum);
    expect(await refusal(content)).toBe('damaged');
  });
});

/** `AB` is 27. */
function columnName(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : columnName(Math.floor(at / 26) - 1) + letter;
}

/** A sheet without cells, of that many bytes at least: few tags, for those cost more time than bytes. */
function comments(bytes: number): Buffer {
  const piece = `<a/><!--${'x'.repeat(100_000)}-->`;
  return Buffer.from(`${OPEN}${piece.repeat(Math.ceil(bytes / piece.length))}${CLOSE}`);
}

/** The same zip, whose directory says another unpacked size for one of its files. */
function withSize(content: Uint8Array, path: string, size: number): Uint8Array {
  const copy = Buffer.from(content);
  copy.writeUInt32LE(size, directoryEntry(copy, path) + 24);
  return copy;
}

/** Where the directory's entry for a file begins. */
function directoryEntry(content: Buffer, path: string): number {
  return content.lastIndexOf(path) - 46;
}
