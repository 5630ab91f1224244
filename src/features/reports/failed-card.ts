import type { FailureReason } from '../../domain/delivery-codes.ts';
import { failureReason } from '../../domain/failure-reason.ts';
import type { JobState } from '../../domain/job.ts';
import { displayRecipient } from '../../domain/phone.ts';
import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import type { SentMessage } from '../../ports/gateway.ts';
import type { RecordedRecipient } from '../../ports/reports.ts';
import type { Table, Tables } from '../../ports/tables.ts';
import { b, clip, html, type Html } from '../../telegram/html.ts';
import { sayLong } from '../../telegram/long-answer.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { countWords } from '../shared/count-words.ts';
import { isMissed, recipientStatus, STATUS_COUNTS } from './recipient-status.ts';

/** Somebody whom a message did not reach, and why. */
export interface Failed {
  readonly recipient: string;
  /** As a sentence's end: `not reached the handset`. */
  readonly reason: string;
  /** The gateway's own word; '' where it gave none. */
  readonly word: string;
}

const WORD_UNITS = 60;

/** Says whom messages did not reach and why; where there are many, the whole list is a file. */
export async function sayFailed(
  ctx: RequestContext,
  { head, failed, name }: { readonly head: Html; readonly failed: readonly Failed[]; readonly name: string },
  tables: Pick<Tables, 'write'>,
): Promise<void> {
  if (failed.length === 0) {
    await ctx.say(failedTexts(ctx.locale).nobody);
    return;
  }
  await sayLong(
    ctx,
    {
      head,
      rows: failed.map(
        ({ recipient, reason, word }) =>
          html`${ctx.format.phone(recipient)} · ${reason}${word === '' ? '' : ` (${isolateAuto(clip(word, WORD_UNITS))})`}`,
      ),
      file: { name, table: failedTable(ctx, failed) },
    },
    tables,
  );
}

/** Those of a job's recipients who got nothing, for certain. */
export function failedOf(
  { locale }: RequestContext,
  rows: readonly (RecordedRecipient & { readonly job: JobState })[],
): Failed[] {
  return rows.flatMap((row) => {
    const status = recipientStatus(row, row.job);
    if (!isMissed(status)) return [];
    const { recipient, word, rawState: raw } = row;
    if (status !== 'failed' && status !== 'blocked')
      return [{ recipient, reason: countWords(locale)[STATUS_COUNTS[status]], word: '' }];
    const reason = failureReason({ kind: status, raw, text: word });
    return [{ recipient, ...toldReason(locale, reason, word) }];
  });
}

/** The same of rows of the gateway's outbox. */
export function failedAmong({ locale }: RequestContext, rows: readonly SentMessage[]): Failed[] {
  return rows.flatMap(({ recipient = '', state: { kind, raw, text } }) => {
    if (kind !== 'failed' && kind !== 'blocked') return [];
    return [
      {
        recipient,
        ...toldReason(locale, failureReason({ kind, raw, text }), text),
      },
    ];
  });
}

function toldReason(locale: RequestContext['locale'], reason: FailureReason, word: string) {
  // Our own word says the same as the gateway's where it is one of ours.
  return { reason: failedTexts(locale).reasons[reason], word: reason === 'other' ? word : '' };
}

function failedTable({ locale }: RequestContext, failed: readonly Failed[]): Table {
  const t = failedTexts(locale);
  return {
    header: t.columns,
    rows: failed.map(({ recipient, reason, word }) => [displayRecipient(recipient), reason, word]),
  };
}

export const failedTexts = defineTexts({
  en: {
    see: (count: string): string => `❌ See ${count}`,
    ofCard: (id: string, count: string): Html =>
      html`❌ ${b(isolateLtr(`#${id}`))} · ${count} did not get it`,
    ofTime: (span: string, count: string): Html => html`❌ ${span} · ${count} not delivered`,
    nobody: html`By now there is nobody who certainly did not get it.`,
    line: (reasons: string): Html => html`Not delivered: ${reasons}`,
    reason: (count: string, reason: string): string => `${count} ${reason}`,
    reasons: {
      handset: 'did not reach the handset',
      operator: 'did not reach the network',
      returned: 'returned',
      blocked: 'blocked',
      other: 'for another reason',
    } satisfies Record<FailureReason, string>,
    columns: ['number', 'reason', "gateway's word"],
  },
  fa: {
    see: (count) => `❌ دیدن ${count} تحویل‌نشده`,
    ofCard: (id, count) => html`❌ ${b(isolateLtr(`#${id}`))} · به ${count} تحویل نشد`,
    ofTime: (span, count) => html`❌ ${span} · ${count} تحویل نشد`,
    nobody: html`دیگر کسی نیست که حتماً پیام را نگرفته باشد.`,
    line: (reasons) => html`تحویل‌نشده‌ها: ${reasons}`,
    reason: (count, reason) => `${count} ${reason}`,
    reasons: {
      handset: 'نرسیده به گوشی',
      operator: 'نرسیده به اپراتور موبایل',
      returned: 'برگشت‌خورده',
      blocked: 'مسدود',
      other: 'به دلیلی دیگر',
    },
    columns: ['شماره', 'دلیل', 'گفتهٔ پنل پیامک'],
  },
});
