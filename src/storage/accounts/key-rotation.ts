import { bindingAad, printsOfSealed } from './binding-store.ts';
import type { Sealer } from '../keys/crypto.ts';
import type { Database } from '../database/database.ts';
import type { Fingerprint } from '../keys/fingerprint.ts';
import type { NotNull, Row } from '../row.ts';

/** What is sealed, by the name of the master key that it needs. */
export interface SealedCount {
  /** `credentials` are kept; the others are gone by themselves within a day, registrations when their form ends. */
  readonly what: 'credentials' | 'updates' | 'forms' | 'registrations';
  readonly kid: string;
  readonly rows: number;
}

export interface Rotation {
  /** Rows that are under the newest key now and were not before. */
  readonly moved: number;
  /** Rows that none of the keys opens: they stay as they are. */
  readonly unreadable: number;
}

const BATCH = 200;

/** How much stands under which master key. Reads names alone, and opens nothing. */
export async function countSealed({ sql }: Database): Promise<readonly SealedCount[]> {
  const rows = await sql<{ what: SealedCount['what']; kid: string; rows: number }[]>`
    with sealed as (
      select 'credentials' as what, credentials as bytes from binding where credentials is not null
      union all select 'updates', payload from update where payload is not null
      union all select 'forms', state from form
      union all select 'registrations', fields from registration where fields is not null
    )
    select what, convert_from(substring(bytes from 3 for get_byte(bytes, 1)), 'LATIN1') as kid, count(*)::int as rows
    from sealed group by 1, 2 order by 1, 2`;
  return [...rows];
}

/**
 * Brings all credentials under the newest master key, row by row, each in one statement that changes it only if it is
 * still what was read: Peyk may run meanwhile, and a run that was killed is gone on with by the next one. Prints under
 * older keys stay beside the new ones, so that an account is known again by what is written of it elsewhere.
 * @param moving called after each row that was moved
 */
export async function rotateCredentials(
  { sql }: Database,
  keys: { readonly sealer: Sealer; readonly fingerprint: Fingerprint; readonly newest: string },
  moving: () => void = () => undefined,
): Promise<Rotation> {
  const { sealer, fingerprint, newest } = keys;
  let moved = 0;
  let unreadable = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const rows = await sql<NotNull<Row<'binding', 'id' | 'chat_id' | 'credentials'>>[]>`
      select id, chat_id, credentials from binding
      where credentials is not null and id > ${after}
        and convert_from(substring(credentials from 3 for get_byte(credentials, 1)), 'LATIN1') <> ${newest}
      order by id limit ${BATCH}`;
    for (const { id, chat_id: chatId, credentials } of rows) {
      const next = rewrapped(id, chatId, credentials);
      if (next === null) {
        unreadable += 1;
        continue;
      }
      const done = await sql`
        update binding set credentials = ${next.sealed},
          prints = array(select distinct unnest(prints || ${next.prints}::text[])),
          password_print = coalesce(${next.passwordPrint}, password_print)
        where id = ${id} and credentials = ${credentials} returning id`;
      if (done.length === 0) continue;
      moved += 1;
      moving();
    }
    const last = rows.at(-1);
    if (last === undefined) return { moved, unreadable };
    after = last.id;
  }

  function rewrapped(id: string, chatId: string, credentials: Buffer) {
    try {
      const context = bindingAad(id, chatId);
      const prints = printsOfSealed(sealer.open(credentials, context), fingerprint);
      return { sealed: sealer.rewrap(credentials, context), ...prints };
    } catch {
      return null;
    }
  }
}
