import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import type { TimeBuckets } from '../../domain/time-buckets.ts';
import type { Shown } from './shape.ts';

/** What stands in a picture: plain text, without signs that its font does not have. */
export const pictureTexts = defineTexts({
  en: {
    ofCard: (id: string): string => `Report ${isolateLtr(`#${id}`)}`,
    ofTag: (tag: string): string => `Tag ${isolateAuto(tag)}`,
    line: (line: string): string => `line ${isolateLtr(line)}`,
    by: {
      minutes: 'by the minute they left',
      hours: 'by the hour they left',
      days: 'by the day they left',
    } satisfies Record<TimeBuckets['unit'], string>,
    asOf: (time: string): string => `as of ${time}`,
    shown: {
      delivered: 'delivered',
      sent: 'with operator',
      waiting: 'waiting',
      failed: 'not delivered',
      blocked: 'blocked',
      not_sent: 'not sent',
      unknown: 'unknown',
    } satisfies Record<Shown, string>,
    nothing: 'Nothing has left yet.',
  },
  fa: {
    ofCard: (id) => `گزارش ${isolateLtr(`#${id}`)}`,
    ofTag: (tag) => `برچسب ${isolateAuto(tag)}`,
    line: (line) => `خط ${isolateLtr(line)}`,
    by: {
      minutes: 'به تفکیک دقیقهٔ ارسال',
      hours: 'به تفکیک ساعت ارسال',
      days: 'به تفکیک روز ارسال',
    },
    asOf: (time) => `تا ساعت ${time}`,
    shown: {
      delivered: 'رسید',
      sent: 'نزد اپراتور',
      waiting: 'در انتظار',
      failed: 'نرسید',
      blocked: 'مسدود',
      not_sent: 'فرستاده نشد',
      unknown: 'نامعلوم',
    },
    nothing: 'هنوز چیزی نرفته است.',
  },
});
