import type { FailureReason } from '../../domain/delivery-codes.ts';
import { failureReason } from '../../domain/failure-reason.ts';
import type { JobState } from '../../domain/job.ts';
import { displayRecipient } from '../../domain/phone.ts';
import { isolateAuto } from '../../i18n/format.ts';
import type { SentMessage } from '../../ports/gateway.ts';
import type { RecordedRecipient } from '../../ports/reports.ts';
import type { Table, Tables } from '../../ports/tables.ts';
import { clip, html, type Html } from '../../telegram/html.ts';
import { sayLong } from '../../telegram/long-answer.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { countWords } from '../shared/count-words.ts';
import { failedTexts } from './failed-texts.ts';
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
