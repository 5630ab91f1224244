import { defineTexts } from '../../../i18n/define.ts';
import { isolateAuto, isolateLtr, RIGHT } from '../../../i18n/format.ts';
import { code, html, type Html } from '../../../telegram/html.ts';
import { slash } from '../../../telegram/slash.ts';

/** Where in a file something is wrong, as the reader's digits write it; '' where that is not known. */
interface Place {
  readonly row: string;
  readonly limit: string;
}

const field = (name: string): Html => code(isolateAuto(`{${name}}`));
const fieldList = (names: readonly string[], more: string | null): Html =>
  html`${names.map((name, index) => html`${index === 0 ? '' : ' '}${field(name)}`)}${more === null ? '' : html` ${more}`}`;

/** The card of a draft whose recipients come from a file. */
export const bulkTexts = defineTexts({
  en: {
    file: (name: string, rows: string | null, sheet: string | null): Html =>
      html`📄 ${isolateAuto(name)}${rows === null ? '' : html` · ${rows}`}${sheet === null ? '' : html` · sheet «${isolateAuto(sheet)}»`}`,
    rows: { one: 'row', other: 'rows' },
    reading: html`⏳ Reading the file…`,
    readSoFar: (rows: string): Html => html`⏳ Reading the file… ${rows} so far`,
    nothingYet: html`Nothing is sent before you confirm it.`,
    failed: html`❌ This file cannot be used, and nothing was sent.`,
    problems: {
      not_a_table: () =>
        html`I read CSV and XLSX files; this is neither. In a spreadsheet program: save as, CSV or XLSX.`,
      encrypted: () => html`It is under a password. Save it without one.`,
      empty: () => html`There is nothing in it. Was it the right file?`,
      only_header: ({ row }: Place) =>
        html`It has the names of columns${row === '' ? '' : ` in row ${row}`} and no recipient below them. Fill in a row for each recipient and save it.`,
      too_many_rows: ({ limit }: Place) =>
        html`It has more than ${limit} rows. Split it into several, or save a workbook as CSV, which may be longer.`,
      too_wide: ({ row, limit }: Place) =>
        html`${row === '' ? 'It' : `Row ${row}`} has more than ${limit} columns. Keep only those that are needed.`,
      too_many_cells: ({ limit }: Place) =>
        html`Its sheet has more than ${limit} cells and formats, which is the limit for a file of its size; empty cells count too. Copy the rows that you need into a new sheet, or save it as CSV.`,
      too_large: () => html`It is too large: I take files of up to 20 MB. Split it into several.`,
      too_long_cell: ({ row, limit }: Place) =>
        html`A cell of row ${row} has more than ${limit} characters. Shorten it.`,
      open_quote: ({ row }: Place) =>
        html`In row ${row} a quotation mark begins a cell and nothing ends it, so I cannot tell where the row ends. Correct it there.`,
      mixed_encoding: ({ row }: Place) =>
        html`At row ${row} the letters are written in another way than before. Open it in a spreadsheet program and save it again.`,
      damaged: () => html`It is damaged or cut off. Save it again.`,
      gone: () => html`Telegram does not give it to me any more.`,
      other: () => html`Something in it is not as in a file of rows.`,
    },
    sendAgain: html`Then send it with /bulk again.`,
    phone: {
      sure: (name: string): Html => html`📱 Phone column: «${isolateAuto(name)}» (found)`,
      likely: (name: string): Html =>
        html`📱 Phone column: probably «${isolateAuto(name)}». Please check it.`,
      unsure: (name: string): Html =>
        html`📱 Phone column: perhaps «${isolateAuto(name)}», but I am not sure. Please check it.`,
      chosen: (name: string): Html => html`📱 Phone column: «${isolateAuto(name)}» (chosen by you)`,
    },
    noPhone: html`📱 No column looks as if it held mobile numbers. Which one is it?`,
    column: (place: string): string => `column ${place}`,
    fields: (names: readonly string[], more: string | null): Html =>
      html`🏷 Fields for the text: ${fieldList(names, more)}`,
    andMore: (count: string): string => `and ${count} more`,
    numbers: (good: string, rest: readonly string[]): Html =>
      html`✅ ${good}${rest.map((each) => ` · ${each}`)}`,
    goodNumbers: { one: 'good number', other: 'good numbers' },
    tallying: html`⏳ Counting the numbers…`,
    firstRows: html`The first rows:`,
    row: (place: string, cells: readonly string[]): Html =>
      html`${place}: ${cells.map((cell, index) => html`${index === 0 ? '' : ' | '}${isolateAuto(cell)}`)}`,
    header: html`The first row names the columns; it is no recipient.`,
    headerIn: (row: string): Html =>
      html`Row ${row} names the columns; it and what is above it are no recipients.`,
    noHeader: html`The first row is a recipient like the others.`,
    use: '▶ Continue',
    changeColumn: '📱 Change column',
    otherColumn: '📱 Another column',
    namesRow: '☝ Row of names',
    writeText: html`✏️ What should it say? Answer my question below, or press ✏️ Text to be asked again.`,
    counting: html`⏳ Counting what would leave…`,
    countedSoFar: (done: string, all: string): Html => html`⏳ Counting what would leave… ${done} of ${all}`,
    blockedUnknown: html`⛔ Who is on the blacklist is looked up right before each call.`,
    place: (index: string, all: string, row: string, recipient: string): Html =>
      html`Message ${index} of ${all} · row ${row} of the file · ${isolateLtr(recipient)}`,
    takes: (messages: string, parts: string, encoding: string | null, isOne: boolean): string =>
      `${messages} ${isOne ? 'takes' : 'take'} ${parts}${encoding === null ? '' : ` (${encoding})`}`,
    hint: (row: string, over: string, parts: string): Html =>
      html`💡 Row ${row} is ${over} over: without them it would take ${parts}.`,
    nobody: html`Nothing of it can be sent as it is. See what was left out and why, or change columns or text.`,
    stopped: (count: string): Html =>
      html`✋ ${count} with an empty field, and you chose to send nothing then. Correct the file, or choose what becomes of them.`,
    lacking: (count: string): Html => html`🕳 ${count} with an empty field: left out.`,
    filled: (count: string, value: string): Html =>
      html`🕳 ${count} with an empty field: «${isolateAuto(value)}» stands there instead.`,
    skipThem: (on: boolean): string => `${on ? '✔ ' : ''}Leave them out`,
    fillThem: (on: boolean): string => `${on ? '✔ ' : ''}Fill in a word`,
    stopAll: (on: boolean): string => `${on ? '✔ ' : ''}Send nothing then`,
    columns: '🗂 Columns',
    look: '🎲 Some at random',
    seeSkipped: '🚫 See left out',
    skippedFile: '⬇ skipped.csv',
    skippedInJob: (count: string): Html => html`🚫 ${count} of the file left out`,
  },
  fa: {
    file: (name, rows, sheet) =>
      html`${RIGHT}📄 ${isolateAuto(name)}${rows === null ? '' : html` · ${rows}`}${sheet === null ? '' : html` · برگهٔ «${isolateAuto(sheet)}»`}`,
    rows: { one: 'ردیف', other: 'ردیف' },
    reading: html`⏳ در حال خواندن فایل…`,
    readSoFar: (rows) => html`⏳ در حال خواندن فایل… تا این‌جا ${rows}`,
    nothingYet: html`پیش از تأیید شما چیزی فرستاده نمی‌شود.`,
    failed: html`❌ از این فایل نمی‌شود استفاده کرد و چیزی ارسال نشد.`,
    problems: {
      not_a_table: () =>
        html`من فایل CSV و XLSX می‌خوانم و این هیچ‌کدام نیست. در برنامهٔ صفحه‌گسترده آن را به شکل CSV یا XLSX ذخیره کنید.`,
      encrypted: () => html`رمز دارد. بی‌رمز ذخیره‌اش کنید.`,
      empty: () => html`چیزی در آن نیست. فایل درست همین بود؟`,
      only_header: ({ row }) =>
        html`${row === '' ? '' : `در ردیف ${row} `}نام ستون‌ها هست ولی زیر آن هیچ گیرنده‌ای نیست. برای هر گیرنده یک ردیف پر کنید و فایل را ذخیره کنید.`,
      too_many_rows: ({ limit }) =>
        html`بیش از ${limit} ردیف دارد. آن را به چند فایل تقسیم کنید، یا اگر XLSX است به شکل CSV ذخیره کنید که می‌تواند بلندتر باشد.`,
      too_wide: ({ row, limit }) =>
        html`${row === '' ? '' : `ردیف ${row} `}بیش از ${limit} ستون دارد. فقط ستون‌های لازم را نگه دارید.`,
      too_many_cells: ({ limit }) =>
        html`بیش از ${limit} خانه و قالب‌بندی دارد که سقف فایلی با این حجم است؛ خانه‌های خالی هم شمرده می‌شوند. ردیف‌های لازم را در یک برگهٔ تازه کپی کنید یا آن را به شکل CSV ذخیره کنید.`,
      too_large: () => html`بزرگ است؛ من فایل‌های تا ۲۰ مگابایت را می‌پذیرم. آن را به چند فایل تقسیم کنید.`,
      too_long_cell: ({ row, limit }) =>
        html`خانه‌ای در ردیف ${row} بیش از ${limit} کاراکتر دارد. کوتاهش کنید.`,
      open_quote: ({ row }) =>
        html`در ردیف ${row} گیومه‌ای باز شده و بسته نشده است و پایان ردیف پیدا نیست. همان‌جا را درست کنید.`,
      mixed_encoding: ({ row }) =>
        html`از ردیف ${row} حروف به شیوه‌ای دیگر نوشته شده است. فایل را در برنامهٔ صفحه‌گسترده باز و از نو ذخیره کنید.`,
      damaged: () => html`خراب یا ناتمام است. دوباره ذخیره‌اش کنید.`,
      gone: () => html`تلگرام دیگر آن را به من نمی‌دهد.`,
      other: () => html`چیزی در آن به شکل فایل ردیف‌ها نیست.`,
    },
    sendAgain: html`بعد آن را با ${slash('fa', 'bulk')} دوباره بفرستید.`,
    phone: {
      sure: (name) => html`📱 ستون شماره‌ها: «${isolateAuto(name)}» (پیدا شد)`,
      likely: (name) => html`📱 ستون شماره‌ها: به احتمال زیاد «${isolateAuto(name)}». لطفاً بررسی کنید.`,
      unsure: (name) => html`📱 ستون شماره‌ها: شاید «${isolateAuto(name)}»، ولی مطمئن نیستم. لطفاً بررسی کنید.`,
      chosen: (name) => html`📱 ستون شماره‌ها: «${isolateAuto(name)}» (به انتخاب شما)`,
    },
    noPhone: html`📱 هیچ ستونی به شمارهٔ همراه نمی‌ماند. کدام ستون است؟`,
    column: (place) => `ستون ${place}`,
    fields: (names, more) => html`🏷 فیلدها برای متن: ${fieldList(names, more)}`,
    andMore: (count) => `و ${count} تای دیگر`,
    numbers: (good, rest) => html`✅ ${good}${rest.map((each) => ` · ${each}`)}`,
    goodNumbers: { one: 'شمارهٔ درست', other: 'شمارهٔ درست' },
    tallying: html`⏳ در حال شمردن شماره‌ها…`,
    firstRows: html`ردیف‌های اول:`,
    row: (place, cells) =>
      html`${RIGHT}${place}: ${cells.map((cell, index) => html`${index === 0 ? '' : ' | '}${isolateAuto(cell)}`)}`,
    header: html`ردیف اول نام ستون‌هاست و گیرنده نیست.`,
    headerIn: (row) => html`ردیف ${row} نام ستون‌هاست؛ خودش و ردیف‌های بالای آن گیرنده نیستند.`,
    noHeader: html`ردیف اول هم مانند بقیه گیرنده است.`,
    use: '▶ ادامه',
    changeColumn: '📱 ستون دیگر',
    otherColumn: '📱 ستونی دیگر',
    namesRow: '☝ ردیف نام‌ها',
    writeText: html`✏️ متن چه باشد؟ به پرسش زیر پاسخ دهید، یا ✏️ متن را بزنید تا دوباره بپرسم.`,
    counting: html`⏳ در حال شمردن آنچه می‌رود…`,
    countedSoFar: (done, all) => html`⏳ در حال شمردن آنچه می‌رود… ${done} از ${all}`,
    blockedUnknown: html`⛔ این‌که چه کسی روی این خط مسدود است درست پیش از هر ارسال بررسی می‌شود.`,
    place: (index, all, row, recipient) =>
      html`پیام ${index} از ${all} · ردیف ${row} فایل · ${isolateLtr(recipient)}`,
    takes: (messages, parts, encoding) =>
      `${messages} هر کدام ${parts}${encoding === null ? '' : ` (${encoding})`}`,
    hint: (row, over, parts) => html`💡 ردیف ${row} به اندازهٔ ${over} بلندتر است؛ بی آن‌ها ${parts} می‌شود.`,
    nobody: html`از این فایل به این شکل چیزی فرستادنی نیست. ببینید چه و چرا کنار رفته است، یا ستون‌ها یا متن را تغییر دهید.`,
    stopped: (count) =>
      html`✋ ${count} با فیلد خالی، و خواسته‌اید در این حال چیزی ارسال نشود. فایل را درست کنید، یا بگویید با آن‌ها چه کنم.`,
    lacking: (count) => html`🕳 ${count} با فیلد خالی کنار می‌رود.`,
    filled: (count, value) => html`🕳 ${count} با فیلد خالی، و «${isolateAuto(value)}» به جایش می‌آید.`,
    skipThem: (on) => `${on ? '✔ ' : ''}کنار بروند`,
    fillThem: (on) => `${on ? '✔ ' : ''}با واژه‌ای پر شود`,
    stopAll: (on) => `${on ? '✔ ' : ''}هیچ نرود`,
    columns: '🗂 ستون‌ها',
    look: '🎲 چند تا تصادفی',
    seeSkipped: '🚫 کنار رفته‌ها',
    skippedFile: '⬇ skipped.csv',
    skippedInJob: (count) => html`🚫 ${count} از فایل کنار رفت`,
  },
});
