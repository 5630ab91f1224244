import { localTimeOf, weekdayOf } from '../../../domain/calendar.ts';
import type { SendingWindow } from '../../../domain/limits.ts';
import { nextOpening } from '../../../domain/next-opening.ts';
import { canStillLeave, messageCount, takesTime } from '../../../domain/outgoing.ts';
import { nextInSeries } from '../../../domain/recurrence.ts';
import type { Format } from '../../../i18n/format.ts';
import type { CardView, DraftView, JobView } from '../../../ports/stores.ts';
import type { ActionButton } from '../../../telegram/buttons.ts';
import { lines, type Html } from '../../../telegram/html.ts';
import { ruleText, ruleTexts } from '../../shared/rule-texts.ts';
import { draftActions, waitingActions, WAITS_LONG, type Authored } from '../actions.ts';
import type { RenderedCard } from '../../../telegram/outgoing/notifier.ts';
import { blockedLines } from '../draft/warning-card.ts';
import { cardOf } from '../kinds/cards.ts';
import { texts } from '../texts.ts';
import { paceLines } from './pace-card.ts';
import { whenTexts } from './when-texts.ts';

/** Up to here a weekday says which day is meant. */
const WEEK_MS = 6 * 86_400_000;

/** When an open draft is to leave and how it repeats; nothing for one that leaves once, as soon as it is confirmed. */
export function whenLines(draft: DraftView, format: Format, now: Date): Html | null {
  const { sendAt, recur } = draft;
  if (sendAt === null && recur === null) return null;
  const t = whenTexts(format.locale);
  const isOver = sendAt !== null && sendAt <= now;
  return lines(
    sendAt !== null &&
      (isOver
        ? t.over(format.dateTime(sendAt))
        : t.leaves(format.dateTime(sendAt), format.timeZone, format.relative(sendAt, now))),
    repeatLine(draft, sendAt, format, now),
  );
}

/** Below every open draft but those whose time the gateway keeps. */
export function whenButton(draft: DraftView, { payload, look }: Authored): ActionButton | null {
  return takesTime(draft.outgoing, draft.leavesAtOnce === true)
    ? draftActions.when.button(whenTexts(draft.lang).when, payload, look)
    : null;
}

/** What the button that confirms a draft with a time of its own says. */
export function sendLater(
  { sendAt, recur, lang }: DraftView,
  count: string,
  format: Format,
  now: Date,
): string | null {
  return sendAt === null
    ? null
    : whenTexts(lang).sendAt(count, shortTime(sendAt, format, now), recur !== null);
}

/** The card of a job that waits for its time, was missed, or was taken off the schedule; null for any other. */
export function renderWaiting(
  { draft, job }: { readonly draft: DraftView; readonly job: JobView },
  { head, excerpt }: { readonly head: Html; readonly excerpt: Html },
  format: Format,
  now: Date,
): RenderedCard | null {
  const t = whenTexts(format.locale);
  const send = { jobId: job.id };
  const { now: sendNow, edit, time } = waitingActions;
  const cancel = waitingActions.cancel.button(t.cancel, send, WAITS_LONG);
  if (job.state === 'undone' && draft.replacedBy !== undefined)
    return { content: t.replaced(draft.code, draft.authorName, draft.replacedBy), buttons: [] };
  if (job.state === 'undone' && draft.sendAt !== null)
    return { content: t.cancelled(draft.code, draft.authorName, job.stoppedByName), buttons: [] };
  if (job.state === 'scheduled') {
    const content = lines(
      head,
      job.isLinked
        ? t.scheduled(format.dateTime(job.holdUntil), format.timeZone)
        : lines(t.willMiss(format.dateTime(job.holdUntil)), t.reasons.not_connected),
      repeatLine(draft, job.holdUntil, format, now),
      paceLines(draft, job.holdUntil, format),
      excerpt,
      audience(draft, format),
    );
    const change = [edit.button(t.edit, send, WAITS_LONG), time.button(t.time, send, WAITS_LONG)];
    return { content, buttons: [[...change, cancel]] };
  }
  if (job.state !== 'missed') return null;
  const messages = messageCount(draft);
  const isResentUnknown = draft.leavesAtOnce === true;
  const answered = draft.resendOf?.answered === true;
  const content = lines(
    head,
    missedText({ draft, job }, format, now),
    excerpt,
    audience(draft, format),
    ...blockedLines(draft, format),
    paceLines(draft, now, format),
    draft.recur !== null && t.repeatsLater(ruleText(draft.recur, format)),
    draft.recur !== null && t.seriesWaits,
    t.question,
  );
  return {
    content,
    buttons: [
      [
        canStillLeave(job.missReason, { messages, isResentUnknown }) &&
          sendNow.button(t.sendNow, { ...send, answered }, WAITS_LONG),
      ],
      [takesTime(draft.outgoing, isResentUnknown) && time.button(t.newTime, send, WAITS_LONG), cancel],
    ],
  };
}

/** That a send did not leave at its time, and why. */
export function missedText(
  { draft, job }: { readonly draft: DraftView; readonly job: JobView },
  format: Format,
  now: Date,
): Html {
  const t = whenTexts(format.locale);
  const { holdUntil, missReason } = job;
  const when = format.dateTime(holdUntil);
  return lines(
    holdUntil > now ? t.willMiss(when) : t.missed(when),
    missReason !== null && t.reasons[missReason],
    missReason !== 'answered' && draft.resendOf?.answered === true && t.reasons.answered,
    (missReason === 'restored' || missReason === 'not_connected') && draft.byDate !== undefined && t.seeDates,
    missReason === 'book' && bookText(draft, job.counts.planned, format),
  );
}

/** How many were confirmed, and how many would get it now. */
function bookText({ recipients, blocked }: DraftView, confirmed: number, format: Format): Html {
  const count = (of: number) => format.count(of, texts(format.locale).numbers);
  return whenTexts(format.locale).bookNow(
    count(confirmed),
    count(recipients.length + (blocked?.length ?? 0)),
  );
}

/** The button that gives a draft the time at which all hours that it has to keep to are open next, and when that is. */
export function openingOffer(
  { draft, job }: Pick<CardView, 'draft' | 'job'>,
  hours: readonly SendingWindow[],
  leavesAt: Date,
  format: Format,
): { readonly said: Html; readonly button: ActionButton } | null {
  // The times that follow in a series would be no better.
  if (draft.recur !== null || !takesTime(draft.outgoing, draft.leavesAtOnce === true)) return null;
  const at = nextOpening(hours, leavesAt, format.timeZone);
  if (at === null) return null;
  const t = whenTexts(format.locale);
  const isSameDay = format.date(at) === format.date(leavesAt);
  const label = t.opening(format.time(at), isSameDay ? null : dayName(at, format));
  return {
    said: t.windowOffer(format.dateTime(at)),
    button:
      job === null
        ? draftActions.opening.button(
            label,
            { draftId: draft.id, version: draft.version, at: at.getTime() },
            {
              draft: { id: draft.id, version: draft.version },
              personId: draft.authorId,
              style: 'primary',
            },
          )
        : // What is confirmed already has no version to hold it to.
          waitingActions.move.button(
            label,
            { jobId: job.id, at: at.getTime() },
            { ...WAITS_LONG, style: 'primary' },
          ),
  };
}

function repeatLine(
  { recur, slot }: DraftView,
  leavesAt: Date | null,
  format: Format,
  now: Date,
): Html | false {
  if (recur === null) return false;
  const leavesBy = leavesAt === null || leavesAt < now ? now : leavesAt;
  const next = nextInSeries(recur, leavesBy, slot, format.timeZone);
  return whenTexts(format.locale).repeats(ruleText(recur, format), format.dateTime(next));
}

function audience(draft: DraftView, format: Format): string {
  const t = texts(format.locale);
  const what = cardOf(draft.outgoing).countsMessages ? t.messages : t.recipients;
  return format.count(messageCount(draft), what);
}

function shortTime(at: Date, format: Format, now: Date): string {
  const t = whenTexts(format.locale);
  const ahead = at.getTime() - now.getTime();
  // The name of its own day would mean today or a week later.
  if (format.date(at) === format.date(now)) return t.today(format.time(at));
  if (ahead < WEEK_MS) return t.dayAndTime(dayName(at, format), format.time(at));
  // The card above says it whole, and a button has no room for that.
  return format.day(at);
}

function dayName(at: Date, { locale, timeZone }: Format): string {
  return ruleTexts(locale).shortDays[weekdayOf(localTimeOf(at, timeZone))] ?? '';
}
