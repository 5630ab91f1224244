import type { Notification } from '../ports/alerts.ts';
import type { Queryable } from './database.ts';

/** The columns of a {@link Notification} over `notice n`. */
function notificationColumns(db: Queryable) {
  return db`
    n.id::float8 as id, n.sink_id as "destinationId", n.kind, n.inbound_id::float8 as "inboundId", n.alarm_id as "alarmId",
    n.draft_id as "draftId", n.facts, n.tries, n.message_id as "messageId", n.thread_id as "threadId",
    n.created_at as "createdAt"`;
}

/** Notifications that a condition on `n` picks, the oldest first. */
export async function readNotifications(
  db: Queryable,
  where: ReturnType<Queryable>,
  most = 10_000,
): Promise<Notification[]> {
  return await db<Notification[]>`
    select ${notificationColumns(db)} from notice n where ${where} order by n.id limit ${most}`;
}
