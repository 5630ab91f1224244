import { defineTexts } from '../../../i18n/define.ts';
import { isolateAuto, isolateLtr, RIGHT } from '../../../i18n/format.ts';
import { html, type Html } from '../../../telegram/html.ts';
import { slash } from '../../../telegram/slash.ts';
import { field } from './texts.ts';

/** Where in a file something is wrong, as the reader's digits write it; '' where that is not known. */
interface Place {
  readonly row: string;
  readonly limit: string;
}

const fieldList = (names: readonly string[], more: string | null): Html =>
  html`${names.map((name, index) => html`${index === 0 ? '' : ' '}${field(name)}`)}${more === null ? '' : html` ${more}`}`;

/** The card of a draft whose recipients come from a file. */
export const bulkTexts = defineTexts({
  en: {
    file: (name: string, rows: string | null, sheet: string | null): Html =>
      html`📄 ${isolateAuto(name)}${rows === null ? '' : html` · ${rows}`}${sheet === null ? '' : html` · sheet «${isolateAuto(sheet)}»`}`,
    people: (tag: string, count: string | null): Html =>
      html`👥 ${isolateAuto(tag)}${count === null ? '' : html` · ${count}`}`,
    readingPeople: html`⏳ Reading who is kept under this tag…`,
    rows: { one: 'row', other: 'rows' },
    reading: html`⏳ Reading the file…`,
    readSoFar: (rows: string): Html => html`⏳ Reading the file… ${rows} so far`,
    nothingYet: html`Nothing is sent before you confirm it.`,
    failed: html`❌ This file cannot be used, and nothing was sent.`,
    problems: {
      not_a_table: () => html`I read CSV and XLSX files; this is neither. In Excel: Save as, CSV or XLSX.`,
      encrypted: () => html`It has a password. Save it without one.`,
      empty: () => html`There is nothing in it. Was it the right file?`,
      only_header: ({ row }: Place) =>
        html`It has the names of columns${row === '' ? '' : ` in row ${row}`} and no recipient below them. Fill in a row for each recipient and save it.`,
      too_many_rows: ({ limit }: Place) =>
        html`It has more than ${limit} rows. Split it into several, or save an XLSX file as CSV, which may have more rows.`,
      too_wide: ({ row, limit }: Place) =>
        html`${row === '' ? 'It' : `Row ${row}`} has more than ${limit} columns. Keep only those that are needed.`,
      too_many_cells: ({ limit }: Place) =>
        html`Its sheet has more than ${limit} cells and formats, which is the limit for a file of its size; empty cells count too. Copy the rows that you need into a new sheet, or save it as CSV.`,
      too_large: () => html`It is too large: I take files of up to 20 MB. Split it into several.`,
      too_long_cell: ({ row, limit }: Place) =>
        html`A cell of row ${row} has more than ${limit} characters. Shorten it.`,
      open_quote: ({ row }: Place) =>
        html`In row ${row} a quotation mark is opened and not closed, so I cannot tell where the row ends. Correct it there.`,
      mixed_encoding: ({ row }: Place) =>
        html`From row ${row} on, the letters are encoded in another way. Open it in Excel and save it again.`,
      damaged: () => html`It is damaged or cut off. Save it again.`,
      gone: () => html`Telegram does not give it to me any more.`,
      no_people: () => html`Nobody is kept under this tag any more.`,
      other: () => html`It is not laid out in rows and columns.`,
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
    noPhone: html`📱 I found no column of mobile numbers. Which one is it?`,
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
    header: html`The first row names the columns; it is not a recipient.`,
    headerIn: (row: string): Html =>
      html`Row ${row} names the columns; it and the rows above it are not recipients.`,
    noHeader: html`The first row is a recipient like the others.`,
    keep: '👥 Keep these people',
    keeping: (tag: string): Html => html`⏳ Keeping the people of this file under ${isolateAuto(`#${tag}`)}…`,
    kept: (people: string, tag: string, fresh: string): Html =>
      html`👥 ${people} kept under ${isolateAuto(`#${tag}`)}, ${fresh} of them new. Nothing was sent.`,
    keptFull: (limit: string): Html =>
      html`❌ A chat keeps ${limit} people at most; with this file it would be more. Nobody was added. Take out those you no longer need with /people`,
    toThem: '✉️ Send to them',
    showThem: '👥 Show them',
    use: '▶ Continue',
    changeColumn: '📱 Change column',
    otherColumn: '📱 Another column',
    namesRow: '☝ Row of names',
    writeText: html`✏️ What should it say? Answer my question below, or press ✏️ Text to be asked again.`,
    counting: html`⏳ Counting what would be sent…`,
    countedSoFar: (done: string, all: string): Html =>
      html`⏳ Counting what would be sent… ${done} of ${all}`,
    blockedUnknown: html`⛔ The blacklist of this line is checked right before sending.`,
    place: (index: string, all: string, row: string | null, recipient: string): Html =>
      html`Message ${index} of ${all}${row === null ? '' : ` · row ${row} of the file`} · ${isolateLtr(recipient)}`,
    takes: (messages: string, parts: string, encoding: string | null, isOne: boolean): string =>
      `${messages} ${isOne ? 'takes' : 'take'} ${parts}${encoding === null ? '' : ` (${encoding})`}`,
    hint: (row: string | null, over: string, parts: string): Html =>
      html`💡 ${row === null ? 'This message' : `Row ${row}`} is ${over} over: without them it would take ${parts}.`,
    nobody: html`Nothing here can be sent as it is. See what was left out and why, or change the columns or the text.`,
    stopped: (count: string): Html =>
      html`✋ ${count} with an empty field, and you chose to send nothing in that case. Correct them, or choose what to do with them.`,
    lacking: (count: string): Html => html`🕳 ${count} with an empty field: left out.`,
    filled: (count: string, value: string): Html =>
      html`🕳 ${count} with an empty field: «${isolateAuto(value)}» is used instead.`,
    skipThem: (on: boolean): string => `${on ? '✔ ' : ''}Leave them out`,
    fillThem: (on: boolean): string => `${on ? '✔ ' : ''}Fill in a word`,
    stopAll: (on: boolean): string => `${on ? '✔ ' : ''}Send nothing`,
    columns: '🗂 Columns',
    look: '🎲 Some at random',
    seeSkipped: '🚫 Left out',
    skippedFile: '⬇ skipped.csv',
    skippedInJob: (count: string): Html => html`🚫 ${count} left out`,
  },
  fa: {
    file: (name, rows, sheet) =>
      html`${RIGHT}📄 ${isolateAuto(name)}${rows === null ? '' : html` · ${rows}`}${sheet === null ? '' : html` · برگهٔ «${isolateAuto(sheet)}»`}`,
    people: (tag, count) => html`${RIGHT}👥 ${isolateAuto(tag)}${count === null ? '' : html` · ${count}`}`,
    readingPeople: html`⏳ در حال خواندن مخاطبان این برچسب…`,
    rows: { one: 'ردیف', other: 'ردیف' },
    reading: html`⏳ در حال خواندن فایل…`,
    readSoFar: (rows) => html`⏳ در حال خواندن فایل… تا اینجا ${rows}`,
    nothingYet: html`قبل از تأیید شما چیزی ارسال نمی‌شود.`,
    failed: html`❌ از این فایل نمی‌شود استفاده کرد و چیزی ارسال نشد.`,
    problems: {
      not_a_table: () =>
        html`من فایل CSV و XLSX می‌خوانم و این هیچ‌کدام نیست. در اکسل آن را به شکل CSV یا XLSX ذخیره کنید.`,
      encrypted: () => html`رمز دارد. بدون رمز ذخیره‌اش کنید.`,
      empty: () => html`چیزی در آن نیست. فایل درست همین بود؟`,
      only_header: ({ row }) =>
        html`${row === '' ? '' : `در ردیف ${row} `}نام ستون‌ها هست ولی زیر آن هیچ گیرنده‌ای نیست. برای هر گیرنده یک ردیف پر کنید و فایل را ذخیره کنید.`,
      too_many_rows: ({ limit }) =>
        html`بیش از ${limit} ردیف دارد. آن را به چند فایل تقسیم کنید، یا اگر XLSX است به شکل CSV ذخیره کنید که ردیف بیشتری جا می‌دهد.`,
      too_wide: ({ row, limit }) =>
        html`${row === '' ? '' : `ردیف ${row} `}بیش از ${limit} ستون دارد. فقط ستون‌های لازم را نگه دارید.`,
      too_many_cells: ({ limit }) =>
        html`بیش از ${limit} خانه و قالب‌بندی دارد که سقف فایلی با این حجم است؛ خانه‌های خالی هم شمرده می‌شوند. ردیف‌های لازم را در یک برگهٔ جدید کپی کنید یا آن را به شکل CSV ذخیره کنید.`,
      too_large: () => html`بزرگ است؛ من فایل‌های تا ۲۰ مگابایت را می‌پذیرم. آن را به چند فایل تقسیم کنید.`,
      too_long_cell: ({ row, limit }) =>
        html`خانه‌ای در ردیف ${row} بیش از ${limit} کاراکتر دارد. کوتاهش کنید.`,
      open_quote: ({ row }) =>
        html`در ردیف ${row} گیومه‌ای باز شده و بسته نشده و معلوم نیست ردیف کجا تمام می‌شود. همان‌جا را درست کنید.`,
      mixed_encoding: ({ row }) =>
        html`از ردیف ${row} به بعد کدگذاری حروف فرق می‌کند. فایل را در اکسل باز کنید و دوباره ذخیره کنید.`,
      damaged: () => html`خراب یا ناتمام است. دوباره ذخیره‌اش کنید.`,
      gone: () => html`تلگرام دیگر آن را به من نمی‌دهد.`,
      no_people: () => html`دیگر کسی با این برچسب ثبت نیست.`,
      other: () => html`به شکل ردیف و ستون نیست.`,
    },
    sendAgain: html`بعد آن را با ${slash('fa', 'bulk')} دوباره بفرستید.`,
    phone: {
      sure: (name) => html`📱 ستون شماره‌ها: «${isolateAuto(name)}» (پیدا شد)`,
      likely: (name) => html`📱 ستون شماره‌ها: به احتمال زیاد «${isolateAuto(name)}». لطفاً بررسی کنید.`,
      unsure: (name) => html`📱 ستون شماره‌ها: شاید «${isolateAuto(name)}»، ولی مطمئن نیستم. لطفاً بررسی کنید.`,
      chosen: (name) => html`📱 ستون شماره‌ها: «${isolateAuto(name)}» (به انتخاب شما)`,
    },
    noPhone: html`📱 ستونی با شمارهٔ همراه پیدا نکردم. کدام ستون است؟`,
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
    keep: '👥 ثبت این مخاطبان',
    keeping: (tag) => html`⏳ در حال ثبت مخاطبان این فایل با برچسب ${isolateAuto(`#${tag}`)}…`,
    kept: (people, tag, fresh) =>
      html`👥 ${people} با برچسب ${isolateAuto(`#${tag}`)} ثبت شد، ${fresh} نفر جدید. چیزی ارسال نشد.`,
    keptFull: (limit) =>
      html`❌ هر گفتگو حداکثر ${limit} مخاطب نگه می‌دارد و با این فایل بیشتر می‌شد. کسی اضافه نشد. آن‌هایی را که دیگر لازم ندارید با ${slash('fa', 'people')} حذف کنید.`,
    toThem: '✉️ ارسال به آن‌ها',
    showThem: '👥 دیدن آن‌ها',
    use: '▶ ادامه',
    changeColumn: '📱 ستون دیگر',
    otherColumn: '📱 ستونی دیگر',
    namesRow: '☝ ردیف نام‌ها',
    writeText: html`✏️ متن چه باشد؟ به سؤال زیر پاسخ دهید، یا ✏️ متن را بزنید تا دوباره بپرسم.`,
    counting: html`⏳ در حال شمردن پیام‌ها…`,
    countedSoFar: (done, all) => html`⏳ در حال شمردن پیام‌ها… ${done} از ${all}`,
    blockedUnknown: html`⛔ لیست سیاه این خط درست قبل از ارسال بررسی می‌شود.`,
    place: (index, all, row, recipient) =>
      html`پیام ${index} از ${all}${row === null ? '' : ` · ردیف ${row} فایل`} · ${isolateLtr(recipient)}`,
    takes: (messages, parts, encoding, isOne) =>
      `${messages}${isOne ? ':' : ' هر کدام'} ${parts}${encoding === null ? '' : ` (${encoding})`}`,
    hint: (row, over, parts) =>
      html`💡 ${row === null ? 'این پیام' : `ردیف ${row}`} به اندازهٔ ${over} بلندتر است؛ بدون آن‌ها ${parts} می‌شود.`,
    nobody: html`به این شکل چیزی قابل ارسال نیست. ببینید چه چیزهایی و چرا کنار رفته، یا ستون‌ها یا متن را تغییر دهید.`,
    stopped: (count) =>
      html`✋ ${count} با فیلد خالی، و خواسته‌اید در این صورت چیزی ارسال نشود. آن‌ها را درست کنید، یا بگویید با آن‌ها چه کنم.`,
    lacking: (count) => html`🕳 ${count} با فیلد خالی کنار می‌رود.`,
    filled: (count, value) => html`🕳 ${count} با فیلد خالی، و «${isolateAuto(value)}» به جایش می‌آید.`,
    skipThem: (on) => `${on ? '✔ ' : ''}کنار گذاشتن`,
    fillThem: (on) => `${on ? '✔ ' : ''}پر کردن با یک کلمه`,
    stopAll: (on) => `${on ? '✔ ' : ''}چیزی ارسال نشود`,
    columns: '🗂 ستون‌ها',
    look: '🎲 چند تا تصادفی',
    seeSkipped: '🚫 کنار رفته‌ها',
    skippedFile: '⬇ skipped.csv',
    skippedInJob: (count) => html`🚫 ${count} کنار رفت`,
  },
});
