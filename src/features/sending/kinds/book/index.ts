import { z } from 'zod';
import { behindName } from '../../../../domain/behind-name.ts';
import { readBook } from '../../../../domain/book.ts';
import { defineTexts } from '../../../../i18n/define.ts';
import { isolateAuto } from '../../../../i18n/format.ts';
import type { Phonebook, PhonebookRead } from '../../../../ports/gateway.ts';
import type { Gateways } from '../../../../ports/gateways.ts';
import type { Clock } from '../../../../ports/runtime.ts';
import type { SkippedNumber } from '../../../../ports/stores.ts';
import type { Stores } from '../../../../storage/stores.ts';
import { defineCommand, type Feature } from '../../../../telegram/feature.ts';
import { takeName, unquoted } from '../../../../telegram/forms/quoted.ts';
import { clip, code, html, type Html } from '../../../../telegram/html.ts';
import type { RequestContext } from '../../../../telegram/request-context.ts';
import { slash } from '../../../../telegram/slash.ts';
import { findBook, offeredBooks, offersNone } from '../../../shared/find-book.ts';
import { inAMoment } from '../../../../ports/in-a-moment.ts';
import { createBeginDraft, draftLineArgument, type BeginDraftDeps } from '../../../shared/new-draft.ts';
import { textArgument } from '../../../shared/shared-arguments.ts';
import { textOrTemplate } from '../../../shared/template-call.ts';

interface BookSendDeps extends BeginDraftDeps, Pick<Stores, 'templates'> {
  readonly gateways: Gateways;
  readonly clock: Pick<Clock, 'sleep'>;
}

const MAX_CHOICES = 20;
const bookSchema = z.string().trim().transform(unquoted).pipe(z.string().trim().min(1).max(200));

/** Sends to a phonebook: in one call where the gateway does that, else to the numbers that it lists. */
export function createBookSendFeature(deps: BookSendDeps): Feature {
  const { bindings, templates, gateways, clock } = deps;
  const begin = createBeginDraft(deps);
  return {
    name: 'book-send',
    topic: 'sending',
    commands: [
      defineCommand({
        name: 'booksend',
        alsoCalled: ['everyone', 'everybody', 'sendtoall', 'sendtoeveryone', 'بههمه', 'همهمشتریها'],
        permission: 'send.book',
        facet: 'phonebookRead',
        followsEdits: true,
        about: (locale) => texts(locale).about,
        example: (locale) => texts(locale).example,
        args: {
          book: {
            schema: bookSchema,
            take: takeName,
            endsByNo: true,
            usage: (locale) => texts(locale).usageBook,
            ask: ({ locale }, _known, choices) =>
              offersNone(choices) ? texts(locale).none : texts(locale).askBook,
            problem: (locale, typed) =>
              bookSchema.safeParse(typed).success
                ? texts(locale).noSuchBook(clip(typed, 60))
                : texts(locale).badBook,
            isThere: async ({ binding }, typed) => {
              if (binding === null) return true;
              const books = await inAMoment(clock, async () =>
                (await gateways.of(binding.id)).use('phonebookRead').list(),
              );
              return books === null || books.length === 0 || 'book' in findBook(books, unquoted(typed));
            },
            choices: async (ctx, { book: wanted = '', text = '' }) => {
              if (ctx.binding === null) return [];
              const books = await (await gateways.of(ctx.binding.id)).use('phonebookRead').list();
              if (books.length === 0 && ctx.can('books.write') && ctx.capabilities.has('phonebookWrite'))
                return [{ label: texts(ctx.locale).newBook, form: 'book_new' }];
              const offered = offeredBooks(books, unquoted(wanted));
              return offered.slice(0, MAX_CHOICES).map((each) => ({
                label: bookLabel(ctx, each),
                value: each.title,
                // Of a title of several words without quotes the text has the rest.
                known: { text: behindName(`${wanted} ${text}`, each.title) ?? text },
              }));
            },
          },
          text: textArgument,
          line: draftLineArgument(bindings),
        },
        run: async (ctx, { book: title, text: typed, line: chosen }) => {
          const t = texts(ctx.locale);
          if (ctx.binding === null) return;
          const text = await textOrTemplate(ctx, typed, templates);
          if (text === null) return await ctx.ask('booksend', { book: title }, typed);
          const gateway = await gateways.of(ctx.binding.id);
          const books = gateway.use('phonebookRead');
          const all = await books.list();
          const found = findBook(all, title);
          if (!('book' in found)) {
            if (all.length === 0) return void (await ctx.say(t.none));
            const line = chosen === undefined ? {} : { line: chosen };
            return await ctx.ask('booksend', { text: typed, ...line }, title);
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

/** A phonebook on a button. */
export function bookLabel({ locale, format }: RequestContext, { title, count }: Phonebook): string {
  return texts(locale).bookButton(title, format.count(count, texts(locale).numbers));
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
    none: html`This account has no phonebook yet. Create one with /book_new`,
    newBook: '➕ New',
    noSuchBook: (title: string): Html => html`There is no phonebook named «${isolateAuto(title)}».`,
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
    none: html`این حساب هنوز دفترچه‌ای ندارد. با ${slash('fa', 'book_new')} یکی بسازید.`,
    newBook: '➕ دفترچهٔ جدید',
    noSuchBook: (title) => html`دفترچه‌ای به نام «${isolateAuto(title)}» نیست.`,
    empty: (title) =>
      html`دفترچهٔ «${isolateAuto(title)}» شماره‌ای ندارد که بشود به آن پیامک زد. با ${slash('fa', 'book_add')} شماره اضافه کنید.`,
  },
});
