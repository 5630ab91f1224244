import type { TransactionSql } from 'postgres';
import type { ShownNotifications } from '../ports/alerts.ts';
import type { BulkWork } from '../ports/bulk.ts';
import type { GaugeWork } from '../ports/gauge.ts';
import type { LateAnswer, ReportCursor } from '../ports/jobs.ts';
import { stampCorrelation } from '../ports/correlation.ts';
import type { PhonebookWork } from '../ports/phonebook-changes.ts';
import type { RegistrationWork } from '../ports/registrations.ts';
import type { Queryable } from './database/database.ts';
import { jsonText } from './json.ts';

/** The jobs that storage starts, and what each is told. */
export interface QueuePayloads {
  readonly send: { readonly jobId: string };
  readonly track: { readonly jobId: string; readonly after?: ReportCursor };
  readonly reconcile: { readonly attemptId: string };
  readonly remind: { readonly jobId: string };
  readonly 'late-answer': LateAnswer;
  readonly missed: { readonly jobId: string };
  /** An answer to a received message has not gone out as it was meant to: whoever gave it is called. */
  readonly unanswered: { readonly jobId: string };
  /** `lapses`: the time of its draft is over, which is told where its card alone would not be seen. */
  readonly card: { readonly draftId: string; readonly lapses?: boolean };
  /** The cards of a chat's open drafts are to be drawn anew; null: of all chats. */
  readonly 'open-drafts': { readonly chatId: string | null };
  readonly gauge: GaugeWork;
  readonly 'bulk-read': BulkWork;
  readonly 'bulk-count': BulkWork;
  readonly 'bulk-keep': BulkWork;
  readonly phonebook: PhonebookWork;
  readonly registration: RegistrationWork;
  readonly 'registration-password': RegistrationWork;
  readonly menus: { readonly chatId: string; readonly personId?: number };
  readonly 'inbound-duty': { readonly inboundId: number; readonly tries?: number };
  /** Of those whose day it was, nobody could be written to. */
  readonly 'nobody-fits': { readonly orderId: string; readonly count: number; readonly reason: string };
  readonly failures: { readonly jobId: string };
  readonly notify: { readonly sinkId: string };
  readonly renotice: ShownNotifications;
  readonly 'sink-off': { readonly sinkId: string };
  readonly 'bot-gone': { readonly chatId: string };
  readonly 'owner-left': { readonly chatId: string };
}

interface EnqueueOptions {
  readonly key: string;
  readonly afterMs?: number;
  readonly queue?: string;
}

/** One to be put into the queue. */
type Asked = {
  readonly [T in keyof QueuePayloads]: EnqueueOptions & {
    readonly task: T;
    readonly payload: QueuePayloads[T];
  };
}[keyof QueuePayloads];

/**
 * Puts a job into the queue inside a transaction, or by itself: it exists if and only if the transaction commits. Its
 * time is the database's clock. A waiting job with the same key is replaced, so a card has one next edit.
 */
export async function enqueue<T extends keyof QueuePayloads>(
  tx: Queryable,
  task: T,
  payload: QueuePayloads[T],
  options: EnqueueOptions,
): Promise<void> {
  await ask(tx, [{ task, payload, ...options }], 'replace');
}

/** The same for several, by one statement. */
export async function enqueueAll(tx: Queryable, ...jobs: readonly Asked[]): Promise<void> {
  await ask(tx, jobs, 'replace');
}

/**
 * Puts a job into the queue for that time at the latest: one that waits with the same key and is due before stays due
 * then. Whoever found nothing to do for now so takes nothing from somebody who knows of more to do at the same moment.
 */
export async function enqueueBy<T extends keyof QueuePayloads>(
  tx: Queryable,
  task: T,
  payload: QueuePayloads[T],
  options: EnqueueOptions,
): Promise<void> {
  await ask(tx, [{ task, payload, ...options }], 'earliest');
}

async function ask(
  tx: Queryable,
  jobs: readonly (EnqueueOptions & { readonly task: string; readonly payload: object })[],
  how: 'replace' | 'earliest',
): Promise<void> {
  const asked = jobs.map((each) => ({ ...each, payload: stampCorrelation(each.payload) }));
  await tx`
    select enqueue_job(task, payload, key, now() + coalesce("afterMs", 0) * interval '1 millisecond', ${how}::text, queue)
    from json_to_recordset(${jsonText(asked)}::text::json) as g(task text, payload json, key text, "afterMs" float8, queue text)`;
}

/** The lists of the gateway show a message some seconds after it was accepted. */
export const FIRST_LOOK_MS = 20_000;

/** Has an attempt whose outcome is unknown looked for in the gateway's lists. */
export async function enqueueReconcile(tx: TransactionSql, attemptId: string): Promise<void> {
  await enqueue(tx, 'reconcile', { attemptId }, { key: `reconcile:${attemptId}`, afterMs: FIRST_LOOK_MS });
}

/** Has the credit of an account read again, and its prices when they are due; the card of a draft then follows. */
export async function enqueueGauge(tx: TransactionSql, work: GaugeWork): Promise<void> {
  await enqueueAll(tx, gaugeJob(work));
}

/** The same as one of several. */
export function gaugeJob(payload: GaugeWork) {
  return { task: 'gauge', payload, key: `gauge:${payload.draftId ?? payload.bindingId}` } as const;
}

/** The reports of a job asked for, as one of several. */
export function trackJob(jobId: string) {
  return { task: 'track', payload: { jobId }, key: `track:${jobId}` } as const;
}

/** The card of a draft drawn anew, as one of several. */
export function cardJob(draftId: string) {
  return { task: 'card', payload: { draftId }, key: `card:${draftId}` } as const;
}

/**
 * Has the command menus of a chat brought up to date, of everybody with a role there or of one person. All of
 * them take their turn in one queue, so that the newest state is always the last to be published.
 */
export async function enqueueMenus(tx: TransactionSql, chatId: string, personId?: number): Promise<void> {
  await enqueue(tx, 'menus', personId === undefined ? { chatId } : { chatId, personId }, {
    key: `menus:${chatId}:${personId ?? 'all'}`,
    queue: 'menus',
  });
}

/** Has what is due in these destinations said. */
export async function enqueueNotify(tx: TransactionSql, destinationIds: readonly string[]): Promise<void> {
  for (const destinationId of destinationIds)
    await enqueue(tx, 'notify', { sinkId: destinationId }, { key: `notify:${destinationId}` });
}

/** Has the messages that show an alarm, or received messages, brought up to what holds now. */
export async function enqueueRenotice(
  tx: TransactionSql,
  of: ShownNotifications,
  afterMs = 0,
): Promise<void> {
  const which = 'alarmId' in of ? of.alarmId : of.inboundIds.join(',');
  await enqueueBy(tx, 'renotice', of, { key: `renotice:${which}`, afterMs });
}
