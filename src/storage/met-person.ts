import type { Queryable } from './database.ts';

/**
 * Notes who somebody is, as they were seen just now. A user name belongs to one person at a time at Telegram: whoever was
 * seen with it before has it no longer, so that nothing that is meant for its holder goes to a former one.
 */
export async function rememberPerson(
  sql: Queryable,
  { id, name, username }: { readonly id: number; readonly name: string; readonly username: string | null },
): Promise<void> {
  await sql`
    with former as (
      update person set username = null where lower(username) = lower(${username}) and telegram_id <> ${id}
    )
    insert into person (telegram_id, name, username) values (${id}, ${name}, ${username})
    on conflict (telegram_id) do update set name = excluded.name, username = excluded.username`;
}
