import type { Rial } from '../../ports/gateway.ts';
import type { Estimates } from '../../ports/reports.ts';
import type { Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { costTexts } from './cost-texts.ts';
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
