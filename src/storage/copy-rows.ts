import { getTableColumns, getTableName } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { PendingQuery, Row, TransactionSql } from 'postgres';

/** A column by its name in schema.ts. */
export type ColumnOf<T extends PgTable> = keyof T['_']['columns'] & string;

type Fragment = PendingQuery<Row[]>;

/**
 * Copies rows of a table with every column of the schema, so that a new one is copied unless somebody says otherwise.
 * @param how `given`: what the copies have of their own; `fresh`: what begins with its default.
 */
export async function copyRows<T extends PgTable>(
  tx: TransactionSql,
  table: T,
  {
    where,
    given,
    fresh = [],
  }: {
    readonly where: Fragment;
    readonly given: { readonly [C in ColumnOf<T>]?: Fragment };
    readonly fresh?: readonly ColumnOf<T>[];
  },
): Promise<void> {
  const name: string = getTableName(table);
  const own = new Map(Object.entries<Fragment | undefined>(given));
  const columns = columnsBut(table, fresh);
  const values = columns.map((column) => own.get(column.key) ?? tx`${tx(column.name)}`);
  await tx`
    insert into ${tx(name)} (${tx(columns.map((column) => column.name))})
    select ${values.reduce((list, value) => tx`${list}, ${value}`)} from ${tx(name)} where ${where}`;
}

/** Lists the columns of a table that can be written, without those that are named. */
export function columnsBut<T extends PgTable>(
  table: T,
  but: readonly ColumnOf<T>[],
): readonly { readonly key: string; readonly name: string }[] {
  const without = new Set<string>(but);
  return Object.entries(getTableColumns(table))
    .filter(([key, { generated }]) => !without.has(key) && generated === undefined)
    .map(([key, { name }]) => ({ key, name }));
}
