import { dayAfter, type CalendarDay } from './calendar.ts';
import type { Moves } from './machine.ts';

export const DATE_SEND_STATES = ['proposed', 'on', 'paused', 'ended'] as const;

/** Where a standing order to send by people's dates stands; `proposed`: its card asks whether to switch it on. */
export type DateSendState = (typeof DATE_SEND_STATES)[number];

/** It was switched on, and not ended. */
export const IN_FORCE = ['on', 'paused'] as const satisfies readonly DateSendState[];

/** What can happen to one. */
export const DATE_SEND_MOVES = {
  switch_on: { proposed: 'on' },
  pause: { on: 'paused' },
  resume: { paused: 'on' },
  end: { proposed: 'ended', on: 'ended', paused: 'ended' },
} as const satisfies Moves<DateSendState>;

/** How many a chat has that are on or paused: each goes through all people of its tag each day. */
export const MOST_DATE_SENDS = 30;

/** So many days that passed by are asked about; what is older is nobody's news. */
const DAYS_CAUGHT_UP = 7;

/** A day as it is kept and compared: `2026-11-26`. */
export function dayText({ year, month, day }: CalendarDay): string {
  return [String(year), ...[month, day].map((part) => String(part).padStart(2, '0'))].join('-');
}

/** The day that was kept so. */
function dayOfText(text: string): CalendarDay {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return { year, month, day };
}

/**
 * The days for which an order has not been done, the oldest first: of what passed by a week at most.
 * @param doneOn the last day that is done with; one ahead, where a clock was put back, leaves none
 * @param upTo the last day whose time has come
 */
export function daysToDo(doneOn: string, upTo: string): readonly CalendarDay[] {
  const last = dayOfText(upTo);
  const days = Array.from({ length: DAYS_CAUGHT_UP + 1 }, (_, at) => dayAfter(last, at - DAYS_CAUGHT_UP));
  return days.filter((day) => dayText(day) > doneOn);
}
