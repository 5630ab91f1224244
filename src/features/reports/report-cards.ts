import { isAppError } from '../../domain/errors.ts';
import type { Charts } from '../../ports/charts.ts';
import type { Counts } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { ReportedCard, ReportedJob, ReportStore } from '../../ports/reports.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { DraftStore } from '../../ports/stores.ts';
import type { TableFormat, Tables } from '../../ports/tables.ts';
import { lines } from '../../telegram/html.ts';
import { sayPictured } from '../../telegram/picture-answer.ts';
import { sendTable } from '../../telegram/table-file.ts';
import type { Turn } from '../../telegram/turn.ts';
import { createJobCosts } from './cost.ts';
import { failedOf, sayFailed } from './failed-card.ts';
import { failedTexts } from './failed-texts.ts';
import { jobTable } from './file-texts.ts';
import { pictureOf, type PictureOf } from './picture-card.ts';
import { pictureTexts } from './picture-texts.ts';
import { reportCard } from './report-card.ts';
import { reportTexts } from './report-texts.ts';
import { countShown, shapeOf, shownOf } from './shape.ts';
import { standingOf, summarize, type JobSummary } from './standing.ts';
import { texts } from './texts.ts';

export interface ReportCardsDeps {
  readonly gateways: Gateways;
  readonly drafts: Pick<DraftStore, 'card'>;
  readonly reports: ReportStore;
  readonly tables: Tables;
  readonly charts: Charts;
  readonly clock: Clock;
}

/** As many rows as a spreadsheet opens without trouble. */
export const MOST_RECIPIENTS = 100_000;
const MINUTE = 60;

/** Reports of one card, from what Peyk keeps of it. */
export function createReportCards({ gateways, drafts, reports, tables, charts, clock }: ReportCardsDeps) {
  const costs = createJobCosts(clock);

  /** Shows a card's report; below a pressed button it takes the place of the old one. */
  const ofCard = async (turn: Turn, code: string): Promise<void> => {
    const card = await reports.card(turn.chat.id, code);
    if (card === null) {
      await turn.say(texts(turn.locale).noCard(code));
      return;
    }
    const { job } = card;
    if (job === null) return await turn.rewrite(reportTexts(turn.locale).notSent(card.code));
    const now = clock.now();
    const [charged, view] = await Promise.all([
      costs.of(() => countsOf(gateways, job.bindingId), job),
      drafts.card(card.draftId),
    ]);
    const summary = summarize(job);
    const failures = view?.job?.resend.failures ?? 0;
    const { head, content, buttons } = reportCard(turn, { card, job, summary, charged, failures }, now);
    if (summary.recipients === 0) return await turn.rewrite(content, { buttons });
    await sayPictured(turn, {
      draw: () => charts.draw(pictureOf(turn, pictureOfJob(turn, card, job, summary), now)),
      words: content,
      brief: head,
      buttons,
    });
  };

  const recipientsOf = async (turn: Turn, code: string) => {
    const card = await reports.card(turn.chat.id, code);
    if (card === null || card.job === null) {
      await turn.say(texts(turn.locale).noCard(code));
      return null;
    }
    return { card, job: card.job, rows: await reports.recipients(card.draftId, MOST_RECIPIENTS) };
  };

  return {
    ofCard,

    async fileOfCard(turn: Turn, code: string, format: TableFormat): Promise<void> {
      const found = await recipientsOf(turn, code);
      if (found === null) return;
      const { card, job, rows } = found;
      const t = reportTexts(turn.locale);
      const all = job.tallies.reduce((sum, { recipients }) => sum + recipients, 0);
      const count = turn.format.count(rows.length, texts(turn.locale).recipients);
      const table = jobTable(turn.format, job.state, rows);
      const caption = lines(t.fileCaption(card.code, count), all > rows.length && t.fileCut(count));
      await sendTable(turn, { name: `report-${card.code}`, table, format, caption }, tables);
    },

    async failedOfCard(turn: Turn, code: string): Promise<void> {
      const found = await recipientsOf(turn, code);
      if (found === null) return;
      const { card, job, rows } = found;
      const failed = failedOf(
        turn,
        rows.map((row) => ({ ...row, job: job.state })),
      );
      const count = turn.format.count(failed.length, texts(turn.locale).recipients);
      const head = failedTexts(turn.locale).ofCard(card.code, count);
      await sayFailed(turn, { head, failed, name: `failed-${card.code}` }, tables);
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

function pictureOfJob(turn: Turn, card: ReportedCard, job: ReportedJob, summary: JobSummary): PictureOf {
  const { format, locale } = turn;
  const t = pictureTexts(locale);
  const points = job.left.map(({ at, recipients, ...of }) => ({
    at,
    count: recipients,
    shown: shownOf(standingOf(of, job.state)),
  }));
  const [first, last] = [points[0], points.at(-1)];
  return {
    title: t.ofCard(card.code),
    subtitle: [
      format.date(job.startedAt ?? job.confirmedAt),
      format.count(summary.recipients, texts(locale).recipients),
    ],
    counts: countShown(
      summary.standings.map(({ standing, recipients }) => ({ shown: shownOf(standing), count: recipients })),
    ),
    shape:
      first === undefined || last === undefined
        ? null
        : shapeOf({ from: first.at, to: last.at + MINUTE - 1 }, format.timeZone, MINUTE, points),
  };
}
