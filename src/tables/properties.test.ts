import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAppError } from '../domain/errors.ts';
import type { Table, TableFormat } from '../ports/tables.ts';
import { createTables } from './tables.ts';
import { number, row, workbook } from './testing/files.ts';

const tables = createTables();

/** Texts that spreadsheets, separators and parsers take for something else. */
const AWKWARD = fc.constantFrom(
  ...'=1+1 +989121234567 +1 -1 @a ＝1 " "" , ; ، ؛ | sep=; <b> %PDF- _x0041_ _x005F_ &amp; ]]>'.split(' '),
  ...'constructor __proto__ 9.12E+09 09121234567 =HYPERLINK("x") می‌رود'.split(' '),
  ..."\t~\r~\n=~\u0000~\ud800~\uffff~\u0085~\ufeff~\u2028~ ~ a ~ =1~'=~''+x~".split('~'),
);

const CELL = fc.oneof(
  AWKWARD,
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.array(AWKWARD, { maxLength: 4 }).map((texts) => texts.join('')),
);

const tableOf = (rows: number): fc.Arbitrary<Table> =>
  fc.record({
    header: fc.array(CELL, { maxLength: 6 }),
    rows: fc.array(fc.array(CELL, { maxLength: 6 }), { maxLength: rows, size: 'max' }),
  });
const TABLE = tableOf(8);

describe('a file that was written', () => {
  // Making a workbook takes longer than all its cells: as many of these stand in fewer of them.
  it.each([
    ['csv', 1000, 8],
    ['xlsx', 250, 40],
  ] as const)('is read back as it was: %s', async (format, numRuns, most) => {
    await fc.assert(
      fc.asyncProperty(tableOf(most), async (table) => {
        const content = await tables.write(table, format);
        const rows = [table.header, ...table.rows].map((cells) => cells.map((cell) => kept(cell, format)));
        expect(await tables.read({ name: '', content })).toEqual(shown(rows));
      }),
      { numRuns },
    );
  });

  it('has no cell in CSV that begins with the sign of a formula, at whatever separator it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(TABLE, async (table) => {
        const text = new TextDecoder().decode(await tables.write(table, 'csv'));
        const cells = text.match(/(?<=^|,|\n)(?:"(?:[^"]|"")*"|[^",\r\n]*)/g) ?? [];
        const armed = cells
          .map((cell) => cell.replace(/^"/, ''))
          .filter((cell) => /^[\s\ufeff]*[=+\-@＝＋－＠﹦﹢﹣﹫]|^[\t\r\n]/.test(cell));
        expect(armed).toEqual([]);
        expect(text.match(/(?:^|[;|،؛\t\r\n])"*[^\S\t\r\n]*[=+\-@＝＋－＠﹦﹢﹣﹫]/g)).toBeNull();
      }),
      { numRuns: 1000 },
    );
  });

  it('is the same as CSV when it comes in blocks', async () => {
    await fc.assert(
      fc.asyncProperty(TABLE, fc.infiniteStream(fc.nat(3)), async ({ header, rows }, lengths) => {
        const blocks = async function* () {
          const left = [header, ...rows];
          for (const length of lengths) {
            if (left.length === 0) return;
            yield await Promise.resolve(left.splice(0, length));
          }
        };
        const pieces: Uint8Array[] = [];
        for await (const piece of tables.csv(blocks())) pieces.push(piece);
        expect(Buffer.concat(pieces).equals(await tables.write({ header, rows }, 'csv'))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('has nothing but texts in XLSX', async () => {
    await fc.assert(
      fc.asyncProperty(TABLE, async (table) => {
        const sheet = sheetOf(await tables.write(table, 'xlsx'));
        const cells = [...sheet.matchAll(/<c [^>]*>/g)].map(([tag]) => tag);
        expect(cells.filter((tag) => !/ t="(?:s|inlineStr)"/.test(tag))).toEqual([]);
        expect(cells).toHaveLength([table.header, ...table.rows].flat().filter((cell) => cell !== '').length);
        expect(sheet).not.toMatch(/<f[ >]/);
      }),
      { numRuns: 200 },
    );
  });

  it('begins with the mark by which Excel knows UTF-8', async () => {
    const content = await tables.write({ header: ['شماره'], rows: [] }, 'csv');
    expect([...content.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });

  it('writes a phone number in CSV without its plus, and other sums as text', async () => {
    const content = await tables.write({ header: ['+989121234567', '+1', '-5', '2-3'], rows: [] }, 'csv');
    expect(new TextDecoder().decode(content)).toBe(`989121234567,"'+1","'-5",2-3\r\n`);
  });

  it('writes what would be a formula in a spreadsheet that cuts at semicolons, or at each line, as text', async () => {
    const header = ['a;=1+1;"b', 'x\n=2', 'a;"=3', 'a, -b'];
    const content = await tables.write({ header, rows: [] }, 'csv');
    expect(new TextDecoder().decode(content)).toBe(`"a;'=1+1;""b","x\n'=2","a;'""=3","a, -b"\r\n`);
    expect(await tables.read({ name: '', content })).toEqual([header]);
  });

  it('takes spaces behind such a separator for nothing, as at the beginning of a cell', async () => {
    const header = [' =1', 'a; =1', 'x\n  @b', "a;' =1", 'a;\n=1', 'a; b'];
    const content = await tables.write({ header, rows: [] }, 'csv');
    expect(new TextDecoder().decode(content)).toBe(
      `"' =1","a;' =1","x\n'  @b","a;'' =1","a;\n'=1","a; b"\r\n`,
    );
    expect(await tables.read({ name: '', content })).toEqual([header]);
  });
});

describe('a file that is anything', () => {
  const KNOWN = [
    'read',
    'not_a_table',
    'encrypted',
    'too_many_rows',
    'too_wide',
    'too_large',
    'too_long_cell',
    'open_quote',
    'mixed_encoding',
    'damaged',
  ];

  /** How often each outcome was seen. */
  const seen = new Map<string, number>();

  const outcomeOf = async (content: Uint8Array): Promise<unknown> => {
    const outcome = await tables.read({ name: 'x.csv', content }, { rows: 50 }).then(
      () => 'read',
      (error: unknown) => (isAppError(error, 'bad_input') ? error.params['reason'] : error),
    );
    seen.set(String(outcome), (seen.get(String(outcome)) ?? 0) + 1);
    return outcome;
  };

  it('is read, or refused for a reason that is known', async () => {
    const marks = fc.constantFrom(
      '',
      '\u0050\u004b\u0003\u0004',
      '\u0050\u004b\u0005\u0006',
      '\u00ff\u00fe',
      '\u00fe\u00ff',
      '\u00ef\u00bb\u00bf',
    );
    await fc.assert(
      fc.asyncProperty(marks, fc.uint8Array({ maxLength: 300 }), async (mark, bytes) => {
        expect(KNOWN).toContain(await outcomeOf(Buffer.concat([Buffer.from(mark, 'latin1'), bytes])));
      }),
      { numRuns: 3000 },
    );
  });

  it('is so too when it is a good file with other bytes here and there', async () => {
    const rows = row(number('9121234567'), '<c t="s"><v>0</v></c>', '<c t="inlineStr"><is><t>x</t></is></c>');
    const table = { header: ['شماره', 'a "b", c'], rows: [['09121234567', '=1']] };
    const good = [
      await workbook({ rows: rows.repeat(5), strings: '<si><t>سلام</t></si>' }),
      await tables.write(table, 'xlsx'),
      await tables.write(table, 'csv'),
      Buffer.from('\ufeffالف;ب\r\n"a";1', 'utf16le'),
    ];
    const change = fc.record({
      place: fc.nat(),
      byte: fc.nat(255),
      kind: fc.constantFrom('set', 'cut', 'add', 'end'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...good),
        fc.array(change, { minLength: 1, maxLength: 6 }),
        async (content, changes) => {
          let bytes = [...content];
          for (const { place, byte, kind } of changes) {
            const at = place % (bytes.length + 1);
            if (kind === 'end') bytes = bytes.slice(0, at);
            else bytes.splice(at, kind === 'add' ? 0 : 1, ...(kind === 'cut' ? [] : [byte]));
          }
          expect(KNOWN).toContain(await outcomeOf(Uint8Array.from(bytes)));
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('is so too when only the XML within is another', async () => {
    const sheet = `<worksheet><sheetData>${row(number('9121234567'), '<c r="B1" t="s"><v>0</v></c>')}</sheetData></worksheet>`;
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      '"',
      '&',
      '<row>',
      '<c>',
      '<v>',
      ' r="ZZZ9"',
      ' t="s"',
      ']]>',
      '<!DOCTYPE',
      '9E9',
      '\u0000',
      ':',
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(sheet.length), fc.nat(8), piece, async (at, length, text) => {
        const mutated = sheet.slice(0, at) + text + sheet.slice(at + length);
        const parts = { 'xl/worksheets/sheet1.xml': mutated };
        const content = await workbook({ strings: '<si><t>a</t></si>', parts });
        expect(KNOWN).toContain(await outcomeOf(content));
      }),
      { numRuns: 800 },
    );
  });

  it('was all of these in the tests above', () => {
    process.stdout.write(`files of anything: ${JSON.stringify(Object.fromEntries(seen))}\n`);
    for (const outcome of ['read', 'not_a_table', 'damaged']) {
      expect(seen.get(outcome) ?? 0, outcome).toBeGreaterThan(50);
    }
  });
});

/** What writing makes of a cell: what no file can hold is replaced, a phone number loses its plus in CSV. */
function kept(cell: string, format: TableFormat): string {
  const text = Array.from(cell.toWellFormed())
    .map((each) =>
      /^[\p{Cc}\p{Noncharacter_Code_Point}]$/u.test(each) && !/[\t\r\n\u007f-\u009f]/.test(each)
        ? '\ufffd'
        : each,
    )
    .join('');
  return format === 'csv' ? text.replace(/^\+(?=\d{7,15}$)/, '') : text;
}

/** Rows without their empty ends, without those that are empty. */
function shown(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return rows
    .map((cells) => cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1))
    .filter((cells) => cells.length > 0);
}

/** The XML of the sheet, which is the last part of a written workbook. */
function sheetOf(content: Uint8Array): string {
  const bytes = Buffer.from(content);
  const entry = bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46;
  const file = bytes.readUInt32LE(entry + 42);
  const start = file + 30 + bytes.readUInt16LE(file + 26) + bytes.readUInt16LE(file + 28);
  return inflateRawSync(bytes.subarray(start, start + bytes.readUInt32LE(entry + 20))).toString('utf8');
}
