import { areReportsLate } from '../../domain/job.ts';
import { measureMessage } from '../../domain/message.ts';
import type { ReportedCard, ReportedJob } from '../../ports/reports.ts';
import type { Buttons } from '../../telegram/buttons.ts';
import { clip, html, lines, quote, type Html } from '../../telegram/html.ts';
import { fileButtons } from '../../telegram/table-file.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { jobActions } from '../sending/actions.ts';
import { countLine } from '../shared/count-words.ts';
import { keptTexts } from '../shared/kept-texts.ts';
import { reportActions } from './actions.ts';
import { jobCostText } from './cost-card.ts';
import type { Charged } from './cost.ts';
import { failedTexts } from './failed-texts.ts';
import type { OperatorStanding } from './operator-standings.ts';
import { reportTexts } from './report-texts.ts';
import type { JobSummary } from './recipient-status.ts';
import { renderReport, statusLines, type Report } from './summary-card.ts';
import { texts } from './texts.ts';

const WEEK_SECONDS = 604_800;
/** Taken by the gateway, and how it ended nobody has said. */
const UNREPORTED: ReadonlySet<string> = new Set(['waiting', 'sent', 'unexplained']);

export interface CardReport {
  readonly card: ReportedCard;
  readonly job: ReportedJob;
  readonly summary: JobSummary;
  readonly operators: readonly OperatorStanding[];
  readonly charged: Charged | null;
  /** To how many it could be sent again. */
  readonly failures: number;
}

/** What is known of one send: who, when, where each recipient stands, and what it cost. */
export function reportCard(ctx: RequestContext, report: CardReport, now: Date): Report {
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
      job.settled &&
        summary.statuses.some(({ status }) => UNREPORTED.has(status)) &&
        (areReportsLate(job, now) ? t.late : t.reportsEnded),
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
          { ttlSeconds: WEEK_SECONDS },
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
