import { OPERATORS } from '../../domain/operator.ts';
import { NOTHING_PAID, rialPerPart, type Prices } from '../../domain/price.ts';
import type { Format } from '../../i18n/format.ts';
import type { Rial } from '../../ports/gateway.ts';
import type { Scheduled } from '../../ports/gauge.ts';
import type { Html } from '../../telegram/html.ts';
import { operatorTexts } from '../shared/operator-texts.ts';
import { texts } from './texts.ts';

/** What a part of each encoding costs, as far as it is known. */
export function pricesLine(prices: Prices | null, format: Format): Html {
  const t = texts(format.locale);
  const { gsm7, ucs2 } = prices ?? NOTHING_PAID;
  const [latin, unicode] = [rialPerPart(gsm7), rialPerPart(ucs2)];
  if (latin === null && unicode === null) return t.noPrice;
  return t.prices(
    format.list([
      latin === null ? t.latinUnknown : t.inLatin(format.rial(latin)),
      unicode === null ? t.unicodeUnknown : t.inUnicode(format.rial(unicode)),
    ]),
  );
}

/** What a part to each operator costs, where that differs: a line for each encoding. */
export function operatorPriceLines(prices: Prices | null, { locale, list, rial }: Format): Html[] {
  const t = texts(locale);
  const { gsm7, ucs2 } = prices ?? NOTHING_PAID;
  return (
    [
      ['latin', gsm7],
      ['unicode', ucs2],
    ] as const
  ).flatMap(([encoding, { operators }]) => {
    if (operators === undefined) return [];
    const each = OPERATORS.flatMap((operator) => {
      const perPart = rialPerPart(operators[operator] ?? { cost: 0n, parts: 0n });
      return perPart === null ? [] : [`${operatorTexts(locale).names[operator]} ≈ ${rial(perPart)}`];
    });
    return [t.byOperator(encoding, list(each))];
  });
}

/** What is spoken for: by sends under way, and by those that wait for their time. */
export function scheduledLines(
  { sends, rial, unpriced, elsewhere }: Scheduled,
  { credit, committed }: { readonly credit: Rial; readonly committed: Rial },
  format: Format,
): (Html | false)[] {
  const t = texts(format.locale);
  const short = rial + elsewhere - (credit - committed);
  const isMixed = unpriced > 0 && unpriced < sends;
  return [
    committed > 0 && t.underWay(format.rial(committed)),
    sends > 0 &&
      t.scheduled(
        format.count(sends, t.sends),
        unpriced === sends ? null : format.rial(rial),
        isMixed ? format.number(unpriced) : null,
      ),
    elsewhere > 0 && t.elsewhere(format.rial(elsewhere)),
    rial > 0 && short > 0 && t.willNotFit(format.rial(short)),
  ];
}
