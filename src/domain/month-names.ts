import type { Calendar } from './calendar.ts';

/** The months of each calendar as people write them: spellings of one between bars. */
export const MONTH_NAMES: Readonly<Record<Calendar, readonly string[]>> = {
  jalali: [
    'فروردین|farvardin',
    'اردیبهشت|ordibehesht',
    'خرداد|khordad',
    'تیر|tir',
    'مرداد|امرداد|mordad',
    'شهریور|shahrivar',
    'مهر|mehr',
    'آبان|aban',
    'آذر|azar',
    'دی|dey|dei',
    'بهمن|bahman',
    'اسفند|esfand',
  ],
  gregorian: [
    'january|jan|ژانویه',
    'february|feb|فوریه',
    'march|mar|مارس',
    'april|apr|آوریل',
    'may|مه|می',
    'june|jun|ژوئن',
    'july|jul|ژوئیه|جولای',
    'august|aug|اوت|آگوست',
    'september|sept|sep|سپتامبر',
    'october|oct|اکتبر',
    'november|nov|نوامبر',
    'december|dec|دسامبر',
  ],
};
