import { defineTexts } from '../../i18n/define.ts';

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
