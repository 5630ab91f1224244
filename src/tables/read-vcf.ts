import { createVCardReader, type VCard } from '../domain/vcard.ts';
import type { TableRow } from '../ports/tables.ts';
import type { ByteSource } from './byte-source.ts';
import { decodeText } from './decode-text.ts';
import type { Limits } from './limits.ts';
import { collectRows } from './row-blocks.ts';

/** As columns of such a table are named; what a person writes in a text for a name is the first. */
const HEADER = ['name', 'mobile'] as const;
/** A picture may be one line of megabytes; of a line that holds a number or a name this is more than all. */
const MAX_LINE = 4000;

/** Whether a text begins as an address book does. */
export function isVcf(text: string): boolean {
  return /^\s*BEGIN:VCARD\s/iu.test(text);
}

/**
 * The cards of an address book as rows in blocks, below a row of names: one for each number, and one for a card without any, so
 * that nobody is left out in silence. Throws what its parts do: `not_a_table`, `mixed_encoding`, `damaged` and what is beyond
 * the limits.
 */
export async function* readVcf(source: ByteSource, limits: Limits): AsyncGenerator<readonly TableRow[]> {
  const rows = collectRows(limits);
  const add = (cells: readonly string[]): void => {
    for (const [column, text] of cells.entries()) rows.put(column, text);
    rows.endRow();
  };
  const addCard = (card: VCard | null): void => {
    if (card === null) return;
    for (const number of card.numbers.length === 0 ? [''] : card.numbers) add([card.name, number]);
  };
  add(HEADER);
  const cards = createVCardReader();
  let line = '';
  for await (const text of decodeText(source.pieces(), rows)) {
    const [rest = '', ...more] = text.split('\n');
    line = (line + rest).slice(0, MAX_LINE);
    for (const next of more) {
      addCard(cards.line(line.replace(/\r$/u, '')));
      line = next.slice(0, MAX_LINE);
    }
    yield* rows.take();
  }
  addCard(cards.line(line.replace(/\r$/u, '')));
  addCard(cards.end());
  yield* rows.take(true);
}
