import type { JobState } from '../../domain/job.ts';
import { soFar } from '../../domain/time-range.ts';
import type { Charts } from '../../ports/charts.ts';
import type { RecordedRecipient, TaggedReport } from '../../ports/reports.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { TableFormat, Tables } from '../../ports/tables.ts';
import type { Stores } from '../../storage/stores.ts';
import { lines } from '../../telegram/html.ts';
import { sendTable } from '../../telegram/table-file.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { keptTexts } from '../shared/kept-texts.ts';
import { costTexts } from './cost-texts.ts';
import { failedOf, sayFailed } from './failed-card.ts';
import { failedTexts } from './failed-texts.ts';
import { fileSpan, taggedTable } from './file-texts.ts';
import { differsByOperator, operatorsOf, type PaidText } from './operator-standings.ts';
import { spanText } from './outbox-texts.ts';
import type { PictureOf } from './picture-card.ts';
import { pictureTexts } from './picture-texts.ts';
import { MAX_RECIPIENTS } from './report-cards.ts';
import { reportTexts } from './report-texts.ts';
import { leftShape, shownIn } from './shape.ts';
import { summarizeAll, type JobSummary } from './recipient-status.ts';
import { sayReport } from './summary-card.ts';
import { tagReportCard, type TagOf } from './tag-report-card.ts';
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
