import { defineTexts } from '../../../../i18n/define.ts';
import { isolateAuto } from '../../../../i18n/format.ts';
import { code, html, lines, type Html } from '../../../../telegram/html.ts';
import { slash } from '../../../../telegram/slash.ts';

export const texts = defineTexts({
  en: {
    about: 'send to all numbers of a phonebook',
    example: '/booksend Staff Hello',
    usageBook: 'book',
    askBook: html`To which phonebook?`,
    badBook: html`Give the phonebook’s name, in quotes if it has several words: ${code('"My customers"')}`,
    bookButton: (title: string, count: string): string => `${isolateAuto(title)} · ${count}`,
    numbers: { one: 'number', other: 'numbers' },
    notFound: (title: string, titles: readonly string[], hasMore: boolean): Html =>
      titles.length === 0
        ? html`This account has no phonebook yet. Create one with /book_new`
        : lines(
            html`There is no phonebook named «${isolateAuto(title)}».`,
            html`There are: ${titles.map((each) => isolateAuto(each)).join(', ')}${hasMore ? html` and more: /books` : ''}`,
            titles.some((each) => each.includes(' ')) &&
              html`A name of several words goes in quotes: ${code('/booksend "My customers" Hello')}`,
          ),
    empty: (title: string): Html =>
      html`The phonebook «${isolateAuto(title)}» has no number to send to. Add some with /book_add`,
  },
  fa: {
    about: 'ارسال به همهٔ شماره‌های یک دفترچه',
    example: '/booksend مشتریان سلام',
    usageBook: 'دفترچه',
    askBook: html`به کدام دفترچه؟`,
    badBook: html`دفترچه را به نامش بنویسید و نام چندکلمه‌ای را در گیومه: ${code('«مشتریان من»')}`,
    bookButton: (title, count) => `${isolateAuto(title)} · ${count}`,
    numbers: { one: 'شماره', other: 'شماره' },
    notFound: (title, titles, hasMore) =>
      titles.length === 0
        ? html`این حساب هنوز دفترچه‌ای ندارد. با ${slash('fa', 'book_new')} یکی بسازید.`
        : lines(
            html`دفترچه‌ای به نام «${isolateAuto(title)}» نیست.`,
            html`این‌ها هست: ${titles.map((each) => isolateAuto(each)).join('، ')}${hasMore ? html` و چند تای دیگر: ${slash('fa', 'books')}` : ''}`,
            titles.some((each) => each.includes(' ')) &&
              html`نام چندکلمه‌ای را در گیومه بگذارید: ${code('/booksend «مشتریان من» سلام')}`,
          ),
    empty: (title) =>
      html`دفترچهٔ «${isolateAuto(title)}» شماره‌ای ندارد که بشود به آن پیامک زد. با ${slash('fa', 'book_add')} شماره اضافه کنید.`,
  },
});
