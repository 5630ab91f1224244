import type { TimeSpan } from '../../domain/time-range.ts';
import type { Format } from '../../i18n/format.ts';
import type { Html } from '../../telegram/html.ts';
import { refusalText } from '../../telegram/refusal-texts.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { spanText } from '../shared/range-argument.ts';
import type { Gap, OutboxReading } from './outbox-reading.ts';
import { outboxTexts } from './outbox-texts.ts';

/** The caption of a file has room for so much. */
const REASONS = 3;
const SPANS = 4;

/** What is missing, and why: an answer that leaves something out says so. */
export function incomplete(ctx: RequestContext, { unread, left, rows }: OutboxReading): Html[] {
  const t = outboxTexts(ctx.locale);
  const groups = Map.groupBy(unread, (day) => gapText(ctx, day));
  return [
    ...(left > 0 ? [t.left(ctx.format.number(rows.length), ctx.format.number(left))] : []),
    ...[...groups].slice(0, REASONS).map(([why, days]) => t.unread(daysText(ctx.format, days), why)),
  ];
}

/** Why a question has no answer, as a sentence. */
export function gapText({ locale }: RequestContext, gap: Gap): string {
  const { gaps } = outboxTexts(locale);
  return gap.reason === 'refused' ? gaps.refused(refusalText(locale, gap.refusal ?? '')) : gaps[gap.reason];
}

/** Days in a row as one span, so that a month without answers is one line. */
function daysText(format: Format, days: readonly TimeSpan[]): string {
  const joined: TimeSpan[] = [];
  for (const { from, to } of days) {
    const last = joined.at(-1);
    if (last !== undefined && last.to + 1 === from) joined[joined.length - 1] = { from: last.from, to };
    else joined.push({ from, to });
  }
  const listed = joined.slice(0, SPANS).map((each) => spanText(format, each));
  return joined.length > SPANS ? `${listed.join(' · ')} …` : format.list(listed);
}
