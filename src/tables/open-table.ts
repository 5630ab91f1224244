import type { StreamedTable, TableFormat, TableRow } from '../ports/tables.ts';
import { openArchive } from './archive.ts';
import type { ByteSource } from './byte-source.ts';
import { decodeText } from './decode-text.ts';
import { markLimit, type Limits } from './limits.ts';
import { readCsv } from './read-csv.ts';
import { isVcf, readVcf } from './read-vcf.ts';
import { readXlsx } from './read-xlsx.ts';
import { tableProblem } from './table-problem.ts';
import { findParts } from './workbook.ts';
import { countMarks } from './xml.ts';

/**
 * Finds out what a file is, which its first bytes say; its name may say anything. Nothing is open when this
 * returns: each loop over the blocks reads the file anew. Throws `not_a_table`, `encrypted`, `too_large`, `damaged`.
 */
export async function openTable(
  source: ByteSource,
  limitsOf: (format: TableFormat, bytes: number) => Limits,
): Promise<StreamedTable> {
  const bytes = await source.size();
  const head = (await firstOf(source.pieces())) ?? new Uint8Array();
  if (startsWith(head, OLD_OFFICE))
    throw tableProblem((await isEncrypted(source)) ? 'encrypted' : 'not_a_table');
  const format = ZIPS.some((mark) => startsWith(head, mark)) ? 'xlsx' : 'csv';
  const limits = limitsOf(format, bytes);
  if (bytes > limits.bytes) throw tableProblem('too_large');
  return format === 'csv' ? await openCsv(source, limits) : await openXlsx(source, limits, markLimit(bytes));
}

/** A CSV, or an address book, whose rows are as those of one. */
async function openCsv(source: ByteSource, limits: Limits): Promise<StreamedTable> {
  // What it holds first: whether that is text at all, and of what.
  const head = (await firstOf(decodeText(source.pieces(), { row: 1 }))) ?? '';
  const read = isVcf(head) ? readVcf : readCsv;
  return { format: 'csv', sheet: null, blocks: each(() => read(source, limits)) };
}

async function openXlsx(source: ByteSource, limits: Limits, marks: number): Promise<StreamedTable> {
  using archive = await openArchive(source, limits.unpacked);
  const parts = await findParts(archive, countMarks(marks));
  return {
    format: 'xlsx',
    sheet: parts.name,
    blocks: each(async function* () {
      using opened = await openArchive(source, limits.unpacked);
      yield* readXlsx(opened, parts, limits, countMarks(marks));
    }),
  };
}

function each(read: () => AsyncIterator<readonly TableRow[]>): StreamedTable['blocks'] {
  return { [Symbol.asyncIterator]: read };
}

/** Leaving the loop closes what it opened. */
async function firstOf<T>(items: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of items) return item;
  return undefined;
}

function startsWith(content: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => content[index] === byte);
}

/** `.xls`, and any Office file under a password. */
const OLD_OFFICE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** The second is an empty zip. */
const ZIPS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x50, 0x4b, 0x05, 0x06],
];

/** A file under a password says so in its list of what it holds, which lies anywhere. */
async function isEncrypted(source: ByteSource): Promise<boolean> {
  let seen = Buffer.alloc(0);
  for await (const piece of source.pieces()) {
    seen = Buffer.concat([seen.subarray(-ENCRYPTED.length), piece]);
    if (seen.includes(ENCRYPTED)) return true;
  }
  return false;
}

const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');
