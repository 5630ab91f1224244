import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, code, html, type Html } from '../../telegram/html.ts';

/** The search in what was received and stored. */
export const findTexts = defineTexts({
  en: {
    about: 'search received messages by words, or all with one number',
    person: '👤 Who it is',
    usage: 'words or number',
    ask: html`What are you looking for? Words of a message, such as ${code('order 12')}, or a part of a number, such as ${code('0912')}. A whole mobile number also shows what was sent to it.`,
    bad: html`Search for 1 to 100 characters with a letter or digit among them: words of a message, or a number.`,
    head: (query: string, count: string): Html => html`🔎 ${b(query)} · ${count}`,
    none: (query: string): Html =>
      html`🔎 No received message here has ${b(query)}. Every word must be in the message or in the sender’s number; messages deleted at the gateway before this chat was linked are not here.`,
    entry: (id: string, sender: Html, name: string | null, line: string, when: string): Html =>
      html`${code(`#in${id}`)} · ${sender}${name === null ? '' : html` · ${b(isolateAuto(name))}`} → ${isolateLtr(line)} · ${when}`,
  },
  fa: {
    about: 'جستجو در پیام‌های دریافتی، یا همهٔ پیام‌های یک شماره',
    person: '👤 مشخصات',
    usage: 'کلمه‌ها یا شماره',
    ask: html`دنبال چه می‌گردید؟ چند کلمه از پیام، مانند ${code('سفارش ۱۲')}، یا بخشی از یک شماره، مانند ${code('0912')}. با شمارهٔ کامل موبایل، پیام‌هایی هم که به آن ارسال شده دیده می‌شود.`,
    bad: html`برای جستجو ۱ تا ۱۰۰ کاراکتر بنویسید که حرف یا رقم داشته باشد: چند کلمه از پیام، یا یک شماره.`,
    head: (query, count) => html`🔎 ${b(query)} · ${count}`,
    none: (query) =>
      html`🔎 در پیام‌های دریافتی اینجا چیزی با ${b(query)} نیست. همهٔ کلمه‌ها باید در پیام یا در شمارهٔ فرستنده باشند؛ پیام‌هایی که قبل از وصل‌شدن این گفتگو در پنل پیامک پاک شده‌اند اینجا نیستند.`,
    entry: (id, sender, name, line, when) =>
      html`${code(`#in${id}`)} · ${sender}${name === null ? '' : html` · ${b(isolateAuto(name))}`} ← ${isolateLtr(line)} · ${when}`,
  },
});
