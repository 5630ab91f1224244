import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, code, html, type Html } from '../../telegram/html.ts';

/** The search in what was received and stored. */
export const findTexts = defineTexts({
  en: {
    about: 'search received messages by words or by number',
    usage: 'words or number',
    ask: html`What are you looking for? Words of a message, such as ${code('order 12')}, or a number or a part of one, such as ${code('0912')}`,
    bad: html`A search has 1 to 100 characters, with letters or digits among them: words of a message, or a number.`,
    head: (query: string, count: string): Html => html`🔎 ${b(isolateAuto(query))} · ${count}`,
    none: (query: string): Html =>
      html`🔎 Nothing that was received here has ${b(isolateAuto(query))}. Every word must be in the message, or in the sender’s number; messages that had been deleted at the gateway before this chat was linked are not here.`,
    entry: (id: string, sender: Html, name: string | null, line: string, when: string): Html =>
      html`${code(`#in${id}`)} · ${sender}${name === null ? '' : html` · ${b(isolateAuto(name))}`} → ${isolateLtr(line)} · ${when}`,
    noText: html`(no text)`,
    cut: (shown: string, all: string) => `first ${shown} of ${all} characters`,
  },
  fa: {
    about: 'جست‌وجو در پیام‌های دریافتی با واژه یا شماره',
    usage: 'واژه‌ها یا شماره',
    ask: html`دنبال چه می‌گردید؟ چند واژه از پیام، مانند ${code('سفارش ۱۲')}، یا شماره یا بخشی از آن، مانند ${code('0912')}`,
    bad: html`عبارت جست‌وجو ۱ تا ۱۰۰ کاراکتر است و در آن حرف یا رقم هست: چند واژه از پیام، یا یک شماره.`,
    head: (query, count) => html`🔎 ${b(isolateAuto(query))} · ${count}`,
    none: (query) =>
      html`🔎 در پیام‌هایی که این‌جا رسیده چیزی با ${b(isolateAuto(query))} نیست. همهٔ واژه‌ها باید در پیام یا در شمارهٔ فرستنده باشند؛ پیام‌هایی که پیش از وصل‌شدن این گفت‌وگو در پنل پیامک پاک شده‌اند این‌جا نیستند.`,
    entry: (id, sender, name, line, when) =>
      html`${code(`#in${id}`)} · ${sender}${name === null ? '' : html` · ${b(isolateAuto(name))}`} ← ${isolateLtr(line)} · ${when}`,
    noText: html`(بی‌متن)`,
    cut: (shown, all) => `${shown} کاراکتر اول از ${all}`,
  },
});
