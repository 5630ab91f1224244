import { localTimeOf, weekdayOf } from '../../src/domain/calendar.ts';

const EN = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const FA = ['یکشنبه', 'دوشنبه', 'سه‌شنبه', 'چهارشنبه', 'پنجشنبه', 'جمعه', 'شنبه'];

/** The weekday in three days, in Tehran. Whoever types that of today is asked which of two days is meant. */
export const WEEKDAY = (weekdayOf(localTimeOf(new Date(), 'Asia/Tehran')) + 3) % 7;
/** Its names, as people type them. */
export const WEEKDAY_NAME = { en: EN[WEEKDAY] ?? '', fa: FA[WEEKDAY] ?? '' };
