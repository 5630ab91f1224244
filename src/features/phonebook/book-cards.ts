import { displayRecipient } from '../../domain/phone.ts';
import type { Phonebook } from '../../ports/gateway.ts';
import type { TableFormat } from '../../ports/tables.ts';
import { LOOKING } from '../../telegram/action.ts';
import { lines } from '../../telegram/html.ts';
import type { ListCard } from '../../telegram/list.ts';
import type { Turn } from '../../telegram/turn.ts';
import { phonebookActions } from './actions.ts';
import { texts } from './texts.ts';

/** Some of the books, a button for each. */
export function booksCard(
  turn: Turn,
  { rows, total }: { readonly rows: readonly Phonebook[]; readonly total: number },
): ListCard {
  const t = texts(turn.locale);
  const { count, number } = turn.format;
  const mayMake = turn.can('books.write') && turn.capabilities.has('phonebookWrite');
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
}

/** Some of the numbers of one book in full, with what can be done with it. */
export function bookCard(
  turn: Turn,
  { rows, total }: { readonly rows: readonly string[]; readonly total: number },
  { bookId, title }: { readonly bookId: string; readonly title: string },
): ListCard {
  const t = texts(turn.locale);
  const mayChange = turn.capabilities.has('phonebookWrite');
  const form = (label: string, name: 'book_add' | 'book_remove') =>
    mayChange && turn.can('books.write') && phonebookActions.form.button(label, { form: name, book: title });
  const file = (label: string, format: TableFormat) =>
    total > 0 && phonebookActions.export.button(label, { bookId, title, format });
  return {
    content: lines(
      t.book(title, turn.format.count(total, t.numbers)),
      rows.length === 0 ? t.emptyBook : t.page(rows.map(displayRecipient)),
    ),
    buttons: [
      [file(t.csv, 'csv'), file(t.xlsx, 'xlsx')],
      [form(t.add, 'book_add'), form(t.remove, 'book_remove')],
      [mayChange && turn.can('books.delete') && phonebookActions.remove.button(t.delete, { title }, LOOKING)],
    ],
  };
}

/** The name of a book as that of its file, without an ending. */
export function fileName(title: string): string {
  const safe = title
    .replaceAll(/[\\/:*?"<>|\p{Cc}\p{Cf}]/gu, '_')
    .replace(/^[.\s]+|[.\s]+$/gu, '')
    .slice(0, 60)
    .toWellFormed();
  return safe === '' ? 'phonebook' : safe;
}
