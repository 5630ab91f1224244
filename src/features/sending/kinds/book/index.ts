import { z } from 'zod';
import { bookMeant, readBook } from '../../../../domain/book.ts';
import { defineTexts } from '../../../../i18n/define.ts';
import { isolateAuto } from '../../../../i18n/format.ts';
import type { Phonebook, PhonebookRead } from '../../../../ports/gateway.ts';
import type { Gateways } from '../../../../ports/gateways.ts';
import type { SkippedNumber } from '../../../../ports/stores.ts';
import type { Stores } from '../../../../storage/stores.ts';
import { defineCommand, type Feature } from '../../../../telegram/feature.ts';
import { takeName, unquoted } from '../../../../telegram/forms/quoted.ts';
import { clip, code, html, lines, type Html } from '../../../../telegram/html.ts';
import { slash } from '../../../../telegram/slash.ts';
import { createBeginDraft, draftLineArgument, type BeginDraftDeps } from '../../../shared/new-draft.ts';
import { textArgument } from '../../../shared/shared-arguments.ts';
import { textOrTemplate } from '../../../shared/template-call.ts';

interface BookSendDeps extends BeginDraftDeps, Pick<Stores, 'templates'> {
  readonly gateways: Gateways;
}

const MAX_CHOICES = 20;

/** Sends to a phonebook: in one call where the gateway does that, else to the numbers that it lists. */
export function createBookSendFeature(deps: BookSendDeps): Feature {
  const { bindings, templates, gateways } = deps;
  const begin = createBeginDraft(deps);
  return {
    name: 'book-send',
    topic: 'sending',
    commands: [
      defineCommand({
        name: 'booksend',
        permission: 'send.book',
        facet: 'phonebookRead',
        followsEdits: true,
        about: (locale) => texts(locale).about,
        example: (locale) => texts(locale).example,
        args: {
          book: {
            schema: z.string().trim().transform(unquoted).pipe(z.string().trim().min(1).max(200)),
            take: takeName,
            usage: (locale) => texts(locale).usageBook,
            ask: ({ locale }) => texts(locale).askBook,
            problem: (locale) => texts(locale).badBook,
            choices: async (ctx) => {
              if (ctx.binding === null) return [];
              const books = await (await gateways.of(ctx.binding.id)).use('phonebookRead').list();
              const t = texts(ctx.locale);
              return books.slice(0, MAX_CHOICES).map(({ title, count }) => ({
                label: t.bookButton(title, ctx.format.count(count, t.numbers)),
                value: title,
              }));
            },
          },
          text: textArgument,
          line: draftLineArgument(bindings),
        },
        run: async (ctx, { book: title, text: typed, line: chosen }) => {
          const t = texts(ctx.locale);
          if (ctx.binding === null) return;
          const text = await textOrTemplate(ctx, typed, templates, 'stay');
          if (text === null) return await ctx.ask('booksend', { book: title });
          const gateway = await gateways.of(ctx.binding.id);
          const books = gateway.use('phonebookRead');
          const found = await findBook(books, title);
          if ('titles' in found) {
            const shown = found.titles.slice(0, MAX_CHOICES).map((each) => clip(each, 60));
            await ctx.say(t.notFound(clip(title, 60), shown, found.titles.length > shown.length));
            return;
          }
          const { book } = found;
          const { recipients, invalid } = await audienceOf(books, book.id);
          if (recipients.length === 0) {
            await ctx.say(t.empty(clip(book.title, 60)));
            return;
          }
          const way = gateway.has('phonebookSend') ? 'call' : 'expanded';
          const outgoing = { kind: 'book', bookId: book.id, title: book.title, way } as const;
          await begin(ctx, chosen, { outgoing, text, recipients, invalid });
        },
      }),
    ],
  };
}

/** Gives the book that a person means by a title; otherwise the titles that there are. */
export async function findBook(
  books: PhonebookRead,
  title: string,
): Promise<{ readonly book: Phonebook } | { readonly titles: readonly string[] }> {
  const all = await books.list();
  const book = bookMeant(all, title);
  return book === null ? { titles: all.map((each) => each.title) } : { book };
}

/** The numbers of a book that a message can go to, each once, and the others. */
export async function audienceOf(
  books: PhonebookRead,
  bookId: string,
): Promise<{ readonly recipients: readonly string[]; readonly invalid: readonly SkippedNumber[] }> {
  const { recipients, unusable } = readBook(await books.numbers(bookId));
  return { recipients, invalid: unusable.map((raw) => ({ raw, reason: 'not_mobile' })) };
}

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
