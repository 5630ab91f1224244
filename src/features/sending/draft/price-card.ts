import { partsOf } from '../../../domain/outgoing.ts';
import { encodedParts, estimate, type Estimate } from '../../../domain/price.ts';
import { defineTexts } from '../../../i18n/define.ts';
import type { Format } from '../../../i18n/format.ts';
import type { CardView } from '../../../ports/stores.ts';
import { html, lines, type Html } from '../../../telegram/html.ts';
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

/** What a send costs, and what it leaves of the credit. */
export const priceTexts = defineTexts({
  en: {
    unknown: (parts: string): Html => html`${parts} in all · the price is not known yet`,
    known: (parts: string, price: string, each: string): Html =>
      html`${parts} in all · ≈ ${price} (${each}, learned from your account)`,
    each: (price: string): string => `${price} a part`,
    eachOf: {
      gsm7: (price: string) => `${price} a Latin part`,
      ucs2: (price: string) => `${price} a Unicode part`,
    },
    after: (left: string, days: string | null): Html =>
      html`💰 credit after ≈ ${left}${days === null ? '' : ` · ${days} at your pace`}`,
    about: (days: string): string => `about ${days}`,
    days: { one: 'day', other: 'days' },
    underADay: 'less than a day',
    short: (credit: string, spoken: string | null, missing: string): Html =>
      html`⚠ The credit (${credit}${spoken === null ? '' : `, about ${spoken} of it for sends under way`}) is short by about ${missing}; what it does not cover will be refused.`,
    pressAgain: html`Nothing was sent yet: this was not on the card when you pressed. Top the account up, or press ✅ on the card once more to send what the credit covers.`,
  },
  fa: {
    unknown: (parts) => html`روی هم ${parts} · قیمت هنوز معلوم نیست`,
    known: (parts, price, each) => html`روی هم ${parts} · ≈ ${price} (${each}، بر اساس حساب شما)`,
    each: (price) => `هر پارت ${price}`,
    eachOf: { gsm7: (price) => `لاتین هر پارت ${price}`, ucs2: (price) => `یونیکد هر پارت ${price}` },
    after: (left, days) =>
      html`💰 اعتبار بعد از ارسال ≈ ${left}${days === null ? '' : ` · با این روند ${days} کفاف می‌دهد`}`,
    about: (days) => `حدود ${days}`,
    days: { one: 'روز', other: 'روز' },
    underADay: 'کمتر از یک روز',
    short: (credit, spoken, missing) =>
      html`⚠ اعتبار (${credit}${spoken === null ? '' : ` که حدود ${spoken} آن برای ارسال‌های در جریان است`}) حدود ${missing} کم است؛ بقیه را پنل پیامک نمی‌پذیرد.`,
    pressAgain: html`هنوز چیزی ارسال نشد، چون وقتی دکمه را زدید این روی کارت نبود. حساب را شارژ کنید، یا برای ارسال تا جایی که اعتبار هست یک بار دیگر ✅ را روی کارت بزنید.`,
  },
});
