import { defineTexts } from '../../i18n/define.ts';
import type { Rial } from '../../ports/gateway.ts';
import type { Estimates } from '../../ports/reports.ts';
import { html, type Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import type { Charged } from './cost.ts';
import { gapText } from './gap-texts.ts';
import { texts } from './texts.ts';

/** What one send was thought to cost, and what it did. */
export function jobCostText(
  ctx: RequestContext,
  estimated: Rial | null,
  charged: Charged | null,
): Html | null {
  const { format } = ctx;
  const t = costTexts(ctx.locale);
  const before = estimated === null ? t.noEstimate : t.estimated(format.rial(estimated));
  if (charged === null) return estimated === null ? null : t.line(before, null);
  return t.line(before, chargedText(ctx, charged));
}

/** What the sends of a chat were thought to cost together. */
export function estimatesText(
  { locale, format }: RequestContext,
  { sends, rial, unpriced }: Estimates,
): Html | null {
  if (sends === 0) return null;
  const t = costTexts(locale);
  const count = format.count(sends, t.sends);
  if (unpriced === sends) return t.nonePriced(count);
  return t.together(count, format.rial(rial), unpriced === 0 ? null : format.number(unpriced));
}

function chargedText(ctx: RequestContext, charged: Charged): string {
  const { format } = ctx;
  const t = costTexts(ctx.locale);
  if (charged.kind === 'gap') return t.uncounted(gapText(ctx, charged.gap));
  const cost = format.rial(charged.cost);
  if (charged.kind === 'exact') return t.actual(cost);
  return t[charged.kind](format.count(charged.parts, texts(ctx.locale).parts), cost);
}

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
