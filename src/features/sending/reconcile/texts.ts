import { defineTexts } from '../../../i18n/define.ts';
import { isolateLtr } from '../../../i18n/format.ts';
import { html, type Html } from '../../../telegram/html.ts';

export const texts = defineTexts({
  en: {
    nothing: html`There is nothing to decide any more: the outcome is known by now. See the card.`,
    sent: (count: string): Html => html`✔ ${count} counted as sent, as you decided.`,
    notSent: (count: string): Html => html`✖ ${count} counted as not sent, as you decided.`,
    messages: { one: 'message', other: 'messages' },
    others: (count: string): Html =>
      html`❓ Nothing was decided about ${count} that the card did not show when you pressed. It shows them now.`,
    columns: ['number', 'text'],
    aboutUnknown: 'messages whose outcome is not known',
    noneUnknown: html`✔ No outcome has been unknown for more than 15 minutes.`,
    unknownHead: html`❔ Unknown for more than 15 minutes:`,
    unknownCard: (code: string, count: string, asked: string | null, since: string): Html =>
      asked === null
        ? html`${isolateLtr(code)} · ${count} · since ${since} · still looked for`
        : html`${isolateLtr(code)} · ${count} · since ${since} · waiting for your decision on the card: ${asked}`,
    more: (count: string): Html => html`… and ${count} more`,
  },
  fa: {
    nothing: html`چیزی برای تصمیم نمانده است: نتیجه معلوم شده است. کارت را ببینید.`,
    sent: (count) => html`✔ با تصمیم شما ${count} پیامک ارسال‌شده حساب شد.`,
    notSent: (count) => html`✖ با تصمیم شما ${count} پیامک ارسال‌نشده حساب شد.`,
    messages: { one: 'پیامک', other: 'پیامک' },
    others: (count) =>
      html`❓ دربارهٔ ${count} که وقتی دکمه را زدید روی کارت نبود تصمیمی گرفته نشد. کارت حالا آن‌ها را هم نشان می‌دهد.`,
    columns: ['شماره', 'متن'],
    aboutUnknown: 'پیام‌هایی که نتیجه‌شان معلوم نیست',
    noneUnknown: html`✔ نتیجهٔ هیچ پیامی بیش از ۱۵ دقیقه نامعلوم نمانده است.`,
    unknownHead: html`❔ بیش از ۱۵ دقیقه است که نتیجهٔ این‌ها معلوم نیست:`,
    unknownCard: (code, count, asked, since) =>
      asked === null
        ? html`${isolateLtr(code)} · ${count} تا · از ${since} · هنوز جستجو می‌شود`
        : html`${isolateLtr(code)} · ${count} تا · از ${since} · ${asked} تا روی کارت منتظر تصمیم شماست`,
    more: (count) => html`… و ${count} تای دیگر`,
  },
});
