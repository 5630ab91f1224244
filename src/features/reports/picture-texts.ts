import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import type { TimeBuckets } from '../../domain/time-buckets.ts';
import type { Shape } from './shape.ts';

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
