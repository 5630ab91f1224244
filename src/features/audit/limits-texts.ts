import { z } from 'zod';
import { defineTexts, type Locale } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr, type Format } from '../../i18n/format.ts';
import { LINE_PURPOSES } from '../../domain/limits.ts';
import { html, joinHtml, type Html } from '../../telegram/html.ts';

const texts = defineTexts({
  en: {
    approval: (parts: string | null): string =>
      parts === null ? 'approval off' : `approval above ${parts} parts`,
    cap: (amount: string | null): string => (amount === null ? 'no daily cap' : `daily cap ${amount}`),
    personCap: (amount: string | null): string =>
      amount === null ? 'no daily cap per person' : `daily cap per person ${amount}`,
    parts: (count: string): string => `${count} parts`,
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
  const pairs = (after ?? []).map((words, index) => texts(locale).change(words, before?.[index] ?? ''));
  return joinHtml(pairs, locale === 'fa' ? '؛ ' : '; ');
}

function wordsOf(
  locale: Locale,
  format: Format,
  { approvalParts, cap, personCap, window, purpose, required, words: listed }: LimitValues,
): string[] {
  const t = texts(locale);
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
