import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto } from '../../i18n/format.ts';
import { b, code, html, type Html } from '../../telegram/html.ts';

export const texts = defineTexts({
  en: {
    about: 'who did what here, newest first',
    usage: 'n, time or person',
    ask: html`How many entries, from 1 to 200, those of which time, such as ${code('yesterday')} or ${code('7d')}, or of whom?`,
    bad: (typed: string): Html =>
      html`«${isolateAuto(typed)}» is neither a number from 1 to 200, nor a time such as ${code('yesterday')}, nor a person of the team. ${code('/audit')} by itself shows the newest 20 entries.`,
    head: (shown: string, all: string): Html => html`${b('Who did what')} · newest ${shown} of ${all}`,
    headOf: (span: string, count: string): Html => html`${b('Who did what')} · ${span} · ${count}`,
    none: html`Nothing has been recorded in this chat yet. Whatever changes money, messages or roles is listed here.`,
    itself: 'Peyk',
    cut: (count: string): Html => html`… and ${count} more that do not fit here; the file has them.`,
    export: '⬇ All as a file',
    exported: (count: string): Html => html`${count}, newest first.`,
    exportedPart: (count: string, all: string): Html =>
      html`The newest ${count} of ${all}. Older ones are kept too, but are not in this file.`,
    entries: { one: 'entry', other: 'entries' },
    columns: ['time (UTC)', 'time', 'person', 'person id', 'what', 'action', 'details'],
  },
  fa: {
    about: 'چه کسی اینجا چه کرد، جدیدترین در بالا',
    usage: 'تعداد، زمان یا شخص',
    ask: html`چند مورد، از ۱ تا ۲۰۰؟ یا موارد چه زمانی، مانند ${code('دیروز')} یا ${code('۷ روز')}؟ یا کارهای چه کسی؟`,
    bad: (typed) =>
      html`«${isolateAuto(typed)}» نه عددی از ۱ تا ۲۰۰ است، نه زمانی مانند ${code('دیروز')} و نه اسم کسی از تیم. ${code('/audit')} به‌تنهایی ۲۰ مورد آخر را نشان می‌دهد.`,
    head: (shown, all) => html`${b('چه کسی چه کرد')} · ${shown} مورد آخر از ${all}`,
    headOf: (span, count) => html`${b('چه کسی چه کرد')} · ${span} · ${count}`,
    none: html`هنوز چیزی در این گفتگو ثبت نشده است. هرچه پول، پیام یا نقشی را تغییر دهد اینجا می‌آید.`,
    itself: 'پیک',
    cut: (count) => html`… و ${count} مورد دیگر؛ همه در فایل است.`,
    export: '⬇ همه در یک فایل',
    exported: (count) => html`${count}، جدیدترین در بالا.`,
    exportedPart: (count, all) => html`${count} آخر از ${all}. قدیمی‌ترها هم ذخیره است، ولی در این فایل نیست.`,
    entries: { one: 'مورد', other: 'مورد' },
    columns: ['زمان (UTC)', 'زمان', 'شخص', 'شناسهٔ شخص', 'چه کرد', 'عمل', 'جزئیات'],
  },
});
