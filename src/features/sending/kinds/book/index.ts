import { z } from 'zod';
import type { Gateways } from '../../../../ports/gateways.ts';
import type { Stores } from '../../../../storage/stores.ts';
import { defineCommand, type Feature } from '../../../../telegram/feature.ts';
import { takeName, unquoted } from '../../../../telegram/forms/quoted.ts';
import { clip } from '../../../../telegram/html.ts';
import { createBeginDraft, draftLineArgument } from '../../../shared/new-draft.ts';
import { textArgument } from '../../../shared/shared-arguments.ts';
import { textOrTemplate } from '../../../shared/template-call.ts';
import { audienceOf, findBook } from './audience.ts';
import { texts } from './texts.ts';

export interface BookSendDeps extends Pick<Stores, 'drafts' | 'bindings' | 'templates'> {
  readonly gateways: Gateways;
  readonly cards: { refresh(draftId: string): Promise<void> };
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
