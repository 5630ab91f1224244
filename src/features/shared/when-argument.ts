import { z } from 'zod';
import { isWithin, lineRuleOf, minuteOfDay } from '../../domain/limits.ts';
import { parseRecipients, splitNumbersAndText } from '../../domain/phone.ts';
import { nextOccurrence } from '../../domain/recurrence.ts';
import { defineTexts, type Locale } from '../../i18n/define.ts';
import { createFormat, isolateAuto, type Format } from '../../i18n/format.ts';
import { readMoment, type Ahead, type Doubt } from '../../i18n/moment.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Argument, Choice } from '../../telegram/feature.ts';
import { clip, clipLine, code, html, joinHtml, type Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { ruleText } from './rule-texts.ts';

export interface WhenNeeds {
  /** Whether a rule will do as well, such as "every day 9:00". */
  readonly rules: boolean;
  /** How far ahead it lies at least, in ms. */
  readonly least: number;
}

const MAX_WORDS_OF_TIME = 12;
const MAX_AHEAD_MS = 366 * 86_400_000;
const TYPED_UNITS = 60;
/** Minutes of the day that are offered. */
const [MORNING, EVENING] = [540, 1080];
/** Which zone and hour it is shows when it is used. What is in doubt at each of these is in doubt at any. */
const ANY_HOURS = [0, 12, 84];

/** Whether all of a text is a time, wherever and whenever it is read. */
export function isWhen(typed: string, { rules }: Pick<WhenNeeds, 'rules'>): boolean {
  const text = typed.trim();
  return ANY_HOURS.some((hours) => {
    const found = readMoment(text, { now: new Date(Date.now() + hours * 3_600_000), timeZone: 'UTC' });
    return found !== null && 'at' in found && found.taken === text.length && (rules || found.rule === null);
  });
}

/**
 * A time at the front of a line, before numbers or right behind them. It stays a text until it is used: a form that waits over midnight must
 * not mean another day.
 */
export function whenArgument(needs: WhenNeeds) {
  return {
    schema: z.string().refine((typed) => isWhen(typed, needs)),
    take: (input: string) => {
      if (isNumbersFirst(input)) {
        const { numbers, text } = splitNumbersAndText(input);
        const behind = readMoment(text, { now: new Date(), timeZone: 'UTC' });
        if (behind === null || !('at' in behind)) return { value: '', rest: input };
        return {
          value: text.slice(0, behind.taken).trim(),
          rest: `${numbers}\n${text.slice(behind.taken).trim()}`,
        };
      }
      const found = readMoment(input, { now: new Date(), timeZone: 'UTC' });
      const end =
        found !== null && 'at' in found ? found.taken : Math.max(found?.taken ?? 0, beforeNumbers(input));
      return { value: input.slice(0, end).trim(), rest: input.slice(end) };
    },
    usage: (locale) => timeTexts(locale).usage,
    problem: (locale: Locale, typed: string, request?: RequestContext): Html => {
      const format = request?.format ?? createFormat(locale, 'UTC');
      const read = readAhead(typed, { ...needs, now: new Date(), format });
      return 'problem' in read ? read.problem : timeTexts(locale).bad(clip(typed, TYPED_UNITS));
    },
  } satisfies Partial<Argument>;
}

/** What was typed as a time, by the clocks of the chat; or why it will not do, with a line that would. */
export function readAhead(
  typed: string,
  { rules, least, now, format }: WhenNeeds & { readonly now: Date; readonly format: Format },
): Ahead | { readonly problem: Html } {
  const t = timeTexts(format.locale);
  const { timeZone } = format;
  const text = typed.trim();
  const shown = clip(text, TYPED_UNITS);
  const found = readMoment(text, { now, timeZone });
  if (found === null || found.taken < text.length) return { problem: t.bad(shown) };
  if ('doubt' in found) {
    if (found.could.length === 0) return { problem: t.past };
    const meant = meantBy(text, { rules, now, format });
    return { problem: meant.length === 0 ? t.noRules : t.doubt[found.doubt](shown, meant) };
  }
  if (found.rule !== null) {
    // One that is almost due would be over by the time it is confirmed.
    const from = new Date(now.getTime() + least);
    return rules ? { ...found, at: nextOccurrence(found.rule, from, timeZone) } : { problem: t.noRules };
  }
  const ahead = found.at.getTime() - now.getTime();
  if (ahead < least) return { problem: ahead < 0 ? t.past : t.tooSoon(format.duration(least)) };
  return ahead > MAX_AHEAD_MS ? { problem: t.tooFar } : found;
}

/** What decides which times are likely. */
export interface LikelyDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly limits: Pick<Stores['limits'], 'of'>;
}

/**
 * Offers times below the question for `when`: what was typed may mean, else only such as would be taken, and lie in the hours
 * in which the chat sends.
 */
export function likelyTimes({ clock, limits }: LikelyDeps, needs: WhenNeeds) {
  return async (
    { chat, binding, format }: RequestContext,
    { when: typed = '', numbers, text }: Readonly<Record<string, string>>,
  ): Promise<Choice[]> => {
    const t = timeTexts(format.locale);
    const behind = numbers === undefined || text !== undefined ? null : timeBehind(typed, needs);
    if (behind !== null) {
      const label = `🕐 ${behind.when} · ${isolateAuto(clipLine(behind.text, 40))}`;
      return [{ label, value: behind.when, known: { text: behind.text } }];
    }
    const meant = meantBy(typed.trim(), { rules: needs.rules, now: clock.now(), format });
    if (meant.length > 0) return meant.map((each) => ({ label: `🕐 ${each}`, value: each }));
    const { window, lines } = await limits.of(chat.id);
    const own = binding?.line === null || binding === null ? null : lineRuleOf(lines, binding.line).window;
    const hours = [window, own].filter((each) => each !== null);
    const isOpen = (minute: number): boolean => hours.every((each) => isWithin(each, minute));
    const opening = hours.map(({ from }) => from).find(isOpen);
    const morning = clockOf(isOpen(MORNING) ? MORNING : (opening ?? MORNING));
    const evening = clockOf(EVENING);
    return [
      { label: t.inAnHour, value: 'in 1 hour' },
      { label: t.today(format.digits(evening)), value: `today ${evening}` },
      { label: t.tomorrow(format.digits(morning)), value: `tomorrow ${morning}` },
    ].filter(({ value }) => {
      const read = readAhead(value, { ...needs, now: clock.now(), format });
      return !('problem' in read) && isOpen(minuteOfDay(read.at, format.timeZone));
    });
  };
}

/** The time with which a text ends that was typed where the time stands: `Hello tomorrow 9`. */
function timeBehind(
  typed: string,
  needs: WhenNeeds,
): { readonly text: string; readonly when: string } | null {
  const said = typed.trim();
  const ends = [...said.matchAll(/\s+/gu)].map(({ index }) => index).slice(-MAX_WORDS_OF_TIME);
  const at = ends.find((end) => isWhen(said.slice(end), needs));
  return at === undefined ? null : { text: said.slice(0, at), when: said.slice(at).trim() };
}

/** The times of which one may be meant, as they would be typed in full. */
function meantBy(
  typed: string,
  { rules, now, format }: Pick<WhenNeeds, 'rules'> & { readonly now: Date; readonly format: Format },
): string[] {
  const found = readMoment(typed, { now, timeZone: format.timeZone });
  if (found === null || !('doubt' in found) || found.taken < typed.length) return [];
  const could = found.could.filter(({ rule }) => rules || rule === null);
  return could.map(({ at, rule }) => (rule === null ? format.dateTime(at) : ruleText(rule, format)));
}

function clockOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Whether a line begins with numbers, so that no time stands before them. */
function isNumbersFirst(input: string): boolean {
  const { recipients, invalid } = parseRecipients(splitNumbersAndText(input).numbers);
  return recipients.length > 0 && invalid.length === 0;
}

/** Where the first number begins, so that a time in a form that nobody knows keeps its words together; else the first word's end. */
function beforeNumbers(input: string): number {
  const words = [...input.matchAll(/\S+\s*/gu)].slice(0, MAX_WORDS_OF_TIME);
  const numbers = words.find(
    ({ index }, at) => at > 0 && splitNumbersAndText(input.slice(index)).numbers !== '',
  );
  const [first] = words;
  return numbers?.index ?? (first === undefined ? input.length : first.index + first[0].length);
}

/** Lines of which one is to be copied. */
function choice(lines: readonly string[], or: string): Html {
  return joinHtml(lines.map(code), ` ${or} `);
}

type Doubts = Readonly<Record<Doubt, (typed: string, could: readonly string[]) => Html>>;

/** What is said of a time that somebody has typed or may choose. */
export const timeTexts = defineTexts({
  en: {
    usage: 'when',
    inAnHour: '🕐 In 1 hour',
    today: (time: string): string => `🕐 Today ${time}`,
    tomorrow: (time: string): string => `🕐 Tomorrow ${time}`,
    bad: (typed: string): Html =>
      typed === ''
        ? html`That is no time.`
        : html`I could not read «${isolateAuto(typed)}» as a day and a time that lie ahead.`,
    doubt: {
      time: (typed, could) => html`At what time? Write «${isolateAuto(typed)}» as ${choice(could, 'or')}.`,
      hour: (typed, could) =>
        html`«${isolateAuto(typed)}»: before noon or after it? Write ${choice(could, 'or')}.`,
      day: (typed, could) => html`«${isolateAuto(typed)}»: which day is meant? Write ${choice(could, 'or')}.`,
    } satisfies Doubts,
    noRules: html`Here it is one time only. ${code('/schedule')} repeats a send.`,
    past: html`That time is over.`,
    tooSoon: (least: string): Html => html`That time is less than ${least} away. Take a later one.`,
    tooFar: html`That time is more than a year away.`,
  },
  fa: {
    usage: 'زمان',
    inAnHour: '🕐 یک ساعت دیگر',
    today: (time) => `🕐 امروز ${time}`,
    tomorrow: (time) => `🕐 فردا ${time}`,
    bad: (typed) =>
      typed === '' ? html`این زمان نیست.` : html`«${isolateAuto(typed)}» را روز و ساعتی در آینده نفهمیدم.`,
    doubt: {
      time: (typed, could) => html`چه ساعتی؟ «${isolateAuto(typed)}» را کامل بنویسید: ${choice(could, 'یا')}`,
      hour: (typed, could) =>
        html`«${isolateAuto(typed)}» صبح است یا بعدازظهر؟ بنویسید ${choice(could, 'یا')}`,
      day: (typed, could) => html`«${isolateAuto(typed)}» کدام روز است؟ بنویسید ${choice(could, 'یا')}`,
    },
    noRules: html`اینجا فقط یک زمان می‌شود داد. ارسال تکراری با ${code('/schedule')} است.`,
    past: html`آن زمان گذشته است.`,
    tooSoon: (least) => html`کمتر از ${least} به آن زمان مانده است. زمانی دیرتر بدهید.`,
    tooFar: html`تا آن زمان بیش از یک سال مانده است.`,
  },
});
