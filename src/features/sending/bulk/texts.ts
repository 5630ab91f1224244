import { defineTexts } from '../../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../../i18n/format.ts';
import { code, html, lines, type Html } from '../../../telegram/html.ts';
import { slash } from '../../../telegram/slash.ts';

const field = (name: string): Html => code(isolateAuto(`{${name}}`));
const fields = (names: readonly string[]): Html => html`${names.map((name) => html` ${field(name)}`)}`;

export const texts = defineTexts({
  en: {
    about: 'the numbers of a CSV or XLSX file: one text, or one for each row with its fields',
    usageFile: 'file',
    ask: lines(
      html`Which file? Send me a CSV or XLSX with a column of mobile numbers.`,
      html`Its other columns can stand in the text, such as ${field('name')}. Nothing is sent before you confirm it.`,
    ),
    noFile: html`That is no file.`,
    askText: (names: string): Html =>
      names === ''
        ? html`What shall the message say?`
        : lines(
            html`What shall the message say? These fields can stand in it:${fields(names.split('\n'))}`,
            html`Each row gets its own values.`,
          ),
    unknownField: (name: string, nearest: string | null): Html =>
      nearest === null
        ? html`🏷 There is no column ${field(name)} in this file.`
        : html`🏷 There is no column ${field(name)} in this file. Did you mean ${field(nearest)}?`,
    braces: html`Two braces, ${code('{{')} and ${code('}}')}, stand for the signs themselves.`,
    noMulti: (names: string): Html =>
      lines(
        html`Texts that differ from row to row need Send many, which the account linked here cannot use.${names === '' ? '' : html` What would add it: ${names}. The owner adds it with /connect`}`,
        html`A text without fields can go to everybody.`,
      ),
    askColumn: html`Which column holds the mobile numbers? Press it, or write its name or its place.`,
    noColumn: (typed: string): Html => html`There is no column «${isolateAuto(typed)}».`,
    askFill: html`What shall stand where a row has no value? For example ${code('customer')}`,
    badFill: html`A word or a few, please, at most 100 characters.`,
    changed: html`The card has changed since; use its newest buttons.`,
    closer: (id: string): Html => html`👀 Some messages of ${isolateLtr(`#${id}`)}, by chance:`,
    message: (row: string, recipient: string, text: string): Html =>
      html`${row} · ${isolateLtr(recipient)}: ${isolateAuto(text)}`,
    skippedHead: (id: string, count: string): Html => html`🚫 Left out of ${isolateLtr(`#${id}`)}: ${count}`,
    skippedRow: (row: string, raw: string, why: string): Html =>
      html`${row}: ${raw === '' ? '' : html`${isolateAuto(raw)} · `}${why}`,
    skippedMore: (count: string): Html => html`… and ${count} more; all of them are in the file ⬇`,
    noneSkipped: html`Nothing was left out.`,
    rows: { one: 'row', other: 'rows' },
    noValue: (column: string): string => `nothing in «${isolateAuto(column)}»`,
    columns: ['row', 'what stands there', 'why'],
  },
  fa: {
    about: 'شماره‌های یک پروندهٔ CSV یا XLSX: یک متن برای همه، یا برای هر ردیف متن خودش',
    usageFile: 'پرونده',
    ask: lines(
      html`کدام پرونده؟ یک CSV یا XLSX بفرستید که ستونی از شماره‌های همراه داشته باشد.`,
      html`ستون‌های دیگرش می‌تواند در متن بیاید، مانند ${field('نام')}. پیش از تأیید شما چیزی فرستاده نمی‌شود.`,
    ),
    noFile: html`این پرونده نیست.`,
    askText: (names) =>
      names === ''
        ? html`متن پیام چه باشد؟`
        : lines(
            html`متن پیام چه باشد؟ این جاهای خالی می‌تواند در آن بیاید:${fields(names.split('\n'))}`,
            html`در هر ردیف مقدار همان ردیف می‌نشیند.`,
          ),
    unknownField: (name, nearest) =>
      nearest === null
        ? html`🏷 ستون ${field(name)} در این پرونده نیست.`
        : html`🏷 ستون ${field(name)} در این پرونده نیست. منظورتان ${field(nearest)} بود؟`,
    braces: html`برای خودِ آکولاد آن را دوبار بنویسید: ${code('{{')} و ${code('}}')}`,
    noMulti: (names) =>
      lines(
        html`متن‌هایی که ردیف به ردیف فرق کند ارسال چندتایی می‌خواهد و حسابی که این‌جا وصل است آن را ندارد.${names === '' ? '' : html` آنچه آن را ممکن می‌کند: ${names}. مالک آن را با ${slash('fa', 'connect')} اضافه می‌کند.`}`,
        html`متن بدون جای خالی را می‌شود برای همه فرستاد.`,
      ),
    askColumn: html`شماره‌های همراه در کدام ستون است؟ آن را بزنید، یا نام یا جایش را بنویسید.`,
    noColumn: (typed) => html`ستون «${isolateAuto(typed)}» در پرونده نیست.`,
    askFill: html`اگر ردیفی مقدار نداشت چه بیاید؟ برای نمونه ${code('مشتری')}`,
    badFill: html`یک یا چند واژه بنویسید، تا ۱۰۰ نویسه.`,
    changed: html`کارت از آن وقت تغییر کرده است؛ دکمه‌های تازه‌اش را بزنید.`,
    closer: (id) => html`👀 چند پیام از ${isolateLtr(`#${id}`)}، به تصادف:`,
    message: (row, recipient, text) => html`${row} · ${isolateLtr(recipient)}: ${isolateAuto(text)}`,
    skippedHead: (id, count) => html`🚫 از ${isolateLtr(`#${id}`)} کنار رفت: ${count}`,
    skippedRow: (row, raw, why) => html`${row}: ${raw === '' ? '' : html`${isolateAuto(raw)} · `}${why}`,
    skippedMore: (count) => html`… و ${count} تای دیگر؛ همه در پرونده است ⬇`,
    noneSkipped: html`چیزی کنار نرفت.`,
    rows: { one: 'ردیف', other: 'ردیف' },
    noValue: (column) => `در «${isolateAuto(column)}» چیزی نیست`,
    columns: ['ردیف', 'آنچه آن‌جاست', 'دلیل'],
  },
});
