import type { TransactionSql } from 'postgres';
import { WAITING } from '../../domain/job.ts';
import { DEFAULT_LIMITS } from '../../domain/limits.ts';
import type { PlaceChange } from '../../ports/doer.ts';
import type { ChatType, Lang } from '../../ports/stores.ts';
import { writeAudit } from '../audit.ts';
import type { Database, Queryable } from '../database/database.ts';
import { enqueue } from '../enqueue.ts';
import { holdLimits, limitsIn } from '../sending/limits-in.ts';
import { pauseAllIn } from '../sending/limits-store.ts';
import { listed } from '../move.ts';
import { reportWords } from '../reports/reported.ts';
import type { Row } from '../row.ts';

/** What waits in a chat since the bot could write nothing there any more. */
interface HeldSends {
  readonly chat: {
    readonly telegramId: number;
    readonly type: ChatType;
    readonly title: string;
    readonly lang: Lang | null;
  };
  readonly since: Date;
  /** Under way or confirmed then. */
  readonly paused: number;
  /** That wait for their time, or have missed it. */
  readonly scheduled: number;
  /** Whom to tell elsewhere. */
  readonly owners: readonly number[];
}

/**
 * Chats in which the bot cannot say anything any more: nothing is sent for them, since nobody would see it. The switch
 * is the chat's own; nobody's name stands by it.
 */
export function createAbsenceStore({ sql }: Database) {
  return {
    /**
     * The bot was removed or blocked: the chat's switch is thrown, by nobody of the chat, as `LimitsStore.halt` throws it. A
     * chat without an account, and one whose switch is thrown already, stays as it is.
     */
    async left({ chatTelegramId, personId, updateId }: PlaceChange): Promise<void> {
      await sql.begin(async (tx) => {
        const chat = await chatIn(tx, chatTelegramId);
        if (chat === undefined) return;
        const { halted } = await limitsIn(tx, chat.id);
        if (halted !== null || !chat.is_linked) return;
        await tx`
          insert into chat_limits (chat_id, approval_parts, halted_at, updated_by)
          values (${chat.id}, ${DEFAULT_LIMITS.approvalParts}, now(), ${personId})
          on conflict (chat_id) do update set halted_at = now(), halted_by = null`;
        const paused = await pauseAllIn(tx, chat.id, null);
        const details = { paused, removed: true };
        await writeAudit(tx, { chatId: chat.id, personId, updateId, action: 'sends_halted', details });
        // In a private chat there is nobody else to tell.
        if (chat.type !== 'private')
          await enqueue(tx, 'bot-gone', { chatId: chat.id }, { key: `bot-gone:${chat.id}` });
      });
    },

    /**
     * It is back: the switch that it has thrown is taken back where nothing waits for it, and else left to a person. Cards of
     * sends of which something became known meanwhile are shown anew.
     */
    async back({ chatTelegramId, personId, updateId }: PlaceChange): Promise<void> {
      await sql.begin(async (tx) => {
        const chat = await chatIn(tx, chatTelegramId);
        if (chat === undefined) return;
        await holdLimits(tx, chat.id);
        const held = await readHeld(tx, chat.id);
        if (held === null) return;
        await showMissedIn(tx, chat.id, held.since);
        if (held.paused + held.scheduled > 0) return;
        await tx`update chat_limits set halted_at = null where chat_id = ${chat.id}`;
        const details = { returned: true };
        await writeAudit(tx, { chatId: chat.id, personId, updateId, action: 'sends_allowed', details });
      });
    },

    /** Null where nothing is held up for that. */
    heldIn: async (chatId: string): Promise<HeldSends | null> => await readHeld(sql, chatId),
  };
}

async function chatIn(tx: TransactionSql, telegramId: number) {
  const [chat] = await tx<(Row<'chat', 'id' | 'type'> & { is_linked: boolean })[]>`
    select id, type, exists (select 1 from binding b where b.chat_id = c.id and b.state = 'live') as is_linked
    from chat c where telegram_id = ${telegramId}`;
  return chat;
}

/** What happened to sends while the bot was away could not be shown: what was held up, and what became known. */
async function showMissedIn(tx: TransactionSql, chatId: string, since: Date): Promise<void> {
  // It may have been gone for a while before Telegram said so; lists are looked into for a day, reports asked for for three.
  const left = tx`(${since.toISOString()}::timestamptz - interval '10 minutes')`;
  const missed = await tx<Row<'job', 'draft_id'>[]>`
    select j.draft_id from job j where j.chat_id = ${chatId} and (
      (j.state = 'paused' and j.stop_reason in ('halted', 'held'))
      or (j.started_at > ${left} - interval '4 days' and exists (
        select 1 from attempt a where a.job_id = j.id and (
          a.ended_at > ${left} or (a.checks > 0 and a.ended_at > ${left} - interval '1 day')
          or exists (select 1 from ${reportWords(tx, tx`select a.id`)} w where w.at > extract(epoch from ${left}))))))`;
  for (const { draft_id: draftId } of missed)
    await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
}

async function readHeld(tx: Queryable, chatId: string): Promise<HeldSends | null> {
  const [row] = await tx<HeldSends[]>`
    select json_build_object('telegramId', c.telegram_id, 'type', c.type, 'title', c.title, 'lang', c.lang) as chat,
      l.halted_at as since,
      (select count(*)::int from job j where j.chat_id = c.id and j.state = 'paused' and j.stop_reason in ('halted', 'held')) as paused,
      (select count(*)::int from job j where j.chat_id = c.id and j.state in ${listed(tx, WAITING)}) as scheduled,
      array(select m.person_id::float8 from member m where m.chat_id = c.id and m.role = 'owner' order by 1) as owners
    from chat_limits l join chat c on c.id = l.chat_id
    where l.chat_id = ${chatId} and l.halted_at is not null and l.halted_by is null`;
  return row ?? null;
}
