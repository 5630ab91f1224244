import { dayAfter, localTimeOf } from '../../../domain/calendar.ts';
import { fieldOf, knownField } from '../../../domain/people.ts';
import { keyOf, keysOn, readPersonDate, targetOf } from '../../../domain/person-date.ts';
import { shownAt } from '../../../domain/recurrence.ts';
import type { DateSend } from '../../../ports/date-sends.ts';
import type { Stores } from '../../../storage/stores.ts';
import { createPersonText } from './date-text.ts';

/** What an order comes to by the people of now. */
export interface DateSurvey {
  /** With its tag. */
  readonly people: number;
  /** Whose date can be read, and does for the rule; who has none; and what somebody has there that is no date. */
  readonly good: number;
  readonly empty: number;
  readonly bad: number;
  readonly badExample: { readonly number: string; readonly typed: string } | null;
  /** Of the good ones, to whom nothing can be sent: an empty field, mostly. */
  readonly unfit: number;
  /** Whose day comes in the time ahead, and the first of these days. */
  readonly soon: number;
  readonly next: { readonly at: Date; readonly people: number } | null;
  /** What one of them would get: of those whose day comes first, if there are any. */
  readonly sample: { readonly number: string; readonly text: string } | null;
}

/** So far ahead is looked, in days. */
export const DAYS_AHEAD = 30;

/** Looks at everybody whom an order is for. */
export async function surveyDates(
  people: Pick<Stores['people'], 'each' | 'fieldNames'>,
  order: DateSend,
  {
    chatId,
    now,
    timeZone,
    inAddress,
  }: {
    readonly chatId: string;
    readonly now: Date;
    readonly timeZone: string;
    readonly inAddress: boolean;
  },
): Promise<DateSurvey> {
  const ahead = daysAhead(order, now, timeZone);
  const dayOf = new Map(ahead.flatMap(({ keys }, at) => keys.map((key) => [key, at] as const)));
  const counts = ahead.map(() => 0);
  const fields = await people.fieldNames(chatId, order.tag);
  const field = knownField(order.field, fields);
  const textTo = createPersonText(order, fields, inAddress);
  let [all, good, empty, bad, unfit, soon] = [0, 0, 0, 0, 0, 0];
  let badExample: DateSurvey['badExample'] = null;
  let sample: { readonly number: string; readonly text: string; readonly day: number } | null = null;
  for await (const block of people.each(chatId, order.tag))
    for (const person of block) {
      all += 1;
      const typed = fieldOf(person, field).trim();
      const date = readPersonDate(typed);
      const key = date === null ? null : keyOf(date, order);
      if (typed === '') empty += 1;
      else if (key === null) {
        bad += 1;
        badExample ??= { number: person.number, typed };
      }
      if (key === null) continue;
      good += 1;
      const day = dayOf.get(key) ?? ahead.length;
      if (counts[day] !== undefined) {
        counts[day] += 1;
        soon += 1;
      }
      const made = textTo(person);
      if (!made.ok) unfit += 1;
      else if (sample === null || day < sample.day) sample = { number: person.number, text: made.text, day };
    }
  const first = counts.findIndex((count) => count > 0);
  return {
    people: all,
    good,
    empty,
    bad,
    badExample,
    unfit,
    soon,
    next: first < 0 ? null : { at: ahead[first]?.at ?? now, people: counts[first] ?? 0 },
    sample,
  };
}

/** The times of an order that are ahead, each with the dates that it is for. */
function daysAhead(order: DateSend, now: Date, timeZone: string) {
  const today = localTimeOf(now, timeZone);
  return Array.from({ length: DAYS_AHEAD + 1 }, (_, days) => dayAfter(today, days))
    .map((day) => ({
      at: shownAt(day, order.minute, timeZone),
      keys: keysOn(targetOf(day, order), order),
    }))
    .flatMap(({ at, keys }) => (at !== null && at > now ? [{ at, keys }] : []))
    .slice(0, DAYS_AHEAD);
}
