import { z } from 'zod';
import { LINE_PURPOSES } from '../../domain/limits.ts';
import { isRole } from '../../domain/roles.ts';
import { defineTexts, type Locale } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr, type Format } from '../../i18n/format.ts';
import type { AuditRecord } from '../../ports/stores.ts';
import { clip, code, EMPTY, html, joinHtml, type Html } from '../../telegram/html.ts';
import { roleName } from '../../telegram/texts.ts';
import { sentences, type Told } from './sentence-texts.ts';
import { texts } from './texts.ts';

/** Names a kind of alert as it stands in the audit; returns '' for what is none. */
export type AlertName = (locale: Locale, kind: unknown) => string;

interface Language {
  readonly locale: Locale;
  readonly format: Format;
  readonly alertName: AlertName;
}

const NAME_UNITS = 32;

/** One entry on one line: when, who, what. */
export function entryLine(language: Language, entry: AuditRecord): Html {
  const { locale, format } = language;
  const when = `${format.date(entry.at)} ${format.time(entry.at)}`;
  return html`${when} · ${whoText(locale, entry)}: ${whatText(language, entry)}`;
}

/** What was done, in words; an action that nobody has put into words yet, by its name. */
export function whatText(language: Language, { action, details }: AuditRecord): Html {
  const catalogue = sentences(language.locale);
  return isKnown(catalogue, action) ? catalogue[action](told(language, details)) : code(action);
}

export function whoText(locale: Locale, { person }: AuditRecord): string {
  if (person === null) return texts(locale).itself;
  return isolateAuto(clip(person.name === '' ? String(person.id) : person.name, NAME_UNITS));
}

function isKnown<T extends object>(catalogue: T, action: string): action is keyof T & string {
  return Object.hasOwn(catalogue, action);
}

function told({ locale, format, alertName }: Language, details: AuditRecord['details']): Told {
  const word = (key: string): string => {
    const value = details[key];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  return {
    text: (key) => (word(key) === '' ? '' : isolateAuto(clip(word(key), NAME_UNITS))),
    code: (key, prefix = '') =>
      word(key) === '' ? EMPTY : code(isolateLtr(`${prefix}${clip(word(key), NAME_UNITS)}`)),
    number: (key) => {
      const value = details[key];
      return typeof value === 'number' ? format.number(value) : null;
    },
    flag: (key) => details[key] === true,
    is: (key, expected) => details[key] === expected,
    role: (key) => {
      const value = word(key);
      return isRole(value) ? roleName(locale, value) : '';
    },
    alert: () => alertName(locale, details['kind']),
    limits: () => limitsText(locale, format, details),
  };
}

const limitTexts = defineTexts({
  en: {
    approval: (parts: string | null): string =>
      parts === null ? 'approval off' : `approval above ${parts} ${parts === '1' ? 'part' : 'parts'}`,
    cap: (amount: string | null): string => (amount === null ? 'no daily cap' : `daily cap ${amount}`),
    personCap: (amount: string | null): string =>
      amount === null ? 'no daily cap per person' : `daily cap per person ${amount}`,
    parts: (count: string): string => `${count} ${count === '1' ? 'part' : 'parts'}`,
    window: (hours: string | null): string => (hours === null ? 'no sending window' : `window ${hours}`),
    purposes: { service: 'for service messages', advertising: 'for advertising' },
    purposeOff: 'no purpose',
    required: (phrase: string | null): string =>
      phrase === null ? 'no text to contain' : `texts contain «${isolateAuto(phrase)}»`,
    words: (words: string | null): string =>
      words === null ? 'no words held back' : `words held back ${words}`,
    comma: ', ',
    change: (after: string, before: string): Html => html`${after} (before: ${before})`,
  },
  fa: {
    approval: (parts) => (parts === null ? 'تأیید خاموش' : `تأیید برای بیش از ${parts} پارت`),
    cap: (amount) => (amount === null ? 'بدون سقف روزانه' : `سقف روزانه ${amount}`),
    personCap: (amount) => (amount === null ? 'بدون سقف روزانهٔ هر نفر' : `سقف روزانهٔ هر نفر ${amount}`),
    parts: (count) => `${count} پارت`,
    window: (hours) => (hours === null ? 'بدون ساعت ارسال' : `ساعت‌های ارسال ${hours}`),
    purposes: { service: 'برای پیام‌های خدماتی', advertising: 'برای تبلیغات' },
    purposeOff: 'بدون کاربرد',
    required: (phrase) => (phrase === null ? 'بدون عبارت الزامی' : `عبارت الزامی «${isolateAuto(phrase)}»`),
    words: (words) => (words === null ? 'بدون کلمهٔ ممنوع' : `کلمه‌های ممنوع ${words}`),
    comma: '، ',
    change: (after, before) => html`${after} (قبلاً: ${before})`,
  },
});

const CapValue = z.union([
  z.object({ unit: z.literal('rial'), rial: z.number() }),
  z.object({ unit: z.literal('parts'), parts: z.number() }),
]);

const Values = z.object({
  approvalParts: z.number().nullable().optional(),
  cap: CapValue.nullable().optional(),
  personCap: CapValue.nullable().optional(),
  window: z.object({ from: z.number(), to: z.number() }).nullable().optional(),
  purpose: z.enum(LINE_PURPOSES).nullable().optional(),
  required: z.string().nullable().optional(),
  words: z.array(z.string()).optional(),
});
type LimitValues = z.infer<typeof Values>;

const Changed = z.object({ old: Values, new: Values });

/** Each limit that an entry changed, as it is and as it was. */
export function limitsText(locale: Locale, format: Format, details: Readonly<Record<string, unknown>>): Html {
  const changed = Changed.safeParse(details);
  if (!changed.success) return html``;
  const [before, after] = [changed.data.old, changed.data.new].map((values) =>
    wordsOf(locale, format, values),
  );
  const pairs = (after ?? []).map((words, index) => limitTexts(locale).change(words, before?.[index] ?? ''));
  return joinHtml(pairs, locale === 'fa' ? '؛ ' : '; ');
}

function wordsOf(
  locale: Locale,
  format: Format,
  { approvalParts, cap, personCap, window, purpose, required, words: listed }: LimitValues,
): string[] {
  const t = limitTexts(locale);
  const words: string[] = [];
  if (approvalParts !== undefined)
    words.push(t.approval(approvalParts === null ? null : format.number(approvalParts)));
  const amount = (of: z.infer<typeof CapValue> | null): string | null =>
    of === null ? null : of.unit === 'rial' ? format.rial(of.rial) : t.parts(format.number(of.parts));
  if (cap !== undefined) words.push(t.cap(amount(cap)));
  if (personCap !== undefined) words.push(t.personCap(amount(personCap)));
  if (window === null) words.push(t.window(null));
  else if (window !== undefined)
    words.push(t.window(isolateLtr(`${format.clock(window.from)}–${format.clock(window.to)}`)));
  if (purpose !== undefined) words.push(purpose === null ? t.purposeOff : t.purposes[purpose]);
  if (required !== undefined) words.push(t.required(required));
  if (listed !== undefined)
    words.push(
      t.words(listed.length === 0 ? null : listed.map((word) => `«${isolateAuto(word)}»`).join(t.comma)),
    );
  return words;
}
