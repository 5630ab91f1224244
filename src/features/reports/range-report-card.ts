import type { TimeSpan } from '../../domain/time-range.ts';
import type { Estimates, Refusals } from '../../ports/reports.ts';
import { lines, type Html } from '../../telegram/html.ts';
import type { Turn } from '../../telegram/turn.ts';
import type { Counted, SentCount } from './counting.ts';
import { estimatesText } from './cost-card.ts';
import { costTexts } from './cost-texts.ts';
import { priceText } from './count-card.ts';
import { gapText, incomplete } from './gap-texts.ts';
import { kindsOf, totalText } from './outbox-card.ts';
import type { OutboxReading } from './outbox-reading.ts';
import { outboxTexts, spanText } from './outbox-texts.ts';
import { reasonsText, refusedText, wordsText } from './report-card.ts';
import { reportTexts } from './report-texts.ts';
import { texts } from './texts.ts';

export interface RangeReport {
  readonly span: TimeSpan;
  readonly reading: OutboxReading;
  /** Null where the account cannot count. */
  readonly sent: Counted<SentCount> | null;
  readonly refusals: readonly Refusals[];
  readonly estimates: Estimates | null;
  /** The only line of it; null: all. */
  readonly line: string | null;
}

const LISTED = 8;

/** What left in a time: by state, by line, what it cost, and why the rest did not arrive. */
export function rangeReportCard(turn: Turn, report: RangeReport): Html {
  const { span, reading, sent, refusals, estimates, line: only } = report;
  const t = reportTexts(turn.locale);
  const words = texts(turn.locale);
  const { format } = turn;
  const { totals, unread } = reading;
  const nothing =
    unread.length === 0 ? outboxTexts(turn.locale).nothing : outboxTexts(turn.locale).nothingRead;
  return lines(
    t.rangeHead(spanText(format, span)),
    only !== null && t.ofLine(only),
    totals.messages === 0 ? nothing : totalText(turn, totals),
    ...kindsOf(totals).map(({ kind, count }) =>
      words.stands(words.kinds[kind], format.number(count), format.percent(count / totals.messages)),
    ),
    reasonsText(
      turn,
      totals.reasons.map(({ reason, messages }) => ({ reason, count: messages })),
    ),
    wordsText(
      turn,
      totals.words.map(({ word, messages }) => ({ word, count: messages })),
    ),
    ...(only === null ? totals.lines : [])
      .slice(0, LISTED)
      .map(({ line, messages }) => t.byLine(line, format.count(messages, words.messages))),
    totals.lines.length > LISTED && t.moreLines(format.number(totals.lines.length - LISTED)),
    sent !== null && costText(turn, sent),
    only !== null && totals.messages > 0 && costTexts(turn.locale).byTimeOnly,
    estimates !== null && estimatesText(turn, estimates),
    ...refusals.slice(0, LISTED).map(({ name, recipients }) => refusedText(turn, name, recipients)),
    ...incomplete(turn, reading),
  );
}

function costText(turn: Turn, sent: Counted<SentCount>): Html {
  const t = reportTexts(turn.locale);
  if ('gap' in sent) return t.noCost(gapText(turn, sent.gap));
  const { parts, cost } = sent.value;
  return t.cost(
    turn.format.count(parts, texts(turn.locale).parts),
    turn.format.rial(cost),
    priceText(turn, sent.value),
  );
}
