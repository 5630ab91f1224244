import { displayRecipient } from '../../domain/phone.ts';
import type { Phonebook } from '../../ports/gateway.ts';
import type { Tables } from '../../ports/tables.ts';
import { LOOKING } from '../../telegram/action.ts';
import { lines, type Html } from '../../telegram/html.ts';
import { defineList, pageOf } from '../../telegram/list.ts';
import { fileButtons, type TableFile } from '../../telegram/table-file.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { phonebookActions } from './actions.ts';
import { texts } from './texts.ts';

const BOOKS_ON_PAGE = 10;
const NUMBERS_ON_PAGE = 50;

/** Declares the list of all books, a button for each. */
export function bookList(books: (ctx: RequestContext) => Promise<readonly Phonebook[]>) {
  return defineList({
    pages: phonebookActions.list,
    source: async (ctx, { page }) => pageOf(await books(ctx), page, BOOKS_ON_PAGE),
    card: (ctx, { rows, total }) => {
      const t = texts(ctx.locale);
      const { count, number } = ctx.format;
      const mayMake = ctx.can('books.write') && ctx.capabilities.has('phonebookWrite');
      const buttons = [[mayMake && phonebookActions.form.button(t.new, { form: 'book_new' })]];
      if (total === 0) return { content: mayMake ? t.noBooks : t.noBooksYet, buttons };
      return {
        content: lines(
          t.bookList(count(total, t.books)),
          ...rows.map((book) => t.bookItem(book.title, count(book.count, t.numbers))),
        ),
        rowButtons: rows.map(({ id, title, count: size }) => [
          phonebookActions.show.button(t.bookButton(title, number(size)), { bookId: id, title }),
        ]),
        buttons,
      };
    },
  });
}

/** Declares the list of a book's numbers in full, with what can be done with the book. */
export function numberList(
  numbersIn: (ctx: RequestContext, bookId: string) => Promise<readonly string[]>,
  tables: Pick<Tables, 'write'>,
) {
  return defineList({
    pages: phonebookActions.page,
    source: async (ctx, { bookId, page }) => pageOf(await numbersIn(ctx, bookId), page, NUMBERS_ON_PAGE),
    card: (ctx, { rows, total }, { bookId, title }) => {
      const t = texts(ctx.locale);
      const mayChange = ctx.capabilities.has('phonebookWrite');
      const form = (label: string, name: 'book_add' | 'book_remove') =>
        mayChange &&
        ctx.can('books.write') &&
        phonebookActions.form.button(label, { form: name, book: title });
      return {
        content: lines(
          t.book(title, ctx.format.count(total, t.numbers)),
          rows.length === 0 ? t.emptyBook : t.page(rows.map((number) => ctx.format.phone(number))),
        ),
        buttons: [
          total > 0 ? fileButtons(phonebookActions.export, { bookId, title }) : [],
          [form(t.add, 'book_add'), form(t.remove, 'book_remove')],
          [
            mayChange &&
              ctx.can('books.delete') &&
              phonebookActions.remove.button(t.delete, { title }, LOOKING),
          ],
        ],
      };
    },
    export: {
      action: phonebookActions.export,
      tables,
      file: async (ctx, { bookId, title, format }) => {
        const caption = (count: string) => texts(ctx.locale).exported(title, count);
        return { ...bookFile(ctx, title, await numbersIn(ctx, bookId), caption), format };
      },
    },
  });
}

/** Makes a file of a book's numbers under its name; the caption is told how many there are. */
export function bookFile(
  { locale, format: { count } }: RequestContext,
  title: string,
  numbers: readonly string[],
  caption: (count: string) => Html,
): TableFile {
  const t = texts(locale);
  const table = { header: [t.columnNumber], rows: numbers.map((number) => [displayRecipient(number)]) };
  return { name: fileName(title), table, caption: caption(count(numbers.length, t.numbers)) };
}

/** The name of a book as that of its file, without an ending. */
function fileName(title: string): string {
  const safe = title
    .replaceAll(/[\\/:*?"<>|\p{Cc}\p{Cf}]/gu, '_')
    .replace(/^[.\s]+|[.\s]+$/gu, '')
    .slice(0, 60)
    .toWellFormed();
  return safe === '' ? 'phonebook' : safe;
}
