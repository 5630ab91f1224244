import type { JobState } from '../../domain/job.ts';
import { soFar } from '../../domain/time-range.ts';
import type { Charts } from '../../ports/charts.ts';
import type { RecordedRecipient, ReportStore, TaggedReport } from '../../ports/reports.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { TableFormat, Tables } from '../../ports/tables.ts';
import { lines } from '../../telegram/html.ts';
import { sayPictured } from '../../telegram/picture-answer.ts';
import { sendTable } from '../../telegram/table-file.ts';
import type { Turn } from '../../telegram/turn.ts';
import { costTexts } from './cost-texts.ts';
import { failedOf, sayFailed } from './failed-card.ts';
import { failedTexts } from './failed-texts.ts';
import { fileSpan, taggedTable } from './file-texts.ts';
import { spanText } from './outbox-texts.ts';
import { pictureOf, type PictureOf } from './picture-card.ts';
import { pictureTexts } from './picture-texts.ts';
import { MOST_RECIPIENTS } from './report-cards.ts';
import { reportTexts } from './report-texts.ts';
import { countShown, shapeOf, shownOf } from './shape.ts';
import { standingOf, summarizeAll, type JobSummary } from './standing.ts';
import { tagReportCard, type TagOf } from './tag-report-card.ts';
import { texts } from './texts.ts';

export interface TagReportCardsDeps {
  readonly reports: ReportStore;
  readonly tables: Tables;
  readonly charts: Charts;
  readonly clock: Clock;
}

const MINUTE = 60;

/** Reports of the sends of a tag, from what Peyk keeps of them. */
export function createTagReportCards({ reports, tables, charts, clock }: TagReportCardsDeps) {
  /** Card by card, as many as a file holds. */
  const recipientsOf = async (turn: Turn, of: TagOf) => {
    const { cards, tallies } = await reports.tagged(turn.chat.id, of, of);
    const rows: (RecordedRecipient & { readonly job: JobState; readonly code: string })[] = [];
    for (const { draftId, code, state } of cards) {
      if (rows.length >= MOST_RECIPIENTS) break;
      const found = await reports.recipients(draftId, MOST_RECIPIENTS - rows.length, of.line);
      rows.push(...found.map((row) => ({ ...row, job: state, code })));
    }
    return { rows, all: tallies.reduce((sum, { recipients }) => sum + recipients, 0) };
  };
  const nameOf = ({ format }: Turn, { tag, from, to }: TagOf): string =>
    `${tag}-${fileSpan(format.timeZone, new Date(from * 1000), new Date(to * 1000))}`;

  return {
    async ofTag(turn: Turn, of: TagOf): Promise<void> {
      const report = await reports.tagged(turn.chat.id, of, of);
      const summary = summarizeAll(report.tallies);
      const now = clock.now();
      const { head, content, buttons } = tagReportCard(turn, of, { report, summary, now });
      if (summary.recipients === 0) {
        await turn.say(content, { buttons });
        return;
      }
      await sayPictured(turn, {
        draw: () =>
          charts.draw(
            pictureOf(turn, pictureOfTag(turn, { ...of, ...soFar(of, now) }, report, summary), now),
          ),
        words: content,
        brief: head,
        buttons,
      });
    },

    async fileOfTag(turn: Turn, of: TagOf, format: TableFormat): Promise<void> {
      const { rows, all } = await recipientsOf(turn, of);
      const t = reportTexts(turn.locale);
      const count = turn.format.count(rows.length, texts(turn.locale).recipients);
      const table = taggedTable(turn.format, rows);
      const caption = lines(t.tagHead(of.tag, count), all > rows.length && t.fileCut(count));
      await sendTable(turn, { name: `report-${nameOf(turn, of)}`, table, format, caption }, tables);
    },

    async failedOfTag(turn: Turn, of: TagOf): Promise<void> {
      const { rows } = await recipientsOf(turn, of);
      const failed = failedOf(turn, rows);
      const count = turn.format.count(failed.length, texts(turn.locale).recipients);
      const head = failedTexts(turn.locale).ofTime(spanText(turn.format, soFar(of, clock.now())), count);
      await sayFailed(turn, { head, failed, name: `failed-${nameOf(turn, of)}` }, tables);
    },
  };
}

function pictureOfTag(turn: Turn, of: TagOf, report: TaggedReport, summary: JobSummary): PictureOf {
  const { format, locale } = turn;
  const t = pictureTexts(locale);
  const points = report.left.map(({ at, recipients, job, ...each }) => ({
    at,
    count: recipients,
    shown: shownOf(standingOf(each, job)),
  }));
  const [first, last] = [points[0], points.at(-1)];
  return {
    title: t.ofTag(of.tag),
    subtitle: [
      spanText(format, of),
      ...(of.line === null ? [] : [t.line(of.line)]),
      format.count(report.cards.length, costTexts(locale).sends),
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
