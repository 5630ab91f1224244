import { partsOf } from '../../../domain/outgoing.ts';
import { encodedParts, estimate, type Estimate } from '../../../domain/price.ts';
import type { Format } from '../../../i18n/format.ts';
import type { CardView } from '../../../ports/stores.ts';
import { lines, type Html } from '../../../telegram/html.ts';
import { priceTexts } from './price-texts.ts';
import { texts } from '../texts.ts';

type Priced = Pick<CardView, 'draft' | 'gauge'>;
type Pressed = Priced & Pick<CardView, 'lacks'>;

/** What a draft costs and leaves; null where its parts are not known. */
export function priceNote(view: Priced, format: Format): Html | null {
  const parts = partsOf(view.draft);
  if (parts === null) return null;
  const t = priceTexts(format.locale);
  const said = format.count(parts, texts(format.locale).parts);
  const { price, perPart, after, daysLeft } = estimateOf(view);
  if (price === null) return t.unknown(said);
  const days =
    daysLeft === null ? null : daysLeft === 0 ? t.underADay : t.about(format.count(daysLeft, t.days));
  return lines(
    t.known(said, format.rial(price), eachPart(perPart, format)),
    after !== null && after >= 0 && t.after(format.rial(after), days),
    shortNote(view, format),
  );
}

/** What one part costs, of each encoding where the send has both. */
function eachPart({ gsm7, ucs2 }: Estimate['perPart'], format: Format): string {
  const t = priceTexts(format.locale);
  if (gsm7 !== undefined && ucs2 !== undefined)
    return format.list([t.eachOf.gsm7(format.number(gsm7)), t.eachOf.ucs2(format.number(ucs2))]);
  return t.each(format.number(gsm7 ?? ucs2 ?? 0));
}

/** The warning that the credit does not suffice; null when it does or nobody knows. */
export function shortNote(view: Priced, format: Format): Html | null {
  const { after } = estimateOf(view);
  const { gauge } = view;
  if (after === null || after >= 0 || gauge === null || gauge.credit === null) return null;
  const { credit, committed } = gauge;
  return priceTexts(format.locale).short(
    format.rial(credit),
    committed === 0 ? null : format.rial(committed),
    format.rial(-after),
  );
}

/**
 * What the button that lets a draft leave says of its price, and what it tells when it is pressed: of what the card
 * that it stands on warns.
 */
export function priceOnButton(
  view: Pressed,
  format: Format,
): {
  readonly amount: string | null;
  readonly style: 'success' | 'danger';
  readonly payload: { readonly warned?: true; readonly lacking?: true };
} {
  const { price, after } = estimateOf(view);
  const isShort = after !== null && after < 0;
  return {
    amount: price === null ? null : `≈ ${format.rial(price)}`,
    style: isShort ? 'danger' : 'success',
    payload: {
      ...(isShort ? { warned: true } : {}),
      ...(view.lacks === null ? {} : { lacking: true }),
    },
  };
}

function estimateOf({ draft, gauge }: Priced) {
  return estimate(encodedParts(draft), gauge);
}
