import { z } from 'zod';
import { AppError } from '../../domain/errors.ts';
import { displayRecipient, parseRecipients } from '../../domain/phone.ts';
import { foldQuery } from '../../domain/search.ts';
import { isolateAuto } from '../../i18n/format.ts';
import type { InboundView, SentTo } from '../../ports/inbound.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Action } from '../../telegram/action.ts';
import { tryButton } from '../../telegram/again.ts';
import { defineCommand, takeRest, type Command } from '../../telegram/feature.ts';
import { clip, lines, type Html } from '../../telegram/html.ts';
import { defineList } from '../../telegram/list.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { inboxActions } from './actions.ts';
import { deskTexts } from './desk-texts.ts';
import { findTexts } from './find-texts.ts';
import { LAST, receivedText, shownSender } from './inbound-card.ts';
import { inboundTexts } from './inbound-texts.ts';
import { texts } from './texts.ts';

export interface FindingDeps {
  readonly inbound: Pick<Stores['inbound'], 'find' | 'of'>;
}

/** So many, each with so much of its text, fit into one message. */
const PAGE = 5;
const TEXT_UNITS = 500;
const QUERY_UNITS = 100;
const NAME_UNITS = 60;
const PERMISSION = 'inbox.view';

const querySchema = z
  .string()
  .trim()
  .max(QUERY_UNITS)
  .refine((typed) => /[\p{L}\p{N}]/u.test(foldQuery(typed)));

/** The search in stored messages, and in what was sent to a number: the command, the pages of what it finds, and the button below a message. */
export function createFinding({ inbound }: FindingDeps): {
  readonly command: Command;
  readonly actions: readonly Action[];
} {
  const list = defineList({
    pages: inboxActions.found,
    source: async ({ chat }, { query, page }) => {
      const skip = (page - 1) * PAGE;
      const of = { folded: foldQuery(query), to: numberOf(query) };
      const found = await inbound.find(chat.id, { ...of, skip, most: PAGE });
      return { ...found, page, pages: Math.ceil(found.total / PAGE) };
    },
    card: (ctx, { found, total }, { query }) => {
      const t = findTexts(ctx.locale);
      // Whoever presses a button has typed no number, and others look on.
      const number = numberOf(query);
      const shown = number === null ? isolateAuto(query) : ctx.format.phone(number);
      const buttons = [
        [
          number !== null &&
            ctx.can('books.view') &&
            tryButton(t.person, `/people ${displayRecipient(number)}`),
        ],
      ];
      if (found.length === 0) return { content: t.none(shown), buttons };
      const count = ctx.format.count(total, texts(ctx.locale).messages);
      return {
        content: lines(
          t.head(shown, count),
          ...found.map((each) => ('code' in each ? sentEntry(ctx, each) : entryOf(ctx, each))),
        ),
        buttons,
      };
    },
  });

  return {
    command: defineCommand({
      name: 'find',
      everyday: true,
      permission: PERMISSION,
      about: (locale) => findTexts(locale).about,
      example: (locale) => (locale === 'fa' ? '/find سفارش ۱۲' : '/find order 12'),
      args: {
        query: {
          schema: querySchema,
          take: takeRest,
          usage: (locale) => findTexts(locale).usage,
          ask: ({ locale }) => findTexts(locale).ask,
          problem: (locale) => findTexts(locale).bad,
        },
      },
      run: async (ctx, { query }) => await list.say(ctx, { query, page: 1 }),
    }),
    actions: [
      ...list.actions,
      inboxActions.history.does(async (ctx, { id }) => {
        const view = await inbound.of(id);
        if (view === null || view.chatId !== ctx.chat.id)
          throw new AppError('stale', 'a received message is not there');
        if (ctx.isAway) await ctx.say(deskTexts(ctx.locale).atHome(ctx.chat.title, String(id)));
        else await list.say(ctx, { query: view.talk.number, page: 1 });
      }),
    ],
  };
}

/** The mobile number that the whole query is: then both directions are looked for. */
function numberOf(query: string): string | null {
  const { recipients, invalid } = parseRecipients(query);
  return recipients.length === 1 && invalid.length === 0 ? (recipients[0] ?? null) : null;
}

function sentEntry({ locale, format }: RequestContext, { code, line, at, kind, text }: SentTo): Html {
  return lines(
    inboundTexts(locale).sentTo(code, clip(line ?? '', 40), format.dateTime(at), LAST[kind]),
    text !== null && receivedText(text, TEXT_UNITS, format),
  );
}

function entryOf(ctx: RequestContext, message: InboundView): Html {
  return lines(entryHead(ctx, message), receivedText(message.text, TEXT_UNITS, ctx.format));
}

/** Which received message it is, from whom, to which line and when. */
export function entryHead({ locale, format }: RequestContext, message: InboundView): Html {
  const { id, sender, name, line } = message;
  return findTexts(locale).entry(
    String(id),
    shownSender(sender, format),
    name === null ? null : clip(name, NAME_UNITS),
    clip(line, 40),
    format.dateTime(message.sentAt ?? message.capturedAt),
  );
}
