import type { TimeBuckets } from '../../domain/time-buckets.ts';
import { defineTexts } from '../../i18n/define.ts';
import { compactNumber, isolateAuto, isolateLtr, type Format } from '../../i18n/format.ts';
import type { BarChart, Tone } from '../../ports/charts.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { countWords } from '../shared/count-words.ts';
import type { OperatorStanding } from './operator-standings.ts';
import { operatorBars } from './operators-card.ts';
import { SHOWN, type Shape, type Shown, type ShownCounts } from './shape.ts';

const TONES: Readonly<Record<Shown, Tone>> = {
  delivered: 'good',
  sent: 'on_way',
  waiting: 'waiting',
  failed: 'bad',
  blocked: 'blocked',
  not_sent: 'not_sent',
  unknown: 'unknown',
};

export interface PictureOf {
  readonly title: string;
  /** What is counted, and what of, in pieces of one line. */
  readonly subtitle: readonly string[];
  readonly counts: ShownCounts;
  readonly shape: Shape | null;
  readonly operators: readonly OperatorStanding[];
}

/** Messages over time by what became of them: the same numbers as the words of the report. */
export function pictureOf(ctx: RequestContext, of: PictureOf, now: Date): BarChart {
  const { locale, format } = ctx;
  const t = pictureTexts(locale);
  const words = countWords(locale);
  const { counts, shape } = of;
  const all = SHOWN.reduce((sum, shown) => sum + counts[shown], 0);
  const found = SHOWN.filter((shown) => counts[shown] > 0);
  // All in one moment: over time there is nothing to see, so what became of them stands side by side.
  const overTime = shape !== null && shape.buckets.starts.length > 1 ? shape : null;
  // What no report has settled is in no bar of those that show reports.
  const isDrawn = (shown: Shown): boolean =>
    overTime?.by !== 'reported' || overTime.counts.some((counted) => counted[shown] > 0);
  const sideBySide = locale === 'fa' ? found.toReversed() : found;
  return {
    direction: locale === 'fa' ? 'rtl' : 'ltr',
    title: of.title,
    subtitle: [
      ...of.subtitle,
      ...(overTime === null ? [] : [t.by[overTime.by][overTime.buckets.unit]]),
      t.asOf(format.zoned(format.time(now), now)),
    ],
    headline: all === 0 ? null : { value: format.percent(counts.delivered / all), label: words.delivered },
    tiles: found.map((shown) => ({
      value: format.number(counts[shown]),
      label: words[shown],
      tone: isDrawn(shown) ? TONES[shown] : null,
    })),
    tones: SHOWN.map((shown) => TONES[shown]),
    bars:
      overTime === null
        ? sideBySide.map((shown) => ({
            label: words[shown],
            values: SHOWN.map((each) => (each === shown ? counts[shown] : 0)),
          }))
        : overTime.buckets.starts.map((start, index) => ({
            label:
              overTime.isOpen && index === overTime.counts.length - 1
                ? t.later
                : startText(format, overTime, start),
            values: SHOWN.map((shown) => overTime.counts[index]?.[shown] ?? 0),
          })),
    line: null,
    shares: operatorBars(ctx, of.operators),
    tick: (value) => compactNumber(locale, value),
    empty: t.nothing,
  };
}

function startText(format: Format, { buckets }: Shape, start: number): string {
  const instant = new Date(start * 1000);
  return buckets.unit === 'days' ? shortDay(format, instant) : format.time(instant);
}

/** Day and month, without the year. */
function shortDay(format: Format, instant: Date): string {
  return format.date(instant).split(' ').slice(0, 2).join(' ');
}

/** What stands in a picture: plain text, without signs that its font does not have. */
export const pictureTexts = defineTexts({
  en: {
    ofCard: (id: string): string => `Report ${isolateLtr(`#${id}`)}`,
    ofTag: (tag: string): string => `Tag ${isolateAuto(tag)}`,
    line: (line: string): string => `line ${isolateLtr(line)}`,
    by: {
      left: { minutes: 'by the minute sent', hours: 'by the hour sent', days: 'by the day sent' },
      reported: {
        minutes: 'by the minute reported',
        hours: 'by the hour reported',
        days: 'by the day reported',
      },
    } satisfies Record<Shape['by'], Record<TimeBuckets['unit'], string>>,
    later: 'later',
    asOf: (time: string): string => `as of ${time}`,
    nothing: 'Nothing has been sent yet.',
  },
  fa: {
    ofCard: (id) => `گزارش ${isolateLtr(`#${id}`)}`,
    ofTag: (tag) => `برچسب ${isolateAuto(tag)}`,
    line: (line) => `خط ${isolateLtr(line)}`,
    by: {
      left: {
        minutes: 'به تفکیک دقیقهٔ ارسال',
        hours: 'به تفکیک ساعت ارسال',
        days: 'به تفکیک روز ارسال',
      },
      reported: {
        minutes: 'به تفکیک دقیقهٔ گزارش تحویل',
        hours: 'به تفکیک ساعت گزارش تحویل',
        days: 'به تفکیک روز گزارش تحویل',
      },
    },
    later: 'بعدتر',
    asOf: (time) => `تا ساعت ${time}`,
    nothing: 'هنوز چیزی ارسال نشده است.',
  },
});
