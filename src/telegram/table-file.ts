import type { Table, TableFormat, Tables } from '../ports/tables.ts';
import type { ActionButton } from './buttons.ts';
import type { Html } from './html.ts';
import type { RequestContext } from './request-context.ts';

export interface TableFile {
  /** Without an ending. */
  readonly name: string;
  readonly table: Table;
  /** CSV unless told otherwise. */
  readonly format?: TableFormat;
  readonly caption?: Html;
}

/** What stands on the button that asks for a file, in either language. */
export const FILE_LABELS: Readonly<Record<TableFormat, string>> = { csv: '⬇ CSV', xlsx: '⬇ XLSX' };

/** Makes the buttons that ask for a file of something, one for each format. */
export function fileButtons<P extends object>(
  action: { button(label: string, payload: P & { readonly format: TableFormat }): ActionButton },
  of: P,
): ActionButton[] {
  return (['csv', 'xlsx'] as const).map((format) => action.button(FILE_LABELS[format], { ...of, format }));
}

/** Sends rows as a file into this chat and topic. */
export async function sendTable(
  request: Pick<RequestContext, 'sendFile'>,
  { name, table, format = 'csv', caption }: TableFile,
  tables: Pick<Tables, 'write'>,
): Promise<void> {
  const content = await tables.write(table, format);
  await request.sendFile({ name: `${name}.${format}`, content }, caption === undefined ? {} : { caption });
}
