import { defineTexts } from '../../i18n/define.ts';
import { html, type Html } from '../../telegram/html.ts';

/** What a send costs, and what it leaves of the credit. */
export const priceTexts = defineTexts({
  en: {
    unknown: (parts: string): Html => html`${parts} in all · the price is not known yet`,
    known: (parts: string, price: string, each: string, average: boolean): Html =>
      html`${parts} in all · ≈ ${price} (${each} a part${average ? ' on average' : ''}, learned from your account)`,
    after: (left: string, days: string | null): Html =>
      html`💰 credit after ≈ ${left}${days === null ? '' : ` · ${days} at your pace`}`,
    about: (days: string): string => `about ${days}`,
    days: { one: 'day', other: 'days' },
    underADay: 'less than a day',
    short: (credit: string, spoken: string | null, missing: string): Html =>
      html`⚠ The credit (${credit}${spoken === null ? '' : `, about ${spoken} of it for sends under way`}) is short by about ${missing}; what does not fit will be refused.`,
    pressAgain: html`Nothing was sent yet, since the card did not say so when you pressed. Top the account up, or press ✅ on the card once more to send what fits.`,
  },
  fa: {
    unknown: (parts) => html`روی هم ${parts} · بها هنوز معلوم نیست`,
    known: (parts, price, each, average) =>
      html`روی هم ${parts} · ≈ ${price} (${average ? 'به طور میانگین ' : ''}هر بخش ${each}، برگرفته از حساب شما)`,
    after: (left, days) =>
      html`💰 اعتبار پس از ارسال ≈ ${left}${days === null ? '' : ` · با این روند ${days} کفاف می‌دهد`}`,
    about: (days) => `حدود ${days}`,
    days: { one: 'روز', other: 'روز' },
    underADay: 'کمتر از یک روز',
    short: (credit, spoken, missing) =>
      html`⚠ اعتبار (${credit}${spoken === null ? '' : ` که حدود ${spoken} آن برای ارسال‌های در جریان است`}) حدود ${missing} کم است؛ آنچه جا نشود پذیرفته نمی‌شود.`,
    pressAgain: html`هنوز چیزی فرستاده نشد، چون هنگامی که دکمه را زدید این روی کارت نبود. حساب را شارژ کنید، یا برای ارسال آنچه جا می‌شود یک بار دیگر ✅ را روی کارت بزنید.`,
  },
});
