import type { Calendar } from '../../domain/calendar.ts';
import type { Recurrence } from '../../domain/recurrence.ts';
import { defineTexts } from '../../i18n/define.ts';
import { isolateLtr, type Format } from '../../i18n/format.ts';

/** Days of the week, and rules by which something repeats. */
export const ruleTexts = defineTexts({
  en: {
    days: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
    shortDays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
    fromTo: (first: string, last: string): string => isolateLtr(`${first}–${last}`),
    daily: (time: string): string => `every day at ${time}`,
    weekly: (day: string, time: string): string => `every ${day} at ${time}`,
    monthly: (calendar: Calendar, day: string, time: string, isLate: boolean): string =>
      `every ${calendar === 'jalali' ? 'Jalali ' : ''}month on day ${day}${isLate ? ' (or its last)' : ''} at ${time}`,
    monthlyLabel: (day: string, time: string): string => `every month, day ${day}, ${time}`,
  },
  fa: {
    days: ['یکشنبه', 'دوشنبه', 'سه‌شنبه', 'چهارشنبه', 'پنجشنبه', 'جمعه', 'شنبه'],
    shortDays: ['یکشنبه', 'دوشنبه', 'سه‌شنبه', 'چهارشنبه', 'پنجشنبه', 'جمعه', 'شنبه'],
    fromTo: (first, last) => `${first} تا ${last}`,
    daily: (time) => `هر روز ساعت ${time}`,
    weekly: (day, time) => `هر ${day} ساعت ${time}`,
    monthly: (calendar, day, time, isLate) =>
      `هر ماه ${calendar === 'jalali' ? 'شمسی' : 'میلادی'} روز ${day}${isLate ? ' (یا روز پایانی)' : ''} ساعت ${time}`,
    monthlyLabel: (day, time) => `هر ماه روز ${day} ساعت ${time}`,
  },
});

/** The shortest month of each calendar. */
const SHORTEST = { gregorian: 28, jalali: 29 } as const;

/**
 * A rule in words, such as "every Tuesday at 10:00".
 * @param isLabel on a button, which has room for less
 */
export function ruleText(rule: Recurrence, { locale, digits, clock }: Format, isLabel = false): string {
  const t = ruleTexts(locale);
  const time = clock(rule.minute);
  if (rule.every === 'day') return t.daily(time);
  if (rule.every === 'week') return t.weekly(t.days[rule.weekday] ?? '', time);
  if (isLabel) return t.monthlyLabel(digits(String(rule.day)), time);
  return t.monthly(rule.calendar, digits(String(rule.day)), time, rule.day > SHORTEST[rule.calendar]);
}
