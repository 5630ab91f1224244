import type { ShareBar } from '../../ports/charts.ts';
import type { Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { countWords } from '../shared/count-words.ts';
import { operatorTexts } from '../shared/operator-texts.ts';
import type { OperatorStanding } from './operator-standings.ts';
import { reportTexts } from './report-texts.ts';
import { SHOWN } from './shape.ts';

/** How it went with each operator, and by what a number is counted. */
export function operatorLines(
  { locale, format }: RequestContext,
  standings: readonly OperatorStanding[],
): Html[] {
  if (standings.length === 0) return [];
  const t = reportTexts(locale);
  const words = countWords(locale);
  return [
    ...standings.map(({ operator, messages, counts, cost }) =>
      t.byOperator(
        operatorTexts(locale).names[operator],
        format.number(messages),
        [
          ...(['delivered', 'failed', 'blocked'] as const)
            .filter((shown) => shown === 'delivered' || counts[shown] > 0)
            .map((shown) => `${format.percent(counts[shown] / messages)} ${words[shown]}`),
          ...(cost === null ? [] : [`≈ ${format.rial(cost)}`]),
        ].join(' · '),
      ),
    ),
    t.firstOperator,
  ];
}

/** The same for a picture. */
export function operatorBars(
  { locale, format }: RequestContext,
  standings: readonly OperatorStanding[],
): ShareBar[] {
  return standings.map(({ operator, messages, counts }) => ({
    label: operatorTexts(locale).names[operator],
    value: format.percent(counts.delivered / messages),
    values: SHOWN.map((shown) => counts[shown]),
  }));
}
