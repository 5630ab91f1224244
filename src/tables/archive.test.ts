import { describe, expect, it } from 'vitest';
import { unpackedLimit } from './limits.ts';
import { number, row, streamed, streamRefusal, workbook } from './testing/files.ts';
import { zip } from './testing/zip.ts';

const SHEET = 'xl/worksheets/sheet1.xml';
const ROWS = row(number('1')).repeat(50);

describe('a zip whose directory lies', () => {
  it('is refused where two files share their bytes', async () => {
    const sheet = `<worksheet><sheetData>${ROWS}</sheetData></worksheet>`;
    const content = Buffer.from(
      await workbook({ parts: { [SHEET]: sheet, 'xl/worksheets/sheet2.xml': sheet } }),
    );
    expect((await streamed(content)).rows).toHaveLength(50);
    const place = content.readUInt32LE(directoryEntry(content, SHEET) + PLACE);
    content.writeUInt32LE(place, directoryEntry(content, 'xl/worksheets/sheet2.xml') + PLACE);
    expect(await streamRefusal(content)).toEqual({ reason: 'damaged' });
  });

  it('is refused where one file reaches into the next', async () => {
    const content = Buffer.from(await workbook({ rows: ROWS, parts: { 'xl/a.xml': 'a', 'xl/b.xml': 'b' } }));
    content.writeUInt32LE(500, directoryEntry(content, 'xl/a.xml') + PACKED);
    expect(await streamRefusal(content)).toEqual({ reason: 'damaged' });
  });

  it('is taken at the word of its directory where a file says another size of itself', async () => {
    for (const size of [0, 1, 0xffffffff]) {
      const content = Buffer.from(await workbook({ rows: ROWS }));
      const file = content.indexOf(SHEET) - 30;
      content.writeUInt32LE(size, file + 18);
      content.writeUInt32LE(size, file + 22);
      expect((await streamed(content)).rows).toHaveLength(50);
    }
  });

  it('is refused where a name leads out of it', async () => {
    for (const path of ['../../etc/passwd', '/etc/passwd', 'C:/x']) {
      const content = Buffer.from('x');
      expect(await streamRefusal(await zip([{ path, content }])), path).toEqual({ reason: 'damaged' });
    }
  });

  it('is no workbook where it holds further zips', async () => {
    let content = await zip([{ path: 'a.xml', content: Buffer.alloc(1_000_000) }]);
    for (let depth = 0; depth < 5; depth += 1) {
      const inner = content;
      content = await zip(['a', 'b', 'c', 'd'].map((path) => ({ path: `${path}.zip`, content: inner })));
    }
    expect(await streamRefusal(content)).toEqual({ reason: 'not_a_table' });
  });
});

describe('a workbook under a password', () => {
  it('says so: what Excel makes', async () => {
    const mark = Buffer.from('d0cf11e0a1b11ae1', 'hex');
    const list = Buffer.from('EncryptedPackage', 'utf16le');
    // Where the list of what it holds lies is different in each; once over the end of a piece.
    for (const before of [0, 1_024, 65_536 - 8 - 11]) {
      const content = Buffer.concat([mark, Buffer.alloc(before), list, Buffer.alloc(512)]);
      expect(await streamRefusal(content)).toEqual({ reason: 'encrypted' });
    }
  });

  it('says so: a zip with a password of its own', async () => {
    const content = Buffer.from(await workbook({ rows: ROWS }));
    const flags = directoryEntry(content, SHEET) + 8;
    content.writeUInt16LE(content.readUInt16LE(flags) | 1, flags);
    expect(await streamRefusal(content)).toEqual({ reason: 'encrypted' });
  });
});

describe('what a workbook may unpack to', () => {
  it('is a hundred times itself, 64 MB where that is less, 256 MB at most', () => {
    const mega = 2 ** 20;
    expect([1_000, mega, 2 * mega, 20 * mega].map((bytes) => unpackedLimit(bytes) / mega)).toEqual([
      64, 100, 200, 256,
    ]);
  });

  it('ends a bomb', async () => {
    const filler = `<a/><!--${'x'.repeat(100_000)}-->`;
    const bomb = (megabytes: number) => workbook({ rows: ROWS + filler.repeat(megabytes * 10) });
    expect((await streamed(await bomb(60))).rows).toHaveLength(50);
    expect(await streamRefusal(await bomb(70))).toEqual({ reason: 'too_large' });
  });
});

/** Places in a directory's entry. */
const PACKED = 20;
const PLACE = 42;

/** Where the directory's entry for a file begins. */
function directoryEntry(content: Buffer, path: string): number {
  return content.lastIndexOf(path) - 46;
}
