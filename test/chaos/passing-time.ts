import type { Place } from './people.ts';
import type { Sending } from './sending.ts';
import type { Stand } from './stand.ts';
import { nameOf } from './wanted.ts';

/** Nothing that is confirmed in a round counts against the caps of the day in the next one. */
export async function passDay({ postgres }: Stand, places: readonly Place[]): Promise<void> {
  const limited = places.flatMap(({ chat, limits }) => (limits === undefined ? [] : [chat]));
  await postgres.ask(async (sql) => {
    await sql`
      update job j set leaves_at = leaves_at - interval '1 day' from chat c
      where c.id = j.chat_id and c.telegram_id = any(${limited}::bigint[])`;
  });
}

/** Has what waits for a time at most so many hours ahead come due. Resolves to whether there was any. */
export async function comeDue(
  { postgres }: Stand,
  sendings: readonly Sending[],
  round: number,
  hours: number,
): Promise<boolean> {
  const texts = await postgres.ask(async (sql) => {
    const rows = await sql<{ id: string; text: string }[]>`
      update job j set hold_until = now(), leaves_at = now() from draft d
      where d.id = j.draft_id and d.text like ${`chaos r${round} s%`} and j.state = 'scheduled'
        and j.hold_until > now() and j.hold_until <= now() + ${hours} * interval '1 hour' + interval '2 minutes'
      returning j.id, d.text`;
    await sql`
      update graphile_worker._private_jobs set run_at = now()
      where key = any(${rows.map(({ id }) => `send:${id}`)}::text[]) and locked_at is null`;
    return rows.map(({ text }) => text);
  });
  for (const { wanted, deeds } of sendings)
    if (texts.some((text) => text.startsWith(nameOf(wanted)))) deeds.push('due');
  return texts.length > 0;
}
