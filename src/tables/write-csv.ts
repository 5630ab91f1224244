import { stringify } from 'csv-stringify/sync';
import type { Table } from '../ports/tables.ts';
import { cleanText } from './clean-text.ts';
import { guarded } from './formula-guard.ts';

/** UTF-8 with the mark by which Excel knows it; commas, CRLF, no formulas. */
export function writeCsv({ header, rows }: Table): Uint8Array {
  return encode([header, ...rows], true);
}

/** The same for one of any length, a block of rows at a time. */
export async function* writeCsvBlocks(
  blocks: AsyncIterable<readonly (readonly string[])[]>,
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const rows of blocks) {
    if (rows.length === 0) continue;
    yield encode(rows, isFirst);
    isFirst = false;
  }
}

function encode(rows: readonly (readonly string[])[], bom: boolean): Uint8Array {
  const safe = rows.map((row) => row.map((text) => guarded(cleanText(text))));
  const text = stringify(safe, { bom, record_delimiter: '\r\n', quoted_match: SPLITTABLE });
  return new TextEncoder().encode(text);
}

/** All but plain words: other separators are quoted too, so that no program and no reader splits there. */
const SPLITTABLE = /[^\p{L}\p{M}\p{N} ._:/+\u200c-]|^[^\p{L}\p{N}]|\s$/u;
