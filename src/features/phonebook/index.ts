import { z } from 'zod';
import { AppError } from '../../domain/errors.ts';
import type { Phonebook, PhonebookRead } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { PhonebookChangeStore } from '../../ports/phonebook-changes.ts';
import type { Tables } from '../../ports/tables.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import { sendTable } from '../../telegram/table-file.ts';
import type { Turn } from '../../telegram/turn.ts';
import { carried } from '../shared/shared-arguments.ts';
import { phonebookActions } from './actions.ts';
import { lastBookArgument } from './arguments.ts';
import { bookFile, bookList, numberList } from './book-cards.ts';
import { changeTexts } from './change-texts.ts';
import { findBook, sameTitle } from './find-book.ts';
import { createChangeForms, pressOf, type ChangeFormsDeps } from './forms.ts';
import { texts } from './texts.ts';

export interface PhonebookDeps {
  readonly gateways: Gateways;
  readonly tables: Tables;
  readonly phonebookChanges: PhonebookChangeStore;
}

/** Phonebooks of the account: looking, export, making, filling, emptying, deleting. */
export function createPhonebookFeature(deps: PhonebookDeps): Feature {
  const { gateways, tables, phonebookChanges: changes } = deps;
  const reader = async (turn: Turn): Promise<PhonebookRead> => {
    if (turn.binding === null) throw new AppError('not_connected', 'no account is linked');
    return (await gateways.of(turn.binding.id)).use('phonebookRead');
  };
  const list = async (turn: Turn): Promise<readonly Phonebook[]> => await (await reader(turn)).list();
  /** In an order of our own: the gateway states none, and pages must not move. */
  const numbersIn = async (turn: Turn, bookId: string): Promise<readonly string[]> => {
    const rows = await (await reader(turn)).numbers(bookId);
    return rows.map(({ number }) => number).toSorted();
  };

  const offerNear: ChangeFormsDeps['offerNear'] = async (turn, wanted, near, next) => {
    const t = texts(turn.locale);
    await turn.say(near.length === 0 ? t.noSuchBook(wanted) : t.nearBooks(wanted), {
      buttons: near.map(({ id, title, count }) => {
        const label = t.bookButton(title, turn.format.count(count, t.numbers));
        const mine = { personId: turn.person.id };
        if ('source' in next) return [phonebookActions.change.button(label, { ...next, title }, mine)];
        if (next.goal === 'delete') return [phonebookActions.remove.button(label, { title }, mine)];
        return [phonebookActions.show.button(label, { bookId: id, title })];
      }),
    });
  };

  const books = bookList(list);
  const book = numberList(numbersIn, tables);

  /** The file goes out before the question: what cannot be read or kept is not deleted. */
  const startDeletion = async (turn: Turn, wanted: string): Promise<void> => {
    const t = changeTexts(turn.locale);
    const found = findBook(await list(turn), wanted);
    if (!('book' in found)) return await offerNear(turn, wanted, found.near, { goal: 'delete' });
    const { id: bookId, title } = found.book;
    const numbers = await numbersIn(turn, bookId);
    const file = bookFile(turn, title, numbers, (count) => t.beforeDeleting(title, count));
    await sendTable(turn, file, tables);
    const { id } = await changes.create({
      chatId: turn.chat.id,
      bindingId: turn.binding?.id ?? '',
      botId: turn.bot.id,
      updateId: turn.updateId,
      personId: turn.person.id,
      kind: 'delete',
      bookId,
      title,
      numbers,
    });
    await turn.ask('book-delete', { change: id, title });
  };

  const forms = createChangeForms({ changes, tables, reader, list, offerNear });
  const commands = [
    defineCommand({
      name: 'books',
      permission: 'books.view',
      facet: 'phonebookRead',
      about: (locale) => texts(locale).aboutBooks,
      args: {},
      run: async (turn) => await books.say(turn, { page: 1 }),
    }),
    defineCommand({
      name: 'book',
      permission: 'books.view',
      facet: 'phonebookRead',
      about: (locale) => texts(locale).aboutBook,
      example: () => '/book VIP',
      args: { book: lastBookArgument(list) },
      run: async (turn, { book: wanted }) => {
        const found = findBook(await list(turn), wanted);
        if ('book' in found)
          await book.say(turn, { bookId: found.book.id, title: found.book.title, page: 1 });
        else await offerNear(turn, wanted, found.near, { goal: 'show' });
      },
    }),
    ...forms.commands,
    defineCommand({
      name: 'book_delete',
      permission: 'books.delete',
      facet: 'phonebookWrite',
      about: (locale) => texts(locale).aboutDelete,
      example: () => '/book_delete VIP',
      args: { book: lastBookArgument(list) },
      run: async (turn, { book }) => await startDeletion(turn, book),
    }),
    defineCommand({
      name: 'book-delete',
      permission: 'books.delete',
      facet: 'phonebookWrite',
      internal: true,
      about: (locale) => texts(locale).aboutDelete,
      args: {
        change: carried,
        title: carried,
        typed: {
          ...carried,
          schema: z.string().trim().min(1),
          ask: ({ locale }, known) => changeTexts(locale).askTitle(known['title'] ?? ''),
          problem: (locale) => texts(locale).badName,
        },
      },
      run: async (turn, { change, title, typed }) => {
        const t = changeTexts(turn.locale);
        if (!sameTitle(typed, title)) {
          await turn.say(t.wrongTitle(title));
          await turn.ask('book-delete', { change, title });
          return;
        }
        const result = await changes.confirm(pressOf(turn, change));
        if (result === 'other') await turn.say(t.notOpen);
        if (result === 'not_connected') throw new AppError('stale', 'the account of the change is gone');
      },
    }),
  ];

  return {
    name: 'phonebook',
    topic: 'phonebooks',
    commands,
    actions: [
      ...forms.actions,
      ...books.actions,
      ...book.actions,
      phonebookActions.show.does(async (turn, shown) => await book.say(turn, { ...shown, page: 1 })),
      phonebookActions.form.does(async (turn, { form, book }) => {
        await turn.ask(form, book === undefined ? {} : { book });
      }),
      phonebookActions.remove.does(async (turn, { title }) => await startDeletion(turn, title)),
    ],
  };
}
