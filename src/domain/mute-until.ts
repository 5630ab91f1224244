import { dayAfter, instantOf, localTimeOf, weekdayOf } from './calendar.ts';

export const MUTES = ['4h', 'tomorrow', 'saturday'] as const;
export type Mute = (typeof MUTES)[number];

const MORNING = 9;
const SATURDAY = 6;

/** When a mute ends: in four hours, tomorrow at 9:00, or on the next Saturday at 9:00, by the clocks of a zone. */
export function muteUntil(mute: Mute, now: Date, timeZone: string): Date {
  if (mute === '4h') return new Date(now.getTime() + 4 * 3_600_000);
  const today = localTimeOf(now, timeZone);
  const days = mute === 'tomorrow' ? 1 : (SATURDAY - weekdayOf(today) + 7) % 7 || 7;
  const until = instantOf({ ...dayAfter(today, days), hour: MORNING, minute: 0 }, timeZone);
  return until ?? new Date(now.getTime() + days * 86_400_000);
}
