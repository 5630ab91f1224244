import type { ReportedCard, ReportedJob } from '../../ports/reports.ts';
import type { TableFormat } from '../../ports/tables.ts';
import type { ActionButton, Buttons } from '../../telegram/buttons.ts';
import { measureMessage } from '../../domain/message.ts';
import { clip, html, lines, quote, type Html } from '../../telegram/html.ts';
import { refusalText } from '../../telegram/refusal-texts.ts';
import type { Turn } from '../../telegram/turn.ts';
import { outboxTexts } from './outbox-texts.ts';
import { reportTexts } from './report-texts.ts';
import { summarize } from './standing.ts';
import { texts } from './texts.ts';

const WEEK_SECONDS = 604_800;
const WORDS_LISTED = 5;

/** What Peyk itself knows of one card: who, when, and where each recipient stands. */
export function reportCard(turn: Turn, card: ReportedCard, now: Date): { content: Html; buttons: Buttons } {
  const t = reportTexts(turn.locale);
  const { job } = card;
  if (job === null) return { content: t.notSent(card.code), buttons: [] };
  const { format } = turn;
  const words = texts(turn.locale);
  const summary = summarize(job);
  const parts = partsOf(card, job, summary.recipients);
  const stop = job.stopReason === null ? undefined : new Map(Object.entries(t.stops)).get(job.stopReason);
  const content = lines(
    t.head(card.code, format.time(now)),
    card.text !== '' && quote(clip(card.text, 200)),
    t.by(job.confirmedBy, job.approvedBy, card.lines),
    timesText(turn, job),
    summary.recipients === 0
      ? t.nobody
      : t.size(
          format.count(summary.recipients, words.recipients),
          parts === 0 ? null : format.count(parts, words.parts),
          format.number(summary.accepted),
        ),
    ...summary.standings.map(({ standing, recipients, share }) =>
      words.stands(t.standings[standing], format.number(recipients), format.percent(share)),
    ),
    wordsText(
      turn,
      summary.words.map(({ word, recipients }) => ({ word, count: recipients })),
    ),
    ...job.refusals.map(({ name, recipients }) => refusedText(turn, name, recipients)),
    stop,
    job.settled &&
      summary.standings.some(({ standing }) => standing === 'waiting' || standing === 'sent') &&
      t.settled,
  );
  const button = (label: string, action: string, payload: Record<string, unknown> = {}): ActionButton => ({
    label,
    action,
    payload: { card: card.code, ...payload },
    permission: 'report.view',
    ttlSeconds: WEEK_SECONDS,
    reusable: true,
  });
  const file = (format: TableFormat): ActionButton =>
    button(format === 'csv' ? outboxTexts(turn.locale).file : outboxTexts(turn.locale).excel, 'report.file', {
      format,
    });
  return {
    content,
    buttons: [summary.recipients > 0 ? [file('csv'), file('xlsx')] : [], [button(t.refresh, 'report.show')]],
  };
}

/** The gateway's own words for what did not arrive, with how often each was said. */
export function wordsText(
  { locale, format }: Turn,
  words: readonly { readonly word: string; readonly count: number }[],
): Html | null {
  const t = reportTexts(locale);
  const list = words
    .slice(0, WORDS_LISTED)
    .map(({ word, count }) => t.word(format.number(count), clip(word, 80)))
    .join(' · ');
  return list === '' ? null : t.words(list);
}

export function refusedText({ locale, format }: Turn, name: string, recipients: number): Html {
  const t = reportTexts(locale);
  return t.refused(format.number(recipients), name === '' ? t.localRefusal : refusalText(locale, name));
}

/** As counted when it was confirmed, or else by its one text; 0 where that is not known. */
function partsOf(card: ReportedCard, job: ReportedJob, recipients: number): number {
  if (job.parts > 0) return job.parts;
  return card.isOneText ? measureMessage(card.text).parts * recipients : 0;
}

function timesText({ locale, format }: Turn, { confirmedAt, startedAt, endedAt }: ReportedJob): Html {
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
