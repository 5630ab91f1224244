import type postgres from 'postgres';

export interface Rights {
  /** Of the server. */
  readonly version: string;
  /** Its user may make schemas, and tables where Peyk's lie. */
  readonly mayCreate: boolean;
  /** Tables there that another user owns, so that no migration can change them. */
  readonly foreignTables: number;
  /** The server's clock, in milliseconds since 1970. */
  readonly now: number;
}

/** What the user of the database may do there, which migrations need. Reads alone. */
export async function readRights(sql: postgres.Sql): Promise<Rights> {
  const [row] = await sql<{ version: string; may_create: boolean; foreign_tables: number; now: number }[]>`
    select current_setting('server_version') as version,
      has_database_privilege(current_database(), 'create')
        and coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
      (select count(*)::int from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and c.relkind in ('r', 'p')
          and not pg_has_role(c.relowner, 'usage')) as foreign_tables,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
  if (row === undefined) throw new Error('rights without an answer');
  return {
    version: row.version,
    mayCreate: row.may_create,
    foreignTables: row.foreign_tables,
    now: row.now,
  };
}
