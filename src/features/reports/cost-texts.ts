import { defineTexts } from '../../i18n/define.ts';
import { html, type Html } from '../../telegram/html.ts';

export const costTexts = defineTexts({
  en: {
    line: (estimated: string, actual: string | null): Html =>
      html`💰 ${estimated}${actual === null ? '' : ` · ${actual}`}`,
    estimated: (rial: string): string => `estimated ≈ ${rial}`,
    noEstimate: 'no estimate: no price was known',
    actual: (rial: string): string => `actual ${rial}`,
    shared: (parts: string, rial: string): string =>
      `actual cost not known separately: other messages were sent at the same time, in all ${parts} for ${rial}`,
    early: (parts: string, rial: string): string => `charged so far ${rial} for ${parts}`,
    uncounted: (why: string): string => `the actual cost could not be counted. ${why}`,
    sends: { one: 'send', other: 'sends' },
    together: (sends: string, rial: string, without: string | null): Html =>
      html`🧮 Estimated for this chat’s ${sends} ≈ ${rial}${without === null ? '' : `, not counting ${without} whose price was not known`}`,
    nonePriced: (sends: string): Html => html`🧮 No estimate for this chat’s ${sends}: no price was known.`,
    byTimeOnly: html`💰 The actual cost of these alone is not known: the gateway counts by period only.`,
  },
  fa: {
    line: (estimated, actual) => html`💰 ${estimated}${actual === null ? '' : ` · ${actual}`}`,
    estimated: (rial) => `برآورد ≈ ${rial}`,
    noEstimate: 'بدون برآورد: قیمت معلوم نبود',
    actual: (rial) => `هزینهٔ واقعی ${rial}`,
    shared: (parts, rial) =>
      `هزینهٔ واقعی جداگانه معلوم نیست: همان زمان پیام‌های دیگری هم ارسال شده، روی هم ${parts} به قیمت ${rial}`,
    early: (parts, rial) => `تا اینجا ${rial} برای ${parts}`,
    uncounted: (why) => `هزینهٔ واقعی به دست نیامد. ${why}`,
    sends: { one: 'ارسال', other: 'ارسال' },
    together: (sends, rial, without) =>
      html`🧮 برآورد ${sends} این گفتگو ≈ ${rial}${without === null ? '' : `، بدون حساب ${without} ارسال که قیمتش معلوم نبود`}`,
    nonePriced: (sends) => html`🧮 ${sends} این گفتگو برآوردی ندارد: قیمت معلوم نبود.`,
    byTimeOnly: html`💰 هزینهٔ واقعی همین‌ها جداگانه معلوم نیست: پنل پیامک فقط به تفکیک زمان می‌شمارد.`,
  },
});
