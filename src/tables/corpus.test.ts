import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { NAUGHTY } from '../../test/naughty/strings.ts';
import type { TableLimits } from '../ports/tables.ts';
import { createTables } from './tables.ts';
import { number, read, refusal, row, streamed, streamRefusal, workbook } from './testing/files.ts';
import { zip } from './testing/zip.ts';

type Rows = readonly (readonly string[])[];

const AB = [
  ['a', 'b'],
  ['1', '2'],
];

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

/** What programs and people write, and what is to be read of it. */
const READABLE: readonly (readonly [what: string, content: Buffer | string, rows: Rows])[] = [
  ['plain, with LF', 'a,b\n1,2\n', AB],
  ['plain, with CRLF', 'a,b\r\n1,2\r\n', AB],
  ['plain, with lone CR', 'a,b\r1,2\r', AB],
  ['without an end of the last line', 'a,b\r\n1,2', AB],
  [
    'with line ends of every kind',
    'a,b\r1,2\n3,4\r\n5,6\n\r7,8',
    [...AB, ['3', '4'], ['5', '6'], ['7', '8']],
  ],
  ['with an end of line twice', 'a,b\r\r\n1,2\r\r\n', AB],
  ['with a comma in quotes', 'a,b\n"1, or 2","""3"""\n', [AB[0] ?? [], ['1, or 2', '"3"']]],
  ['with empty cells in quotes', 'a,b,c\n1,"",""\n"","",3', [['a', 'b', 'c'], ['1'], ['', '', '3']]],
  ['with lines in quotes', 'a,b\n"1\n2\r\n3","x"\n', [AB[0] ?? [], ['1\n2\r\n3', 'x']]],
  [
    'with JSON',
    'k,v\n1,"{""a"": ""b"", ""c"": 1}"',
    [
      ['k', 'v'],
      ['1', '{"a": "b", "c": 1}'],
    ],
  ],
  ['with quotes in the middle', 'a,b\n5" pipe,1" or 2"\n', [AB[0] ?? [], ['5" pipe', '1" or 2"']]],
  ['with spaces before a quote', 'a,b\n1, "2"\n', [AB[0] ?? [], ['1', ' "2"']]],
  ['with the line that names a separator', 'sep=;\r\na;b\r\n1;2', AB],
  ['with that line and its mark', '\ufeffSEP=\t\na\tb\n1\t2', AB],
  ['with that line in UTF-16', utf16('\ufeffsep=,\r\na,b\r\n1,2'), AB],
  ['with tabs', 'a\tb\n1\t2', AB],
  ['with semicolons', 'a;b\n1;2', AB],
  ['with upright lines', 'a|b\n1|2', AB],
  ['with Arabic commas', 'a،b\n1،2', AB],
  ['with Arabic semicolons', 'a؛b\n1؛2', AB],
  ['with rows of any length', 'a\n1,2,3\n4,5', [['a'], ['1', '2', '3'], ['4', '5']]],
  ['with commas at the ends', 'a,b,,,\n1,2,,\n,,,,', AB],
  ['with its header alone', 'شماره;نام\n', [['شماره', 'نام']]],
  ['with its header twice', 'a,b\n1,2\na,b\n1,2', [...AB, ...AB]],
  [
    'with one name for two columns',
    'n,n\n1,2',
    [
      ['n', 'n'],
      ['1', '2'],
    ],
  ],
  [
    'with names of an object',
    '__proto__,constructor\n1,2',
    [
      ['__proto__', 'constructor'],
      ['1', '2'],
    ],
  ],
  ['with formulas', `a,b\n=1+1,"'=2"`, [AB[0] ?? [], ['=1+1', '=2']]],
  [
    'with what a spreadsheet made of numbers',
    '9.89121E+11,0912 123,+98',
    [['9.89121E+11', '0912 123', '+98']],
  ],
  ['with digits of every kind', '۰۹۱۲,٠٩١٢,０９１２,०९', [['۰۹۱۲', '٠٩١٢', '０９１２', '०९']]],
  ['with marks of direction', '\u2066+98912\u2069,\u200e09', [['\u2066+98912\u2069', '\u200e09']]],
  ['with emoji of many parts', '👩‍👩‍👧,é', [['👩‍👩‍👧', 'é']]],
];

const html = '<!DOCTYPE html><html><body><table><tr><td>09121234567</td></tr></table></body></html>';

/** What is no table, or none that can be trusted, and the reason that is given. */
const REFUSED: readonly (readonly [what: string, content: Buffer | string, reason: string])[] = [
  ['a web page', html, 'not_a_table'],
  ['a web page in UTF-16', utf16(`\ufeff${html}`), 'not_a_table'],
  ['XML', '\n <?xml version="1.0"?><a/>', 'not_a_table'],
  ['a PDF', '%PDF-1.4\n1 0 obj', 'not_a_table'],
  ['a text of a word processor', String.raw`{\rtf1 0912}`, 'not_a_table'],
  ['a compressed file', gzipSync('a,b\n1,2\n'), 'not_a_table'],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'not_a_table'],
  ['an old workbook', Buffer.from(`d0cf11e0a1b11ae1${'00'.repeat(600)}`, 'hex'), 'not_a_table'],
  ['a program', Buffer.from('7f454c46020101000000000000000000', 'hex'), 'not_a_table'],
  ['a text with a zero', 'a,b\n1,2\u0000\n', 'not_a_table'],
  ['nothing but zeros', Buffer.alloc(5_000), 'not_a_table'],
  ['a text with the sign of a bell', 'a,b\n1,\u0007\n', 'not_a_table'],
  ['UTF-32', Buffer.from('fffe00006100000062000000', 'hex'), 'not_a_table'],
  ['a text cut within a letter', Buffer.from('a,سلام').subarray(0, -1), 'damaged'],
  ['one of UTF-16 cut within a letter', utf16('\ufeffa,b').subarray(0, -1), 'damaged'],
  ['a text in two encodings', Buffer.concat([Buffer.from('سلام\n'), Buffer.from([0xe1])]), 'damaged'],
  [
    'the same with more behind',
    Buffer.concat([Buffer.from('سلام\n'), Buffer.from([0xe1, 0x0a])]),
    'mixed_encoding',
  ],
  ['a quote without end', 'a,b\n"1,2\n3,4\n', 'open_quote'],
  ['a quote that would take lines with it', 'a,b\n"1,2\n"3",4\n', 'open_quote'],
  ['16,384 columns', `${'1,'.repeat(16_383)}1`, 'too_wide'],
  ['a row of 17,000 separators', ';'.repeat(17_000), 'too_wide'],
  ['a long cell', 'x'.repeat(40_000), 'too_long_cell'],
];

describe('a CSV of the field', () => {
  it.each(READABLE)('is read, at once and in blocks: %s', async (_, content, rows) => {
    expect(await read(content)).toEqual(rows);
    const { format, rows: blocks } = await streamed(content);
    expect(format).toBe('csv');
    expect(blocks.map(({ cells }) => cells)).toEqual(rows);
  });

  it.each(REFUSED)('is refused, at once and in blocks: %s', async (_, content, reason) => {
    expect(await refusal(content)).toBe(reason);
    expect((await streamRefusal(content))['reason']).toBe(reason);
  });

  it('may say anything in its cells that is text', async () => {
    const texts = NAUGHTY.filter((text) => !/[\p{Cc}--[\t\n\r\x7f-\x9f]]/v.test(text)).map((text) =>
      text.toWellFormed(),
    );
    expect(texts.length).toBeGreaterThan(100);
    const rows = texts.map((text, index) => [String(index), text, 'end']);
    const quoted = rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';'));
    for (const content of [quoted.join('\n'), utf16(`\ufeff${quoted.join('\r\n')}`)]) {
      expect(await cellsOf(content)).toEqual(rows);
    }
    const tables = createTables();
    const [header = [], ...others] = rows;
    for (const format of ['csv', 'xlsx'] as const) {
      const written = await tables.write({ header, rows: others }, format);
      expect((await cellsOf(written)).map(([place]) => place)).toEqual(rows.map(([place]) => place));
    }
  });
});

describe('a workbook of the field', () => {
  const SHEET = 'xl/worksheets/sheet1.xml';

  it.each([
    [
      'numbers of phones',
      row(...['9121234567', '9.89121234567E+11', '989121234567.0'].map(number)),
      ['9121234567', '989121234567', '989121234567'],
    ],
    [
      'numbers whose digits were lost',
      row(...['9.12E+09', '9.89E+11', '9.8912E+11'].map(number)),
      ['9.12E+09', '9.89E+11', '9.8912E+11'],
    ],
    [
      'numbers as texts',
      row('<c t="str"><v>09121234567</v></c>', '<c t="str"><v>9.12E+09</v></c>'),
      ['09121234567', '9.12E+09'],
    ],
    ['dates and fractions', row(number('45983'), number('0.1'), number('1E-3')), ['45983', '0.1', '1E-3']],
    ['cells that are one', row(number('1'), '<c r="B1"/>', number('3')), ['1', '', '3']],
    ['a type that nobody knows', row('<c t="__proto__"><v>1</v></c>'), ['1']],
    [
      'texts that every object has',
      row('<c t="inlineStr"><is><t>constructor</t></is></c>', '<c t="str"><v>__proto__</v></c>'),
      ['constructor', '__proto__'],
    ],
    ['what no text can hold', row('<c t="str"><v>a_x0000_b_xD800_</v></c>'), ['a\ufffdb\ufffd']],
  ])('is read: %s', async (_, rows, cells) => {
    expect(await cellsOf(await workbook({ rows }))).toEqual([cells]);
  });

  it.each([
    ['a place that is none', row('<c r="__proto__1"><v>1</v></c>'), 'damaged'],
    ['a text that is not there', row('<c t="s"><v>__proto__</v></c>'), 'damaged'],
    ['16,384 columns', row('<c r="XFD1"><v>1</v></c>'), 'too_wide'],
  ])('is refused: %s', async (_, rows, reason) => {
    expect(await streamRefusal(await workbook({ rows }))).toMatchObject({ reason });
  });

  it('is refused where its relations are none', async () => {
    const parts = {
      'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="__proto__"/></Relationships>',
    };
    expect(await streamRefusal(await workbook({ parts }))).toEqual({ reason: 'not_a_table' });
  });

  it('may have macros, and is no workbook of another make', async () => {
    const macros = { 'xl/vbaProject.bin': Buffer.alloc(2_000, 7) };
    expect(await cellsOf(await workbook({ rows: row(number('1')), parts: macros }))).toEqual([['1']]);
    const binary = {
      '_rels/.rels':
        '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>',
      'xl/workbook.bin': Buffer.alloc(100, 1),
    };
    expect(await streamRefusal(await workbook({ parts: binary }))).toEqual({ reason: 'not_a_table' });
    const sheets = { 'content.xml': '<office/>', mimetype: 'application/vnd.oasis.opendocument.spreadsheet' };
    const parts = Object.entries(sheets).map(([path, text]) => ({ path, content: Buffer.from(text) }));
    expect(await streamRefusal(await zip(parts))).toEqual({ reason: 'not_a_table' });
  });

  it('is refused where its sheet holds entities', async () => {
    const entities = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>';
    const sheet = `${entities}<worksheet><sheetData>${row('<c t="str"><v>&c;</v></c>')}</sheetData></worksheet>`;
    expect(await streamRefusal(await workbook({ parts: { [SHEET]: sheet } }))).toEqual({ reason: 'damaged' });
  });
});

describe('a cell of an export', () => {
  const SIGNS = Array.from('=+-@＝＋－＠﹦﹢﹣﹫');
  const BEFORE = ['', ' ', '  ', '\u00a0', '\u3000', '\t', '\r', '\n', '"', "'", ' \t'];

  it.each(SIGNS)('does not begin with %s in a CSV, whatever stands before it', async (sign) => {
    for (const before of BEFORE) {
      const cell = `${before}${sign}SUM(1)`;
      const written = new TextDecoder().decode(
        await createTables().write({ header: [cell], rows: [] }, 'csv'),
      );
      expect(written, JSON.stringify(cell)).toMatch(/^\s*"?\s*'/);
      expect(await cellsOf(written)).toEqual([[cell]]);
    }
  });
});

async function cellsOf(content: Uint8Array | string, limits?: TableLimits): Promise<Rows> {
  return (await streamed(content, limits)).rows.map(({ cells }) => cells);
}
