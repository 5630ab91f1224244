import type { GetColumnData } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type * as schema from './schema.ts';

type Schema = typeof schema;
type Tables = {
  [K in keyof Schema as Schema[K] extends PgTable ? Schema[K]['_']['name'] : never]: Schema[K];
};
/** A table, as SQL calls it. */
export type TableName = keyof Tables;
type Columns<T extends TableName> = Tables[T] extends PgTable ? Tables[T]['_']['columns'] : never;
type Data<T extends TableName> = {
  [
    K in keyof Columns<T> as Columns<T>[K] extends AnyPgColumn ? Columns<T>[K]['_']['name'] : never
  ]: Columns<T>[K] extends AnyPgColumn ? GetColumnData<Columns<T>[K]> : never;
};
/** A column of a table, as SQL calls it. */
export type ColumnName<T extends TableName> = keyof Data<T> & string;

/**
 * What a statement returns of a table: its columns as SQL calls them, with the types of the schema.
 * @example
 * const rows = await sql<(Row<'binding', 'id' | 'key_tail as keyTail'> & Row<'chat', 'title'>)[]>`
 *   select b.id, b.key_tail as "keyTail", c.title from binding b join chat c on c.id = b.chat_id`;
 */
export type Row<T extends TableName, C extends ColumnName<T> | `${ColumnName<T>} as ${string}`> = {
  readonly [
    S in C as S extends `${string} as ${infer Alias}` ? Alias : S
  ]: Data<T>[S extends `${infer Name extends ColumnName<T>} as ${string}` ? Name : S & ColumnName<T>];
};

/** The same of a table that an outer join may find no row of. */
export type Maybe<R> = { readonly [K in keyof R]: R[K] | null };

/** The same of columns that the statement's condition leaves no null in. */
export type NotNull<R> = { readonly [K in keyof R]: NonNullable<R[K]> };
