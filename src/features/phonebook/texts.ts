import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, clip, code, html, joinHtml, lines, type Html } from '../../telegram/html.ts';
import { slash } from '../../telegram/slash.ts';

/** The title of a book, in bold or in quotes. */
export const named = (title: string): Html => b(isolateAuto(clip(title, 60)));
export const quoted = (title: string): string => `«${isolateAuto(clip(title, 60))}»`;
/** A tap copies it. */
const number = (shown: string): Html => code(isolateLtr(shown));
const grid = (shown: readonly string[]): Html => joinHtml(shown.map(number));

/** Looking at phonebooks, and asking which book and which numbers. */
export const texts = defineTexts({
  en: {
    aboutBooks: 'the phonebooks and how many numbers each has',
    aboutBook: 'the numbers of a phonebook, with export',
    aboutNew: 'create a phonebook: type its numbers or send a file',
    aboutAdd: 'add numbers to a phonebook: type them or send a file',
    aboutRemove: 'remove numbers from a phonebook',
    aboutDelete: 'delete a phonebook; its file is sent first',
    offer: '📒 Add to a phonebook',
    usageBook: 'book',
    usageNumbers: 'numbers',
    numbers: { one: 'number', other: 'numbers' },
    books: { one: 'phonebook', other: 'phonebooks' },
    noBooks: html`There is no phonebook yet. Create one: /book_new`,
    noBooksYet: html`There is no phonebook yet.`,
    bookList: (count: string): Html => html`📒 ${count}. Press one to see its numbers.`,
    bookItem: (title: string, count: string): Html => html`${named(title)} · ${count}`,
    bookButton: (title: string, count: string): string => `${isolateAuto(title)} · ${count}`,
    book: (title: string, count: string): Html => html`📒 ${named(title)} · ${count}`,
    page: (shown: readonly string[]): Html => grid(shown),
    emptyBook: html`The book is empty.`,
    add: '➕ Add',
    remove: '➖ Remove',
    delete: '🗑 Delete',
    new: '➕ New',
    make: (title: string): string => `➕ Create «${isolateAuto(title)}»`,
    exported: (title: string, count: string): Html => html`📒 ${named(title)} · ${count}`,
    columnNumber: 'mobile',
    askBook: html`Which phonebook? Press one, or type its name.`,
    askNewName: html`What should the new phonebook be called?`,
    badName: html`A name has 1 to 100 characters. In a command, a name with a number in it goes in quotes: "Class 2024"`,
    askNumbers: (title: string): Html =>
      lines(
        html`Which numbers for ${quoted(title)}? Type them, or send a file: CSV, XLSX, or a text file with a number on each line.`,
        html`At most 5 MB and 20,000 rows; the column with the most mobile numbers is used.`,
      ),
    askNumbersOut: (title: string): Html =>
      html`Which numbers should I remove from ${quoted(title)}? Type them, or send a file: CSV, XLSX, or a text file.`,
    badNumbers: (typed: string): Html =>
      lines(
        typed !== '' && html`I found no mobile number in ${quoted(typed)}.`,
        html`Write numbers as ${code('09121234567')} or ${code('+989121234567')}. A book’s name with a number in it goes in quotes: "Class 2024"`,
      ),
    noSuchBook: (title: string): Html =>
      html`There is no phonebook named ${quoted(title)}. All of them: /books`,
    nearBooks: (title: string): Html =>
      html`There is no phonebook named ${quoted(title)}. Is it one of these?`,
    file: {
      too_large: html`The file is too large: I take at most 5 MB. Split it, or keep only the column of the numbers.`,
      too_many_rows: html`The file has more than 20,000 rows. Split it into several.`,
      not_a_table: html`I cannot read this file. Send a CSV, XLSX or text file.`,
      no_numbers: html`I found no mobile number in the file. Write them as ${code('09121234567')} or ${code('+989121234567')}.`,
    },
  },
  fa: {
    aboutBooks: 'دفترچه‌های تلفن و تعداد شماره‌های هرکدام',
    aboutBook: 'شماره‌های یک دفترچه، با خروجی',
    aboutNew: 'ساخت دفترچه: شماره‌ها را بنویسید یا فایل بدهید',
    aboutAdd: 'افزودن شماره به دفترچه: بنویسید یا فایل بدهید',
    aboutRemove: 'برداشتن شماره از دفترچه',
    aboutDelete: 'حذف دفترچه؛ اول فایلش را می‌فرستم',
    offer: '📒 افزودن به دفترچه',
    usageBook: 'دفترچه',
    usageNumbers: 'شماره‌ها',
    numbers: { one: 'شماره', other: 'شماره' },
    books: { one: 'دفترچه', other: 'دفترچه' },
    noBooks: html`هنوز دفترچه‌ای نیست. با ${slash('fa', 'book_new')} بسازید.`,
    noBooksYet: html`هنوز دفترچه‌ای نیست.`,
    bookList: (count) => html`📒 ${count}. برای دیدن شماره‌ها یکی را بزنید.`,
    bookItem: (title, count) => html`${named(title)} · ${count}`,
    bookButton: (title, count) => `${isolateAuto(title)} · ${count}`,
    book: (title, count) => html`📒 ${named(title)} · ${count}`,
    page: (shown) => grid(shown),
    emptyBook: html`دفترچه خالی است.`,
    add: '➕ افزودن',
    remove: '➖ برداشتن',
    delete: '🗑 حذف',
    new: '➕ دفترچهٔ جدید',
    make: (title) => `➕ ساخت «${isolateAuto(title)}»`,
    exported: (title, count) => html`📒 ${named(title)} · ${count}`,
    columnNumber: 'همراه',
    askBook: html`کدام دفترچه؟ یکی را بزنید یا نامش را بنویسید.`,
    askNewName: html`نام دفترچهٔ جدید چه باشد؟`,
    badName: html`نام ۱ تا ۱۰۰ کاراکتر دارد. در دستور، نامی را که عدد دارد میان گیومه بگذارید: «کلاس ۱۴۰۵»`,
    askNumbers: (title) =>
      lines(
        html`کدام شماره‌ها برای ${quoted(title)}؟ بنویسید، یا فایل بفرستید: CSV، XLSX یا فایل متنی که در هر خطش یک شماره است.`,
        html`حداکثر ۵ مگابایت و ۲۰٬۰۰۰ ردیف؛ ستونی که شمارهٔ همراه بیشتری دارد خوانده می‌شود.`,
      ),
    askNumbersOut: (title) =>
      html`کدام شماره‌ها از ${quoted(title)} برداشته شود؟ بنویسید، یا فایل بفرستید: CSV، XLSX یا متنی.`,
    badNumbers: (typed) =>
      lines(
        typed !== '' && html`در ${quoted(typed)} شمارهٔ همراهی پیدا نکردم.`,
        html`شماره را این‌طور بنویسید: ${code('09121234567')} یا ${code('+989121234567')}. نام دفترچه‌ای را که عدد دارد میان گیومه بگذارید: «کلاس ۱۴۰۵»`,
      ),
    noSuchBook: (title) =>
      html`دفترچه‌ای به نام ${quoted(title)} نیست. همه را در ${slash('fa', 'books')} ببینید.`,
    nearBooks: (title) => html`دفترچه‌ای به نام ${quoted(title)} نیست. شاید یکی از این‌ها باشد:`,
    file: {
      too_large: html`فایل بزرگ است: بیش از ۵ مگابایت نمی‌پذیرم. آن را چند قسمت کنید یا فقط ستون شماره‌ها را نگه دارید.`,
      too_many_rows: html`فایل بیش از ۲۰٬۰۰۰ ردیف دارد. آن را چند قسمت کنید.`,
      not_a_table: html`این فایل را نمی‌توانم بخوانم. فایل CSV، XLSX یا متنی بفرستید.`,
      no_numbers: html`در فایل شمارهٔ همراهی پیدا نکردم. شماره‌ها را این‌طور بنویسید: ${code('09121234567')} یا ${code('+989121234567')}.`,
    },
  },
});
