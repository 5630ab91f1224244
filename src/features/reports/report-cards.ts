import { isAppError } from '../../domain/errors.ts';
import { measureMessage } from '../../domain/message.ts';
import type { Charts } from '../../ports/charts.ts';
import type { Counts } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { ReportedCard, ReportedJob, ReportedTally } from '../../ports/reports.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { DraftStore } from '../../ports/stores.ts';
import type { TableFormat, Tables } from '../../ports/tables.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Buttons } from '../../telegram/buttons.ts';
import { clip, html, lines, quote, type Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { fileButtons, sendTable } from '../../telegram/table-file.ts';
import { jobActions } from '../sending/actions.ts';
import { cardCodeTexts } from '../shared/card-code.ts';
import { countLine } from '../shared/count-words.ts';
import { keptTexts } from '../shared/kept-texts.ts';
import { reportActions } from './actions.ts';
import { jobCostText } from './cost-card.ts';
import { createJobCosts, type Charged } from './cost.ts';
import { failedOf, failedTexts, sayFailed } from './failed-card.ts';
import { jobTable } from './file-texts.ts';
import { operatorsOf, type OperatorStanding } from './operator-standings.ts';
import { pictureTexts, type PictureOf } from './picture-card.ts';
import { summarize, type JobSummary } from './recipient-status.ts';
import { reportTexts } from './report-texts.ts';
import { arrivalShape, leftShape, shownIn } from './shape.ts';
import { renderReport, sayReport, statusLines, type Report } from './summary-card.ts';
import { texts } from './texts.ts';

export interface ReportCardsDeps extends Pick<Stores, 'reports' | 'gauges'> {
  readonly gateways: Gateways;
  readonly drafts: Pick<DraftStore, 'card'>;
  readonly tables: Tables;
  readonly charts: Charts;
  readonly clock: Clock;
}

/** As many rows as a spreadsheet opens without trouble. */
export const MAX_RECIPIENTS = 100_000;

/** Reports of one card, from what Peyk keeps of it. */
export function createReportCards(deps: ReportCardsDeps) {
  const { gateways, drafts, reports, gauges, tables, charts, clock } = deps;
  const costs = createJobCosts(clock);

  /** Shows a card's report; below a pressed button it takes the place of the old one. */
  const ofCard = async (ctx: RequestContext, code: string): Promise<void> => {
    const card = await reports.card(ctx.chat.id, code);
    if (card === null) {
      await ctx.say(cardCodeTexts(ctx.locale).noCard(code));
      return;
    }
    const { job } = card;
    if (job === null) return await ctx.rewrite(reportTexts(ctx.locale).notSent(card.code));
    const now = clock.now();
    const summary = summarize(job);
    const gauge = card.isOneText && !job.isEmptied ? await gauges.of(job.bindingId) : null;
    const paid = new Map(
      gauge === null ? [] : [[card.draftId, { text: card.text, prices: gauge.prices }] as const],
    );
    const [charged, view, reported, operators] = await Promise.all([
      costs.of(() => countsOf(gateways, job.bindingId), job),
      drafts.card(card.draftId),
      reports.reported(job.id),
      operatorsOf(reports, { draftIds: [card.draftId], line: null }, summary, paid),
    ]);
    const failures = view?.job?.resend.failures ?? 0;
    const said = reportCard(ctx, { card, job, summary, operators, charged, failures }, now);
    const picture = {
      ...pictureOfJob(ctx, card, { ...job, reported }, summary),
      operators,
    };
    await sayReport(ctx, said, summary.recipients === 0 ? null : picture, { charts, now });
  };

  const recipientsOf = async (ctx: RequestContext, code: string) => {
    const card = await reports.card(ctx.chat.id, code);
    if (card === null || card.job === null) {
      await ctx.say(cardCodeTexts(ctx.locale).noCard(code));
      return null;
    }
    if (card.job.isEmptied) {
      await ctx.say(keptTexts(ctx.locale).emptied);
      return null;
    }
    return { card, job: card.job, rows: await reports.recipients(card.draftId, MAX_RECIPIENTS) };
  };

  return {
    ofCard,

    async fileOfCard(ctx: RequestContext, code: string, format: TableFormat): Promise<void> {
      const found = await recipientsOf(ctx, code);
      if (found === null) return;
      const { card, job, rows } = found;
      const t = reportTexts(ctx.locale);
      const all = job.tallies.reduce((sum, { recipients }) => sum + recipients, 0);
      const count = ctx.format.count(rows.length, texts(ctx.locale).recipients);
      const table = jobTable(ctx.format, job.state, rows);
      const caption = lines(t.fileCaption(card.code, count), all > rows.length && t.fileCut(count));
      await sendTable(ctx, { name: `report-${card.code}`, table, format, caption }, tables);
    },

    async failedOfCard(ctx: RequestContext, code: string): Promise<void> {
      const found = await recipientsOf(ctx, code);
      if (found === null) return;
      const { card, job, rows } = found;
      const failed = failedOf(
        ctx,
        rows.map((row) => ({ ...row, job: job.state })),
      );
      const count = ctx.format.count(failed.length, texts(ctx.locale).recipients);
      const head = failedTexts(ctx.locale).ofCard(card.code, count);
      await sayFailed(ctx, { head, failed, name: `failed-${card.code}` }, tables);
    },
  };
}

/** The counts of the account by which something went; null where there is none any more, or it cannot count. */
async function countsOf(gateways: Gateways, bindingId: string): Promise<Counts | null> {
  try {
    const gateway = await gateways.of(bindingId);
    return gateway.has('counts') ? gateway.use('counts') : null;
  } catch (error) {
    if (isAppError(error, 'not_connected')) return null;
    throw error;
  }
}

function pictureOfJob(
  ctx: RequestContext,
  card: ReportedCard,
  job: ReportedJob & { readonly reported: readonly ReportedTally[] },
  summary: JobSummary,
): Omit<PictureOf, 'operators'> {
  const { format, locale } = ctx;
  const t = pictureTexts(locale);
  return {
    title: t.ofCard(card.code),
    subtitle: [
      format.date(job.startedAt ?? job.confirmedAt),
      format.count(summary.recipients, texts(locale).recipients),
    ],
    counts: shownIn(summary),
    shape:
      arrivalShape(
        format.timeZone,
        job.reported.map(({ at, delivery, recipients }) => ({ at, shown: delivery, count: recipients })),
      ) ??
      leftShape(
        format.timeZone,
        job.left.map((each) => ({ ...each, job: job.state })),
      ),
  };
}

const WEEK_SECONDS = 604_800;
/** Taken by the gateway, and how it ended nobody has said. */
const UNREPORTED: ReadonlySet<string> = new Set(['waiting', 'sent', 'unexplained']);

interface CardReport {
  readonly card: ReportedCard;
  readonly job: ReportedJob;
  readonly summary: JobSummary;
  readonly operators: readonly OperatorStanding[];
  readonly charged: Charged | null;
  /** To how many it could be sent again. */
  readonly failures: number;
}

/** What is known of one send: who, when, where each recipient stands, and what it cost. */
function reportCard(ctx: RequestContext, report: CardReport, now: Date): Report {
  const { card, job, summary, operators, charged } = report;
  const t = reportTexts(ctx.locale);
  const { format } = ctx;
  const words = texts(ctx.locale);
  const parts = partsOf(card, job, summary.recipients);
  const stop = job.stopReason === null ? undefined : new Map(Object.entries(t.stops)).get(job.stopReason);
  return renderReport(ctx, {
    head: lines(t.head(card.code, format.time(now)), card.tag !== null && t.tag(card.tag)),
    about: [
      job.isEmptied ? keptTexts(ctx.locale).emptied : card.text !== '' && quote(clip(card.text, 200)),
      t.by(job.confirmedBy, job.approvedBy, card.lines),
      timesText(ctx, job),
      summary.recipients === 0
        ? t.nobody
        : t.size(
            format.count(summary.recipients, words.recipients),
            parts === 0 ? null : format.count(parts, words.parts),
          ),
    ],
    standings: [
      ...statusLines(ctx, summary, job.settled),
      job.blacklisted > 0 && countLine('blacklisted', job.blacklisted, format),
    ],
    misses: summary,
    operators,
    costs: [jobCostText(ctx, job.priceRial, charged)],
    refusals: job.refusals,
    below: [
      stop,
      job.settled && summary.statuses.some(({ status }) => UNREPORTED.has(status)) && t.reportsEnded,
    ],
    buttons: cardButtons(ctx, report),
  });
}

function cardButtons(ctx: RequestContext, { card, job, summary, failures }: CardReport): Buttons {
  const { format } = ctx;
  const t = reportTexts(ctx.locale);
  const { code } = card;
  return [
    [
      summary.missed > 0 &&
        !job.isEmptied &&
        reportActions.failed.button(failedTexts(ctx.locale).see(format.number(summary.missed)), {
          card: code,
        }),
      failures > 0 &&
        jobActions.resend.button(
          t.resend(format.number(failures)),
          { jobId: job.id },
          // No press draws this answer anew, and the draft of one may be cancelled.
          { ttlSeconds: WEEK_SECONDS, reusable: true },
        ),
    ],
    summary.recipients > 0 && !job.isEmptied ? fileButtons(reportActions.reportFile, { card: code }) : [],
    [reportActions.show.button(t.refresh, { card: code })],
  ];
}

/** As counted when it was confirmed, or else by its one text; 0 where that is not known. */
function partsOf(card: ReportedCard, job: ReportedJob, recipients: number): number {
  if (job.parts > 0) return job.parts;
  return card.isOneText && !job.isEmptied ? measureMessage(card.text).parts * recipients : 0;
}

function timesText(
  { locale, format }: RequestContext,
  { confirmedAt, startedAt, endedAt }: ReportedJob,
): Html {
  const t = reportTexts(locale);
  const day = format.date(confirmedAt);
  const when = (instant: Date): string =>
    format.date(instant) === day ? format.time(instant) : format.dateTime(instant);
  const told = [
    t.confirmed(format.dateTime(confirmedAt)),
    ...(startedAt === null ? [] : [t.started(when(startedAt))]),
    ...(endedAt === null ? [] : [t.ended(when(endedAt))]),
  ];
  return html`🕐 ${told.join(' · ')}`;
}
