import { messageCount } from '../../../domain/outgoing.ts';
import { nextOpening } from '../../../domain/next-opening.ts';
import { callSizeOf, leastPace, throughAt, type HeldPace, type Pace } from '../../../domain/pace.ts';
import type { Format } from '../../../i18n/format.ts';
import type { DraftView, JobView } from '../../../ports/stores.ts';
import { lines, type Html } from '../../../telegram/html.ts';
import { paceTexts } from './pace-texts.ts';

/** A wait that is over so soon is not worth a line. */
const SOON_MS = 60_000;

/** Whether an open draft may be given a pace: it has more recipients than the slowest lets through in an hour. */
export function takesPace(draft: Pick<DraftView, 'outgoing' | 'recipients'>): boolean {
  const least = leastPace(draft.outgoing);
  return least !== null && messageCount(draft) > least;
}

/** How fast a draft leaves and when it will be through; nothing for one without a pace. */
export function paceLines(draft: DraftView, from: Date, format: Format): Html | null {
  const { pace } = draft;
  if (pace === undefined) return null;
  return lines(paceText(pace, format), endText(draft, pace, { left: messageCount(draft), from }, format));
}

/** The same of a send that runs, and until when it waits. */
export function runningPace(draft: DraftView, job: JobView, format: Format, now: Date): Html | null {
  const { pace } = draft;
  const left = job.counts.planned;
  if (pace === undefined || left === 0) return null;
  if (job.state !== 'running') return paceText(pace, format);
  const t = paceTexts(format.locale);
  const due = job.waitsUntil !== undefined && job.waitsUntil > now ? job.waitsUntil : now;
  const opens = nextOpening(pace.hours, due, format.timeZone);
  return lines(
    paceText(pace, format),
    endText(draft, pace, { left, from: due }, format),
    opens !== null && opens > due && t.closed(format.dateTime(opens)),
    opens !== null && opens <= due && due.getTime() - now.getTime() > SOON_MS && t.next(format.time(due)),
  );
}

/** How fast something leaves, and between which hours. */
export function paceText({ perHour, window }: Pace, format: Format): Html {
  const hours = window === null ? null : ([format.clock(window.from), format.clock(window.to)] as const);
  return paceTexts(format.locale).pace(format.number(perHour), hours, format.timeZone);
}

function endText(
  { outgoing }: DraftView,
  pace: HeldPace,
  { left, from }: { readonly left: number; readonly from: Date },
  { locale, timeZone, dateTime }: Format,
): Html {
  const t = paceTexts(locale);
  if (nextOpening(pace.hours, from, timeZone) === null) return t.never;
  const end = throughAt(pace, { left, from, timeZone, callSize: callSizeOf(outgoing, pace) });
  return end === null ? t.years : t.through(dateTime(end));
}
