import { isTelling, rialPerPart, type Paid, type Prices } from '../../domain/price.ts';
import type { Format } from '../../i18n/format.ts';
import type { Rial } from '../../ports/gateway.ts';
import type { Scheduled } from '../../ports/gauge.ts';
import type { Html } from '../../telegram/html.ts';
import { texts } from './texts.ts';

/** What a part costs: of each encoding where that is known, else on average. */
export function pricesLine(prices: Prices | null, paid: Paid | null, format: Format): Html {
  const t = texts(format.locale);
  const said = (of: Paid | null, text: (price: string) => string): string[] => {
    const price = of === null ? null : rialPerPart(of);
    return price === null ? [] : [text(format.rial(price))];
  };
  const known = prices !== null && prices.all.parts > 0n ? prices.all : paid;
  const [latin, unicode] = [prices?.gsm7, prices?.ucs2].map((of) =>
    of !== undefined && isTelling(of) ? of : null,
  );
  const list = [
    ...said(latin ?? null, t.inLatin),
    ...said(unicode ?? null, t.inUnicode),
    ...(latin && unicode ? [] : said(known, t.onAverage)),
  ];
  return list.length === 0 ? t.noPrice : t.prices(format.list(list));
}

/** What is spoken for: by sends under way, and by those that wait for their time. */
export function scheduledLines(
  { sends, rial, unpriced }: Scheduled,
  { credit, committed }: { readonly credit: Rial; readonly committed: Rial },
  format: Format,
): (Html | false)[] {
  const t = texts(format.locale);
  const short = rial - (credit - committed);
  const isMixed = unpriced > 0 && unpriced < sends;
  return [
    committed > 0 && t.underWay(format.rial(committed)),
    sends > 0 &&
      t.scheduled(
        format.count(sends, t.sends),
        unpriced === sends ? null : format.rial(rial),
        isMixed ? format.number(unpriced) : null,
      ),
    rial > 0 && short > 0 && t.willNotFit(format.rial(short)),
  ];
}
