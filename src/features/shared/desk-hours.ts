import { foldWord } from '../../domain/fold.ts';
import type { DeskHours } from '../../domain/working-time.ts';
import type { Format } from '../../i18n/format.ts';
import { ruleTexts } from './rule-texts.ts';
import { readHours, readWeekday } from './words.ts';

/** Words that say nothing beside the days and the hours. */
const FILLERS = new Set(['from', 'of', 'on', 'از', 'ساعت', 'روزهای', ',']);
const EVERY_DAY = /(?:every\s*day|daily|هر\s*روز|همه\s*روزها|همه\s*روزه)/gu;
const WEEK = [0, 1, 2, 3, 4, 5, 6];

/**
 * Reads when somebody is at the desk: hours, with days of the week before or behind them, such as `8-16`, `Sat-Wed 8:30-16` or
 * `8-13 Thursday`; without days, every day. Null for anything else.
 */
export function readDeskHours(typed: string): DeskHours | null {
  const words = wordsOf(typed);
  const isDay = words.map((word) => readWeekday(word) !== null);
  const [first, last] = [isDay.indexOf(true), isDay.lastIndexOf(true)];
  const named = first === -1 ? [] : words.slice(first, last + 1);
  const days = readDays(named);
  const rest = first === -1 ? words : [...words.slice(0, first), ...words.slice(last + 1)];
  const hours = readHours(rest.filter((word) => !FILLERS.has(word)).join(' '));
  if (days === null || hours === null) return null;
  return { ...hours, days: days.length === 0 || days.length === WEEK.length ? null : days };
}

/** When somebody is at the desk, in words that can be typed: `Sat–Wed 8:00–16:00`. */
export function deskHoursText({ from, to, days }: DeskHours, { locale, clock, list }: Format): string {
  const { fromTo, shortDays: names } = ruleTexts(locale);
  const hours = fromTo(clock(from), clock(to));
  if (days === null) return hours;
  const name = (day: number): string => names[day] ?? '';
  // A week may begin on any day: what follows on each other is a run.
  const starts = days.filter((day) => !days.includes((day + 6) % 7));
  const ends = days.filter((day) => !days.includes((day + 1) % 7));
  const [start, end] = [starts[0], ends[0]];
  const isRun = starts.length === 1 && days.length > 2 && start !== undefined && end !== undefined;
  const said = isRun
    ? fromTo(name(start), name(end))
    : list([...days].toSorted((one, other) => ((one + 1) % 7) - ((other + 1) % 7)).map(name));
  return `${said} ${hours}`;
}

/** Words and marks one by one; what stands for "to" is a hyphen, and what stands for "and" a comma. */
function wordsOf(typed: string): string[] {
  return foldWord(typed)
    .replaceAll(EVERY_DAY, ' ')
    .replaceAll(/(?:^|\s)(یک|دو|سه|چهار|پنج)\s+شنبه/gu, ' $1شنبه')
    .replaceAll(/[-–—]|\.\.|(?<=\s)(?:to|till|until|تا)(?=\s)/gu, ' - ')
    .replaceAll(/[,،;؛·]|(?<=\s)(?:and|و)(?=\s)/gu, ' , ')
    .split(/\s+/u)
    .filter((word) => word !== '');
}

/** Days and runs of days, each once; null where something else is among them. */
function readDays(words: readonly string[]): number[] | null {
  const days = new Set<number>();
  for (let at = 0; at < words.length; at += 1) {
    if (words[at] === ',') continue;
    const from = readWeekday(words[at] ?? '');
    if (from === null) return null;
    const to = words[at + 1] === '-' ? readWeekday(words[at + 2] ?? '') : from;
    if (to === null) return null;
    if (words[at + 1] === '-') at += 2;
    for (let day = from; ; day = (day + 1) % WEEK.length) {
      days.add(day);
      if (day === to) break;
    }
  }
  return WEEK.filter((day) => days.has(day));
}
