import { describe, expect, it } from 'vitest';
import { READ_LIMITS } from './limits.ts';
import { read, refusal } from './testing/files.ts';

describe('a CSV', () => {
  it.each([',', ';', '\t', '|', '،', '؛'])('is cut at %j', async (separator) => {
    const lines = [
      ['number', 'name'],
      ['09121234567', 'Sara'],
      ['09351234567', 'رضا'],
    ];
    const text = lines.map((cells) => cells.join(separator)).join('\n');
    expect(await read(text)).toEqual(lines);
  });

  it.each(['\n', '\r\n', '\r'])('has lines that end with %j', async (end) => {
    expect(await read(`a,b${end}1,2${end}${end}3,4${end}`)).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  it('is read in pieces without breaking a character between them', async () => {
    const line = 'a'.repeat(32_767);
    for (const before of [0, 1, 2, 3]) {
      const lines = [line, line.slice(before), '😀😀 می‌رود', line, '😀 end'];
      expect(await read(lines.join('\n'))).toEqual(lines.map((each) => [each]));
    }
  });

  it('keeps separators, quotes and line ends in quotes', async () => {
    expect(await read('number,text\r\n0912,"Hi, ""you""\r\nthere"\r\n')).toEqual([
      ['number', 'text'],
      ['0912', 'Hi, "you"\r\nthere'],
    ]);
  });

  it('takes quotes within a cell, and words behind quotes, as they stand', async () => {
    expect(await read('5" pipe,"a" b\n')).toEqual([['5" pipe', '"a" b']]);
  });

  it('has rows of any length, without their empty ends and without empty rows', async () => {
    expect(await read('a,b,c,,,\n1\n , ,\n\n,2,\n')).toEqual([['a', 'b', 'c'], ['1'], ['', '2']]);
  });

  it('may be one column, one row, or nothing', async () => {
    expect(await read('09121234567\n09351234567')).toEqual([['09121234567'], ['09351234567']]);
    expect(await read('09121234567;09351234567')).toEqual([['09121234567', '09351234567']]);
    expect(await read('')).toEqual([]);
    expect(await read('\n \n')).toEqual([]);
  });

  it('is cut at the sign that all lines share, not at commas of texts', async () => {
    expect(await read('number;text\n0912;Hi, you\n0935;One, two, three\n')).toEqual([
      ['number', 'text'],
      ['0912', 'Hi, you'],
      ['0935', 'One, two, three'],
    ]);
    expect(await read('name;price\nx;1,5\ny;2,5\n')).toEqual([
      ['name', 'price'],
      ['x', '1,5'],
      ['y', '2,5'],
    ]);
    expect(await read('فهرست، تیر\nشماره,نام\n0912,سارا\n')).toEqual([
      ['فهرست، تیر'],
      ['شماره', 'نام'],
      ['0912', 'سارا'],
    ]);
    expect(await read('0912;Hi, you\n0935;Yes, both\n')).toEqual([
      ['0912', 'Hi, you'],
      ['0935', 'Yes, both'],
    ]);
    expect(await read('0912,سلام، خوبی\n0935,بله، خوبم\n')).toEqual([
      ['0912', 'سلام، خوبی'],
      ['0935', 'بله، خوبم'],
    ]);
  });

  it('is cut at the sign that its first line names for Excel', async () => {
    expect(await read('sep=|\r\na,b|c\r\n')).toEqual([['a,b', 'c']]);
  });

  it('loses the apostrophe that keeps spreadsheets from computing, and no other', async () => {
    expect(await read(`'=1+1,'09121234567,'+989121234567,''-x\n`)).toEqual([
      ['=1+1', `'09121234567`, '+989121234567', `'-x`],
    ]);
  });
});

describe('the encoding of a CSV', () => {
  const rows = [
    ['شماره', 'نام'],
    ['۰۹۱۲۱۲۳۴۵۶۷', 'علی گچ‌پژ'],
  ];
  const text = rows.map((cells) => cells.join(',')).join('\r\n');

  it('is UTF-8, with and without its mark', async () => {
    expect(await read(text)).toEqual(rows);
    expect(await read(`\ufeff${text}`)).toEqual(rows);
  });

  it('is UTF-16 in either order where a mark says so', async () => {
    const little = Buffer.from(`\ufeff${text}`, 'utf16le');
    expect(await read(little)).toEqual(rows);
    expect(await read(Buffer.from(little).swap16())).toEqual(rows);
  });

  it('is windows-1256 where it is no valid UTF-8', async () => {
    // علی,سلام، گچ‌پژ
    const bytes = [0xda, 0xe1, 0xed, 0x2c, 0xd3, 0xe1, 0xc7, 0xe3, 0xa1, 0x20, 0x90, 0x8d, 0x9d, 0x81, 0x8e];
    expect(await read(Uint8Array.from(bytes))).toEqual([['علي', 'سلام، گچ‌پژ']]);
  });

  it('is told from a UTF-8 text that broke off within a letter', async () => {
    expect(await refusal(Buffer.from(text).subarray(0, -1))).toBe('damaged');
    expect(await refusal(Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xd8]))).toBe('damaged');
    expect(await refusal(Buffer.from(`\ufeff${text}`, 'utf16le').subarray(0, -1))).toBe('damaged');
  });
});

describe('what is no CSV', () => {
  it.each([
    ['an old .xls', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0x00]],
    ['a picture', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00]],
    ['a PDF', [...Buffer.from('%PDF-1.7\n')]],
    ['a web page', [...Buffer.from('\n<html><table><tr><td>0912')]],
    ['a text with zeros', [...Buffer.from('09121234567\u0000')]],
    ['compressed data', [0x1f, 0x8b, 0x08, 0x00, 0x00]],
  ])('is refused: %s', async (_, bytes) => {
    expect(await refusal(Uint8Array.from(bytes))).toBe('not_a_table');
  });

  it('is refused with a quote that never closes', async () => {
    expect(await refusal('a,b\n1,"2\n3,4\n')).toBe('open_quote');
  });
});

describe('the limits of a CSV', () => {
  it('are 20,000 rows, or as many as are asked for', async () => {
    const lines = '09121234567\n\n'.repeat(READ_LIMITS.rows);
    expect(await read(lines)).toHaveLength(READ_LIMITS.rows);
    expect(await refusal(`${lines}09121234567`)).toBe('too_many_rows');
    expect(await read('1\n2\n', { rows: 2 })).toHaveLength(2);
    expect(await refusal('1\n2\n3\n', { rows: 2 })).toBe('too_many_rows');
    expect(await read('1\n', { rows: 20_001 })).toHaveLength(1);
  });

  it('end a file of empty rows', async () => {
    expect(await refusal(',\n'.repeat(READ_LIMITS.lines + 1))).toBe('too_many_rows');
  });

  it('are 256 columns with something in them', async () => {
    expect(await read(`a${',b'.repeat(255)}${','.repeat(16_000)}`)).toHaveLength(1);
    expect(await refusal(`a${',b'.repeat(256)}`)).toBe('too_wide');
    expect(await refusal(`a${','.repeat(16_384)}b`)).toBe('too_wide');
    expect(await refusal(`a\n${','.repeat(16_385)}\nb`)).toBe('too_wide');
  });

  it('are those of a spreadsheet’s cell', async () => {
    const long = 'x'.repeat(READ_LIMITS.cell);
    expect(await read(`${long},"${long}"`)).toEqual([[long, long]]);
    expect(await refusal(`a,${long}x\n`)).toBe('too_long_cell');
    expect(await refusal(`a,"${long}x"\n`)).toBe('too_long_cell');
  });

  it('end a line of 50 MB, quoted or not', async () => {
    const line = Buffer.alloc(50_000_000, 'x');
    expect(await refusal(line)).toBe('too_long_cell');
    line[0] = 0x22;
    expect(await refusal(line)).toBe('too_long_cell');
    line.fill('"');
    expect(await refusal(line)).toBe('too_long_cell');
  });

  it('are 20 million characters in all, and 50 MB', async () => {
    const rows = `${'x'.repeat(30_000)}\n`.repeat(700);
    expect(await refusal(rows)).toBe('too_large');
    expect(await refusal(Buffer.alloc(READ_LIMITS.unpacked + 1, '\n'))).toBe('too_large');
  });
});
