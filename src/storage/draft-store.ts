import { randomUUID } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import type { CardView, ConfirmResult, DraftStore, DraftView, JobView, NewDraft } from '../ports/stores.ts';
import { writeAudit } from './audit.ts';
import type { Database } from './database.ts';
import { enqueue } from './enqueue.ts';
import { readCounts } from './job-counts.ts';
import { jsonText } from './json.ts';
import { sha256 } from './tokens.ts';

/** The interface allows at most 200 recipients in one send call. */
const RECIPIENTS_PER_CALL = 200;

interface DraftRow {
  id: string;
  code: string;
  chat_id: string;
  binding_id: string;
  author_id: string;
  author_name: string;
  state: DraftView['state'];
  expired: boolean;
  version: number;
  text: string;
  recipients: string[];
  repeated: DraftView['repeated'];
  invalid: DraftView['invalid'];
  line: string;
  flash: boolean;
  lang: DraftView['lang'];
  thread_id: number | null;
  card_message_id: number | null;
  chat_telegram_id: string;
  time_zone: string | null;
}

/** Drafts and their cards, up to the moment in which a draft becomes a job. */
export function createDraftStore({ sql }: Database): DraftStore {
  return {
    async create(draft) {
      return await sql.begin(async (tx) => await insertDraft(tx, draft));
    },

    async card(draftId) {
      const [row] = await sql<DraftRow[]>`
        select d.id, d.code, d.chat_id, d.binding_id, d.author_id, p.name as author_name, d.state,
          d.state = 'open' and d.expires_at <= now() as expired, d.version, d.text, d.recipients, d.repeated, d.invalid,
          d.line, d.flash, d.lang, d.thread_id, d.card_message_id, c.telegram_id as chat_telegram_id, c.time_zone
        from draft d
        join person p on p.telegram_id = d.author_id
        join chat c on c.id = d.chat_id
        where d.id = ${draftId}`;
      if (row === undefined) return null;
      return { ...toCard(row), job: await readJob(draftId) };
    },

    async findByCode(chatId, code) {
      const [row] = await sql<{ id: string }[]>`
        select id from draft where chat_id = ${chatId} and code = ${code.toUpperCase()}`;
      return row?.id ?? null;
    },

    async setCard(draftId, messageId) {
      await sql`update draft set card_message_id = ${messageId} where id = ${draftId}`;
    },

    async edit(draftId, version, change) {
      const rows = await sql`
        update draft set version = version + 1,
          text = coalesce(${change.text ?? null}, text),
          line = coalesce(${change.line ?? null}, line),
          flash = coalesce(${change.flash ?? null}, flash)
        where id = ${draftId} and version = ${version} and state = 'open' and expires_at > now()
        returning 1`;
      return rows.length === 1;
    },

    async cancel(draftId, version, personId, updateId) {
      return await sql.begin(async (tx) => {
        const [row] = await tx<{ chat_id: string; code: string }[]>`
          update draft set state = 'cancelled', version = version + 1
          where id = ${draftId} and version = ${version} and state = 'open' returning chat_id, code`;
        if (row === undefined) return false;
        await writeAudit(tx, {
          chatId: row.chat_id,
          personId: personId,
          updateId: updateId,
          action: 'draft_cancelled',
          details: { code: row.code },
        });
        return true;
      });
    },

    async cancelNewest(chatId, personId, updateId) {
      return await sql.begin(async (tx) => {
        const [row] = await tx<{ id: string; code: string }[]>`
          update draft set state = 'cancelled', version = version + 1
          where id = (
            select id from draft where chat_id = ${chatId} and author_id = ${personId} and state = 'open'
              and expires_at > now() order by created_at desc limit 1 for update
          ) returning id, code`;
        if (row === undefined) return null;
        await writeAudit(tx, {
          chatId,
          personId,
          updateId,
          action: 'draft_cancelled',
          details: { code: row.code },
        });
        await enqueue(tx, 'card', { draftId: row.id }, { key: `card:${row.id}` });
        return row.code;
      });
    },

    async confirm(confirmation) {
      return await sql.begin(async (tx) => await confirmIn(tx, confirmation));
    },
  };

  async function readJob(draftId: string): Promise<JobView | null> {
    const [row] = await sql<
      {
        id: string;
        state: JobView['state'];
        hold_until_ms: number;
        confirmed_by_name: string;
        ended_at_ms: number | null;
        stop_reason: JobView['stopReason'];
        polling: boolean;
      }[]
    >`
      select j.id, j.state, (extract(epoch from j.hold_until) * 1000)::float8 as hold_until_ms,
        p.name as confirmed_by_name, (extract(epoch from j.ended_at) * 1000)::float8 as ended_at_ms,
        j.stop_reason, j.poll_after_seconds >= 0 as polling
      from job j join person p on p.telegram_id = j.confirmed_by
      where j.draft_id = ${draftId}`;
    if (row === undefined) return null;
    const { counts, refusals, open } = await readCounts(sql, row.id);
    return {
      id: row.id,
      state: row.state,
      holdUntil: new Date(row.hold_until_ms),
      confirmedByName: row.confirmed_by_name,
      endedAt: row.ended_at_ms === null ? null : new Date(row.ended_at_ms),
      stopReason: row.stop_reason,
      counts,
      refusals,
      settled: row.ended_at_ms !== null && (open === 0 || !row.polling),
    };
  }

  async function confirmIn(
    tx: TransactionSql,
    { draftId, version, personId, updateId, undoSeconds }: Parameters<DraftStore['confirm']>[0],
  ): Promise<ConfirmResult> {
    const [draft] = await tx<(DraftRow & { live: boolean })[]>`
      select d.*, d.expires_at <= now() as expired, b.state = 'live' as live
      from draft d join binding b on b.id = d.binding_id
      where d.id = ${draftId} for update of d for share of b`;
    if (draft === undefined || draft.state === 'cancelled') return { result: 'cancelled' };
    if (draft.state === 'confirmed') return { result: 'already' };
    if (draft.version !== version) return { result: 'changed' };
    if (draft.expired) return { result: 'expired' };
    if (!draft.live) return { result: 'not_connected' };

    const jobId = randomUUID();
    const chunks = chunked(draft.recipients, RECIPIENTS_PER_CALL);
    await tx`update draft set state = 'confirmed' where id = ${draftId}`;
    await tx`
      insert into job (id, draft_id, chat_id, binding_id, state, payload_sha256, confirmed_by, hold_until)
      values (${jobId}, ${draftId}, ${draft.chat_id}, ${draft.binding_id}, 'holding',
        ${payloadHash(draft, draft.recipients)}, ${personId}, now() + ${undoSeconds} * interval '1 second')`;
    for (const [chunk, recipients] of chunks.entries()) {
      await tx`
        insert into attempt (id, job_id, binding_id, chunk, payload_sha256, text_sha256, line, recipients)
        values (${randomUUID()}, ${jobId}, ${draft.binding_id}, ${chunk}, ${payloadHash(draft, recipients)},
          ${sha256(draft.text)}, ${draft.line}, ${recipients})`;
    }
    await writeAudit(tx, {
      chatId: draft.chat_id,
      personId: personId,
      updateId: updateId,
      action: 'send_confirmed',
      details: {
        code: draft.code,
        recipients: draft.recipients.length,
      },
    });
    await enqueue(tx, 'send', { jobId }, { key: `send:${jobId}`, afterMs: undoSeconds * 1000 });
    await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
    return { result: 'confirmed', jobId };
  }
}

async function insertDraft(tx: TransactionSql, draft: NewDraft): Promise<{ id: string; created: boolean }> {
  // One after the other in each chat, so that the second of two equal updates sees what the first made.
  await tx`select 1 from chat where id = ${draft.chatId} for no key update`;
  const [known] = await tx<{ id: string }[]>`
    select id from draft where bot_id = ${draft.botId} and source_update = ${draft.updateId}`;
  if (known !== undefined) return { id: known.id, created: false };
  const [numbered] = await tx<{ last_card: number }[]>`
    update chat set last_card = last_card + 1 where id = ${draft.chatId} returning last_card`;
  const id = randomUUID();
  await tx`
    insert into draft (id, chat_id, binding_id, code, bot_id, source_update, author_id, text, recipients,
      repeated, invalid, line, lang, thread_id, expires_at)
    values (${id}, ${draft.chatId}, ${draft.bindingId}, ${`A${numbered?.last_card ?? 0}`}, ${draft.botId},
      ${draft.updateId}, ${draft.authorId}, ${draft.text}, ${[...draft.recipients]},
      ${jsonText(draft.repeated)}::text::jsonb, ${jsonText(draft.invalid)}::text::jsonb, ${draft.line}, ${draft.lang},
      ${draft.threadId ?? null}, now() + ${draft.ttlSeconds} * interval '1 second')`;
  return { id, created: true };
}

/** What a confirmation and each call stand for: text, line, kind and exactly these recipients. */
function payloadHash(
  draft: { text: string; line: string; flash: boolean },
  recipients: readonly string[],
): Buffer {
  return sha256(draft.text, draft.line, draft.flash ? 'flash' : 'normal', ...recipients);
}

function chunked<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size));
  return chunks;
}

function toCard(row: DraftRow): Omit<CardView, 'job'> {
  return {
    draft: {
      id: row.id,
      code: row.code,
      chatId: row.chat_id,
      bindingId: row.binding_id,
      authorId: Number(row.author_id),
      authorName: row.author_name,
      state: row.state,
      expired: row.expired,
      version: row.version,
      text: row.text,
      recipients: row.recipients,
      repeated: row.repeated,
      invalid: row.invalid,
      line: row.line,
      flash: row.flash,
      lang: row.lang,
    },
    place: {
      chatTelegramId: Number(row.chat_telegram_id),
      threadId: row.thread_id,
      messageId: row.card_message_id,
    },
    timeZone: row.time_zone,
  };
}
