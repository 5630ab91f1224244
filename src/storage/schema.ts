import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { UNSAID, type AlarmKind, type AlertKind, type NotificationState } from '../domain/alerts.ts';
import { GONE, UNPROVEN, type AttemptState } from '../domain/attempt.ts';
import type { DateSendState } from '../domain/date-send.ts';
import type { DraftState } from '../domain/draft.ts';
import { NOT_ENDED, SELF_STARTING, type JobState, type PauseReason } from '../domain/job.ts';
import type { Operator } from '../domain/operator.ts';
import type { OutgoingKind } from '../domain/kinds/index.ts';
import type { LinePurpose } from '../domain/limits.ts';
import type { ReportWord } from '../domain/call-reports.ts';
import { listOf } from '../domain/machine.ts';
import type { Blocked } from '../domain/outgoing.ts';
import type { Role } from '../domain/roles.ts';

/*
 * The tables. Rows refer to a chat by its internal id: Telegram changes its own ids when a group
 * becomes a supergroup, and a migration must be one row. Money is whole rial. All times are the
 * database's clock, so that several processes agree.
 */

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });
const telegramId = <N extends string>(name: N) => bigint(name, { mode: 'number' });
const at = <N extends string>(name: N) => timestamp(name, { withTimezone: true, mode: 'date' });

export const chat = pgTable('chat', {
  id: uuid('id').primaryKey().defaultRandom(),
  telegramId: telegramId('telegram_id').notNull().unique(),
  type: text('type').$type<'private' | 'group' | 'supergroup' | 'channel'>().notNull(),
  title: text('title').notNull().default(''),
  lang: text('lang').$type<'en' | 'fa'>(),
  timeZone: text('time_zone'),
  /** Numbers the cards of this chat: A1, A2 … */
  lastCard: integer('last_card').notNull().default(0),
  /** When somebody is there to answer, in minutes after midnight, and on which days (0 Sunday … 6 Saturday; null: on each); both null: nobody has said. */
  deskFrom: integer('desk_from'),
  deskTo: integer('desk_to'),
  deskDays: integer('desk_days').array(),
  /** Who let the bot in, or gave it the right to speak; null: it may not, or Telegram has not said who. */
  openedBy: telegramId('opened_by'),
  createdAt: at('created_at').notNull().defaultNow(),
});

export const person = pgTable(
  'person',
  {
    telegramId: telegramId('telegram_id').primaryKey(),
    name: text('name').notNull(),
    /** As it was seen last; of several who had one, whoever was seen with it last has it here. */
    username: text('username'),
    lang: text('lang').$type<'en' | 'fa'>(),
    /** Where "test to me" goes; typed by the person. */
    mobile: text('mobile'),
    metAt: at('met_at').notNull().defaultNow(),
  },
  (t) => [index('person_username').on(sql`lower(${t.username})`)],
);

export const member = pgTable(
  'member',
  {
    chatId: uuid('chat_id')
      .notNull()
      .references(() => chat.id),
    personId: telegramId('person_id')
      .notNull()
      .references(() => person.telegramId),
    role: text('role').$type<Role>().notNull(),
    grantedBy: telegramId('granted_by').notNull(),
    grantedAt: at('granted_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.chatId, t.personId] })],
);

/** The roles of people who left their group. They count for nothing until their holders are back. */
export const restingRole = pgTable(
  'resting_role',
  {
    chatId: uuid('chat_id')
      .notNull()
      .references(() => chat.id),
    personId: telegramId('person_id')
      .notNull()
      .references(() => person.telegramId),
    role: text('role').$type<Role>().notNull(),
    grantedBy: telegramId('granted_by').notNull(),
    grantedAt: at('granted_at').notNull(),
    leftAt: at('left_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.chatId, t.personId] })],
);

/** A gateway account linked to a chat. Credentials are sealed with the chat and this row in the associated data. */
export const binding = pgTable(
  'binding',
  {
    id: uuid('id').primaryKey(),
    chatId: uuid('chat_id')
      .notNull()
      .references(() => chat.id),
    state: text('state').$type<'pending' | 'live' | 'replaced' | 'gone'>().notNull(),
    credentials: bytes('credentials'),
    /** Which kinds of credential it holds; what the binding can do follows from these. */
    kinds: text('kinds').array().$type<CredentialKind[]>().notNull(),
    /** Keyed prints of its secrets, to recognise one that somebody types in a group. */
    prints: text('prints').array().notNull(),
    passwordPrint: text('password_print'),
    /** The gateway's own user, whatever the credential and the chat: one id for all bindings that may be of one. See gateway-user.ts. */
    gatewayUser: uuid('gateway_user').notNull().defaultRandom(),
    /** Keyed prints of what the gateway tells of that user; null: it was not asked yet. */
    userMarks: text('user_marks').array(),
    keyTail: text('key_tail').notNull().default(''),
    accountName: text('account_name').notNull().default(''),
    line: text('line'),
    createdBy: telegramId('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    endedAt: at('ended_at'),
  },
  (t) => [
    uniqueIndex('binding_one_live')
      .on(t.chatId)
      .where(sql`state = 'live'`),
    index('binding_chat').on(t.chatId),
    index('binding_user').on(t.gatewayUser),
  ],
);

export type CredentialKind = 'api_key' | 'password' | 'token';

/** Sender lines seen or typed: the interface has no list of lines. */
export const line = pgTable(
  'line',
  {
    bindingId: uuid('binding_id')
      .notNull()
      .references(() => binding.id),
    number: text('number').notNull(),
    seenAt: at('seen_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.bindingId, t.number] })],
);

/** The sender line of one forum topic, where it differs from the chat's. */
export const topicLine = pgTable(
  'topic_line',
  {
    chatId: uuid('chat_id')
      .notNull()
      .references(() => chat.id),
    threadId: integer('thread_id').notNull(),
    line: text('line').notNull(),
  },
  (t) => [primaryKey({ columns: [t.chatId, t.threadId] })],
);

/** One-time deep links into the private chat; only the hash of the token is kept. */
export const deepLink = pgTable('deep_link', {
  tokenHash: bytes('token_hash').primaryKey(),
  purpose: text('purpose').notNull(),
  chatId: uuid('chat_id')
    .notNull()
    .references(() => chat.id),
  /** Absent: for whoever opens it first. */
  personId: telegramId('person_id'),
  /** What the link gives, such as the role of one that joins. */
  details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
  expiresAt: at('expires_at').notNull(),
  usedUpdate: telegramId('used_update'),
});

/** A button's token: who may press it, where, until when, and for which version of which draft. */
export const button = pgTable(
  'button',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    action: text('action').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    chatId: uuid('chat_id')
      .notNull()
      .references(() => chat.id),
    /** The chat whose roles count, where that is not the one it is pressed in: an alert in a channel. */
    homeChatId: uuid('home_chat_id').references(() => chat.id),
    personId: telegramId('person_id'),
    minRank: integer('min_rank').notNull().default(0),
    draftId: uuid('draft_id'),
    version: integer('version'),
    /** Looking has no effect, so it may be pressed again: the pages of a list. */
    reusable: boolean('reusable').notNull().default(false),
    expiresAt: at('expires_at').notNull(),
    usedAt: at('used_at'),
    usedBy: telegramId('used_by'),
    usedUpdate: telegramId('used_update'),
  },
  (t) => [index('button_expiry').on(t.expiresAt), index('button_draft').on(t.draftId)],
);

/** Updates taken from Telegram: written before they are acknowledged, payload sealed, emptied when done. */
export const update = pgTable(
  'update',
  {
    botId: telegramId('bot_id').notNull(),
    updateId: telegramId('update_id').notNull(),
    payload: bytes('payload'),
    tries: integer('tries').notNull().default(0),
    receivedAt: at('received_at').notNull().defaultNow(),
    doneAt: at('done_at'),
  },
  (t) => [
    primaryKey({ columns: [t.botId, t.updateId] }),
    index('update_open')
      .on(t.botId, t.updateId)
      .where(sql`done_at is null`),
    index('update_received').on(t.receivedAt),
  ],
);

/** Where a person is in a form; sealed, since an answer can be a credential. */
export const form = pgTable('form', {
  key: text('key').primaryKey(),
  updateId: telegramId('update_id').notNull(),
  state: bytes('state').notNull(),
  updatedAt: at('updated_at').notNull().defaultNow(),
});

export interface SkippedNumber {
  readonly raw: string;
  readonly reason: string;
}

/** A message being prepared, and the card that shows it. Every edit makes a new version. */
export const draft = pgTable(
  'draft',
  {
    id: uuid('id').primaryKey(),
    chatId: uuid('chat_id')
      .notNull()
      .references(() => chat.id),
    bindingId: uuid('binding_id')
      .notNull()
      .references(() => binding.id),
    code: text('code').notNull(),
    botId: telegramId('bot_id').notNull(),
    /** Null for the next one of a recurring send: nobody asked for it anew. */
    sourceUpdate: telegramId('source_update'),
    authorId: telegramId('author_id').notNull(),
    state: text('state').$type<DraftState>().notNull().default('open'),
    version: integer('version').notNull().default(1),
    kind: text('kind').$type<OutgoingKind>().notNull().default('text'),
    /** What its kind needs beside text and recipients: rows, pattern and values, time, phonebook. */
    details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
    text: text('text').notNull(),
    recipients: text('recipients').array().notNull(),
    repeated: jsonb('repeated').$type<SkippedNumber[]>().notNull(),
    invalid: jsonb('invalid').$type<SkippedNumber[]>().notNull(),
    /** Each message that the blacklist of its line forbids; null: nobody has looked yet, or could tell. */
    blocked: jsonb('blocked').$type<Blocked[]>(),
    line: text('line').notNull(),
    flash: boolean('flash').notNull().default(false),
    lang: text('lang').$type<'en' | 'fa'>().notNull(),
    /** When it is to leave; null: as soon as it is confirmed. */
    sendAt: at('send_at'),
    /** When it leaves again, as domain/recurrence.ts writes it. */
    recur: text('recur'),
    /** Recipients in any 60 minutes, at most; null: as fast as it goes. */
    pacePerHour: integer('pace_per_hour'),
    /** Minutes after midnight in the chat's time zone between which it leaves at its pace; null: at any time. */
    paceFrom: integer('pace_from'),
    paceTo: integer('pace_to'),
    /** Which of the rendered rows of a file the card shows. */
    shownRow: integer('shown_row').notNull().default(0),
    /** Which buttons of its card are in sight; null: those that decide. */
    panel: text('panel').$type<'edit' | 'look'>(),
    expiresAt: at('expires_at').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    threadId: integer('thread_id'),
    cardMessageId: integer('card_message_id'),
    /** The process that edits its card; null: whoever shows it next cannot know what it shows. */
    cardShownBy: uuid('card_shown_by'),
    /** The message that calls those who may approve it, as long as it stands. */
    callMessageId: integer('call_message_id'),
    /** What people file it under, for reports. */
    tag: text('tag'),
  },
  (t) => [
    index('draft_tag')
      .on(t.chatId, t.tag)
      .where(sql`tag is not null`),
    uniqueIndex('draft_source').on(t.botId, t.sourceUpdate),
    // What leaves slowly counts on each of its days.
    index('draft_slow')
      .on(t.chatId)
      .where(sql`pace_per_hour is not null`),
    index('draft_resend').on(sql`(details -> 'resendOf' ->> 'draftId')`),
    index('draft_resends').using('gin', sql`(details -> 'resends')`),
    index('draft_answers').on(sql`((details -> 'answers' ->> 'inboundId')::bigint)`),
    uniqueIndex('draft_code').on(t.chatId, t.code),
    // What somebody has written last in a chat.
    index('draft_author').on(t.chatId, t.authorId, t.createdAt),
    // Whose card a message is.
    index('draft_card')
      .on(t.chatId, t.cardMessageId)
      .where(sql`card_message_id is not null`),
    index('draft_call')
      .on(t.chatId, t.callMessageId)
      .where(sql`call_message_id is not null`),
    // Which message has asked for it, and which has brought its text.
    index('draft_said')
      .on(t.chatId, sql`((details ->> 'saidBy')::int)`)
      .where(sql`details ->> 'saidBy' is not null`),
    index('draft_text')
      .on(t.chatId, sql`((details ->> 'textBy')::int)`)
      .where(sql`details ->> 'textBy' is not null`),
    index('draft_unconfirmed')
      .on(t.expiresAt)
      .where(sql`state <> 'confirmed'`),
  ],
);

/** A confirmed draft. */
export const job = pgTable(
  'job',
  {
    id: uuid('id').primaryKey(),
    draftId: uuid('draft_id')
      .notNull()
      .unique()
      .references(() => draft.id),
    chatId: uuid('chat_id')
      .notNull()
      .references(() => chat.id),
    bindingId: uuid('binding_id')
      .notNull()
      .references(() => binding.id),
    state: text('state').$type<JobState>().notNull(),
    payloadSha256: bytes('payload_sha256').notNull(),
    confirmedBy: telegramId('confirmed_by').notNull(),
    /** Who approved it, where the chat's limit asked for a second person. */
    approvedBy: telegramId('approved_by'),
    /** What it counts against the cap of the day in which it leaves, one with a pace day by day; once it has ended, what it has used. */
    parts: integer('parts').notNull().default(0),
    priceRial: bigint('price_rial', { mode: 'number' }),
    confirmedAt: at('confirmed_at').notNull().defaultNow(),
    /** When it is to leave or has left; its day is the one whose cap it counts against, or the first of one with a pace. */
    leavesAt: at('leaves_at').notNull().defaultNow(),
    holdUntil: at('hold_until').notNull(),
    startedAt: at('started_at'),
    endedAt: at('ended_at'),
    /** Why it stopped before its end: a closed reason, translated by the card. */
    stopReason: text('stop_reason').$type<PauseReason>(),
    stoppedBy: telegramId('stopped_by'),
    pollAfterSeconds: integer('poll_after_seconds').notNull().default(0),
    /** Of one with a pace: its own clock, in milliseconds that some process has surely lived through; null: not begun. */
    paceMs: bigint('pace_ms', { mode: 'number' }),
    /** When it looks for its next call, as far as the pace has it wait. */
    paceUntil: at('pace_until'),
    /** Of an ended one past its time: `totals` when nobody's number and no text is kept any more, `going` until all are gone. */
    kept: text('kept').$type<'all' | 'going' | 'totals'>().notNull().default('all'),
  },
  (t) => [
    // Whatever the chat: what the sweep wakes.
    index('job_due')
      .on(t.holdUntil)
      .where(sql`state in ${sql.raw(listOf(SELF_STARTING))}`),
    index('job_past')
      .on(t.endedAt)
      .where(sql`kept = 'all' and ended_at is not null`),
    index('job_going')
      .on(t.id)
      .where(sql`kept = 'going'`),
    // What has not ended, and then what ended last.
    index('job_ended').on(t.bindingId, sql`coalesce(ended_at, 'infinity')`),
    index('job_day').on(t.chatId, t.leavesAt),
    index('job_open')
      .on(t.chatId, t.holdUntil)
      .where(sql`state in ${sql.raw(listOf(NOT_ENDED))}`),
  ],
);

/** One HTTP send call and its outcome; the states are those of domain/attempt.ts. */
export const attempt = pgTable(
  'attempt',
  {
    id: uuid('id').primaryKey(),
    jobId: uuid('job_id')
      .notNull()
      .references(() => job.id),
    bindingId: uuid('binding_id')
      .notNull()
      .references(() => binding.id),
    chunk: integer('chunk').notNull(),
    n: integer('n').notNull().default(1),
    state: text('state').$type<AttemptState>().notNull().default('planned'),
    epoch: integer('epoch').notNull().default(0),
    /** The epoch in which it passed the fence last: a process that has let it go finds that here, whatever followed. */
    fenced: integer('fenced').notNull().default(0),
    /** Of a job with a pace: what the job's clock said when it was first seen to have passed the fence. */
    paceMs: bigint('pace_ms', { mode: 'number' }),
    owner: text('owner'),
    payloadSha256: bytes('payload_sha256').notNull(),
    textSha256: bytes('text_sha256').notNull(),
    /** One hash per message (line, recipient, text): two attempts that share one are never in doubt together. */
    messageKeys: text('message_keys')
      .array()
      .notNull()
      .default(sql`'{}'`),
    line: text('line').notNull(),
    recipients: text('recipients').array().notNull(),
    /** How many recipients: counted without reading them. */
    size: integer('size')
      .notNull()
      .generatedAlwaysAs(sql`cardinality(recipients)`),
    /**
     * The gateway's id for each recipient of an accepted call, in their order, '' where it is not known; null once
     * they are in `call_report`: a call that ends writes its own row and no other.
     */
    messageIds: text('message_ids').array(),
    /** Who was on the line's blacklist when it was looked up, and is no recipient any more. */
    blocked: text('blocked')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** How many of these its job no longer counts: it has gone on since they were left out. */
    uncounted: integer('uncounted').notNull().default(0),
    /** For several messages in one call: line, recipient, text and kind of each, in the order of the call. */
    messages: jsonb('messages').$type<Record<string, unknown>[]>(),
    /** The same of those who are blocked, in their order. */
    blockedMessages: jsonb('blocked_messages').$type<Record<string, unknown>[]>(),
    tries: integer('tries').notNull().default(0),
    reservedAt: at('reserved_at'),
    onWireAt: at('on_wire_at'),
    endedAt: at('ended_at'),
    outcome: text('outcome'),
    gatewayCode: integer('gateway_code'),
    /** How often the gateway's lists were searched for it while its outcome was unknown. */
    checks: integer('checks').notNull().default(0),
    /** What the last whole look into the lists did not find, and when that was. */
    lastLook: jsonb('last_look').$type<{ at: number; absent: string[] }>(),
    /** Found in the lists, but an equal message of somebody else cannot be told apart. */
    shared: boolean('shared').notNull().default(false),
    /** Who decided about it, where the lists could not. */
    settledBy: telegramId('settled_by'),
    /** What came back, scrubbed and cut: evidence for whoever settles an unknown outcome. */
    raw: text('raw'),
  },
  (t) => [
    uniqueIndex('attempt_chunk').on(t.jobId, t.chunk, t.n),
    uniqueIndex('attempt_one_live')
      .on(t.jobId, t.chunk)
      .where(sql`state in ${sql.raw(listOf([...UNPROVEN, ...GONE]))}`),
    index('attempt_open')
      .on(t.bindingId, t.state)
      .where(sql`state in ${sql.raw(listOf(UNPROVEN))}`),
    // What ended in a time: digests, and reports of a day.
    index('attempt_ended')
      .on(t.bindingId, t.endedAt)
      .where(sql`ended_at is not null`),
    // What is past the time in which its hashes could tell two equal messages apart.
    index('attempt_keyed')
      .on(t.endedAt)
      .where(sql`message_keys <> '{}' and state in ${sql.raw(listOf(GONE))}`),
    index('attempt_unfiled')
      .on(t.jobId)
      .where(sql`message_ids is not null`),
  ],
);

/** What the gateway says of the recipients of an accepted attempt, as domain/call-reports.ts keeps it. */
export const callReport = pgTable(
  'call_report',
  {
    attemptId: uuid('attempt_id')
      .primaryKey()
      .references(() => attempt.id),
    /** The attempt's own, to find the next calls to ask about in their order. */
    jobId: uuid('job_id').notNull(),
    chunk: integer('chunk').notNull(),
    /** The gateway's ids, with commas between them, in the order of the attempt's recipients. */
    ids: text('ids').notNull(),
    /** One character for each recipient, in the same order. */
    marks: text('marks').notNull(),
    words: jsonb('words').$type<ReportWord[]>().notNull(),
    /** Recipients whose report can still change; 0 once they are asked for no longer. */
    open: integer('open').notNull(),
  },
  (t) => [
    index('call_report_job').on(t.jobId, t.chunk),
    index('call_report_open')
      .on(t.jobId, t.chunk)
      .where(sql`open > 0`),
  ],
);

/**
 * The recipients of an accepted attempt, to be found by number: the last seven digits of each, which take a fraction of
 * the numbers and say little by themselves. Written once, for the index is dear to change.
 */
export const sentNumber = pgTable(
  'sent_number',
  {
    attemptId: uuid('attempt_id')
      .primaryKey()
      .references(() => attempt.id),
    tails: integer('tails')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The numbers whole, as programs of the release before go on writing them while there are some. */
    numbers: text('numbers')
      .array()
      .notNull()
      .default(sql`'{}'`),
  },
  // What somebody who writes to us was last sent.
  (t) => [
    index('sent_number_tails').using('gin', t.tails),
    index('sent_number_numbers').using('gin', t.numbers),
  ],
);

/** The reports as releases before 0.2 keep them, a row each: they are moved to `call_report`. */
export const delivery = pgTable(
  'delivery',
  {
    attemptId: uuid('attempt_id')
      .notNull()
      .references(() => attempt.id),
    recipient: text('recipient').notNull(),
    messageId: text('message_id').notNull(),
    kind: text('kind').$type<'waiting' | 'sent' | 'delivered' | 'failed' | 'blocked' | 'unknown'>().notNull(),
    rawState: text('raw_state').notNull().default(''),
    rawText: text('raw_text').notNull().default(''),
    checkedAt: at('checked_at'),
  },
  (t) => [
    primaryKey({ columns: [t.attemptId, t.recipient] }),
    // What somebody who writes to us was last sent.
    index('delivery_recipient').on(t.recipient),
    check('delivery_message_id_digits', sql`message_id ~ '^[0-9]+$'`),
  ],
);

/** Who did what; rows are only ever added (triggers refuse what is not a purge or a forgetting, as the migration `keep` has them). */
export const audit = pgTable(
  'audit',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    chatId: uuid('chat_id').references(() => chat.id),
    personId: telegramId('person_id'),
    updateId: telegramId('update_id'),
    action: text('action').notNull(),
    details: jsonb('details').$type<Record<string, unknown>>().notNull(),
    at: at('at').notNull().defaultNow(),
  },
  (t) => [
    index('audit_chat').on(t.chatId, t.id),
    // Who has said no to a draft.
    index('audit_rejected')
      .on(t.chatId, sql`(details ->> 'code')`)
      .where(sql`action = 'send_rejected_by_approver'`),
  ],
);

/**
 * The chain of the audit, one for each chat: every link has a hash over its row and over the link before it, so that
 * nobody changes what stands further up unseen. A trigger writes it as each transaction ends.
 */
export const auditLink = pgTable(
  'audit_link',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    chatId: uuid('chat_id'),
    auditId: bigint('audit_id', { mode: 'number' })
      .notNull()
      .unique()
      .references(() => audit.id),
    /** At random, part of what is hashed: without it nobody finds what stood there by trying. Of older links null. */
    salt: bytes('salt'),
    /** When something was taken out of its row, which its hash no longer vouches for; and its salt with it. */
    forgottenAt: at('forgotten_at'),
    hash: bytes('hash').notNull(),
  },
  (t) => [index('audit_link_chat').on(t.chatId, t.id)],
);

/** Where a chain begins since its first rows were past their time. It only ever moves on. */
export const auditBase = pgTable(
  'audit_base',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    chatId: uuid('chat_id'),
    /** How many rows are gone in all, which was the last link, what it hashed to, and the newest time of them. */
    rows: bigint('rows', { mode: 'number' }).notNull(),
    linkId: bigint('link_id', { mode: 'number' }).notNull(),
    hash: bytes('hash').notNull(),
    until: at('until').notNull(),
  },
  (t) => [
    uniqueIndex('audit_base_chat').on(sql`coalesce(${t.chatId}, '00000000-0000-0000-0000-000000000000')`),
  ],
);

/** What holds for every chat at once; there is one row. */
export const deployment = pgTable(
  'deployment',
  {
    one: boolean('one').primaryKey().default(true),
    /** The operator's switch, which stops the sends of all chats; null: it is not thrown. */
    heldAt: at('held_at'),
    /** The last that a backup knows which was brought back, until sends are let go on after it. */
    restoredFrom: at('restored_from'),
    /** Up to here something may have happened that the backup does not know. */
    restoredAt: at('restored_at'),
    /** When a process saw that the database has lost what it had confirmed, until sends are let go on after it. */
    lostAt: at('lost_at'),
    /** Since then everything that may have left in the lost time is looked for; null: that is yet to be done. */
    lostDoneAt: at('lost_done_at'),
    /** Since then no card shows what a program from before `call_report` has made of it; null: one may. */
    reportsShownAt: at('reports_shown_at'),
  },
  (t) => [check('deployment_one', sql`${t.one}`)],
);

/** What each process has written last and was told is kept: a row that went back shows that commits were lost. */
export const process = pgTable('process', {
  /** Its id as the owner of calls. */
  id: text('id').primaryKey(),
  beats: bigint('beats', { mode: 'number' }).notNull(),
  /** The start of the server in which it has found all that it knew. */
  server: text('server').notNull(),
  seenAt: at('seen_at').notNull().defaultNow(),
  /** Somebody has seen that it is not alive; one that was only cut off takes this back. */
  goneAt: at('gone_at'),
  /** Its program reads `call_report`. */
  readsReports: boolean('reads_reports').notNull().default(false),
});

/** What a chat allows itself. No row: the defaults of domain/limits.ts. */
export const chatLimits = pgTable('chat_limits', {
  chatId: uuid('chat_id')
    .primaryKey()
    .references(() => chat.id),
  /** Sends of more parts need a second person; null: none does. */
  approvalParts: integer('approval_parts'),
  /** What may be spent or sent in one day of the chat; null: no cap. */
  capRial: bigint('cap_rial', { mode: 'number' }),
  capParts: integer('cap_parts'),
  /** Minutes after midnight in the chat's time zone; both null: at any time. */
  windowFrom: integer('window_from'),
  windowTo: integer('window_to'),
  /** The same for each person alone. */
  personCapRial: bigint('person_cap_rial', { mode: 'number' }),
  personCapParts: integer('person_cap_parts'),
  /** The switch that stops every send of the chat, and who has thrown it. */
  haltedAt: at('halted_at'),
  haltedBy: telegramId('halted_by'),
  updatedBy: telegramId('updated_by').notNull(),
  updatedAt: at('updated_at').notNull().defaultNow(),
});

/** What a chat has said of one of its sender lines. */
export const lineRule = pgTable(
  'line_rule',
  {
    chatId: uuid('chat_id')
      .notNull()
      .references(() => chat.id),
    line: text('line').notNull(),
    purpose: text('purpose').$type<LinePurpose>(),
    /** Minutes after midnight in the chat's time zone; both null: at any time. */
    windowFrom: integer('window_from'),
    windowTo: integer('window_to'),
    required: text('required'),
    words: text('words').array().notNull().default([]),
    updatedBy: telegramId('updated_by').notNull(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.chatId, table.line] })],
);

export type OperatorCosts = Readonly<Partial<Record<Operator, readonly [cost: string, parts: string]>>>;

/** What the account itself tells of its credit and its prices. Money is rial; a price is cost over parts. */
export const accountGauge = pgTable('account_gauge', {
  bindingId: uuid('binding_id')
    .primaryKey()
    .references(() => binding.id),
  creditRial: bigint('credit_rial', { mode: 'number' }),
  creditAt: at('credit_at'),
  gsmCost: bigint('gsm_cost', { mode: 'number' }).notNull().default(0),
  gsmParts: bigint('gsm_parts', { mode: 'number' }).notNull().default(0),
  /** What a part to one mobile operator costs, where that is known: cost and parts as texts, by operator. */
  gsmOperators: jsonb('gsm_operators').$type<OperatorCosts>(),
  ucs2Operators: jsonb('ucs2_operators').$type<OperatorCosts>(),
  ucs2Cost: bigint('ucs2_cost', { mode: 'number' }).notNull().default(0),
  ucs2Parts: bigint('ucs2_parts', { mode: 'number' }).notNull().default(0),
  // Of both encodings together: for programs of the release before; nothing reads or writes them any more.
  allCost: bigint('all_cost', { mode: 'number' }).notNull().default(0),
  allParts: bigint('all_parts', { mode: 'number' }).notNull().default(0),
  burnRialPerDay: bigint('burn_rial_per_day', { mode: 'number' }),
  learnedAt: at('learned_at'),
});

/** A text that a chat keeps under a name. */
export const template = pgTable(
  'template',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    chatId: uuid('chat_id')
      .notNull()
      .references(() => chat.id),
    name: text('name').notNull(),
    text: text('text').notNull(),
    /** It is offered to whoever answers a received message. */
    forAnswers: boolean('for_answers').notNull().default(false),
    createdBy: telegramId('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('template_name').on(t.chatId, sql`lower(${t.name})`)],
);

/** The rows of an uploaded file as they were read, many to a block: [number in the file, cells]. */
export const bulkSource = pgTable(
  'bulk_source',
  {
    draftId: uuid('draft_id')
      .notNull()
      .references(() => draft.id, { onDelete: 'cascade' }),
    block: integer('block').notNull(),
    rows: jsonb('rows').$type<[number, string[]][]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.draftId, t.block] })],
);

/** What leaves of an uploaded file, call by call, exactly as it was shown. */
export const bulkCall = pgTable(
  'bulk_call',
  {
    draftId: uuid('draft_id')
      .notNull()
      .references(() => draft.id, { onDelete: 'cascade' }),
    chunk: integer('chunk').notNull(),
    recipients: text('recipients').array().notNull(),
    /** One for each recipient; null: the draft's text for all. */
    texts: text('texts').array(),
    /** Where each recipient stands in the file. */
    rowNumbers: integer('row_numbers').array().notNull(),
    payloadSha256: bytes('payload_sha256').notNull(),
  },
  (t) => [primaryKey({ columns: [t.draftId, t.chunk] })],
);

/** Rows of an uploaded file that do not leave, many to a block: [number in the file, what stands there, reason]. */
export const bulkSkipped = pgTable(
  'bulk_skipped',
  {
    draftId: uuid('draft_id')
      .notNull()
      .references(() => draft.id, { onDelete: 'cascade' }),
    block: integer('block').notNull(),
    rows: jsonb('rows').$type<[number, string, string][]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.draftId, t.block] })],
);

export type BookChangeKind = 'create' | 'add' | 'remove' | 'delete';
export type BookChangeState = 'open' | 'running' | 'stopped' | 'done' | 'cancelled';

/** A change of a phonebook, from its preview to its end; it can be taken up again where it stopped. */
export const bookChange = pgTable(
  'book_change',
  {
    id: uuid('id').primaryKey(),
    chatId: uuid('chat_id')
      .notNull()
      .references(() => chat.id),
    bindingId: uuid('binding_id')
      .notNull()
      .references(() => binding.id),
    botId: telegramId('bot_id').notNull(),
    sourceUpdate: telegramId('source_update').notNull(),
    personId: telegramId('person_id').notNull(),
    kind: text('kind').$type<BookChangeKind>().notNull(),
    state: text('state').$type<BookChangeState>().notNull().default('open'),
    /** The gateway's id; null until a new book is there. */
    bookId: text('book_id'),
    title: text('title').notNull(),
    /** The unique label of a new book: the gateway knows a repeated creation by it. */
    flag: text('flag').notNull(),
    numbers: text('numbers').array().notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    endedAt: at('ended_at'),
  },
  (t) => [uniqueIndex('book_change_source').on(t.botId, t.sourceUpdate)],
);

export type RegistrationState = 'prepared' | 'on_wire' | 'registered' | 'refused' | 'unknown' | 'cancelled';

/** A gateway user that is being registered. What the form asked for is sealed, and wiped when the call has ended. */
export const registration = pgTable(
  'registration',
  {
    id: uuid('id').primaryKey(),
    chatId: uuid('chat_id')
      .notNull()
      .references(() => chat.id),
    bindingId: uuid('binding_id')
      .notNull()
      .references(() => binding.id),
    botId: telegramId('bot_id').notNull(),
    sourceUpdate: telegramId('source_update').notNull(),
    personId: telegramId('person_id').notNull(),
    userName: text('user_name').notNull(),
    fields: bytes('fields'),
    state: text('state').$type<RegistrationState>().notNull().default('prepared'),
    createdAt: at('created_at').notNull().defaultNow(),
    calledAt: at('called_at'),
    expiresAt: at('expires_at').notNull(),
  },
  (t) => [
    uniqueIndex('registration_source').on(t.botId, t.sourceUpdate),
    index('registration_day').on(t.bindingId, t.calledAt),
  ],
);

/**
 * A gateway account as one chat has it, through all its bindings: what was captured of its inbox stays when the account
 * is linked anew. One process at a time polls it: whoever holds the lease.
 */
export const account = pgTable(
  'account',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    chatId: uuid('chat_id')
      .notNull()
      .references(() => chat.id),
    /** The gateway's user name, or the binding's id where the gateway does not tell one. */
    name: text('name').notNull(),
    /** The binding that is asked; it may have ended. */
    bindingId: uuid('binding_id')
      .notNull()
      .references(() => binding.id),
    createdAt: at('created_at').notNull().defaultNow(),
    /** The earliest of the times below; null while there is nobody to ask. */
    dueAt: at('due_at').defaultNow(),
    inboxDueAt: at('inbox_due_at').defaultNow(),
    creditDueAt: at('credit_due_at').defaultNow(),
    detailsDueAt: at('details_due_at').defaultNow(),
    leaseOwner: text('lease_owner'),
    leaseUntil: at('lease_until'),
    /** Null until the whole inbox has been read once: what was there before is told as one. */
    inboxReadAt: at('inbox_read_at'),
    /** The gateway's own count when it was last read. */
    inboxTotal: integer('inbox_total'),
    /** In which order it lists; null: not known yet. */
    newestFirst: boolean('newest_first'),
    lastInboundAt: at('last_inbound_at'),
    /** The last day, in the chat's time zone, whose counts were compared. */
    auditedOn: text('audited_on'),
    /** When the inbox was last read without an error, and since when it cannot be. */
    inboxOkAt: at('inbox_ok_at'),
    failingSince: at('failing_since'),
    failures: integer('failures').notNull().default(0),
    /** Whether captured messages are marked read at the gateway. */
    marksRead: boolean('marks_read').notNull().default(false),
    /** A fetch that marks messages read has been let out and has not ended: everything is looked at again. */
    receivingAt: at('receiving_at'),
    /** Lines on which a reply of 11 or 12 changes the blacklist. */
    optOutLines: text('opt_out_lines')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** What the account had when it was linked: 5 percent of it is the first threshold. */
    firstCreditRial: bigint('first_credit_rial', { mode: 'number' }),
    /** The gateway's status word and the day on which the account expires, as they were last seen. */
    status: text('status'),
    expiresAt: at('expires_at'),
  },
  (t) => [
    uniqueIndex('account_name').on(t.chatId, t.name),
    uniqueIndex('account_binding').on(t.bindingId),
    index('account_due').on(t.dueAt),
  ],
);

/** What somebody and a line of an account have written to each other, and who of the team looks after it. */
export const talk = pgTable(
  'talk',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => account.id),
    line: text('line').notNull(),
    /** A mobile number in its canonical form, or what the gateway gave. */
    number: text('number').notNull(),
    lastInAt: at('last_in_at').notNull().defaultNow(),
    takenBy: telegramId('taken_by'),
    takenAt: at('taken_at'),
    answeredBy: telegramId('answered_by'),
    answeredAt: at('answered_at'),
    doneBy: telegramId('done_by'),
    doneAt: at('done_at'),
    /** Who has put it off; null: nobody, or its time is over. */
    snoozedBy: telegramId('snoozed_by'),
    snoozedUntil: at('snoozed_until'),
    /** When a person has last decided about it on its line's blacklist, and what: a 11 or 12 of before asks for nothing any more. */
    listDecidedAt: at('list_decided_at'),
    listDecided: text('list_decided', { enum: ['out', 'in'] }),
  },
  (t) => [
    uniqueIndex('talk_who').on(t.accountId, t.line, t.number),
    index('talk_age').on(t.lastInAt),
    // Who waits for an answer; the conditions are those of the statements, word for word.
    index('talk_waiting')
      .on(t.accountId, t.lastInAt)
      .where(
        sql`(done_at is null or done_at < last_in_at) and (answered_at is null or answered_at < last_in_at)`,
      ),
    index('talk_taken')
      .on(t.takenBy)
      .where(sql`taken_by is not null`),
    index('talk_snoozed')
      .on(t.snoozedUntil)
      .where(sql`snoozed_by is not null`),
  ],
);

/** A received message, stored once. */
export const inbound = pgTable(
  'inbound',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => account.id),
    talkId: uuid('talk_id')
      .notNull()
      .references(() => talk.id),
    /** The gateway's id, or what stands for it where there is none: see domain/inbound.ts. */
    key: text('key').notNull(),
    contentSha256: bytes('content_sha256').notNull(),
    messageId: text('message_id'),
    line: text('line').notNull(),
    sender: text('sender').notNull(),
    text: text('text').notNull(),
    /** By the gateway's clock; null where it told none that can be read. */
    sentAt: at('sent_at'),
    capturedAt: at('captured_at').notNull().defaultNow(),
    /** The text folded for a search: see domain/search.ts. */
    folded: text('folded').notNull().default(''),
  },
  (t) => [
    uniqueIndex('inbound_once').on(t.accountId, t.key, t.contentSha256),
    index('inbound_talk').on(t.talkId, t.id),
    index('inbound_time').on(t.accountId, t.sentAt),
    index('inbound_captured').on(t.accountId, t.capturedAt),
  ],
);

/** Whom a chat knows by a number: what people call it, and what else they keep of it. */
export const contact = pgTable(
  'contact',
  {
    chatId: uuid('chat_id')
      .notNull()
      .references(() => chat.id),
    number: text('number').notNull(),
    /** '' where nobody has said. */
    name: text('name').notNull(),
    /** By the name of the column or the word that it was given under. */
    fields: jsonb('fields').$type<Record<string, string>>().notNull().default({}),
    tags: text('tags').array().notNull().default([]),
    setBy: telegramId('set_by').notNull(),
    setAt: at('set_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.chatId, t.number] })],
);

/** A standing order: whoever has a tag is written to by a date of their own. */
export const dateSend = pgTable(
  'date_send',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    chatId: uuid('chat_id')
      .notNull()
      .references(() => chat.id),
    botId: telegramId('bot_id').notNull(),
    sourceUpdate: telegramId('source_update').notNull(),
    state: text('state').$type<DateSendState>().notNull().default('proposed'),
    tag: text('tag').notNull(),
    /** The field of people that holds the date. */
    field: text('field').notNull(),
    yearly: boolean('yearly').notNull(),
    /** Below zero: so many days after the date. */
    daysBefore: integer('days_before').notNull(),
    /** Minutes after midnight in the chat's time zone. */
    minute: integer('minute').notNull(),
    text: text('text').notNull(),
    line: text('line').notNull(),
    lang: text('lang').$type<'en' | 'fa'>().notNull(),
    threadId: integer('thread_id'),
    createdBy: telegramId('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    /** In whose name its sends leave; null: nobody has switched it on yet, or resumed it since a backup was brought back. */
    confirmedBy: telegramId('confirmed_by'),
    /** The chat's account when it was last switched on, resumed or changed; null: nobody knows. */
    bindingId: uuid('binding_id').references(() => binding.id),
    /** The last day, in the chat's time zone, that is done with. */
    doneOn: text('done_on'),
    endedAt: at('ended_at'),
  },
  (t) => [uniqueIndex('date_send_source').on(t.botId, t.sourceUpdate), index('date_send_chat').on(t.chatId)],
);

/** One send that a standing order has made. */
export const dateRun = pgTable(
  'date_run',
  {
    /** Of it the number of its draft's update is made, below those of answers. */
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => dateSend.id, { onDelete: 'cascade' }),
    day: text('day').notNull(),
    madeAt: at('made_at').notNull().defaultNow(),
  },
  (t) => [index('date_run_order').on(t.orderId), index('date_run_made').on(t.madeAt)],
);

/** Who was written to by a standing order, for which year or day: nobody twice. */
export const dateSent = pgTable(
  'date_sent',
  {
    orderId: uuid('order_id')
      .notNull()
      .references(() => dateSend.id, { onDelete: 'cascade' }),
    number: text('number').notNull(),
    /** See `occasionOf` of domain/person-date.ts. */
    occasion: integer('occasion').notNull(),
    runId: bigint('run_id', { mode: 'number' })
      .notNull()
      .references(() => dateRun.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.orderId, t.number, t.occasion] }), index('date_sent_run').on(t.runId)],
);

export type InboxRuleWay = 'contains' | 'equals' | 'pattern' | 'closed';

/** What happens to received messages that say something. */
export const inboxRule = pgTable(
  'inbox_rule',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    chatId: uuid('chat_id')
      .notNull()
      .references(() => chat.id),
    /** Null: on every line. */
    line: text('line'),
    way: text('way').$type<InboxRuleWay>().notNull(),
    words: text('words').notNull(),
    /** Where they go instead of everywhere; null: as all others. */
    destinationId: uuid('sink_id').references(() => destination.id, { onDelete: 'cascade' }),
    /** What is answered by itself; null: nothing. */
    answer: text('answer'),
    createdBy: telegramId('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [index('inbox_rule_chat').on(t.chatId)],
);

/** Answers that went out by themselves: at most one for each number and day. */
export const autoAnswer = pgTable(
  'auto_answer',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => account.id),
    number: text('number').notNull(),
    day: text('day').notNull(),
    inboundId: bigint('inbound_id', { mode: 'number' })
      .notNull()
      .references(() => inbound.id),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.number, t.day] }),
    index('auto_answer_inbound').on(t.inboundId),
  ],
);

/** Where alerts of a chat go: itself, a topic of it, another chat or a channel. */
export const destination = pgTable(
  'sink',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    chatId: uuid('chat_id')
      .notNull()
      .references(() => chat.id),
    /** Null: the chat itself, whatever its id is then. */
    telegramId: telegramId('telegram_id'),
    threadId: integer('thread_id'),
    title: text('title').notNull().default(''),
    lang: text('lang').$type<'en' | 'fa'>(),
    /** The kinds that are switched on here: see domain/alerts.ts. */
    kinds: text('kinds').array().$type<AlertKind[]>().notNull(),
    /** One topic for each correspondent. */
    topics: boolean('topics').notNull().default(false),
    /** Minutes after midnight in the chat's time zone between which nothing is said; null: never quiet. */
    quietFrom: integer('quiet_from'),
    quietTo: integer('quiet_to'),
    /** When the day's digest comes, and on which day (0 Saturday … 6 Friday) the week's; null: none. */
    digestAt: integer('digest_at'),
    digestDay: integer('digest_day'),
    digestedOn: text('digested_on'),
    /** Why nothing can be said there, since when; null: it can. */
    offReason: text('off_reason'),
    offAt: at('off_at'),
    createdBy: telegramId('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('sink_place').on(
      t.chatId,
      sql`coalesce(${t.telegramId}, 0)`,
      sql`coalesce(${t.threadId}, 0)`,
    ),
    index('sink_telegram').on(t.telegramId),
  ],
);

/** What a chat has set for a kind of alert; no row: the defaults of domain/alerts.ts. */
export const alertSetting = pgTable(
  'alert_setting',
  {
    chatId: uuid('chat_id')
      .notNull()
      .references(() => chat.id),
    kind: text('kind').$type<AlertKind>().notNull(),
    /** Rial, percent or days, by the kind. */
    threshold: bigint('threshold', { mode: 'number' }),
    mutedUntil: at('muted_until'),
    mutedBy: telegramId('muted_by'),
  },
  (t) => [primaryKey({ columns: [t.chatId, t.kind] })],
);

/** Something that began and has not ended yet, or has: told when it begins, once. */
export const alarm = pgTable(
  'alarm',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    chatId: uuid('chat_id')
      .notNull()
      .references(() => chat.id),
    accountId: uuid('account_id').references(() => account.id),
    kind: text('kind').$type<AlarmKind>().notNull(),
    /** Tells alarms of a kind apart: a job, say; mostly empty. */
    subject: text('subject').notNull().default(''),
    /** It rises while the same goes on, and is told again then. */
    level: integer('level').notNull().default(1),
    facts: jsonb('facts').$type<Record<string, unknown>>().notNull().default({}),
    since: at('since').notNull().defaultNow(),
    endedAt: at('ended_at'),
    ackedBy: telegramId('acked_by'),
    ackedAt: at('acked_at'),
    /** When it is brought up again if it still stands. */
    remindAt: at('remind_at'),
  },
  (t) => [
    uniqueIndex('alarm_open')
      .on(t.chatId, t.kind, t.subject)
      .where(sql`ended_at is null`),
    index('alarm_account').on(t.accountId),
  ],
);

/** Something that is to be said in a destination, at least once. */
export const notification = pgTable(
  'notice',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    destinationId: uuid('sink_id')
      .notNull()
      .references(() => destination.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<AlertKind>().notNull(),
    inboundId: bigint('inbound_id', { mode: 'number' }).references(() => inbound.id),
    alarmId: uuid('alarm_id').references(() => alarm.id),
    draftId: uuid('draft_id').references(() => draft.id),
    facts: jsonb('facts').$type<Record<string, unknown>>().notNull().default({}),
    state: text('state').$type<NotificationState>().notNull().default('queued'),
    /** Nothing is said before: quiet hours. */
    notBefore: at('not_before').notNull().defaultNow(),
    createdAt: at('created_at').notNull().defaultNow(),
    sentAt: at('sent_at'),
    tries: integer('tries').notNull().default(0),
    /** How often Telegram may have taken it without our hearing of it. */
    doubtful: integer('doubtful').notNull().default(0),
    messageId: integer('message_id'),
    threadId: integer('thread_id'),
  },
  (t) => [
    index('notice_open')
      .on(t.destinationId, t.id)
      .where(sql`state in ${sql.raw(listOf(UNSAID))}`),
    index('notice_inbound').on(t.inboundId),
    index('notice_alarm').on(t.alarmId),
    index('notice_draft').on(t.draftId),
    // What is not told of a received message, by its age; those go with the message.
    index('notice_told')
      .on(t.createdAt)
      .where(sql`inbound_id is null`),
    index('notice_message').on(t.destinationId, t.messageId),
    // How many received messages were told of late.
    index('notice_said')
      .on(t.destinationId, t.sentAt)
      .where(sql`kind = 'inbound' and message_id is not null`),
  ],
);

/** The topic of a correspondent in a forum. */
export const talkTopic = pgTable(
  'talk_topic',
  {
    destinationId: uuid('sink_id')
      .notNull()
      .references(() => destination.id, { onDelete: 'cascade' }),
    talkId: uuid('talk_id')
      .notNull()
      .references(() => talk.id),
    threadId: integer('thread_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.destinationId, t.talkId] }),
    index('talk_topic_thread').on(t.destinationId, t.threadId),
    index('talk_topic_talk').on(t.talkId),
  ],
);
