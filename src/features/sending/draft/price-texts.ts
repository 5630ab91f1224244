import { defineTexts } from '../../../i18n/define.ts';
import { html, type Html } from '../../../telegram/html.ts';

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
