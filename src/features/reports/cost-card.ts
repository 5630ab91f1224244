import type { Rial } from '../../ports/gateway.ts';
import type { Estimates } from '../../ports/reports.ts';
import type { Html } from '../../telegram/html.ts';
import type { Turn } from '../../telegram/turn.ts';
import { costTexts } from './cost-texts.ts';
import type { Charged } from './cost.ts';
import { gapText } from './gap-texts.ts';
import { texts } from './texts.ts';

/** What one send was thought to cost, and what it did. */
export function jobCostText(turn: Turn, estimated: Rial | null, charged: Charged | null): Html | null {
  const { format } = turn;
  const t = costTexts(turn.locale);
  const before = estimated === null ? t.noEstimate : t.estimated(format.rial(estimated));
  if (charged === null) return estimated === null ? null : t.line(before, null);
  return t.line(before, chargedText(turn, charged));
}

/** What the sends of a chat were thought to cost together. */
export function estimatesText({ locale, format }: Turn, { sends, rial, unpriced }: Estimates): Html | null {
  if (sends === 0) return null;
  const t = costTexts(locale);
  const count = format.count(sends, t.sends);
  if (unpriced === sends) return t.nonePriced(count);
  return t.together(count, format.rial(rial), unpriced === 0 ? null : format.number(unpriced));
}

function chargedText(turn: Turn, charged: Charged): string {
  const { format } = turn;
  const t = costTexts(turn.locale);
  if (charged.kind === 'gap') return t.uncounted(gapText(turn, charged.gap));
  const cost = format.rial(charged.cost);
  if (charged.kind === 'exact') return t.actual(cost);
  return t[charged.kind](format.count(charged.parts, texts(turn.locale).parts), cost);
}
