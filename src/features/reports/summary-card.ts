import type { Charts } from '../../ports/charts.ts';
import type { Refusals } from '../../ports/reports.ts';
import type { Buttons } from '../../telegram/buttons.ts';
import { clip, lines, type Html, type Line } from '../../telegram/html.ts';
import type { RenderedCard } from '../../telegram/outgoing/notifier.ts';
import { sayPictured } from '../../telegram/picture-answer.ts';
import { refusalText } from '../../telegram/refusal-texts.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { countLabel } from '../shared/count-words.ts';
import { failedTexts } from './failed-card.ts';
import type { Misses } from './misses.ts';
import type { OperatorStanding } from './operator-standings.ts';
import { operatorLines } from './operators-card.ts';
import { pictureOf, type PictureOf } from './picture-card.ts';
import { STATUS_COUNTS, type JobSummary } from './recipient-status.ts';
import { reportTexts } from './report-texts.ts';
import { texts } from './texts.ts';

/** What every report says, in its order, be it of a send, of a tag or of a time. */
export interface ReportParts {
  readonly head: Html;
  /** What it is of, and how much that is. */
  readonly about: readonly Line[];
  /** Where the recipients stand. */
  readonly standings: readonly Line[];
  readonly misses: Misses;
  readonly operators: readonly OperatorStanding[];
  readonly costs: readonly Line[];
  readonly refusals: readonly Refusals[];
  /** What is left to say. */
  readonly below?: readonly Line[];
  readonly buttons: Buttons;
}

/** A report as it is shown. */
export interface Report extends RenderedCard {
  readonly head: Html;
}

const WORDS_LISTED = 5;

/** Puts a report together. */
export function renderReport(ctx: RequestContext, parts: ReportParts): Report {
  const { head, about, standings, misses, operators, costs, refusals, below = [], buttons } = parts;
  const content = lines(
    head,
    ...about,
    ...standings,
    reasonsText(ctx, misses),
    wordsText(ctx, misses),
    ...operatorLines(ctx, operators),
    ...costs,
    ...refusals.map((refusal) => refusedText(ctx, refusal)),
    ...below,
  );
  return { head, content, buttons };
}

/** Says a report under its picture, or without one. */
export async function sayReport(
  ctx: RequestContext,
  { head, content, buttons }: Report,
  picture: PictureOf | null,
  { charts, now }: { readonly charts: Charts; readonly now: Date },
): Promise<void> {
  if (picture === null) return await ctx.rewrite(content, { buttons });
  await sayPictured(ctx, {
    draw: async () => await charts.draw(pictureOf(ctx, picture, now)),
    words: content,
    brief: head,
    buttons,
  });
}

/** `isSettled`: what has no report yet will not get one any more. */
export function statusLines(
  { locale, format }: RequestContext,
  { statuses }: JobSummary,
  isSettled = false,
): Html[] {
  return statuses.map(({ status, recipients, share }) =>
    texts(locale).stands(
      countLabel(isSettled && status === 'waiting' ? 'no_report' : STATUS_COUNTS[status], locale),
      format.number(recipients),
      format.percent(share),
    ),
  );
}

/** Why messages did not arrive, with how often each was the reason. */
function reasonsText({ locale, format }: RequestContext, { reasons }: Misses): Html | null {
  const t = failedTexts(locale);
  const list = reasons.map(({ reason, count }) => t.reason(format.number(count), t.reasons[reason]));
  return list.length === 0 ? null : t.line(list.join(' · '));
}

/** The gateway's own words for what did not arrive and has no reason of ours, with how often each was said. */
function wordsText({ locale, format }: RequestContext, { words }: Misses): Html | null {
  const t = reportTexts(locale);
  const list = words
    .slice(0, WORDS_LISTED)
    .map(({ word, count }) => t.word(format.number(count), clip(word, 80)))
    .join(' · ');
  return list === '' ? null : t.words(list);
}

function refusedText({ locale, format }: RequestContext, { name, recipients }: Refusals): Html {
  const t = reportTexts(locale);
  return t.refused(format.number(recipients), name === '' ? t.localRefusal : refusalText(locale, name));
}
