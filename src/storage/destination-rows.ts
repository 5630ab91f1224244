import type { DestinationView } from '../ports/alerts.ts';
import type { Queryable } from './database.ts';
import { showsNumbersOf } from './rule-store.ts';

/** The columns of a {@link DestinationView} over `sink s`, its chat `c` and the chat `p` of its place. */
function destinationColumns(db: Queryable) {
  return db`
    s.id, s.chat_id as "chatId", coalesce(s.telegram_id, c.telegram_id)::float8 as "telegramId",
    c.telegram_id::float8 as "homeTelegramId", coalesce(p.id, c.id) as "placeId",
    s.telegram_id is null as "isChatItself", s.thread_id as "threadId",
    coalesce(nullif(s.title, ''), c.title) as title, coalesce(s.lang, c.lang) as lang, c.time_zone as "timeZone",
    ${showsNumbersOf(db)} as "showsNumbers", s.kinds, s.topics,
    s.quiet_from as "quietFrom", s.quiet_to as "quietTo", s.digest_at as "digestAt", s.digest_day as "digestDay",
    s.off_reason as "offReason", s.off_at as "offAt"`;
}

/** Destinations that a condition on `s` and `c` picks, the chat itself first. */
export async function readDestinations(
  db: Queryable,
  where: ReturnType<Queryable>,
): Promise<DestinationView[]> {
  return await db<DestinationView[]>`
    select ${destinationColumns(db)} from sink s join chat c on c.id = s.chat_id
    left join chat p on p.telegram_id = s.telegram_id where ${where}
    order by s.telegram_id is not null, s.thread_id is not null, s.created_at, s.id`;
}
