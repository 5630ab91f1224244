import { compactNumber } from '../../i18n/format.ts';
import { defineTexts } from '../../i18n/define.ts';
import type { BarChart } from '../../ports/charts.ts';
import type { Rial } from '../../ports/gateway.ts';
import type { Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import type { DayCost } from './burn.ts';
import type { Pace } from './credit.ts';
import { texts } from './texts.ts';

export interface BurnShown {
  readonly credit: Rial;
  /** For sends under way and for those that wait for their time. */
  readonly spokenFor: Rial;
  readonly pace: Pace;
  readonly days: readonly DayCost[];
}

/** What was paid day by day, the average as a line, and how long the credit lasts. */
export function burnPicture(
  { locale, format }: RequestContext,
  { credit, spokenFor, pace, days }: BurnShown,
  now: Date,
): BarChart {
  const t = burnTexts(locale);
  return {
    direction: locale === 'fa' ? 'rtl' : 'ltr',
    title: t.title,
    subtitle: t.subtitle(format.count(days.length, texts(locale).days), format.zoned(format.time(now), now)),
    headline: pace.daysLeft === null ? null : { value: leftText({ locale, format }, pace), label: t.left },
    tiles: [
      { value: format.rial(credit), label: t.credit, tone: null },
      { value: `≈ ${format.rial(pace.rialPerDay)}`, label: t.perDay, tone: 'line' },
      ...(spokenFor > 0
        ? [{ value: `≈ ${format.rial(spokenFor)}`, label: t.spoken, tone: null } as const]
        : []),
    ],
    tones: ['money'],
    // A correction of the account can make a day cost less than nothing.
    bars: days.map(({ from, cost }) => ({
      label: format
        .date(new Date(from * 1000))
        .split(' ')
        .slice(0, 2)
        .join(' '),
      values: [Math.max(0, cost)],
    })),
    shares: [],
    line: pace.rialPerDay,
    tick: (value) => compactNumber(locale, value),
    empty: '',
  };
}

/** The picture in one sentence. */
export function burnCaption({ locale, format }: RequestContext, days: readonly DayCost[]): Html {
  const sum = days.reduce((total, { cost }) => total + cost, 0);
  const most = days.reduce((found, day) => (day.cost > found.cost ? day : found));
  return texts(locale).burn(
    format.count(days.length, texts(locale).days),
    format.rial(sum),
    format.date(new Date(most.from * 1000)),
    format.rial(most.cost),
  );
}

/** `≈ 9 days`, `less than a day`. */
export function leftText(
  { locale, format }: Pick<RequestContext, 'locale' | 'format'>,
  { daysLeft }: Pace,
): string {
  const t = texts(locale);
  return daysLeft === null || daysLeft < 1 ? t.underADay : `≈ ${format.count(daysLeft, t.days)}`;
}

/** What stands in the picture of the credit: plain text. */
export const burnTexts = defineTexts({
  en: {
    title: 'Credit, day by day',
    subtitle: (days: string, time: string): readonly string[] => [
      `what messages cost in ${days}`,
      `as of ${time}`,
    ],
    credit: 'credit',
    perDay: 'a day in the last 7 days',
    spoken: 'of it for sends to come',
    left: 'left at this pace',
  },
  fa: {
    title: 'اعتبار، روز به روز',
    subtitle: (days, time) => [`هزینهٔ پیام‌ها در ${days}`, `تا ساعت ${time}`],
    credit: 'اعتبار',
    perDay: 'روزانه در ۷ روز گذشته',
    spoken: 'از آن برای ارسال‌های پیش رو',
    left: 'با این روند کفاف می‌دهد',
  },
});
