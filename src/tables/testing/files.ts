import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAppError, type ErrorParams } from '../../domain/errors.ts';
import type { StreamedTable, TableLimits, TableRow } from '../../ports/tables.ts';
import { createTables } from '../tables.ts';
import { zip, type ZipPart } from './zip.ts';

/** Rows of a file, its name of no account. */
export async function read(content: Uint8Array | string, limits?: { rows?: number }) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return await createTables().read({ name: 'file', content: bytes }, limits);
}

/** The `reason` for which reading refuses a file; the test fails where it refuses with anything else, or reads it. */
export async function refusal(content: Uint8Array | string, limits?: { rows?: number }): Promise<unknown> {
  const result = await read(content, limits).catch((error: unknown) => error);
  if (isAppError(result, 'bad_input')) return result.params['reason'];
  throw new Error('not refused as a file is', { cause: result });
}

/** A file on disk, for as long as `use` takes. */
export async function onDisk<T>(content: Uint8Array | string, use: (path: string) => Promise<T>): Promise<T> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'peyk-tables-'));
  const path = join(folder.path, 'file');
  await writeFile(path, content);
  return await use(path);
}

export interface Streamed extends Pick<StreamedTable, 'format' | 'sheet'> {
  readonly rows: readonly TableRow[];
  /** How many rows each block has. */
  readonly blocks: readonly number[];
}

/** All that is streamed of a file on disk. */
export async function streamed(content: Uint8Array | string, limits?: TableLimits): Promise<Streamed> {
  return await onDisk(content, async (path) => {
    const { format, sheet, blocks } = await createTables().stream({ name: 'file', path }, limits);
    const all: TableRow[][] = [];
    for await (const block of blocks) all.push([...block]);
    return { format, sheet, rows: all.flat(), blocks: all.map((block) => block.length) };
  });
}

/** For what streaming refuses a file. */
export async function streamRefusal(
  content: Uint8Array | string,
  limits?: TableLimits,
): Promise<Omit<ErrorParams, 'field'>> {
  const result = await streamed(content, limits).catch((error: unknown) => error);
  if (!isAppError(result, 'bad_input')) throw new Error('not refused as a file is', { cause: result });
  const { field, ...rest } = result.params;
  if (field !== 'file') throw new Error('refused for another field', { cause: result });
  return rest;
}

export interface WorkbookParts {
  /** What stands between `<sheetData>` and its end. */
  readonly rows?: string;
  /** The name of the sheet, in XML. */
  readonly sheet?: string;
  /** What stands between `<sst>` and its end. */
  readonly strings?: string;
  /** Parts instead of, or beside, those that are made here; null leaves one out. */
  readonly parts?: Readonly<Record<string, string | Uint8Array | null>>;
}

/** A workbook with the parts that Excel writes. */
export async function workbook({
  rows = '',
  sheet = 'A',
  strings,
  parts = {},
}: WorkbookParts): Promise<Uint8Array> {
  const sharing = `<Relationship Id="rId9" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/>`;
  const all: Record<string, string | Uint8Array | null> = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations(
      `<Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/>`,
    ),
    'xl/workbook.xml': `<workbook xmlns:r="${OFFICE}"><sheets><sheet name="${sheet}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      `<Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>${strings === undefined ? '' : sharing}`,
    ),
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...(strings === undefined ? {} : { 'xl/sharedStrings.xml': `<sst>${strings}</sst>` }),
    ...parts,
  };
  const encoder = new TextEncoder();
  return await zip(
    Object.entries(all).flatMap(([path, content]): ZipPart[] => {
      if (content === null) return [];
      return [{ path, content: typeof content === 'string' ? encoder.encode(content) : content }];
    }),
  );
}

export const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export function relations(content: string): string {
  return `<?xml version="1.0"?><Relationships>${content}</Relationships>`;
}

/** Cells of one row, in columns without names. */
export function row(...cells: readonly string[]): string {
  return `<row>${cells.join('')}</row>`;
}

export function number(value: string): string {
  return `<c><v>${value}</v></c>`;
}
