import { dayAfter, instantOf, localTimeOf, weekdayOf, type CalendarDay } from '../domain/calendar.ts';
import { nextOccurrence, type Recurrence } from '../domain/recurrence.ts';
import { dayInYear, gregorianDay, yearOf } from './time/days.ts';
import { namesDay, type Phrase } from './time/phrase.ts';
import { readPhrase } from './time/read-phrase.ts';
import { tokensOf } from './time/tokens.ts';

export interface MomentContext {
  readonly now: Date;
  readonly timeZone: string;
}

/** A time ahead, and the rule by which it then repeats. */
export interface Ahead {
  readonly at: Date;
  readonly rule: Recurrence | null;
}

/** Why words do not say one time: the hour is left out, or it or the day may be more than one. */
export type Doubt = 'time' | 'hour' | 'day';

/** What a line begins with, and how much of the line it was. */
export type Moment = { readonly taken: number } & (
  | Ahead
  | { readonly doubt: Doubt; /** What may be meant, or would do. */ readonly could: readonly Ahead[] }
);

/**
 * Reads a time that lies ahead, from the front of a line, in English or Persian and with digits of any script:
 *
 * - a day and a time in either order, as people say them and as cards print them: `1405/09/03 10:00`, `Thu 26 Nov 2026, 20:00`,
 *   `۵ آذر ساعت ۱۰`, `tomorrow 9`, `فردا صبح`, `next friday at 8`, `شنبه هفته بعد ساعت ۱۰`;
 * - a time alone, of today or else of tomorrow: `18:30`, `ساعت ۱۸`;
 * - a distance: `in 2h`, `نیم ساعت دیگر`;
 * - a rule, and its first time: `every day 9:00`, `سه‌شنبه‌ها ساعت ۱۰`, `هر ماه ۵ ام ساعت ۹`.
 *
 * What may be meant in two ways is a doubt, never a guess: 5 is no hour to send at before it is known of which half of the
 * day. Null when the line does not begin with a time.
 */
export function readMoment(input: string, { now, timeZone }: MomentContext): Moment | null {
  const tokens = tokensOf(input);
  const read = readPhrase(tokens, 0);
  if (read === null) return null;
  const behind = /^\p{Cf}*[،,]?\p{Cf}*(?:\s+|$)/u.exec(input.slice(tokens[read.next - 1]?.end));
  if (behind === null) return null;
  const taken = (tokens[read.next - 1]?.end ?? 0) + behind[0].length;
  const found = resolve(read.phrase, { now, timeZone: read.phrase.zone ?? timeZone });
  return found === null ? null : { ...found, taken };
}

type Found = Ahead | { readonly doubt: Doubt; readonly could: readonly Ahead[] };

const MOST_OFFERED = 4;
const USUAL_HOURS = [9, 18];
const DAY_MS = 86_400_000;
/** A day without a year that is just over is meant, and not its next coming. */
const JUST_OVER_MS = 60 * DAY_MS;

function resolve(phrase: Phrase, context: MomentContext): Found | null {
  if (phrase.now === true || phrase.month !== undefined) return null;
  if (phrase.every !== undefined) return ruleOf(phrase, phrase.every, context);
  const { now, timeZone } = context;
  const { distance, clock, part } = phrase;
  if (distance !== undefined && clock === undefined && part === undefined) {
    if (distance.minutes < 0) return null;
    return { at: new Date(now.getTime() + distance.minutes * 60_000), rule: null };
  }
  const hours = hoursOf(phrase);
  if (hours === null) return null;
  if (!namesDay(phrase)) return aloneOf(hours, phrase, context);
  const days = daysOf(phrase, context);
  if (days === null) return null;
  const minute = clock?.minute ?? 0;
  const at = (day: CalendarDay, hour: number): Ahead[] => {
    const found = instantOf({ ...day, hour, minute }, timeZone);
    return found === null ? [] : [{ at: found, rule: null }];
  };
  const all = (of: readonly number[]): Ahead[] => days.flatMap((day) => of.flatMap((hour) => at(day, hour)));
  const ahead = (of: readonly Ahead[]): Ahead[] => of.filter((each) => each.at > now);
  if (clock === undefined && part === undefined) {
    const could = ahead(all(USUAL_HOURS)).slice(0, MOST_OFFERED);
    return { doubt: 'time', could };
  }
  if (hours.length === 0) {
    // The small hours of a night may be those before the day or those after it.
    const could = days.flatMap((day) =>
      [day, dayAfter(day, 1)].flatMap((each) => at(each, (clock?.hour ?? 0) % 12)),
    );
    return { doubt: 'day', could: ahead(could) };
  }
  const found = all(hours);
  const [first] = found;
  if (first === undefined) return null;
  if (phrase.isEve === true || (days.length > 1 && ahead(found).length > hours.length))
    return { doubt: 'day', could: ahead(found) };
  if (found.length === 1)
    return isMismatch(phrase, first.at, timeZone) ? { doubt: 'day', could: [first] } : first;
  const left = ahead(found);
  const [only] = left;
  if (only === undefined) return first;
  // What is over is not meant where the rest of the day is still to come.
  const isOfToday = phrase.days === 0 || days.length > 1;
  return left.length === 1 && isOfToday ? only : { doubt: 'hour', could: left };
}

/** Null where an hour is none of the time of the day that it is said of; empty for the small hours of a night; two where it may be either half. */
function hoursOf({ clock, part }: Phrase): readonly number[] | null {
  if (clock === undefined) return part === undefined ? [] : [part.usual];
  const { hour, isSure } = clock;
  if (part === undefined) return isSure ? [hour] : [hour, hour + 12];
  if (part.isHalf === true) return hour < 1 || hour > 12 ? null : [(hour % 12) + (part.from === 0 ? 0 : 12)];
  const within = [hour, hour + 12].filter((each) => each >= part.from && each <= part.to);
  if (within.length > 0) return within.slice(0, 1);
  return part.isNight === true && (hour <= 5 || hour === 12) ? [] : null;
}

/** A time alone is of today or, where it is over, of tomorrow. */
function aloneOf(
  hours: readonly number[],
  { clock }: Phrase,
  { now, timeZone }: MomentContext,
): Found | null {
  if (clock === undefined && hours.length === 0) return null;
  const today = localTimeOf(now, timeZone);
  const could = hours.flatMap((hour) => {
    const times = [today, dayAfter(today, 1)].map((day) =>
      instantOf({ ...day, hour, minute: clock?.minute ?? 0 }, timeZone),
    );
    const at = times.find((each) => each !== null && each > now);
    return at === undefined || at === null ? [] : [{ at, rule: null }];
  });
  const [only, other] = could;
  return only === undefined || other !== undefined ? { doubt: 'hour', could } : only;
}

/** The days that may be meant; null for one that there is not. */
function daysOf(phrase: Phrase, { now, timeZone }: MomentContext): CalendarDay[] | null {
  const today = localTimeOf(now, timeZone);
  const { date, days, distance, weekday, week } = phrase;
  if (date !== undefined) return dateOf(phrase, { now, timeZone });
  if (days !== undefined) return days < 0 ? null : [dayAfter(today, days)];
  if (distance !== undefined)
    return distance.minutes < 0 ? null : [dayAfter(today, distance.minutes / (DAY_MS / 60_000))];
  if (week !== undefined) {
    if (week.away < 0) return null;
    return [
      ...new Set(
        week.begins.map((begin) => daysInWeek(weekdayOf(today), begin, week.away, weekday ?? begin)),
      ),
    ]
      .toSorted((left, right) => left - right)
      .map((each) => dayAfter(today, each));
  }
  if (weekday === undefined || phrase.which === 'last') return null;
  const away = (weekday - weekdayOf(today) + 7) % 7;
  if (phrase.isEve === true) return [(away || 7) - 1, away || 7].map((each) => dayAfter(today, each));
  if (phrase.which === 'this') return [dayAfter(today, away)];
  // Nobody says "next friday" for tomorrow without a second thought.
  if (phrase.which === 'next')
    return (away === 1 ? [1, 8] : [away || 7]).map((each) => dayAfter(today, each));
  return (away === 0 ? [0, 7] : [away]).map((each) => dayAfter(today, each));
}

function daysInWeek(today: number, begin: number, away: number, weekday: number): number {
  return away * 7 - ((today - begin + 7) % 7) + ((weekday - begin + 7) % 7);
}

function dateOf({ date, clock, part }: Phrase, { now, timeZone }: MomentContext): CalendarDay[] | null {
  if (date === undefined || date.day === null) return null;
  const { day } = date;
  if (date.year !== null) {
    const found = gregorianDay({ ...date, day, year: date.year });
    return found === null ? null : [found];
  }
  const year = yearOf(now, date.calendar, timeZone);
  const known = [year - 1, year, year + 1, year + 2].flatMap((each) => dayInYear(date, each) ?? []);
  const hour = clock?.hour ?? part?.usual ?? 23;
  const times = known.map((each) => ({
    each,
    ahead: Date.UTC(each.year, each.month - 1, each.day) - Date.UTC(...utcDay(now, timeZone)),
    isOver: (instantOf({ ...each, hour, minute: clock?.minute ?? 0 }, timeZone) ?? now) <= now,
  }));
  const over = times.find(({ ahead, isOver }) => isOver && ahead <= 0 && -ahead < JUST_OVER_MS);
  const next = times.find(({ ahead }) => ahead >= 0);
  const found = over ?? next;
  return found === undefined ? null : [found.each];
}

function utcDay(now: Date, timeZone: string): [number, number, number] {
  const { year, month, day } = localTimeOf(now, timeZone);
  return [year, month - 1, day];
}

function isMismatch({ date, weekday }: Phrase, at: Date, timeZone: string): boolean {
  return date !== undefined && weekday !== undefined && weekdayOf(localTimeOf(at, timeZone)) !== weekday;
}

function ruleOf(
  { clock, part, weekday, ofMonth, ...phrase }: Phrase,
  every: Recurrence['every'],
  { now, timeZone }: MomentContext,
): Found | null {
  const { calendar, day } = ofMonth ?? {};
  if (phrase.date !== undefined || phrase.week !== undefined || phrase.days !== undefined) return null;
  const at = (hour: number): Ahead[] => {
    const minute = hour * 60 + (clock?.minute ?? 0);
    const rule: Recurrence | null =
      every === 'day'
        ? { every, minute }
        : every === 'week'
          ? weekday === undefined
            ? null
            : { every, weekday, minute }
          : calendar === undefined || day === undefined || day < 1 || day > 31
            ? null
            : { every, calendar, day, minute };
    return rule === null ? [] : [{ rule, at: nextOccurrence(rule, now, timeZone) }];
  };
  const phraseHours = { ...(clock === undefined ? {} : { clock }), ...(part === undefined ? {} : { part }) };
  const hours = hoursOf(phraseHours);
  if (hours === null) return null;
  if (clock === undefined && part === undefined) {
    const could = at(9);
    return could.length === 0 ? null : { doubt: 'time', could };
  }
  // «هر شب ساعت ۱۲» and the like name no day, so the hour says it all: but not which night.
  const found = (hours.length === 0 ? [(clock?.hour ?? 0) % 12] : hours).flatMap(at);
  const [only, other] = found;
  if (only === undefined) return null;
  return other === undefined && hours.length === 1 ? only : { doubt: 'hour', could: found };
}
