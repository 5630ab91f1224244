import type { PendingQuery, Row as AnyRow, TransactionSql } from 'postgres';
import type { ColumnName, TableName } from '../row.ts';

type Fragment = PendingQuery<AnyRow[]>;

/**
 * Copies rows of a table with every column that it has, so that a new one is copied unless somebody says otherwise.
 * @param how `given`: what the copies have of their own; `fresh`: what begins with its default.
 */
export async function copyRows<T extends TableName>(
  tx: TransactionSql,
  table: T,
  {
    where,
    given,
    fresh = [],
  }: {
    readonly where: Fragment;
    readonly given: { readonly [C in ColumnName<T>]?: Fragment };
    readonly fresh?: readonly ColumnName<T>[];
  },
): Promise<void> {
  const name: string = table;
  const own = new Map(Object.entries<Fragment | undefined>(given));
  const columns = await columnsBut(tx, table, fresh);
  const values = columns.map((column) => own.get(column) ?? tx`${tx(column)}`);
  await tx`
    insert into ${tx(name)} (${tx(columns)})
    select ${values.reduce((list, value) => tx`${list}, ${value}`)} from ${tx(name)} where ${where}`;
}

/** Lists the columns of a table that can be written, without those that are named. */
export async function columnsBut<T extends TableName>(
  tx: TransactionSql,
  table: T,
  but: readonly ColumnName<T>[],
): Promise<string[]> {
  const without = new Set<string>(but);
  // Asked of Postgres: to load the tables of schema.ts takes a process longer than all that it needs besides.
  const columns = await tx<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`;
  return columns.map(({ name }) => name).filter((name) => !without.has(name));
}
