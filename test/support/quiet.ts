import { expect } from 'vitest';
import { until } from './story.ts';
import type { World } from './world.ts';

/** Brings work that waits for its time, such as the next try of a call, to now. */
export async function hurry({ database: { sql } }: Pick<World, 'database'>): Promise<void> {
  await sql`
    update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_at is null`;
}

/**
 * Resolves when everything that was sent to the application has been taken in and handled, and no call to the
 * gateway is due or under way. What has not happened by then does not happen without a new cause.
 */
export async function quiet(world: Pick<World, 'driver' | 'database'>): Promise<void> {
  const { sql } = world.database;
  await until(async () => {
    await world.driver.whenPolled();
    const [left] = await sql<{ updates: number; sends: number; attempts: number }[]>`
      select
        (select count(*)::int from update where done_at is null) as updates,
        (select count(*)::int from graphile_worker.jobs where task_identifier = 'send') as sends,
        (select count(*)::int from attempt where state in ('reserved', 'on_wire')) as attempts`;
    expect(left).toEqual({ updates: 0, sends: 0, attempts: 0 });
  });
}

/** Gives a person a role in a chat, or takes it away. The person must have been seen there before. */
export async function giveRole(
  { database: { sql } }: Pick<World, 'database'>,
  chat: number,
  personId: number,
  role: string | null,
): Promise<void> {
  if (role === null) {
    await sql`
      delete from member m using chat c
      where c.id = m.chat_id and c.telegram_id = ${chat} and m.person_id = ${personId}`;
    return;
  }
  const rows = await sql`
    insert into member (chat_id, person_id, role, granted_by)
    select c.id, p.telegram_id, ${role}, p.telegram_id from chat c, person p
    where c.telegram_id = ${chat} and p.telegram_id = ${personId}
    on conflict (chat_id, person_id) do update set role = excluded.role
    returning 1`;
  expect(rows.length).toBe(1);
}
