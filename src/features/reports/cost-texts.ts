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
      `actual not known apart: other sends left in the same time, ${parts} for ${rial} in all`,
    early: (parts: string, rial: string): string => `charged so far ${rial} for ${parts}`,
    uncounted: (why: string): string => `the actual cost could not be counted. ${why}`,
    sends: { one: 'send', other: 'sends' },
    together: (sends: string, rial: string, without: string | null): Html =>
      html`🧮 Estimated for this chat’s ${sends} ≈ ${rial}${without === null ? '' : `, without ${without} whose price was not known`}`,
    nonePriced: (sends: string): Html => html`🧮 No estimate for this chat’s ${sends}: no price was known.`,
    byTimeOnly: html`💰 The actual cost of these alone is not known: the gateway counts by time.`,
  },
  fa: {
    line: (estimated, actual) => html`💰 ${estimated}${actual === null ? '' : ` · ${actual}`}`,
    estimated: (rial) => `برآورد ≈ ${rial}`,
    noEstimate: 'بی‌برآورد: قیمت معلوم نبود',
    actual: (rial) => `هزینهٔ واقعی ${rial}`,
    shared: (parts, rial) =>
      `هزینهٔ واقعی جداگانه معلوم نیست: همان زمان پیام‌های دیگری هم رفته است، روی هم ${parts} به ${rial}`,
    early: (parts, rial) => `تا این‌جا ${rial} برای ${parts}`,
    uncounted: (why) => `هزینهٔ واقعی شمرده نشد. ${why}`,
    sends: { one: 'ارسال', other: 'ارسال' },
    together: (sends, rial, without) =>
      html`🧮 برآورد ${sends} این گفتگو ≈ ${rial}${without === null ? '' : `، بدون ${without} ارسال که قیمتش معلوم نبود`}`,
    nonePriced: (sends) => html`🧮 ${sends} این گفتگو برآوردی ندارد: قیمت معلوم نبود.`,
    byTimeOnly: html`💰 هزینهٔ واقعی همین‌ها جداگانه معلوم نیست: پنل پیامک فقط بر پایهٔ زمان می‌شمارد.`,
  },
});
