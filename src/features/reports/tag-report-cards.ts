import type { JobState } from '../../domain/job.ts';
import { soFar, type TimeSpan } from '../../domain/time-range.ts';
import type { Charts } from '../../ports/charts.ts';
import type { RecordedRecipient, TaggedReport } from '../../ports/reports.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { TableFormat, Tables } from '../../ports/tables.ts';
import type { Stores } from '../../storage/stores.ts';
import { lines } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { fileButtons, sendTable } from '../../telegram/table-file.ts';
import { keptTexts } from '../shared/kept-texts.ts';
import { spanText } from '../shared/range-argument.ts';
import { reportActions } from './actions.ts';
import { costTexts, estimatesText } from './cost-card.ts';
import { failedOf, failedTexts, sayFailed } from './failed-card.ts';
import { fileSpan, taggedTable } from './file-texts.ts';
import {
  differsByOperator,
  operatorsOf,
  type OperatorStanding,
  type PaidText,
} from './operator-standings.ts';
import { pictureTexts, type PictureOf } from './picture-card.ts';
import { summarizeAll, type JobSummary } from './recipient-status.ts';
import { MAX_RECIPIENTS } from './report-cards.ts';
import { reportTexts } from './report-texts.ts';
import { leftShape, shownIn } from './shape.ts';
import { renderReport, sayReport, statusLines, type Report } from './summary-card.ts';
import { texts } from './texts.ts';

export interface TagReportCardsDeps extends Pick<Stores, 'reports' | 'gauges'> {
  readonly tables: Tables;
  readonly charts: Charts;
  readonly clock: Clock;
}

/** Reports of the sends of a tag, from what Peyk keeps of them. */
export function createTagReportCards({ reports, gauges, tables, charts, clock }: TagReportCardsDeps) {
  /** Card by card, as many as a file holds. */
  const recipientsOf = async (ctx: RequestContext, of: TagOf) => {
    const { cards, tallies } = await reports.tagged(ctx.chat.id, of, of);
    const rows: (RecordedRecipient & { readonly job: JobState; readonly code: string })[] = [];
    for (const { draftId, code, state } of cards) {
      if (rows.length >= MAX_RECIPIENTS) break;
      const found = await reports.recipients(draftId, MAX_RECIPIENTS - rows.length, of.line);
      rows.push(...found.map((row) => ({ ...row, job: state, code })));
    }
    const emptied = cards.filter(({ isEmptied }) => isEmptied).length;
    return { rows, all: tallies.reduce((sum, { recipients }) => sum + recipients, 0), emptied };
  };
  /** The texts of sends with what parts cost; nothing where that is one price for all operators. */
  const paidFor = async (cards: TaggedReport['cards']): Promise<ReadonlyMap<string, PaidText>> => {
    const bindings = [...new Set(cards.map(({ bindingId }) => bindingId))];
    const found = await Promise.all(bindings.map(async (id) => [id, await gauges.of(id)] as const));
    const prices = new Map(found.flatMap(([id, gauge]) => (gauge === null ? [] : [[id, gauge.prices]])));
    const paid = cards.flatMap(({ draftId, bindingId, text }) => {
      const own = prices.get(bindingId);
      return text === null || own === undefined ? [] : [[draftId, { text, prices: own }] as const];
    });
    return new Map(paid.some(([, each]) => differsByOperator(each)) ? paid : []);
  };
  const nameOf = ({ format }: RequestContext, of: TagOf): string => `${of.tag}-${fileSpan(format, of)}`;

  return {
    async ofTag(ctx: RequestContext, of: TagOf): Promise<void> {
      const report = await reports.tagged(ctx.chat.id, of, of);
      const summary = summarizeAll(report.tallies);
      const draftIds = report.cards.map(({ draftId }) => draftId);
      const operators = await operatorsOf(
        reports,
        { draftIds, line: of.line },
        summary,
        await paidFor(report.cards),
      );
      const now = clock.now();
      const said = tagReportCard(ctx, of, { report, summary, operators, now });
      const picture = { ...pictureOfTag(ctx, { ...of, ...soFar(of, now) }, report, summary), operators };
      await sayReport(ctx, said, summary.recipients === 0 ? null : picture, { charts, now });
    },

    async fileOfTag(ctx: RequestContext, of: TagOf, format: TableFormat): Promise<void> {
      const { rows, all, emptied } = await recipientsOf(ctx, of);
      const t = reportTexts(ctx.locale);
      const count = ctx.format.count(rows.length, texts(ctx.locale).recipients);
      const table = taggedTable(ctx.format, rows);
      const caption = lines(
        t.tagHead(of.tag, count),
        emptied === 0
          ? all > rows.length && t.fileCut(count)
          : keptTexts(ctx.locale).leftOut(ctx.format.count(emptied, keptTexts(ctx.locale).sends)),
      );
      await sendTable(ctx, { name: `report-${nameOf(ctx, of)}`, table, format, caption }, tables);
    },

    async failedOfTag(ctx: RequestContext, of: TagOf): Promise<void> {
      const { rows } = await recipientsOf(ctx, of);
      const failed = failedOf(ctx, rows);
      const count = ctx.format.count(failed.length, texts(ctx.locale).recipients);
      const head = failedTexts(ctx.locale).ofTime(spanText(ctx.format, soFar(of, clock.now())), count);
      await sayFailed(ctx, { head, failed, name: `failed-${nameOf(ctx, of)}` }, tables);
    },
  };
}

function pictureOfTag(
  ctx: RequestContext,
  of: TagOf,
  report: TaggedReport,
  summary: JobSummary,
): Omit<PictureOf, 'operators'> {
  const { format, locale } = ctx;
  const t = pictureTexts(locale);
  return {
    title: t.ofTag(of.tag),
    subtitle: [
      spanText(format, of),
      ...(of.line === null ? [] : [t.line(of.line)]),
      format.count(report.cards.length, costTexts(locale).sends),
    ],
    counts: shownIn(summary),
    shape: leftShape(format.timeZone, report.left),
  };
}

/** What a report of a tag is of, as its buttons remember it. */
interface TagOf extends TimeSpan {
  readonly tag: string;
  readonly line: string | null;
}

const LISTED = 10;

/** What became of the sends of one tag, from what Peyk keeps of them. */
function tagReportCard(
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
  // Of one line its share of parts and price is not known.
  const isWhole = of.line === null;
  const sends = format.count(cards.length, costTexts(ctx.locale).sends);
  const codes = cards.slice(0, LISTED).map(({ code }) => code);
  return renderReport(ctx, {
    head,
    about: [
      t.cards(sends, codes, cards.length > LISTED),
      t.size(
        format.count(summary.recipients, words.recipients),
        parts === 0 || !isWhole ? null : format.count(parts, words.parts),
      ),
    ],
    standings: statusLines(ctx, summary),
    misses: summary,
    operators,
    costs: [isWhole && estimatesText(ctx, estimates), costTexts(ctx.locale).byTimeOnly],
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
