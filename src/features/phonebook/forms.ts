import { AppError, isAppError } from '../../domain/errors.ts';
import { displayRecipient } from '../../domain/phone.ts';
import type { Phonebook, PhonebookRead } from '../../ports/gateway.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { PhonebookChangeKind } from '../../ports/phonebook-changes.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Action } from '../../telegram/action.ts';
import { fileProblem } from '../../telegram/error-texts.ts';
import { defineCommand, type Command } from '../../telegram/feature.ts';
import { sendTable } from '../../telegram/table-file.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { chatDoerOf, doerOf } from '../shared/doer.ts';
import { phonebookActions } from './actions.ts';
import {
  numbersArgument,
  numbersOutArgument,
  readSource,
  standingBookArgument,
  titleArgument,
  type NumberSource,
} from './arguments.ts';
import { changeTexts } from './change-texts.ts';
import { compareWithBook } from './difference.ts';
import { findBook, longerTitle } from '../shared/find-book.ts';
import type { NumberList } from './number-list.ts';
import { previewCard } from './preview-card.ts';
import { texts } from './texts.ts';

export interface ChangeFormsDeps {
  readonly changes: Stores['phonebookChanges'];
  readonly tables: Tables;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly reader: (ctx: RequestContext) => Promise<PhonebookRead>;
  readonly list: (ctx: RequestContext) => Promise<readonly Phonebook[]>;
  /** Says that there is no such book and offers those that come near. */
  readonly offerNear: (
    ctx: RequestContext,
    wanted: string,
    near: readonly Phonebook[],
    next: Next,
  ) => Promise<void>;
}

/** What a person wanted to do with a book that was not found. */
export type Next =
  | { readonly goal: Kind; readonly source: NumberSource }
  | { readonly goal: 'show' | 'delete' };

type Kind = Exclude<PhonebookChangeKind, 'delete'>;

interface Place {
  readonly bookId: string | null;
  readonly title: string;
  readonly source: NumberSource;
}

const COMMANDS = { create: 'book_new', add: 'book_add', remove: 'book_remove' } as const;

/** Making a book, putting numbers in and taking them out: each a preview first, then a press. */
export function createChangeForms(deps: ChangeFormsDeps): {
  readonly commands: Command[];
  readonly actions: Action[];
  /** Shows what putting the numbers into a book would do, to be confirmed. */
  readonly add: (ctx: RequestContext, title: string, numbers: string) => Promise<void>;
} {
  const { changes, tables, list } = deps;
  const book = standingBookArgument(list, deps.clock);

  const preview = async (
    ctx: RequestContext,
    kind: Kind,
    title: string,
    source: NumberSource,
  ): Promise<void> => {
    const { binding } = ctx;
    if (binding === null) return;
    const read = await deps.reader(ctx);
    const place = await placeOf(ctx, read, kind, title, source);
    if (place === null) return;
    const given = await readOrTell(ctx, kind, place.title, place.source);
    if (given === null) return;
    const listed = place.bookId === null ? [] : await read.numbers(place.bookId);
    const difference = compareWithBook(kind, given, new Set(listed.map(({ number }) => number)));
    const made =
      difference.changing.length === 0
        ? null
        : await changes.create({
            chatId: ctx.chat.id,
            bindingId: binding.id,
            botId: ctx.bot.id,
            ...doerOf(ctx),
            kind,
            bookId: place.bookId,
            title: place.title,
            numbers: difference.changing,
          });
    const { content, buttons } = previewCard(ctx, {
      kind,
      title: place.title,
      size: listed.length,
      difference,
      repeated: given.repeated,
      source: place.source,
      change: made === null ? null : { id: made.id, numbers: made.numbers.length },
    });
    await ctx.say(content, { buttons });
  };

  /**
   * The book that is meant, and where its numbers are; for a new one, that its name is free. Null when the person has been told
   * otherwise.
   */
  const placeOf = async (
    ctx: RequestContext,
    read: PhonebookRead,
    kind: Kind,
    title: string,
    source: NumberSource,
  ): Promise<Place | null> => {
    if (kind === 'create') {
      const taken = await read.byName(title);
      if (taken === undefined) return { bookId: null, title, source };
      await ctx.say(changeTexts(ctx.locale).taken(taken.title));
      return null;
    }
    const books = await list(ctx);
    const longer = 'typed' in source ? longerTitle(books, title, source.typed) : null;
    if (longer !== null)
      return { bookId: longer.book.id, title: longer.book.title, source: { typed: longer.rest } };
    const found = findBook(books, title);
    if ('book' in found) return { bookId: found.book.id, title: found.book.title, source };
    await deps.offerNear(ctx, title, found.near, { goal: kind, source });
    return null;
  };

  const readOrTell = async (
    ctx: RequestContext,
    kind: Kind,
    title: string,
    source: NumberSource,
  ): Promise<NumberList | null> => {
    try {
      return await readSource(ctx, tables, source);
    } catch (error) {
      if (!isAppError(error, 'bad_input')) throw error;
      const told = new Map(Object.entries(texts(ctx.locale).file));
      const text = told.get(String(error.params['reason'])) ?? fileProblem(ctx.locale, error);
      if (text === undefined) throw error;
      await ctx.say(text);
      await ctx.ask(COMMANDS[kind], { book: title });
      return null;
    }
  };

  const common = { permission: 'books.write', facet: 'phonebookWrite' } as const;
  const commands = [
    defineCommand({
      ...common,
      name: COMMANDS.create,
      about: (locale) => texts(locale).aboutNew,
      example: () => '/book_new VIP 09121234567 09351112233',
      args: {
        book: { ...titleArgument, ask: ({ locale }: RequestContext) => texts(locale).askNewName },
        numbers: numbersArgument,
      },
      run: async (ctx, { book: title, numbers }) => await preview(ctx, 'create', title, numbers),
    }),
    defineCommand({
      ...common,
      name: COMMANDS.add,
      about: (locale) => texts(locale).aboutAdd,
      example: () => '/book_add VIP 09121234567 09351112233',
      offer: { file: (locale) => texts(locale).offer },
      args: {
        book: {
          ...book,
          choices: async (ctx: RequestContext, known: Readonly<Record<string, string>>) => {
            const there = await book.choices(ctx, known);
            const wanted = known['book'] ?? '';
            // A name that no book has, or numbers that came first, may be meant for a new one; where there is none, that is offered.
            return (known['numbers'] === undefined && wanted === '') || there.some((each) => 'form' in each)
              ? there
              : [...there, { label: texts(ctx.locale).new, form: COMMANDS.create, known: { book: wanted } }];
          },
        },
        numbers: numbersArgument,
      },
      run: async (ctx, { book: title, numbers }) => await preview(ctx, 'add', title, numbers),
    }),
    defineCommand({
      ...common,
      name: COMMANDS.remove,
      about: (locale) => texts(locale).aboutRemove,
      example: () => '/book_remove VIP 09121234567',
      args: { book, numbers: numbersOutArgument },
      run: async (ctx, { book: title, numbers }) => await preview(ctx, 'remove', title, numbers),
    }),
  ];

  const begin = async (ctx: RequestContext, changeId: string, how: 'confirm' | 'resume'): Promise<void> => {
    const result = await changes[how](pressOf(ctx, changeId));
    if (result === 'other') await ctx.say(changeTexts(ctx.locale).notOpen);
    if (result === 'not_connected')
      throw new AppError(
        ctx.binding === null ? 'not_connected' : 'stale',
        'the account of the change is gone',
      );
  };

  const actions = [
    phonebookActions.confirm.does(async (ctx, { changeId }) => await begin(ctx, changeId, 'confirm')),
    phonebookActions.resume.does(async (ctx, { changeId }) => await begin(ctx, changeId, 'resume')),
    phonebookActions.cancel.does(async (ctx, { changeId, title }) => {
      const t = changeTexts(ctx.locale);
      if (await changes.cancel(changeId, ctx.chat.id, ctx.person.id)) await ctx.rewrite(t.cancelled(title));
      else await ctx.say(t.notOpen);
    }),
    phonebookActions.change.does(
      async (ctx, { goal, title, source }) => await preview(ctx, goal, title, source),
    ),
    phonebookActions.skipped.does(async (ctx, { source }) => {
      const t = changeTexts(ctx.locale);
      const { invalid, repeated } = await readSource(ctx, tables, source);
      const rows = [...invalid, ...repeated].map(({ raw, reason }) => [displayRecipient(raw), t.why(reason)]);
      const table = { header: [t.columns.raw, t.columns.reason], rows };
      await sendTable(ctx, { name: 'skipped', table }, tables);
    }),
  ];
  return {
    commands,
    actions,
    add: async (ctx, title, typed) => await preview(ctx, 'add', title, { typed }),
  };
}

/** A press as the store wants it: the message is where the outcome will be shown. */
export function pressOf(ctx: RequestContext, changeId: string) {
  return {
    changeId,
    ...chatDoerOf(ctx),
    messageId: ctx.pressedMessageId,
    threadId: ctx.threadId ?? null,
    locale: ctx.locale,
  };
}
