import type { TransactionSql } from 'postgres';
import type { AlertKind } from '../../domain/alerts.ts';
import { enqueueNotify } from '../enqueue.ts';
import { jsonText } from '../json.ts';
import type { Row } from '../row.ts';

export interface NewNotification {
  readonly chatId: string;
  readonly kind: AlertKind;
  readonly alarmId?: string;
  readonly draftId?: string;
  /** With an `inboundId` it is about that received message: replies to it answer that one. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Destinations other than the chat itself alone: it shows there already. */
  readonly elsewhere?: boolean;
}

/**
 * Holds what is switched on in the destinations of a chat until the transaction ends, for whoever changes that and for what
 * begins to stand: either it sees the other, so that each destination is told once.
 */
export async function holdKindsIn(tx: TransactionSql, chatId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`alert kinds ${chatId}`}, 0))`;
}

/**
 * Has something said in every destination of the chat where its kind is on and not muted, if the transaction commits.
 * Returns how many those are.
 */
export async function notificationIn(tx: TransactionSql, note: NewNotification): Promise<number> {
  const rows = await tx<Row<'notice', 'sink_id'>[]>`
    insert into notice (sink_id, kind, alarm_id, draft_id, inbound_id, facts)
    select s.id, ${note.kind}, ${note.alarmId ?? null}, ${note.draftId ?? null}, (f.facts ->> 'inboundId')::bigint, f.facts
    from sink s, (select ${jsonText(note.facts)}::text::jsonb as facts) f
    where s.chat_id = ${note.chatId} and ${note.kind} = any(s.kinds)
      and (s.telegram_id is not null or not ${note.elsewhere === true})
      and not exists (
        select 1 from alert_setting m where m.chat_id = s.chat_id and m.kind = ${note.kind} and m.muted_until > now())
    order by s.id
    returning sink_id`;
  await enqueueNotify(
    tx,
    rows.map((row) => row.sink_id),
  );
  return rows.length;
}
