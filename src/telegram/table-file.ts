import type { Table, TableFormat, Tables } from '../ports/tables.ts';
import type { Html } from './html.ts';
import type { Turn } from './turn.ts';

export interface TableFile {
  /** Without an ending. */
  readonly name: string;
  readonly table: Table;
  /** CSV unless told otherwise. */
  readonly format?: TableFormat;
  readonly caption?: Html;
}

/** Sends rows as a file into this chat and topic. */
export async function sendTable(
  turn: Pick<Turn, 'sendFile'>,
  { name, table, format = 'csv', caption }: TableFile,
  tables: Pick<Tables, 'write'>,
): Promise<void> {
  const content = await tables.write(table, format);
  await turn.sendFile({ name: `${name}.${format}`, content }, caption === undefined ? {} : { caption });
}
