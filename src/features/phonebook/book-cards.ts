import { displayRecipient } from '../../domain/phone.ts';
import type { Phonebook } from '../../ports/gateway.ts';
import type { Buttons } from '../../telegram/buttons.ts';
import { joinHtml, lines, type Html } from '../../telegram/html.ts';
import { pageButtons } from '../../telegram/pages.ts';
import type { Turn } from '../../telegram/turn.ts';
import { phonebookActions } from './actions.ts';
import { texts } from './texts.ts';

interface Card {
  readonly content: Html;
  readonly buttons: Buttons;
}

const BOOKS_ON_PAGE = 10;
const NUMBERS_ON_PAGE = 50;
const WEEK_SECONDS = 604_800;

/** All books, page by page, a button for each. */
export function booksCard(turn: Turn, books: readonly Phonebook[], wanted: number): Card {
  const t = texts(turn.locale);
  const { count } = turn.format;
  const mayMake = turn.can('books.write') && turn.capabilities.has('phonebookWrite');
  const make = mayMake && phonebookActions.form.button(t.new, { form: 'book_new' });
  if (books.length === 0) return { content: mayMake ? t.noBooks : t.noBooksYet, buttons: [[make]] };
  const { page, pages, shown } = pageOf(books, wanted, BOOKS_ON_PAGE);
  return {
    content: lines(
      t.bookList(count(books.length, t.books)),
      joinHtml(shown.map((book) => t.bookItem(book.title, count(book.count, t.numbers)))),
    ),
    buttons: [
      ...shown.map(({ id, title, count: size }) => [
        phonebookActions.show.button(t.bookButton(title, turn.format.number(size)), { bookId: id, title }),
      ]),
      pageButtons(turn, {
        page,
        pages,
        button: (label, to) => phonebookActions.list.button(label, { page: to }),
      }),
      [make],
    ],
  };
}

/** The numbers of one book in full, page by page, with what can be done with it. */
export function bookCard(
  turn: Turn,
  book: { readonly bookId: string; readonly title: string },
  numbers: readonly string[],
  wanted: number,
): Card {
  const t = texts(turn.locale);
  const { page, pages, shown } = pageOf(numbers, wanted, NUMBERS_ON_PAGE);
  const mayChange = turn.capabilities.has('phonebookWrite');
  const form = (label: string, name: 'book_add' | 'book_remove') =>
    mayChange &&
    turn.can('books.write') &&
    phonebookActions.form.button(label, { form: name, book: book.title });
  return {
    content: lines(
      t.book(book.title, turn.format.count(numbers.length, t.numbers)),
      shown.length === 0 ? t.emptyBook : t.page(shown.map(displayRecipient)),
    ),
    buttons: [
      pageButtons(turn, {
        page,
        pages,
        button: (label, to) =>
          phonebookActions.page.button(label, { bookId: book.bookId, title: book.title, page: to }),
      }),
      numbers.length > 0
        ? [
            phonebookActions.export.button(t.csv, { ...book, format: 'csv' }),
            phonebookActions.export.button(t.xlsx, { ...book, format: 'xlsx' }),
          ]
        : [],
      [form(t.add, 'book_add'), form(t.remove, 'book_remove')],
      [
        mayChange &&
          turn.can('books.delete') &&
          phonebookActions.remove.button(
            t.delete,
            { title: book.title },
            { ttlSeconds: WEEK_SECONDS, reusable: true },
          ),
      ],
    ],
  };
}

/** The name of a book as that of its file. */
export function fileName(title: string, ending: string): string {
  const safe = title
    .replaceAll(/[\\/:*?"<>|\p{Cc}\p{Cf}]/gu, '_')
    .replace(/^[.\s]+|[.\s]+$/gu, '')
    .slice(0, 60)
    .toWellFormed();
  return `${safe === '' ? 'phonebook' : safe}.${ending}`;
}

function pageOf<T>(
  items: readonly T[],
  wanted: number,
  size: number,
): { page: number; pages: number; shown: readonly T[] } {
  const pages = Math.max(1, Math.ceil(items.length / size));
  const page = Math.min(Math.max(1, wanted), pages);
  return { page, pages, shown: items.slice((page - 1) * size, page * size) };
}
