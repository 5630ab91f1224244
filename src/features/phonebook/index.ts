import { z } from 'zod';
import { AppError } from '../../domain/errors.ts';
import { numbersWithin } from '../../domain/numbers-within.ts';
import type { Phonebook, PhonebookRead } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Stores } from '../../storage/stores.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import { clip } from '../../telegram/html.ts';
import { sendTable } from '../../telegram/table-file.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { accountGateway } from '../shared/account.ts';
import { doerOf } from '../shared/doer.ts';
import { carried } from '../shared/shared-arguments.ts';
import { phonebookActions } from './actions.ts';
import { lastBookArgument } from './arguments.ts';
import { bookFile, bookList, numberList } from './book-cards.ts';
import { changeTexts } from './change-texts.ts';
import { findBook, sameTitle } from '../shared/find-book.ts';
import { createChangeForms, pressOf, type ChangeFormsDeps } from './forms.ts';
import { texts } from './texts.ts';

export interface PhonebookDeps extends Pick<Stores, 'phonebookChanges'> {
  readonly gateways: Gateways;
  readonly tables: Tables;
  readonly clock: Pick<Clock, 'sleep'>;
}

/** Phonebooks of the account: looking, export, making, filling, emptying, deleting. */
export function createPhonebookFeature(deps: PhonebookDeps): Feature {
  const { gateways, tables, clock, phonebookChanges: changes } = deps;
  const reader = async (ctx: RequestContext): Promise<PhonebookRead> =>
    (await accountGateway(gateways, ctx)).use('phonebookRead');
  const list = async (ctx: RequestContext): Promise<readonly Phonebook[]> => await (await reader(ctx)).list();
  /** In an order of our own: the gateway states none, and pages must not move. */
  const numbersIn = async (ctx: RequestContext, bookId: string): Promise<readonly string[]> => {
    const rows = await (await reader(ctx)).numbers(bookId);
    return rows.map(({ number }) => number).toSorted();
  };

  const offerNear: ChangeFormsDeps['offerNear'] = async (ctx, wanted, near, next) => {
    const t = texts(ctx.locale);
    const mine = { personId: ctx.person.id };
    if (near.length === 0) {
      const label = t.make(clip(wanted, 40));
      const make =
        'source' in next
          ? phonebookActions.change.button(label, { ...next, goal: 'create', title: wanted }, mine)
          : phonebookActions.form.button(label, { form: 'book_new', book: wanted });
      const isWanted = next.goal === 'add' || next.goal === 'show';
      const buttons = [[isWanted && ctx.can('books.write') && make]];
      return void (await ctx.say(t.noSuchBook(wanted), { buttons }));
    }
    await ctx.say(t.nearBooks(wanted), {
      buttons: near.map(({ id, title, count }) => {
        const label = t.bookButton(title, ctx.format.count(count, t.numbers));
        if ('source' in next) return [phonebookActions.change.button(label, { ...next, title }, mine)];
        if (next.goal === 'delete') return [phonebookActions.remove.button(label, { title }, mine)];
        return [phonebookActions.show.button(label, { bookId: id, title })];
      }),
    });
  };

  const books = bookList(list);
  const book = numberList(numbersIn, tables);

  /** The file goes out before the question: what cannot be read or kept is not deleted. */
  const startDeletion = async (ctx: RequestContext, wanted: string): Promise<void> => {
    const t = changeTexts(ctx.locale);
    const found = findBook(await list(ctx), wanted);
    if (!('book' in found)) return await offerNear(ctx, wanted, found.near, { goal: 'delete' });
    const { id: bookId, title } = found.book;
    const numbers = await numbersIn(ctx, bookId);
    const file = bookFile(ctx, title, numbers, (count) => t.beforeDeleting(title, count));
    await sendTable(ctx, file, tables);
    const { id } = await changes.create({
      chatId: ctx.chat.id,
      bindingId: ctx.binding?.id ?? '',
      botId: ctx.bot.id,
      ...doerOf(ctx),
      kind: 'delete',
      bookId,
      title,
      numbers,
    });
    await ctx.ask('book-delete', { change: id, title });
  };

  const forms = createChangeForms({ changes, tables, clock, reader, list, offerNear });
  const commands = [
    defineCommand({
      name: 'books',
      alsoCalled: ['phonebook', 'phonebooks', 'دفترچه', 'دفترچهها'],
      everyday: true,
      permission: 'books.view',
      facet: 'phonebookRead',
      about: (locale) => texts(locale).aboutBooks,
      args: {},
      run: async (ctx) => await books.say(ctx, { page: 1 }),
    }),
    defineCommand({
      name: 'book',
      permission: 'books.view',
      facet: 'phonebookRead',
      about: (locale) => texts(locale).aboutBook,
      example: () => '/book VIP',
      args: { book: lastBookArgument(list) },
      run: async (ctx, { book: wanted }) => {
        const found = findBook(await list(ctx), wanted);
        const within = numbersWithin(wanted);
        if ('book' in found) await book.say(ctx, { bookId: found.book.id, title: found.book.title, page: 1 });
        else if (within !== null && within.before !== '' && ctx.can('books.write'))
          await forms.add(ctx, within.before, within.numbers);
        else await offerNear(ctx, wanted, found.near, { goal: 'show' });
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
      run: async (ctx, { book }) => await startDeletion(ctx, book),
    }),
    defineCommand({
      name: 'book-delete',
      permission: 'books.delete',
      facet: 'phonebookWrite',
      about: null,
      args: {
        change: carried,
        title: carried,
        typed: {
          ...carried,
          schema: z.string().trim().min(1),
          ask: ({ locale }, known) => changeTexts(locale).askTitle(known['title'] ?? ''),
          problem: (locale, typed) => changeTexts(locale).wrongTitle(clip(typed, 60)),
        },
      },
      run: async (ctx, { change, title, typed }) => {
        const t = changeTexts(ctx.locale);
        if (!sameTitle(typed, title)) return await ctx.ask('book-delete', { change, title }, typed);
        const result = await changes.confirm(pressOf(ctx, change));
        if (result === 'other') await ctx.say(t.notOpen);
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
      phonebookActions.show.does(async (ctx, shown) => await book.say(ctx, { ...shown, page: 1 })),
      phonebookActions.form.does(async (ctx, { form, book }) => {
        await ctx.ask(form, book === undefined ? {} : { book });
      }),
      phonebookActions.remove.does(async (ctx, { title }) => await startDeletion(ctx, title)),
    ],
  };
}
