import { defineTexts } from '../../../i18n/define.ts';
import { isolateLtr } from '../../../i18n/format.ts';
import { html, type Html } from '../../../telegram/html.ts';

export const texts = defineTexts({
  en: {
    nothing: html`There is nothing to decide: the outcome is known by now. The card says how.`,
    sent: (count: string): Html => html`✔ ${count} counted as sent, by your word.`,
    notSent: (count: string): Html => html`✖ ${count} counted as not sent, by your word.`,
    messages: { one: 'message', other: 'messages' },
    others: (count: string): Html =>
      html`❓ Nothing is decided about ${count} that the card did not show when you pressed. It shows them now.`,
    columns: ['number', 'text'],
    aboutUnknown: 'messages whose outcome is not known',
    noneUnknown: html`✔ There is nothing older than a quarter of an hour whose outcome is unknown.`,
    unknownHead: html`❔ Unknown for more than a quarter of an hour:`,
    unknownCard: (code: string, count: string, asked: string | null, since: string): Html =>
      asked === null
        ? html`${isolateLtr(code)} · ${count} · since ${since} · still looked for`
        : html`${isolateLtr(code)} · ${count} · since ${since} · ${asked} wait for your word on the card`,
    more: (count: string): Html => html`… and ${count} more`,
  },
  fa: {
    nothing: html`چیزی برای تصمیم نمانده است: در این میان روشن شد. کارت می‌گوید چگونه.`,
    sent: (count) => html`✔ به گفتهٔ شما ${count} تا رفته به شمار آمد.`,
    notSent: (count) => html`✖ به گفتهٔ شما ${count} تا نرفته به شمار آمد.`,
    messages: { one: 'پیامک', other: 'پیامک' },
    others: (count) =>
      html`❓ دربارهٔ ${count} که هنگام فشردن دکمه روی کارت نبود تصمیمی گرفته نشد. کارت حالا آن‌ها را هم نشان می‌دهد.`,
    columns: ['شماره', 'متن'],
    aboutUnknown: 'پیام‌هایی که نتیجه‌شان معلوم نیست',
    noneUnknown: html`✔ چیزی کهنه‌تر از یک ربع با نتیجهٔ نامعلوم نیست.`,
    unknownHead: html`❔ بیش از یک ربع است که نتیجهٔ این‌ها معلوم نیست:`,
    unknownCard: (code, count, asked, since) =>
      asked === null
        ? html`${isolateLtr(code)} · ${count} تا · از ${since} · هنوز جست‌وجو می‌شود`
        : html`${isolateLtr(code)} · ${count} تا · از ${since} · ${asked} تا روی کارت منتظر نظر شماست`,
    more: (count) => html`… و ${count} تای دیگر`,
  },
});
