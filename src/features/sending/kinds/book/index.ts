import { z } from 'zod';
import type { Gateways } from '../../../../ports/gateways.ts';
import type { BindingStore, DraftStore } from '../../../../ports/stores.ts';
import type { TemplateStore } from '../../../../ports/templates.ts';
import { defineCommand, type Feature } from '../../../../telegram/feature.ts';
import { takeName, unquoted } from '../../../../telegram/forms/quoted.ts';
import { clip } from '../../../../telegram/html.ts';
import { draftLine, draftLineArgument, draftOf } from '../../../shared/new-draft.ts';
import { textArgument } from '../../../shared/shared-arguments.ts';
import { textOrTemplate } from '../../../shared/template-call.ts';
import { audienceOf, findBook } from './audience.ts';
import { texts } from './texts.ts';

export interface BookSendDeps {
  readonly drafts: DraftStore;
  readonly bindings: BindingStore;
  readonly templates: TemplateStore;
  readonly gateways: Gateways;
  readonly cards: { refresh(draftId: string): Promise<void> };
}

const MOST_CHOICES = 20;

/** Sends to a phonebook: in one call where the gateway does that, else to the numbers that it lists. */
export function createBookSendFeature({
  drafts,
  bindings,
  templates,
  gateways,
  cards,
}: BookSendDeps): Feature {
  return {
    name: 'book-send',
    topic: 'sending',
    commands: [
      defineCommand({
        name: 'booksend',
        permission: 'send.book',
        facet: 'phonebookRead',
        about: (locale) => texts(locale).about,
        example: (locale) => texts(locale).example,
        args: {
          book: {
            schema: z.string().trim().transform(unquoted).pipe(z.string().trim().min(1).max(200)),
            take: takeName,
            usage: (locale) => texts(locale).usageBook,
            ask: ({ locale }) => texts(locale).askBook,
            problem: (locale) => texts(locale).badBook,
            choices: async (turn) => {
              if (turn.binding === null) return [];
              const books = await (await gateways.of(turn.binding.id)).use('phonebookRead').list();
              const t = texts(turn.locale);
              return books.slice(0, MOST_CHOICES).map(({ title, count }) => ({
                label: t.bookButton(clip(title, 40), turn.format.count(count, t.numbers)),
                value: title,
              }));
            },
          },
          text: textArgument,
          line: draftLineArgument(bindings),
        },
        run: async (turn, { book: title, text: typed, line: chosen }) => {
          const t = texts(turn.locale);
          if (turn.binding === null) return;
          const text = await textOrTemplate(turn, typed, templates, 'stay');
          if (text === null) return await turn.ask('booksend', { book: title });
          const gateway = await gateways.of(turn.binding.id);
          const books = gateway.use('phonebookRead');
          const found = await findBook(books, title);
          if ('titles' in found) {
            const shown = found.titles.slice(0, MOST_CHOICES).map((each) => clip(each, 60));
            await turn.say(t.notFound(clip(title, 60), shown, found.titles.length > shown.length));
            return;
          }
          const { book } = found;
          const { recipients, invalid } = await audienceOf(books, book.id);
          if (recipients.length === 0) {
            await turn.say(t.empty(clip(book.title, 60)));
            return;
          }
          const line = await draftLine(turn, chosen, bindings);
          if (line === null) return;
          const way = gateway.has('phonebookSend') ? 'call' : 'expanded';
          const { id } = await drafts.create(
            draftOf(turn, {
              outgoing: { kind: 'book', bookId: book.id, title: book.title, way },
              text,
              line,
              recipients,
              invalid,
            }),
          );
          await cards.refresh(id);
        },
      }),
    ],
  };
}
