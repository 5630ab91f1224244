import { randomUUID } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { UNDECIDED } from '../../domain/draft.ts';
import { AppError } from '../../domain/errors.ts';
import { fileOf, kindOf } from '../../domain/kinds/index.ts';
import { approvalNeed, type Limits } from '../../domain/limits.ts';
import { heldToLines } from '../../domain/line-rules.ts';
import { withoutBlocked } from '../../domain/outgoing.ts';
import { encodedParts, estimate, estimatePrint } from '../../domain/price.ts';
import { readRecurrence, writeRecurrence, type Recurrence } from '../../domain/recurrence.ts';
import type { ApprovalView, CardView, DraftStore, NewDraft } from '../../ports/stores.ts';
import { readAnswers } from '../inbox/answers-in.ts';
import { doneBefore, writeAudit } from '../audit.ts';
import { enqueueStep, recountIn, sampleIn } from './bulk-in.ts';
import type { Database } from '../database/database.ts';
import { createDecide } from './decide.ts';
import { readBack, rejectedBy, takeUpIn } from './draft-back.ts';
import { takeRestIn } from './draft-copies.ts';
import { rewriteIn } from './draft-rewrite.ts';
import { approveIn, askIn, confirmIn, rejectIn } from './draft-confirmation.ts';
import { enqueueExpiry, expiryJob, openUntil, secondsLeft } from './draft-expiry.ts';
import { readTwin, twinColumns, type TwinRow } from './draft-twin.ts';
import { countedParts, judgeDraft, rolesWith } from './draft-press.ts';
import { enqueue, enqueueAll, enqueueBy, enqueueGauge, gaugeJob } from '../enqueue.ts';
import { gaugeColumns, gaugeIn, toGauge, type GaugeRow } from '../accounts/gauge-in.ts';
import { hasJob, jobColumns, jobJoins, readJob, type JobRow } from './job-view.ts';
import { jsonText } from '../json.ts';
import { readOutgoing, writeOutgoing } from './kinds/details.ts';
import { outgrownIn } from './judge-in.ts';
import { limitsColumns, limitsJoins, showOpenDrafts, toLimits, type LimitsRow } from './limits-in.ts';
import { canBeDecided, listed, move } from '../move.ts';
import { heldPace, readPace } from './pace-in.ts';
import { forgetJobs } from '../../jobs/queue-tables.ts';
import { hasResends, readResendOf } from './resent-in.ts';
import { readChange } from './schedule-change.ts';
import type { Maybe, Row } from '../row.ts';
import { showsNumbersOf } from '../inbox/rule-store.ts';

export const APPROVERS_SHOWN = 5;

/** What a card shows of its draft. */
export type CardRow = Row<
  'draft',
  | 'id'
  | 'code'
  | 'chat_id'
  | 'binding_id'
  | 'author_id'
  | 'state'
  | 'version'
  | 'kind'
  | 'details'
  | 'text'
  | 'recipients'
  | 'repeated'
  | 'invalid'
  | 'blocked'
  | 'line'
  | 'flash'
  | 'lang'
  | 'recur'
  | 'pace_per_hour'
  | 'pace_from'
  | 'pace_to'
  | 'shown_row'
  | 'panel'
  | 'thread_id'
  | 'card_message_id'
  | 'card_shown_by'
  | 'call_message_id'
  | 'tag'
  | 'send_at'
  | 'expires_at'
> &
  Row<'person', 'name as author_name'> &
  Maybe<Row<'job', 'state as replaced_state' | 'hold_until as replaced_at'>> &
  Row<'chat', 'telegram_id as chat_telegram_id' | 'time_zone'> & {
    readonly expired: boolean;
    readonly shows_numbers: boolean | null;
    readonly approvers: ApprovalView['by'];
    readonly rejected_by: string | null;
  };

type DraftRow = CardRow & Maybe<JobRow> & Maybe<GaugeRow> & LimitsRow & TwinRow & { readonly now: Date };

/** Drafts and their cards, up to the moment in which a draft becomes a job. */
export function createDraftStore(database: Database, decide = createDecide(database)): DraftStore {
  const { sql } = database;
  return {
    create: async (draft) => await sql.begin(async (tx) => await insertDraft(tx, draft)),

    async card(draftId, press) {
      const [row] = await sql<DraftRow[]>`
        select d.id, d.code, d.chat_id, d.binding_id, d.author_id, p.name as author_name, d.state,
          d.state in ${listed(sql, UNDECIDED)} and d.expires_at <= now() as expired, d.version, d.kind, d.details, d.text,
          d.recipients, d.repeated, d.invalid, d.blocked, d.line, d.flash, d.lang, d.thread_id, d.card_message_id, d.card_shown_by, d.call_message_id,
          d.send_at, d.recur, d.pace_per_hour, d.pace_from, d.pace_to, now() as now, d.expires_at, d.shown_row, d.panel, d.tag, r.state as replaced_state, r.hold_until as replaced_at,
          c.telegram_id as chat_telegram_id, c.time_zone, ${showsNumbersOf(sql)} as shows_numbers,
          ${limitsColumns(sql)}, ${jobColumns(sql)}, ${gaugeColumns(sql)},
          (select coalesce(json_agg(json_build_object('id', s.id, 'name', s.name)), '[]') from (
            select o.telegram_id as id, o.name from member m join person o on o.telegram_id = m.person_id
            where d.state in ${listed(sql, UNDECIDED)} and c.type <> 'private' and m.chat_id = d.chat_id
              and m.person_id <> d.author_id and m.role = any(${rolesWith('send.approve')}::text[])
            order by o.name, o.telegram_id limit ${APPROVERS_SHOWN}) s) as approvers,
          ${rejectedBy(sql)} as rejected_by, ${twinColumns(sql)}
        from draft d
        join person p on p.telegram_id = d.author_id
        join chat c on c.id = d.chat_id ${limitsJoins(sql)} ${jobJoins(sql)}
        left join account_gauge g on g.binding_id = d.binding_id and j.id is null
        left join job r on r.id = (d.details -> 'replaces' ->> 'jobId')::uuid and r.chat_id = d.chat_id
        where d.id = ${draftId}`;
      if (row === undefined) return null;
      const limits = toLimits(row);
      const known = hasJob(row) ? await readJob(sql, draftId, row) : null;
      const isSlow = known?.state === 'running' && row.pace_per_hour !== null;
      const job = isSlow ? { ...known, outgrown: await outgrownIn(sql, known.id, limits) } : known;
      const gauge = toGauge(row);
      const card = toCard(row, limits);
      const canLeave = (row.state === 'open' || row.state === 'asked') && !row.expired;
      const judged =
        press === undefined || job !== null || !canLeave
          ? undefined
          : await judgeDraft(sql, row, { payload: card.draft, gauge, limits }, zoned(press, row.time_zone));
      return { ...card, sample: await readSample(row), job, gauge, judged, ...readTwin(row) };
    },

    async findByCode(chatId, code) {
      const [row] = await sql<Row<'draft', 'id'>[]>`
        select id from draft where chat_id = ${chatId} and code = ${code.toUpperCase()}`;
      return row?.id ?? null;
    },

    async findByMessage(chatId, messageId) {
      const [row] = await sql<Row<'draft', 'id'>[]>`
        select id from draft where chat_id = ${chatId} and (card_message_id = ${messageId} or call_message_id = ${messageId})
        order by created_at desc limit 1`;
      return row?.id ?? null;
    },

    async findBySource(chatId, messageId) {
      const [row] = await sql<Row<'draft', 'id'>[]>`
        select id from draft where chat_id = ${chatId} and ((details ->> 'saidBy')::int = ${messageId} or (details ->> 'textBy')::int = ${messageId})
        order by created_at desc limit 1`;
      return row?.id ?? null;
    },

    async newest(chatId, personId, which) {
      const [row] = await sql<Row<'draft', 'id'>[]>`
        select id from draft where chat_id = ${chatId} and author_id = ${personId} and ${which === 'any' ? sql`(coalesce(source_update, 1) > 0 or ${canBeDecided(sql)})` : canBeDecided(sql)} order by created_at desc limit 1`;
      return row?.id ?? null;
    },

    async showLater(draftId, afterMs = 1000, why = 'card') {
      await enqueueBy(sql, 'card', { draftId }, { key: `${why}:${draftId}`, afterMs });
    },

    showOpen: async (chatId) => await showOpenDrafts(sql, chatId),

    async setCard(draftId, { messageId, threadId }, shownBy) {
      const [row] = await sql<Row<'draft', 'card_message_id'>[]>`
        with old as (select card_message_id from draft where id = ${draftId} for update)
        update draft set card_message_id = ${messageId}, thread_id = ${threadId}, card_shown_by = ${shownBy}::uuid
        from old where id = ${draftId} returning old.card_message_id`;
      return row?.card_message_id ?? null;
    },

    async claimCard(draftId, shownBy) {
      await sql`update draft set card_shown_by = ${shownBy}::uuid where id = ${draftId}`;
    },

    async setCall(draftId, messageId) {
      await sql`update draft set call_message_id = ${messageId} where id = ${draftId}`;
    },

    async forgetCall(draftId, messageId) {
      await sql`
        update draft set call_message_id = null where id = ${draftId} and call_message_id = ${messageId}`;
    },

    async edit(draftId, version, change) {
      return await sql.begin(async (tx) => {
        const { to, may } = move(tx, 'draft', 'edit');
        const [row] = await tx<(Row<'draft', 'binding_id'> & { seconds: number })[]>`
          update draft set version = version + 1, state = ${to},
            expires_at = case state when 'asked' then ${openUntil(tx)} else expires_at end,
            text = coalesce(${change.text ?? null}, text),
            details = details || ${jsonText({ textBy: change.textBy, timedOnCard: change.when === undefined ? undefined : true })}::text::jsonb,
            line = coalesce(${change.line ?? null}, line),
            blocked = case when ${change.line === undefined} then blocked end,
            flash = coalesce(${change.flash ?? null}, flash),
            send_at = case when ${change.when === undefined} then send_at else ${change.when?.sendAt.toISOString() ?? null}::timestamptz end,
            recur = case when ${change.when === undefined} then recur else ${writtenRule(change.when?.recur)}::text end,
            pace_per_hour = case when ${change.pace === undefined} then pace_per_hour else ${change.pace?.perHour ?? null}::int end,
            pace_from = case when ${change.pace === undefined} then pace_from else ${change.pace?.window?.from ?? null}::int end,
            pace_to = case when ${change.pace === undefined} then pace_to else ${change.pace?.window?.to ?? null}::int end
          where id = ${draftId} and version = ${version} and ${may} and expires_at > now()
            and (${change.when === undefined || change.when === null} or details -> 'resends' is null)
          returning ${secondsLeft(tx)} as seconds, binding_id`;
        if (row === undefined) return false;
        await enqueueExpiry(tx, draftId, row.seconds);
        if (change.text !== undefined || change.line !== undefined) await recountIn(tx, draftId);
        // Another line has another blacklist.
        if (change.line !== undefined) await enqueueGauge(tx, { bindingId: row.binding_id, draftId });
        return true;
      });
    },

    async setBlocked(draftId, version, { blocked, untold }) {
      await sql`
        update draft set blocked = ${jsonText(blocked)}::text::jsonb, details = details || ${jsonText({ untold })}::text::jsonb
        where id = ${draftId} and version = ${version} and (state in ${listed(sql, UNDECIDED)}
          or exists (select 1 from job where draft_id = draft.id and state = 'missed'))`;
    },

    async turn(draftId, panel, row) {
      await sql`
        update draft set panel = ${panel}, shown_row = coalesce(${row ?? null}::int, shown_row)
        where id = ${draftId}`;
    },

    async cancel(draftId, version, personId, updateId) {
      return await decide(async (tx) => {
        const { to, may } = move(tx, 'draft', 'cancel');
        const [row] = await tx<Row<'draft', 'chat_id' | 'code'>[]>`
          update draft set state = ${to}, version = version + 1, expires_at = now()
          where id = ${draftId} and version = ${version} and ${may}
          returning chat_id, code`;
        if (row === undefined) return false;
        await forgetJobs(tx, `expiry:${draftId}`);
        await writeAudit(tx, {
          chatId: row.chat_id,
          personId,
          updateId: updateId,
          action: 'draft_cancelled',
          details: { code: row.code },
        });
        return true;
      });
    },

    async cancelNewest(chatId, personId, updateId) {
      return await decide(async (tx) => {
        const before = await doneBefore(tx, { chatId, updateId }, 'draft_cancelled');
        if (before !== null) return String(before.details['code']);
        const { to, may } = move(tx, 'draft', 'cancel');
        const [row] = await tx<Row<'draft', 'id' | 'code'>[]>`
          update draft set state = ${to}, version = version + 1, expires_at = now()
          where id = (
            select id from draft where chat_id = ${chatId} and author_id = ${personId} and ${may}
              and expires_at > now() order by created_at desc limit 1 for update
          ) returning id, code`;
        if (row === undefined) return null;
        await forgetJobs(tx, `expiry:${row.id}`);
        const details = { code: row.code };
        await writeAudit(tx, { chatId, personId, updateId, action: 'draft_cancelled', details });
        await enqueue(tx, 'card', { draftId: row.id }, { key: `card:${row.id}` });
        return row.code;
      });
    },

    takeUp: async (draftId, personId) => await sql.begin(async (tx) => await takeUpIn(tx, draftId, personId)),
    confirm: async (press) => await decide(async (tx) => await confirmIn(tx, press)),
    ask: async (press) => await decide(async (tx) => await askIn(tx, press)),
    approve: async (press) => await decide(async (tx) => await approveIn(tx, press)),
    reject: async (press) => await decide(async (tx) => await rejectIn(tx, press)),
  };

  async function readSample(row: DraftRow): Promise<CardView['sample']> {
    const bulk = fileOf(readOutgoing(row));
    if (bulk === null || (row.state !== 'open' && row.state !== 'asked')) return null;
    return await sampleIn(sql, { id: row.id, text: row.text, shownRow: row.shown_row }, bulk);
  }
}

/** In a transaction of its caller's: see `create`. */
export async function insertDraft(
  tx: TransactionSql,
  draft: NewDraft,
): Promise<{ id: string; created: boolean }> {
  // One after the other in each chat, so that the second of two equal updates sees what the first made.
  await tx`select 1 from chat where id = ${draft.chatId} for no key update`;
  const [known] = await tx<Row<'draft', 'id'>[]>`
    select id from draft where bot_id = ${draft.botId} and source_update = ${draft.updateId}`;
  if (known !== undefined) return { id: known.id, created: false };
  if (draft.isEdit === true) {
    const rewritten = await rewriteIn(tx, draft);
    if (rewritten === null)
      throw new AppError('stale', 'the draft of an edited message was decided about meanwhile');
    return { id: rewritten, created: false };
  }
  const [numbered] = await tx<Row<'chat', 'last_card'>[]>`
    update chat set last_card = last_card + 1 where id = ${draft.chatId} returning last_card`;
  const id = randomUUID();
  const { kind, details } = writeOutgoing(draft.outgoing);
  const { openSeconds } = kindOf(draft.outgoing);
  await tx`
    insert into draft (id, chat_id, binding_id, code, bot_id, source_update, author_id, kind, details, text, recipients,
      repeated, invalid, line, flash, lang, send_at, recur, thread_id, expires_at)
    values (${id}, ${draft.chatId}, ${draft.bindingId}, ${`A${numbered?.last_card ?? 0}`}, ${draft.botId},
      ${draft.updateId}, ${draft.authorId}, ${kind},
      ${jsonText({ ...details, resends: draft.resends, resendOf: draft.resendOf, answers: draft.answers, saidBy: draft.saidBy, byDate: draft.byDate })}::text::jsonb, ${draft.text},
      ${[...draft.recipients]}, ${jsonText(draft.repeated)}::text::jsonb, ${jsonText(draft.invalid)}::text::jsonb,
      ${draft.line}, ${draft.flash ?? false}, ${draft.lang}, ${draft.sendAt?.toISOString() ?? null}::timestamptz, ${writtenRule(draft.recur)}, ${draft.threadId ?? null},
      now() + ${openSeconds} * interval '1 second')`;
  await takeRestIn(tx, id, draft);
  const bulk = fileOf(draft.outgoing);
  if (bulk !== null) await enqueueStep(tx, id, { version: 1, bulk });
  const shown = estimatePrint(estimate(encodedParts(draft), await gaugeIn(tx, draft.bindingId)));
  await enqueueAll(
    tx,
    expiryJob(id, openSeconds),
    gaugeJob({ bindingId: draft.bindingId, draftId: id, shown }),
  );
  return { id, created: true };
}

/** By the chat's own clock, where it has one. */
function zoned<T extends { readonly timeZone: string }>(press: T, own: string | null): T {
  return own === null ? press : { ...press, timeZone: own };
}

/** Which scheduled send a draft is to stand for, and how that one stands; or what stands for it since. */
function changeOf({ details, replaced_state: state, replaced_at: at }: CardRow) {
  const { replaces, replacedBy } = readChange(details);
  return {
    ...(replaces === undefined ? {} : { replaces: { code: replaces.code, state, at } }),
    ...(replacedBy === undefined ? {} : { replacedBy }),
  };
}

function isRestored(details: unknown): boolean {
  return typeof details === 'object' && details !== null && 'restored' in details;
}

function writtenRule(rule: Recurrence | null | undefined): string | null {
  return rule === null || rule === undefined ? null : writeRecurrence(rule);
}

/** Gives the part of a card that its draft and the chat's limits tell. */
export function toCard(
  row: CardRow,
  limits: Pick<Limits, 'approvalParts' | 'lines' | 'window'>,
): Omit<CardView, 'job' | 'gauge' | 'sample' | 'judged' | 'twin' | 'template'> {
  const { line, text, flash } = row;
  const leaving = withoutBlocked({ ...row, outgoing: readOutgoing(row) }, row.blocked ?? []);
  const found = heldToLines(limits.lines, leaving);
  const { outgoing, recipients } = leaving;
  const parts = countedParts(leaving);
  const pace = readPace(row);
  return {
    draft: {
      id: row.id,
      code: row.code,
      chatId: row.chat_id,
      bindingId: row.binding_id,
      authorId: row.author_id,
      authorName: row.author_name,
      state: row.state,
      expired: row.expired,
      version: row.version,
      outgoing,
      text,
      recipients,
      repeated: row.repeated,
      invalid: row.invalid,
      blocked: row.blocked,
      line,
      flash,
      resendOf: readResendOf(row.details),
      lang: row.lang,
      sendAt: row.send_at,
      ...(hasResends(row.details) ? { leavesAtOnce: true } : {}),
      ...(isRestored(row.details) ? { restored: true } : {}),
      ...readAnswers(row.details),
      recur: readRecurrence(row.recur),
      ...(pace === null ? {} : { pace: heldPace(pace, limits, found) }),
      ...changeOf(row),
      ...readBack(row.details),
      ...(row.tag === null ? {} : { tag: row.tag }),
      ...(row.panel === null ? {} : { panel: row.panel }),
    },
    approval: {
      need: approvalNeed(limits, found, parts),
      by: row.approvers,
      rejectedByName: row.rejected_by,
    },
    place: {
      chatTelegramId: row.chat_telegram_id,
      threadId: row.thread_id,
      messageId: row.card_message_id,
      shownBy: row.card_shown_by,
      callId: row.call_message_id,
      showsNumbers: row.shows_numbers,
    },
    lacks: found.lacks,
    timeZone: row.time_zone,
  };
}
