import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STREAM_LIMITS } from './limits.ts';
import { createTables } from './tables.ts';
import { number, onDisk, row, streamed, streamRefusal, workbook } from './testing/files.ts';

describe('a file that is streamed', () => {
  it('comes in blocks of at most a thousand rows, each with its place in the file', async () => {
    const lines = Array.from({ length: 2_500 }, (_, index) => `0912${index},n${index}`);
    const { format, sheet, rows, blocks } = await streamed(`phone,name\n\n${lines.join('\n\n')}\n`);
    expect({ format, sheet, blocks }).toEqual({ format: 'csv', sheet: null, blocks: [1000, 1000, 501] });
    expect(rows[0]).toEqual({ number: 1, cells: ['phone', 'name'] });
    expect(rows[1]).toEqual({ number: 3, cells: ['09120', 'n0'] });
    expect(rows[2_500]).toEqual({ number: 5_001, cells: ['09122499', 'n2499'] });
  });

  it('comes in shorter blocks where its rows are long', async () => {
    const wide = Array.from({ length: 20 }, () => 'x'.repeat(30_000)).join(',');
    const { blocks, rows } = await streamed(`${wide}\n`.repeat(5));
    expect(blocks).toEqual([2, 2, 1]);
    expect(rows.map(({ cells }) => cells.length)).toEqual([20, 20, 20, 20, 20]);
  });

  it('counts a row with line ends in it as one, as a spreadsheet does, and not the line that names a separator', async () => {
    const { rows } = await streamed('sep=;\r\na;"b\r\nc"\r\n;;\r\nd;e,f\r\n');
    expect(rows).toEqual([
      { number: 1, cells: ['a', 'b\r\nc'] },
      { number: 3, cells: ['d', 'e,f'] },
    ]);
  });

  it('gives the rows of a workbook where they say they are, and the name of the sheet', async () => {
    const rows =
      '<row r="2"><c r="A2"><v>1</v></c></row><row><c><v>2</v></c></row>' +
      '<row r="1"><c><v>3</v></c></row><row r="x"/><row r="9"><c r="B9"><v>4</v></c></row>';
    expect(await streamed(await workbook({ rows, sheet: 'مشتری‌ها &amp; ۱' }))).toEqual({
      format: 'xlsx',
      sheet: 'مشتری‌ها & ۱',
      blocks: [4],
      rows: [
        { number: 2, cells: ['1'] },
        { number: 3, cells: ['2'] },
        { number: 4, cells: ['3'] },
        { number: 9, cells: ['', '4'] },
      ],
    });
  });

  it('may be read again, and is closed by whoever stops early', async () => {
    const files = ['0912,x\n'.repeat(50_000), await workbook({ rows: row(number('1')).repeat(50_000) })];
    for (const content of files) {
      await onDisk(content, async (path) => {
        const { blocks } = await createTables().stream({ name: 'x', path });
        for (let round = 0; round < 3; round += 1) {
          for await (const block of blocks) {
            expect(block).toHaveLength(1_000);
            break;
          }
        }
        let rows = 0;
        for await (const block of blocks) rows += block.length;
        expect(rows).toBe(50_000);
        await expect.poll(async () => await openFilesAt(path)).toBe(0);
      });
    }
  });

  it('is closed when it is refused', async () => {
    const broken = await workbook({ rows: row(number('1')).repeat(5_000) + row(number('&x;')) });
    for (const content of [`${'0912,x\n'.repeat(50_000)}"`, broken, broken.subarray(0, -9)]) {
      await onDisk(content, async (path) => {
        const read = async () => {
          for await (const _ of (await createTables().stream({ name: 'x', path })).blocks);
        };
        await expect(read()).rejects.toMatchObject({ code: 'bad_input' });
        await expect.poll(async () => await openFilesAt(path)).toBe(0);
      });
    }
  });

  it('is refused before its blocks are read where its first bytes show that it is no table', async () => {
    for (const content of ['<html><table>', '%PDF-1.7\n', 'PK\u0003\u0004', 'a,b\u0000']) {
      await onDisk(content, async (path) => {
        await expect(createTables().stream({ name: 'list.csv', path })).rejects.toMatchObject({
          code: 'bad_input',
        });
      });
    }
  });
});

describe('the limits of a file that is streamed', () => {
  it('are rows, a first one with the names of the columns aside', async () => {
    expect((await streamed('n\n1\n\n2\n', { csvRows: 2 })).rows).toHaveLength(3);
    expect(await streamRefusal('n\n1\n\n2\n3', { csvRows: 2 })).toEqual({
      reason: 'too_many_rows',
      limit: 2,
    });
    const rows = row(number('1')).repeat(4);
    expect((await streamed(await workbook({ rows }), { xlsxRows: 3 })).rows).toHaveLength(4);
    expect(await streamRefusal(await workbook({ rows }), { xlsxRows: 2, csvRows: 9 })).toEqual({
      reason: 'too_many_rows',
      limit: 2,
    });
  });

  it('are a million rows of a CSV, 200,000 of a workbook', async () => {
    const line = '0912,n\n'.repeat(STREAM_LIMITS.csvRows + 1);
    expect((await streamed(line)).rows.at(-1)?.number).toBe(1_000_001);
    expect(await streamRefusal(`${line}1`)).toEqual({ reason: 'too_many_rows', limit: 1_000_000 });
    const rows = row(number('1')).repeat(STREAM_LIMITS.xlsxRows + 1);
    expect((await streamed(await workbook({ rows }))).rows.at(-1)?.number).toBe(200_001);
    expect(await streamRefusal(await workbook({ rows: rows + row(number('1')) }))).toEqual({
      reason: 'too_many_rows',
      limit: 200_000,
    });
  });

  it('are bytes on disk, whatever they hold', async () => {
    expect(await streamRefusal('1\n2\n', { bytes: 3 })).toEqual({ reason: 'too_large' });
    expect(await streamRefusal(Buffer.alloc(STREAM_LIMITS.bytes + 1, '1\n'))).toEqual({
      reason: 'too_large',
    });
    expect(await streamRefusal(await workbook({ rows: row(number('1')) }), { bytes: 99 })).toEqual({
      reason: 'too_large',
    });
  });

  it('are columns and cells, and say where', async () => {
    expect(await streamRefusal('a,b\n1,2,3\n', { columns: 2 })).toEqual({
      reason: 'too_wide',
      limit: 2,
      row: 2,
    });
    expect(await streamRefusal('a\n\n"1234"\n', { cell: 3 })).toEqual({
      reason: 'too_long_cell',
      limit: 3,
      row: 3,
    });
    expect((await streamed('"""""a"\n', { cell: 3 })).rows[0]?.cells).toEqual(['""a']);
    const rows = row(number('1')) + row(number('1'), number('1234'));
    expect(await streamRefusal(await workbook({ rows }), { cell: 3 })).toEqual({
      reason: 'too_long_cell',
      limit: 3,
      row: 2,
    });
    expect(await streamRefusal(await workbook({ rows }), { columns: 1 })).toEqual({
      reason: 'too_wide',
      limit: 1,
      row: 2,
    });
  });

  it('are no file without a row', async () => {
    const files = [
      '',
      '\ufeff',
      '\n\r\n , ,\n',
      '""',
      await workbook({}),
      await workbook({ rows: '<row/>' }),
    ];
    for (const content of files) expect(await streamRefusal(content)).toEqual({ reason: 'empty' });
  });
});

const OPEN = '/proc/self/fd';

/** How many files this process has open at a path, where the system says. */
async function openFilesAt(path: string): Promise<number> {
  const links = await Promise.all(
    (await readdir(OPEN).catch(() => [])).map(async (fd) => await readlink(join(OPEN, fd)).catch(() => '')),
  );
  return links.filter((link) => link === path).length;
}
