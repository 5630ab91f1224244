import { localTimeOf, weekdayOf } from '../../domain/calendar.ts';
import type { SendingWindow } from '../../domain/limits.ts';
import { nextOpening } from '../../domain/next-opening.ts';
import { messageCount } from '../../domain/outgoing.ts';
import { nextOccurrence, type Recurrence } from '../../domain/recurrence.ts';
import type { Format } from '../../i18n/format.ts';
import type { CardView, DraftView, JobView } from '../../ports/stores.ts';
import type { ActionButton } from '../../telegram/buttons.ts';
import { lines, type Html } from '../../telegram/html.ts';
import { ruleText, ruleTexts } from '../../telegram/rule-texts.ts';
import type { RenderedCard } from './card.ts';
import { texts } from './texts.ts';
import { whenTexts } from './when-texts.ts';

/** A time may lie a year ahead, and the question about a missed one waits. */
const YEAR_SECONDS = 400 * 86_400;
/** Up to here a weekday says which day is meant. */
const WEEK_MS = 6 * 86_400_000;

/** When an open draft is to leave and how it repeats; nothing for one that leaves once, as soon as it is confirmed. */
export function whenLines({ sendAt, recur }: DraftView, format: Format, now: Date): Html | null {
  if (sendAt === null && recur === null) return null;
  const t = whenTexts(format.locale);
  const isOver = sendAt !== null && sendAt <= now;
  return lines(
    sendAt !== null &&
      (isOver
        ? t.over(format.dateTime(sendAt))
        : t.leaves(format.dateTime(sendAt), format.timeZone, format.relative(sendAt, now))),
    recur !== null && repeatLine(recur, sendAt, format, now),
  );
}

/** Below every open draft but those whose time the gateway keeps. */
export function whenButton(
  { lang, outgoing, leavesAtOnce }: DraftView,
  button: (label: string, action: string) => ActionButton,
): ActionButton | null {
  if (outgoing.kind === 'future' || leavesAtOnce === true) return null;
  return button(whenTexts(lang).when, 'schedule.when');
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
  const button = (label: string, action: string, permission: ActionButton['permission']): ActionButton => ({
    label,
    action,
    payload: { jobId: job.id },
    permission,
    ttlSeconds: YEAR_SECONDS,
  });
  const cancel = button(t.cancel, 'schedule.cancel', 'send.stop');
  if (job.state === 'undone' && draft.sendAt !== null)
    return { content: t.cancelled(draft.code, draft.authorName, job.stoppedByName), buttons: [] };
  if (job.state === 'scheduled') {
    const content = lines(
      head,
      t.scheduled(format.dateTime(job.holdUntil), format.timeZone),
      draft.recur !== null && repeatLine(draft.recur, job.holdUntil, format, now),
      excerpt,
      audience(draft, format),
    );
    const edit = button(t.edit, 'schedule.edit', 'send.confirm');
    return { content, buttons: [[edit, button(t.time, 'schedule.time', 'send.confirm'), cancel]] };
  }
  if (job.state !== 'missed') return null;
  const content = lines(
    head,
    missedText(job, format, now),
    excerpt,
    audience(draft, format),
    draft.recur !== null && t.repeatsLater(ruleText(draft.recur, format)),
    draft.recur !== null && t.seriesWaits,
    t.question,
  );
  return {
    content,
    buttons: [
      [button(t.sendNow, 'schedule.now', 'send.confirm')],
      [button(t.newTime, 'schedule.time', 'send.confirm'), cancel],
    ],
  };
}

/** That a send did not leave at its time, and why. */
export function missedText(
  { holdUntil, missReason }: Pick<JobView, 'holdUntil' | 'missReason'>,
  format: Format,
  now: Date,
): Html {
  const t = whenTexts(format.locale);
  const when = format.dateTime(holdUntil);
  return lines(
    holdUntil > now ? t.willMiss(when) : t.missed(when),
    missReason !== null && t.reasons[missReason],
  );
}

/** The button that gives a draft the time at which the chat's sending window opens next, and when that is. */
export function openingOffer(
  { draft, job }: Pick<CardView, 'draft' | 'job'>,
  window: SendingWindow,
  leavesAt: Date,
  format: Format,
): { readonly said: Html; readonly button: ActionButton } | null {
  // The times that follow in a series would be no better.
  if (draft.recur !== null || draft.outgoing.kind === 'future' || draft.leavesAtOnce === true) return null;
  const at = nextOpening(window, leavesAt, format.timeZone);
  if (at === null) return null;
  const t = whenTexts(format.locale);
  const isSameDay = format.date(at) === format.date(leavesAt);
  return {
    said: t.windowOffer(format.dateTime(at)),
    button: {
      label: t.opening(format.time(at), isSameDay ? null : dayName(at, format)),
      ...(job === null
        ? {
            action: 'schedule.opening',
            payload: { draftId: draft.id, version: draft.version, at: at.getTime() },
            personId: draft.authorId,
          }
        : { action: 'schedule.move', payload: { jobId: job.id, at: at.getTime() } }),
      permission: 'send.confirm',
      draft: { id: draft.id, version: draft.version },
      style: 'primary',
    },
  };
}

function repeatLine(rule: Recurrence, sendAt: Date | null, format: Format, now: Date): Html {
  const after = sendAt === null || sendAt < now ? now : sendAt;
  const next = nextOccurrence(rule, after, format.timeZone);
  return whenTexts(format.locale).repeats(ruleText(rule, format), format.dateTime(next));
}

function audience(draft: DraftView, format: Format): string {
  const t = texts(format.locale);
  const isMany = draft.outgoing.kind === 'multi' || draft.outgoing.kind === 'bulk';
  return format.count(messageCount(draft), isMany ? t.messages : t.recipients);
}

function shortTime(at: Date, format: Format, now: Date): string {
  const t = whenTexts(format.locale);
  const ahead = at.getTime() - now.getTime();
  if (ahead < WEEK_MS) return t.dayAndTime(dayName(at, format), format.time(at));
  return t.dateAndTime(format.date(at), format.time(at));
}

function dayName(at: Date, { locale, timeZone }: Format): string {
  return ruleTexts(locale).shortDays[weekdayOf(localTimeOf(at, timeZone))] ?? '';
}
