import { nextOpening } from '../../../domain/next-opening.ts';
import { messageCount } from '../../../domain/outgoing.ts';
import { callSizeOf, HOUR_MS, leastPace, throughAt, type HeldPace, type Pace } from '../../../domain/pace.ts';
import { defineTexts } from '../../../i18n/define.ts';
import { isolateAuto, isolateLtr, type Format } from '../../../i18n/format.ts';
import type { DraftView, JobView } from '../../../ports/stores.ts';
import { code, html, lines, type Html } from '../../../telegram/html.ts';
import { outgrownNote } from '../confirm/limited-card.ts';

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
  if (job.outgrown) return lines(paceText(pace, format), outgrownNote(job.outgrown, format));
  const due = job.waitsUntil !== undefined && job.waitsUntil > now ? job.waitsUntil : now;
  return lines(
    paceText(pace, format),
    endText(draft, pace, { left, from: due }, format),
    nextText(pace, { due, now }, format),
  );
}

/** When the next ones leave, and why not sooner, where that is worth a line. */
function nextText({ hours }: HeldPace, { due, now }: { due: Date; now: Date }, format: Format): Html | null {
  const t = paceTexts(format.locale);
  const opens = nextOpening(hours, due, format.timeZone);
  const opensNow = nextOpening(hours, now, format.timeZone);
  if (opens === null || opensNow === null) return null;
  if (opens > due || opensNow > now) return t.closed(format.dateTime(opens));
  const waitMs = due.getTime() - now.getTime();
  // The hour that a pace counts by keeps nothing back for longer: only a cap of the day does.
  if (waitMs > HOUR_MS) return t.full(format.dateTime(due));
  return waitMs > SOON_MS ? t.next(format.time(due)) : null;
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

/** How fast a send leaves, and at which hours. */
export const paceTexts = defineTexts({
  en: {
    slowly: '🐢 Slowly …',
    perHour: (count: string): string => `${count} an hour`,
    hours: (from: string, to: string): string => `${from}–${to}`,
    anyTime: 'At any time',
    fullSpeed: '🐇 As fast as possible',
    about: 'how fast a send leaves',
    ask: (least: string, most: string): Html =>
      html`How fast? Choose, or type how many recipients an hour, from ${least} to ${most}. What does not fit into today goes on tomorrow.`,
    askHours: (zone: string): Html =>
      html`Between which hours (${isolateLtr(zone)})? Choose, or type them, such as ${code('9-20')} or ${code('9:30-20:00')}.`,
    bad: (typed: string, least: string, most: string): Html =>
      html`«${isolateAuto(typed)}» is not a number of recipients an hour. Type one from ${least} to ${most}, such as ${code('2000')}; ${code('off')} for as fast as possible.`,
    badHours: (typed: string): Html =>
      html`«${isolateAuto(typed)}» is not two different times of day. Type for example ${code('9-20')}, ${code('9:30-20:00')} or, over midnight, ${code('21-9')}; ${code('off')} for any time.`,
    gone: html`It can no longer be changed: it was confirmed, cancelled or has expired. Its card says what is known.`,
    pace: (perHour: string, hours: readonly [string, string] | null, zone: string): Html =>
      html`🐢 Slowly: ${perHour} an hour${hours === null ? '' : html`, ${isolateLtr(`${hours[0]}–${hours[1]}`)} (${isolateLtr(zone)})`}`,
    through: (when: string): Html => html`🏁 Done about ${when}`,
    never: html`⚠ These hours have no minute in common with the chat’s or the line’s: nothing would be sent. Choose others with 🕐 When.`,
    years: html`🏁 Done in more than a year`,
    next: (when: string): Html => html`⏳ The next ones: ${when}`,
    closed: (when: string): Html => html`⏳ Outside its hours now. It goes on ${when}`,
    full: (when: string): Html => html`⏳ The daily cap has no more room for it. It goes on ${when}`,
  },
  fa: {
    slowly: '🐢 آهسته …',
    perHour: (count) => `ساعتی ${count} تا`,
    hours: (from, to) => `${from} تا ${to}`,
    anyTime: 'هر ساعتی',
    fullSpeed: '🐇 با بیشترین سرعت',
    about: 'سرعت یک ارسال',
    ask: (least, most) =>
      html`با چه سرعتی؟ یکی را انتخاب کنید یا تعداد گیرنده در هر ساعت را بنویسید، از ${least} تا ${most}. آنچه امروز جا نشود، فردا ادامه پیدا می‌کند.`,
    askHours: (zone) =>
      html`بین چه ساعت‌هایی (${isolateLtr(zone)})؟ یکی را انتخاب کنید یا بنویسید، مانند ${code('۹ تا ۲۰')} یا ${code('۹:۳۰ تا ۲۰')}`,
    bad: (typed, least, most) =>
      html`«${isolateAuto(typed)}» تعداد گیرنده در ساعت نیست. عددی از ${least} تا ${most} بنویسید، مانند ${code('۲۰۰۰')}؛ برای بیشترین سرعت ${code('خاموش')}`,
    badHours: (typed) =>
      html`«${isolateAuto(typed)}» دو ساعت متفاوت نیست. مثلاً بنویسید ${code('۹ تا ۲۰')}، ${code('۹:۳۰ تا ۲۰')} یا برای گذر از نیمه‌شب ${code('۲۱ تا ۹')}؛ برای هر ساعتی ${code('خاموش')}`,
    gone: html`دیگر تغییر نمی‌کند: تأیید یا لغو شده یا مهلتش گذشته است. آنچه معلوم است روی کارتش هست.`,
    pace: (perHour, hours, zone) =>
      html`🐢 آهسته: ساعتی ${perHour} تا${hours === null ? '' : html`، از ${hours[0]} تا ${hours[1]} (${isolateLtr(zone)})`}`,
    through: (when) => html`🏁 پایان: حدود ${when}`,
    never: html`⚠ این ساعت‌ها با ساعت‌های ارسال گفتگو یا خط هیچ دقیقهٔ مشترکی ندارد و چیزی ارسال نمی‌شود. با 🕐 زمان، ساعت‌های دیگری بدهید.`,
    years: html`🏁 پایان: بیش از یک سال دیگر`,
    next: (when) => html`⏳ دستهٔ بعدی: ${when}`,
    closed: (when) => html`⏳ الان خارج از ساعت‌هایش است. ${when} ادامه پیدا می‌کند`,
    full: (when) => html`⏳ سقف امروز برای بقیه‌اش جا ندارد. ${when} ادامه پیدا می‌کند`,
  },
});
