import { GATEWAY_ZONE, localTimeOf } from '../domain/calendar.ts';
import { displayRecipient, maskRecipient } from '../domain/phone.ts';
import type { Locale } from './define.ts';

/** Everything that is shown in a way that depends on language or time zone. Made by {@link createFormat}. */
export interface Format {
  readonly locale: Locale;
  readonly timeZone: string;
  /** Grouped, with the language's digits: `1,234`, `۱٬۲۳۴`. At most two decimals. */
  number(value: number | bigint): string;
  /** `94.3%`, `۹۴٫۳٪` from a share between 0 and 1. */
  percent(share: number): string;
  /** Whole rial: `2,840 rial`, `۲٬۸۴۰ ریال`. */
  rial(amount: number): string;
  /** Latin digits of a text become the language's. For prose only: what is copied keeps Latin digits. */
  digits(text: string): string;
  /** A number with the noun that fits it. Persian nouns do not change after a number. */
  count(value: number, forms: { one: string; other: string }): string;
  /** `24 Nov 2026`, `۳ آذر ۱۴۰۵` (Jalali). */
  date(instant: Date): string;
  /** The same without its year, of a day that is at most one away: `24 Nov`, `۳ آذر`. */
  day(instant: Date): string;
  /** 24 hours: `14:02`, `۱۴:۰۲`. */
  time(instant: Date): string;
  /** The same of minutes after midnight. */
  clock(minutes: number): string;
  /** `Tue 24 Nov 2026, 14:02`, `سه‌شنبه ۳ آذر ۱۴۰۵، ۱۴:۰۲`. */
  dateTime(instant: Date): string;
  /** Words of a time with the zone behind them, where its clocks show another time than the gateway's: `14:02 (UTC)`. */
  zoned(words: string, instant: Date): string;
  /** A length of time in ms by its two largest units: `2 h 5 min`, `۲ ساعت و ۵ دقیقه`. */
  duration(milliseconds: number): string;
  /** A phone number or a sender's name, isolated: whole only where the chat may see it so, else `0912•••4567`. */
  phone(number: string): string;
  /** How long before or after `now`: `5 minutes ago`, `۵ دقیقه پیش`; from a day on, by the calendar: noon of the day after tomorrow is `in 2 days`. */
  relative(instant: Date, now: Date): string;
  /** `a, b and c`, `a،‏ b، و c` in the language's manner. */
  list(items: readonly string[]): string;
}

/**
 * Cheap: formatters are made once per language and zone. Throws RangeError for an unknown time zone.
 * @param showsNumbers whether whoever looks on may see phone numbers whole; see {@link seesNumbers}
 */
export function createFormat(locale: Locale, timeZone: string, showsNumbers = false): Format {
  const key = `${locale} ${timeZone} ${showsNumbers}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = { ...makeFormat(locale, timeZone), phone: showsNumbers ? wholePhone : maskedPhone };
  formats.set(key, made);
  return made;
}

/** For numbers, ids and other left-to-right values inside text of either direction (U+2066 … U+2069). */
export function isolateLtr(value: string): string {
  return `\u2066${stripBidi(value)}\u2069`;
}

/** For text of unknown direction: names, titles, texts of others (U+2068 … U+2069). */
export function isolateAuto(text: string): string {
  return `\u2068${stripBidi(text)}\u2069`;
}

/** Takes out of a text what stands there as a text of others. */
export function withoutIsolated(text: string): string {
  return text.replaceAll(/\u2068[^\u2069]*\u2069/gu, '');
}

/** Begins a line of a text read from the right that has no word of its own, such as numbers or a file's name alone (U+200F). */
export const RIGHT = '\u200f';

/** Removes direction controls, so that a text of others cannot reorder what stands around it. */
export function stripBidi(text: string): string {
  return text.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '');
}

// One entry per language and zone of a binding: some dozens.
const formats = new Map<string, Format>();

const UNITS = [
  { unit: 'day', ms: 86_400_000, en: 'd', fa: 'روز' },
  { unit: 'hour', ms: 3_600_000, en: 'h', fa: 'ساعت' },
  { unit: 'minute', ms: 60_000, en: 'min', fa: 'دقیقه' },
  { unit: 'second', ms: 1_000, en: 's', fa: 'ثانیه' },
] as const;

/** Where others than one person look on, numbers are shown in part, unless the chat has said how it wants them. */
export function seesNumbers(chatSays: boolean | null, isAlone: boolean): boolean {
  return chatSays ?? isAlone;
}

const PHONE_UNITS = 40;

function wholePhone(number: string): string {
  const shown = displayRecipient(number);
  return isolateLtr(
    shown.length > PHONE_UNITS ? `${shown.slice(0, PHONE_UNITS - 1).toWellFormed()}…` : shown,
  );
}

function maskedPhone(number: string): string {
  return isolateLtr(maskRecipient(number.slice(0, PHONE_UNITS).toWellFormed()));
}

function makeFormat(locale: Locale, timeZone: string): Omit<Format, 'phone'> {
  const isFa = locale === 'fa';
  const tag = isFa ? 'fa-IR-u-ca-persian-nu-arabext' : 'en-GB-u-ca-gregory-nu-latn';
  const numbers = new Intl.NumberFormat(tag, { maximumFractionDigits: 2 });
  const percents = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 });
  const dates = new Intl.DateTimeFormat(tag, {
    timeZone,
    day: 'numeric',
    month: isFa ? 'long' : 'short',
    year: 'numeric',
  });
  const weekdays = new Intl.DateTimeFormat(tag, { timeZone, weekday: isFa ? 'long' : 'short' });
  const times = new Intl.DateTimeFormat(tag, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const relatives = new Intl.RelativeTimeFormat(tag, { numeric: 'always' });
  const lists = new Intl.ListFormat(tag, { type: 'conjunction' });

  const partsOf = (instant: Date) =>
    Object.fromEntries(dates.formatToParts(instant).map(({ type, value }) => [type, value]));
  const day = (instant: Date): string => {
    const parts = partsOf(instant);
    return `${parts['day']} ${parts['month']}`;
  };
  const date = (instant: Date): string => `${day(instant)} ${partsOf(instant)['year']}`;
  const dayOf = (moment: Date): number => {
    const { year, month, day: dayOfMonth } = localTimeOf(moment, timeZone);
    return Date.UTC(year, month - 1, dayOfMonth) / UNITS[0].ms;
  };
  const number = (value: number | bigint): string => numbers.format(value);
  const digits = (text: string): string =>
    isFa ? text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x6f0 + digit.charCodeAt(0) - 0x30)) : text;

  return {
    locale,
    timeZone,
    number,
    percent: (share) => percents.format(share),
    rial: (amount) => `${number(amount)} ${isFa ? 'ریال' : 'rial'}`,
    digits,
    count: (value, forms) => `${number(value)} ${value === 1 ? forms.one : forms.other}`,
    date,
    day,
    time: (instant) => times.format(instant),
    clock: (minutes) =>
      digits([Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')),
    dateTime: (instant) =>
      `${weekdays.format(instant)} ${date(instant)}${isFa ? '،' : ','} ${times.format(instant)}`,
    zoned: (words, instant) => {
      const [here, there] = [timeZone, GATEWAY_ZONE].map((zone) =>
        Object.values(localTimeOf(instant, zone)).join(' '),
      );
      return here === there ? words : `${words} (${isolateLtr(timeZone)})`;
    },
    duration: (milliseconds) => duration(milliseconds, isFa, number),
    relative: (instant, now) => {
      const difference = instant.getTime() - now.getTime();
      const unit = UNITS.find(({ ms }) => Math.abs(difference) >= ms) ?? UNITS[3];
      const amount = unit === UNITS[0] ? dayOf(instant) - dayOf(now) : difference / unit.ms;
      // The data of the language has two words for it, and one of them is said of what has come after something else.
      return relatives
        .format(Math.trunc(amount) || Math.sign(difference), unit.unit)
        .replace(/بعد$/u, 'دیگر');
    },
    list: (items) => lists.format(items),
  };
}

function duration(milliseconds: number, isFa: boolean, number: (value: number) => string): string {
  const total = Math.max(0, Math.round(milliseconds / 1000)) * 1000;
  const first = UNITS.findIndex(({ ms }) => total >= ms);
  if (first === -1) return isFa ? `${number(0)} ثانیه` : '0 s';
  let rest = total;
  const pieces = UNITS.slice(first, first + 2).flatMap((unit) => {
    const amount = Math.floor(rest / unit.ms);
    rest -= amount * unit.ms;
    return amount === 0 ? [] : [`${number(amount)} ${isFa ? unit.fa : unit.en}`];
  });
  return pieces.join(isFa ? ' و ' : ' ');
}

/** Below this a number is short enough as it is. */
const SHORT = 1_000_000;

/** A number where there is little room: `11,642`, `1.2M`; `۱۱٬۶۴۲`, `۱٫۲ میلیون`. */
export function compactNumber(locale: Locale, value: number): string {
  const tag = locale === 'fa' ? 'fa-IR-u-nu-arabext' : 'en-US-u-nu-latn';
  const isShort = Math.abs(value) < SHORT;
  return new Intl.NumberFormat(
    tag,
    isShort
      ? { maximumFractionDigits: 2 }
      : { notation: 'compact', maximumFractionDigits: 1, compactDisplay: 'short' },
  ).format(value);
}
