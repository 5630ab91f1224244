import { soFar, type TimeSpan } from '../../domain/time-range.ts';
import type { TaggedReport } from '../../ports/reports.ts';
import { lines } from '../../telegram/html.ts';
import { fileButtons } from '../../telegram/table-file.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { reportActions } from './actions.ts';
import { estimatesText } from './cost-card.ts';
import { costTexts } from './cost-texts.ts';
import { failedTexts } from './failed-texts.ts';
import type { OperatorStanding } from './operator-standings.ts';
import { spanText } from './outbox-texts.ts';
import { renderReport, statusLines, type Report } from './summary-card.ts';
import { reportTexts } from './report-texts.ts';
import type { JobSummary } from './recipient-status.ts';
import { texts } from './texts.ts';

/** What a report of a tag is of, as its buttons remember it. */
export interface TagOf extends TimeSpan {
  readonly tag: string;
  readonly line: string | null;
}

const LISTED = 10;

/** What became of the sends of one tag, from what Peyk keeps of them. */
export function tagReportCard(
  ctx: RequestContext,
  of: TagOf,
  {
    report,
    summary,
    operators,
    now,
  }: {
    readonly report: TaggedReport;
    readonly summary: JobSummary;
    readonly operators: readonly OperatorStanding[];
    readonly now: Date;
  },
): Report {
  const t = reportTexts(ctx.locale);
  const words = texts(ctx.locale);
  const { format } = ctx;
  const { cards, parts, estimates, refusals } = report;
  const head = lines(
    t.tagHead(of.tag, format.zoned(spanText(format, soFar(of, now)), now)),
    of.line !== null && t.ofLine(of.line),
  );
  if (cards.length === 0) return { head, content: lines(head, t.noneTagged), buttons: [] };
  const sends = format.count(cards.length, costTexts(ctx.locale).sends);
  const codes = cards.slice(0, LISTED).map(({ code }) => code);
  return renderReport(ctx, {
    head,
    about: [
      t.cards(sends, codes, cards.length > LISTED),
      t.size(
        format.count(summary.recipients, words.recipients),
        // Of one line its share of the parts is not known.
        parts === 0 || of.line !== null ? null : format.count(parts, words.parts),
      ),
    ],
    standings: statusLines(ctx, summary),
    misses: summary,
    operators,
    costs: [estimatesText(ctx, estimates), costTexts(ctx.locale).byTimeOnly],
    refusals,
    buttons: [
      [
        summary.missed > 0 &&
          reportActions.tagFailed.button(failedTexts(ctx.locale).see(format.number(summary.missed)), {
            ...of,
          }),
      ],
      fileButtons(reportActions.tagFile, of),
    ],
  });
}
