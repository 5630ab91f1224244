import { AppError, isAppError } from '../../domain/errors.ts';
import { displayRecipient } from '../../domain/phone.ts';
import type { Phonebook, PhonebookRead } from '../../ports/gateway.ts';
import type { PhonebookChangeKind, PhonebookChangeStore } from '../../ports/phonebook-changes.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Action } from '../../telegram/action.ts';
import { fileProblem } from '../../telegram/error-texts.ts';
import { defineCommand, type Command } from '../../telegram/feature.ts';
import { sendTable } from '../../telegram/table-file.ts';
import type { Turn } from '../../telegram/turn.ts';
import { phonebookActions } from './actions.ts';
import {
  bookArgument,
  numbersArgument,
  numbersOutArgument,
  readSource,
  titleArgument,
  type NumberSource,
} from './arguments.ts';
import { changeTexts } from './change-texts.ts';
import { compareWithBook } from './difference.ts';
import { findBook } from './find-book.ts';
import type { NumberList } from './number-list.ts';
import { previewCard } from './preview-card.ts';
import { texts } from './texts.ts';

export interface ChangeFormsDeps {
  readonly changes: PhonebookChangeStore;
  readonly tables: Tables;
  readonly reader: (turn: Turn) => Promise<PhonebookRead>;
  readonly list: (turn: Turn) => Promise<readonly Phonebook[]>;
  /** Says that there is no such book and offers those that come near. */
  readonly offerNear: (turn: Turn, wanted: string, near: readonly Phonebook[], next: Next) => Promise<void>;
}

/** What a person wanted to do with a book that was not found. */
export type Next =
  | { readonly goal: Kind; readonly source: NumberSource }
  | { readonly goal: 'show' | 'delete' };

type Kind = Exclude<PhonebookChangeKind, 'delete'>;

const COMMANDS = { create: 'book_new', add: 'book_add', remove: 'book_remove' } as const;

/** Making a book, putting numbers in and taking them out: each a preview first, then a press. */
export function createChangeForms(deps: ChangeFormsDeps): { commands: Command[]; actions: Action[] } {
  const { changes, tables, list } = deps;
  const book = bookArgument(list);

  const preview = async (turn: Turn, kind: Kind, title: string, source: NumberSource): Promise<void> => {
    const { binding } = turn;
    if (binding === null) return;
    const read = await deps.reader(turn);
    const place = await placeOf(turn, read, kind, title, source);
    if (place === null) return;
    const given = await readOrTell(turn, kind, place.title, source);
    if (given === null) return;
    const listed = place.bookId === null ? [] : await read.numbers(place.bookId);
    const difference = compareWithBook(kind, given, new Set(listed.map(({ number }) => number)));
    const made =
      difference.changing.length === 0
        ? null
        : await changes.create({
            chatId: turn.chat.id,
            bindingId: binding.id,
            botId: turn.bot.id,
            updateId: turn.updateId,
            personId: turn.person.id,
            kind,
            bookId: place.bookId,
            title: place.title,
            numbers: difference.changing,
          });
    const { content, buttons } = previewCard(turn, {
      kind,
      title: place.title,
      size: listed.length,
      difference,
      repeated: given.repeated,
      source,
      change: made === null ? null : { id: made.id, numbers: made.numbers.length },
    });
    await turn.say(content, { buttons });
  };

  /** The book that is meant; for a new one, that its name is free. Null when the person has been told otherwise. */
  const placeOf = async (
    turn: Turn,
    read: PhonebookRead,
    kind: Kind,
    title: string,
    source: NumberSource,
  ): Promise<{ readonly bookId: string | null; readonly title: string } | null> => {
    if (kind === 'create') {
      const taken = await read.byName(title);
      if (taken === undefined) return { bookId: null, title };
      await turn.say(changeTexts(turn.locale).taken(taken.title));
      return null;
    }
    const found = findBook(await list(turn), title);
    if ('book' in found) return { bookId: found.book.id, title: found.book.title };
    await deps.offerNear(turn, title, found.near, { goal: kind, source });
    return null;
  };

  const readOrTell = async (
    turn: Turn,
    kind: Kind,
    title: string,
    source: NumberSource,
  ): Promise<NumberList | null> => {
    try {
      return await readSource(turn, tables, source);
    } catch (error) {
      if (!isAppError(error, 'bad_input')) throw error;
      const told = new Map(Object.entries(texts(turn.locale).file));
      const text = told.get(String(error.params['reason'])) ?? fileProblem(turn.locale, error);
      if (text === undefined) throw error;
      await turn.say(text);
      await turn.ask(COMMANDS[kind], { book: title });
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
        book: { ...titleArgument, ask: ({ locale }: Turn) => texts(locale).askNewName },
        numbers: numbersArgument,
      },
      run: async (turn, { book: title, numbers }) => await preview(turn, 'create', title, numbers),
    }),
    defineCommand({
      ...common,
      name: COMMANDS.add,
      about: (locale) => texts(locale).aboutAdd,
      example: () => '/book_add VIP 09121234567 09351112233',
      args: { book, numbers: numbersArgument },
      run: async (turn, { book: title, numbers }) => await preview(turn, 'add', title, numbers),
    }),
    defineCommand({
      ...common,
      name: COMMANDS.remove,
      about: (locale) => texts(locale).aboutRemove,
      example: () => '/book_remove VIP 09121234567',
      args: { book, numbers: numbersOutArgument },
      run: async (turn, { book: title, numbers }) => await preview(turn, 'remove', title, numbers),
    }),
  ];

  const begin = async (turn: Turn, changeId: string, how: 'confirm' | 'resume'): Promise<void> => {
    const result = await changes[how](pressOf(turn, changeId));
    if (result === 'other') await turn.say(changeTexts(turn.locale).notOpen);
    if (result === 'not_connected')
      throw new AppError(
        turn.binding === null ? 'not_connected' : 'stale',
        'the account of the change is gone',
      );
  };

  const actions = [
    phonebookActions.confirm.does(async (turn, { changeId }) => await begin(turn, changeId, 'confirm')),
    phonebookActions.resume.does(async (turn, { changeId }) => await begin(turn, changeId, 'resume')),
    phonebookActions.cancel.does(async (turn, { changeId, title }) => {
      const t = changeTexts(turn.locale);
      if (await changes.cancel(changeId, turn.chat.id, turn.person.id))
        await turn.rewrite(t.cancelled(title));
      else await turn.say(t.notOpen);
    }),
    phonebookActions.change.does(
      async (turn, { goal, title, source }) => await preview(turn, goal, title, source),
    ),
    phonebookActions.skipped.does(async (turn, { source }) => {
      const t = changeTexts(turn.locale);
      const { invalid, repeated } = await readSource(turn, tables, source);
      const rows = [...invalid, ...repeated].map(({ raw, reason }) => [displayRecipient(raw), t.why(reason)]);
      const table = { header: [t.columns.raw, t.columns.reason], rows };
      await sendTable(turn, { name: 'skipped', table }, tables);
    }),
  ];
  return { commands, actions };
}

/** A press as the store wants it: the message is where the outcome will be shown. */
export function pressOf(turn: Turn, changeId: string) {
  return {
    changeId,
    chatId: turn.chat.id,
    personId: turn.person.id,
    updateId: turn.updateId,
    messageId: turn.pressedMessageId,
    threadId: turn.threadId ?? null,
    locale: turn.locale,
  };
}
