import type { TimeSpan } from '../../domain/time-range.ts';
import type { Estimates, Refusals } from '../../ports/reports.ts';
import type { Buttons } from '../../telegram/buttons.ts';
import type { Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { countLabel } from '../shared/count-words.ts';
import type { Counted, SentCount } from './counting.ts';
import { estimatesText } from './cost-card.ts';
import { costTexts } from './cost-texts.ts';
import { priceText } from './count-card.ts';
import { gapText, incomplete } from './gap-texts.ts';
import type { OperatorStanding } from './operator-standings.ts';
import { kindsOf, totalText } from './outbox-card.ts';
import type { OutboxReading } from './outbox-reading.ts';
import { outboxTexts, spanText } from './outbox-texts.ts';
import { reportTexts } from './report-texts.ts';
import { renderReport, type Report } from './summary-card.ts';
import { texts } from './texts.ts';

export interface RangeReport {
  readonly span: TimeSpan;
  readonly reading: OutboxReading;
  readonly operators: readonly OperatorStanding[];
  /** Null where the account cannot count. */
  readonly sent: Counted<SentCount> | null;
  readonly refusals: readonly Refusals[];
  readonly estimates: Estimates | null;
  /** The only line of it; null: all. */
  readonly line: string | null;
  readonly buttons: Buttons;
}

const LISTED = 8;

/** What left in a time: by state, by line, what it cost, and why the rest did not arrive. */
export function rangeReportCard(ctx: RequestContext, report: RangeReport): Report {
  const { span, reading, operators, sent, refusals, estimates, line: only, buttons } = report;
  const t = reportTexts(ctx.locale);
  const words = texts(ctx.locale);
  const { format } = ctx;
  const { totals, unread } = reading;
  const nothing = unread.length === 0 ? outboxTexts(ctx.locale).nothing : outboxTexts(ctx.locale).nothingRead;
  return renderReport(ctx, {
    head: t.rangeHead(format.zoned(spanText(format, span), new Date(span.to * 1000))),
    about: [only !== null && t.ofLine(only), totals.messages === 0 ? nothing : totalText(ctx, totals)],
    standings: kindsOf(totals).map(({ kind, count }) =>
      words.stands(
        countLabel(kind, ctx.locale),
        format.number(count),
        format.percent(count / totals.messages),
      ),
    ),
    misses: totals,
    operators,
    costs: [
      ...(only === null ? totals.lines : [])
        .slice(0, LISTED)
        .map(({ line, messages }) => t.byLine(line, format.count(messages, words.messages))),
      totals.lines.length > LISTED && t.moreLines(format.number(totals.lines.length - LISTED)),
      sent !== null && costText(ctx, sent),
      only !== null && totals.messages > 0 && costTexts(ctx.locale).byTimeOnly,
      estimates !== null && estimatesText(ctx, estimates),
    ],
    refusals: refusals.slice(0, LISTED),
    below: incomplete(ctx, reading),
    buttons,
  });
}

function costText(ctx: RequestContext, sent: Counted<SentCount>): Html {
  const t = reportTexts(ctx.locale);
  if ('gap' in sent) return t.noCost(gapText(ctx, sent.gap));
  const { parts, cost } = sent.value;
  return t.cost(
    ctx.format.count(parts, texts(ctx.locale).parts),
    ctx.format.rial(cost),
    priceText(ctx, sent.value),
  );
}
