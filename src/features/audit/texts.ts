import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto } from '../../i18n/format.ts';
import { b, code, html, type Html } from '../../telegram/html.ts';

export const texts = defineTexts({
  en: {
    about: 'who did what here, newest first',
    usage: 'n',
    ask: html`How many entries, from 1 to 200?`,
    bad: (typed: string): Html =>
      html`«${isolateAuto(typed)}» will not do. Type a number of entries from 1 to 200, or ${code('/audit')} alone for the newest 20.`,
    head: (shown: string, all: string): Html => html`${b('Who did what')} · newest ${shown} of ${all}`,
    none: html`Nothing has been written down in this chat yet: what changes money, messages or rights will stand here.`,
    itself: 'Peyk',
    cut: (count: string): Html => html`… and ${count} more that do not fit here; the file has them.`,
    export: '⬇ All as a file',
    exported: (count: string): Html => html`${count}, newest first.`,
    exportedPart: (count: string, all: string): Html =>
      html`The newest ${count} of ${all}. Older ones stay kept, and are not in this file.`,
    entries: { one: 'entry', other: 'entries' },
    columns: ['time (UTC)', 'time', 'person', 'person id', 'what', 'action', 'details'],
  },
  fa: {
    about: 'چه کسی این‌جا چه کرد، تازه‌ترین در بالا',
    usage: 'شمار',
    ask: html`چند مورد، از ۱ تا ۲۰۰؟`,
    bad: (typed) =>
      html`«${isolateAuto(typed)}» نمی‌شود. شمار موردها را از ۱ تا ۲۰۰ بنویسید، یا فقط ${code('/audit')} برای ۲۰ مورد تازه.`,
    head: (shown, all) => html`${b('چه کسی چه کرد')} · ${shown} مورد تازه از ${all}`,
    none: html`هنوز چیزی در این گفتگو ثبت نشده است: هر چه پول، پیام یا اختیاری را تغییر دهد این‌جا می‌آید.`,
    itself: 'پیک',
    cut: (count) => html`… و ${count} مورد دیگر که این‌جا جا نشد و در فایل هست.`,
    export: '⬇ همه در یک فایل',
    exported: (count) => html`${count}، تازه‌ترین در بالا.`,
    exportedPart: (count, all) =>
      html`${count} تازه از ${all}. قدیمی‌ترها نگه داشته می‌شوند ولی در این فایل نیستند.`,
    entries: { one: 'مورد', other: 'مورد' },
    columns: ['زمان (UTC)', 'زمان', 'شخص', 'شناسهٔ شخص', 'چه کرد', 'کنش', 'جزئیات'],
  },
});
