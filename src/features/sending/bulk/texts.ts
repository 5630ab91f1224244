import { defineTexts } from '../../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../../i18n/format.ts';
import { code, html, lines, quote, type Html } from '../../../telegram/html.ts';
import { slash } from '../../../telegram/slash.ts';

/** A field as it stands in a text. */
export const field = (name: string): Html => code(isolateAuto(`{${name}}`));
const fields = (names: readonly string[]): Html => html`${names.map((name) => html` ${field(name)}`)}`;

export const texts = defineTexts({
  en: {
    about: 'send to the numbers of a CSV or XLSX file, or to people you keep: one text, or each their own',
    example: '/bulk Dear {name}, your order is ready.',
    offer: '✉️ Send to these numbers',
    offerWords: (name: string): string => `✉️ To the numbers of ${isolateAuto(name)}`,
    walk: lines(
      html`A whole run:`,
      html`1. You send ${code('customers.csv')} with ${code('/bulk')} as its caption. Its rows: ${code('mobile,name')}, ${code('09121234567,Sara')} …`,
      html`2. The card shows the column of numbers that I found. If it is wrong, press the right one; otherwise ▶.`,
      html`3. I ask for the text, unless it stands behind ${code('/bulk')} already. You write: ${code('Dear {name}, your order is ready.')}`,
      html`4. The card shows how many get it, who is left out and why, and the price; ◀ ▶ show each message as it will arrive.`,
      html`5. 🕐 When, if it is for later. Then ✅. For a few seconds ↩️ Undo takes all of it back.`,
      html`6. The same card counts what has been sent. ⏸ Pause and ⏹ Stop show exactly how many were sent and how many were not.`,
      html`7. At the end it is the report: delivered, not delivered and why, and a button to send once more to those who did not get it.`,
    ),
    usageFile: 'file',
    ask: lines(
      html`Which file? Send me a CSV or XLSX with a column of mobile numbers, or contacts as VCF. Or name the tag of people you keep, such as ${code('#customers')}.`,
      html`Its other columns can be used in the text, such as ${field('name')}. Nothing is sent before you confirm it.`,
    ),
    noFile: html`That is neither a file nor a tag. Send a CSV or XLSX file, or a tag such as ${code('#customers')}.`,
    askText: (names: string): Html =>
      names === ''
        ? html`What should the message say?`
        : lines(
            html`What should the message say? You can use these fields in it:${fields(names.split('\n'))}`,
            html`Each row gets its own values. Press a field to put it in, or write it in braces.`,
          ),
    soFar: (text: string): Html =>
      lines(html`So far:`, quote(text), html`Write what follows, or press another field.`),
    useSoFar: '✔ Use this text',
    unknownField: (name: string, nearest: string | null): Html =>
      nearest === null
        ? html`🏷 There is no field ${field(name)} here.`
        : html`🏷 There is no field ${field(name)} here. Did you mean ${field(nearest)}?`,
    braces: html`For a brace itself, write it twice: ${code('{{')} and ${code('}}')}.`,
    noMulti: (names: string): Html =>
      lines(
        html`The account linked here cannot send a different text to each row.${names === '' ? '' : html` What would add it: ${names}. The owner adds it with /connect`}`,
        html`A text without fields can go to everybody.`,
      ),
    askColumn: html`Which column holds the mobile numbers? Press it, or type its name or its number.`,
    noColumn: (typed: string): Html => html`There is no column «${isolateAuto(typed)}».`,
    askHeader: html`Which row names the columns? Press it, or type it, such as ${code('row 3')}. It and the rows above it get no message.`,
    noNames: 'None: all rows are recipients',
    headerRow: (row: string, cells: string): string => `${row} · ${isolateAuto(cells)}`,
    noRow: (typed: string, most: string): Html =>
      html`Row «${isolateAuto(typed)}» is empty or not among the first ${most}.`,
    askFill: html`What should be used where a row has no value? For example ${code('customer')}`,
    badFill: html`A word or a few, please, at most 100 characters.`,
    changed: html`The card has changed since; use its newest buttons.`,
    closer: (id: string): Html => html`👀 Some messages of ${isolateLtr(`#${id}`)}, picked at random:`,
    message: (row: string, recipient: string, text: string): Html =>
      html`${row} · ${isolateLtr(recipient)}: ${isolateAuto(text)}`,
    skippedHead: (id: string, count: string): Html => html`🚫 Left out of ${isolateLtr(`#${id}`)}: ${count}`,
    skippedRow: (row: string, raw: string, why: string): Html =>
      html`${row}: ${raw === '' ? '' : html`${isolateAuto(raw)} · `}${why}`,
    skippedMore: (count: string): Html => html`… and ${count} more; all of them are in the file ⬇`,
    noneSkipped: html`Nothing was left out.`,
    rows: { one: 'row', other: 'rows' },
    noValue: (column: string): string => `nothing in «${isolateAuto(column)}»`,
    columns: ['row', 'value', 'why'],
  },
  fa: {
    about: 'ارسال به شماره‌های یک فایل CSV یا XLSX یا مخاطبان ثبت‌شده: یک متن برای همه، یا برای هر کس متن خودش',
    example: '/bulk {نام} عزیز، سفارش شما آماده است.',
    offer: '✉️ ارسال به این شماره‌ها',
    offerWords: (name) => `✉️ به شماره‌های ${isolateAuto(name)}`,
    walk: lines(
      html`یک ارسال کامل:`,
      html`۱) فایل ${code('customers.csv')} را با کپشن ${code('/bulk')} می‌فرستید. ردیف‌هایش: ${code('موبایل,نام')} و ${code('09121234567,سارا')} و …`,
      html`۲) کارت می‌گوید کدام ستون شماره‌هاست. اگر اشتباه بود ستون درست را بزنید، وگرنه ▶ را.`,
      html`۳) متن را می‌پرسم، مگر اینکه آن را بعد از ${code('/bulk')} نوشته باشید. می‌نویسید: ${code('{نام} عزیز، سفارش شما آماده است.')}`,
      html`۴) کارت می‌گوید به چند نفر ارسال می‌شود، چه کسانی کنار رفته‌اند و چرا، و قیمت چقدر است؛ با ◀ ▶ هر پیام را همان‌طور که می‌رسد می‌بینید.`,
      html`۵) برای بعد، 🕐 را بزنید. بعد ✅. تا چند لحظه با ↩️ همه‌اش لغو می‌شود.`,
      html`۶) همان کارت می‌شمارد چند پیام ارسال شده است. با ⏸ مکث و ⏹ توقف دقیق می‌بینید چند پیام ارسال شد و چند پیام نه.`,
      html`۷) در پایان همان کارت گزارش است: چند پیام تحویل شد، چند پیام نشد و چرا، و دکمه‌ای برای ارسال دوباره به همان‌ها که نگرفته‌اند.`,
    ),
    usageFile: 'فایل',
    ask: lines(
      html`کدام فایل؟ یک CSV یا XLSX بفرستید که ستونی از شماره‌های همراه داشته باشد، یا مخاطبان را به شکل VCF. یا برچسب مخاطبان ثبت‌شده را بنویسید، مانند ${code('#مشتریان')}.`,
      html`ستون‌های دیگرش می‌تواند در متن بیاید، مانند ${field('نام')}. قبل از تأیید شما چیزی ارسال نمی‌شود.`,
    ),
    noFile: html`این نه فایل است نه برچسب. یک فایل CSV یا XLSX بفرستید، یا برچسبی مانند ${code('#مشتریان')} بنویسید.`,
    askText: (names) =>
      names === ''
        ? html`متن پیام چه باشد؟`
        : lines(
            html`متن پیام چه باشد؟ این فیلدها را می‌توانید در آن بیاورید:${fields(names.split('\n'))}`,
            html`برای هر ردیف مقدار همان ردیف می‌آید. برای گذاشتن فیلد دکمه‌اش را بزنید، یا آن را در آکولاد بنویسید.`,
          ),
    soFar: (text) => lines(html`تا اینجا:`, quote(text), html`ادامهٔ متن را بنویسید، یا فیلد دیگری را بزنید.`),
    useSoFar: '✔ همین متن',
    unknownField: (name, nearest) =>
      nearest === null
        ? html`🏷 فیلد ${field(name)} اینجا نیست.`
        : html`🏷 فیلد ${field(name)} اینجا نیست. منظورتان ${field(nearest)} بود؟`,
    braces: html`برای خودِ آکولاد آن را دوبار بنویسید: ${code('{{')} و ${code('}}')}`,
    noMulti: (names) =>
      lines(
        html`حسابی که اینجا وصل است نمی‌تواند برای هر ردیف متن جدا ارسال کند.${names === '' ? '' : html` آنچه آن را ممکن می‌کند: ${names}. مالک آن را با ${slash('fa', 'connect')} اضافه می‌کند.`}`,
        html`متن بدون فیلد را می‌شود برای همه ارسال کرد.`,
      ),
    askColumn: html`شماره‌های همراه در کدام ستون است؟ آن را بزنید، یا نام یا شماره‌اش را بنویسید.`,
    noColumn: (typed) => html`ستون «${isolateAuto(typed)}» در فایل نیست.`,
    askHeader: html`نام ستون‌ها در کدام ردیف است؟ آن را بزنید یا بنویسید، مانند ${code('ردیف ۳')}. به خود آن و ردیف‌های بالایش پیامی ارسال نمی‌شود.`,
    noNames: 'هیچ‌کدام؛ همهٔ ردیف‌ها گیرنده‌اند',
    headerRow: (row, cells) => `${row} · ${isolateAuto(cells)}`,
    noRow: (typed, most) => html`ردیف «${isolateAuto(typed)}» در ${most} ردیف اول نیست یا خالی است.`,
    askFill: html`اگر ردیفی مقدار نداشت چه بیاید؟ مثلاً ${code('مشتری')}`,
    badFill: html`یک یا چند کلمه بنویسید، تا ۱۰۰ کاراکتر.`,
    changed: html`کارت از آن وقت تغییر کرده است؛ دکمه‌های جدیدش را بزنید.`,
    closer: (id) => html`👀 چند پیام تصادفی از ${isolateLtr(`#${id}`)}:`,
    message: (row, recipient, text) => html`${row} · ${isolateLtr(recipient)}: ${isolateAuto(text)}`,
    skippedHead: (id, count) => html`🚫 از ${isolateLtr(`#${id}`)} کنار رفت: ${count}`,
    skippedRow: (row, raw, why) => html`${row}: ${raw === '' ? '' : html`${isolateAuto(raw)} · `}${why}`,
    skippedMore: (count) => html`… و ${count} تای دیگر؛ همه در فایل است ⬇`,
    noneSkipped: html`چیزی کنار نرفت.`,
    rows: { one: 'ردیف', other: 'ردیف' },
    noValue: (column) => `در «${isolateAuto(column)}» چیزی نیست`,
    columns: ['ردیف', 'مقدار', 'دلیل'],
  },
});
