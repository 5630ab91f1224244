import { z } from 'zod';
import { AppError } from '../../domain/errors.ts';
import { soFar, type TimeSpan } from '../../domain/time-range.ts';
import { displayRecipient, parseRecipients } from '../../domain/phone.ts';
import { foldQuery } from '../../domain/search.ts';
import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import type { InboundView, SentTo } from '../../ports/inbound.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Action } from '../../telegram/action.ts';
import { tryButton } from '../../telegram/again.ts';
import { defineCommand, takeRest, type Argument, type Command } from '../../telegram/feature.ts';
import { b, clip, code, html, lines, type Html } from '../../telegram/html.ts';
import { defineList } from '../../telegram/list.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { choosePeople } from '../shared/people-choices.ts';
import { spanText } from '../shared/range-argument.ts';
import { inboxActions } from './actions.ts';
import { deskTexts } from './desk-texts.ts';
import { LAST, receivedText, shownSender } from './inbound-card.ts';
import { inboundTexts } from './inbound-texts.ts';
import { texts } from './texts.ts';

export interface FindingDeps extends Pick<Stores, 'people'> {
  readonly clock: Clock;
  readonly inbound: Pick<Stores['inbound'], 'find' | 'of'>;
}

/** So many, each with so much of its text, fit into one message. */
const PAGE = 5;
const TEXT_UNITS = 500;
const QUERY_UNITS = 100;
const NAME_UNITS = 60;
const PERMISSION = 'inbox.view';

/** What is looked for: words of a message, or a number. */
export const queryArgument = {
  schema: z
    .string()
    .trim()
    .max(QUERY_UNITS)
    .refine((typed) => /[\p{L}\p{N}]/u.test(foldQuery(typed))),
  take: takeRest,
  usage: (locale) => findTexts(locale).usage,
  ask: ({ locale }) => findTexts(locale).ask,
  problem: (locale) => findTexts(locale).bad,
} satisfies Argument;

/** The search in stored messages, and in what was sent to a number: the command, the pages of what it finds, and the button below a message. */
export function createFinding({ inbound, people, clock }: FindingDeps): {
  readonly command: Command;
  /** Says what a query finds, or, where it has no words, what was received in a time. */
  readonly say: (
    ctx: RequestContext,
    what: { readonly query: string; readonly time?: TimeSpan },
  ) => Promise<void>;
  readonly actions: readonly Action[];
} {
  const list = defineList({
    pages: inboxActions.found,
    source: async (ctx, { query, time, page }) => {
      const skip = (page - 1) * PAGE;
      const of = { folded: foldQuery(query), to: numberOf(query), time };
      const found = await inbound.find(ctx.chat.id, { ...of, skip, most: PAGE });
      const named = await choosePeople(people)(ctx, { numbers: query });
      return { ...found, named, page, pages: Math.ceil(found.total / PAGE) };
    },
    card: (ctx, { found, total, named }, { query, time }) => {
      const t = findTexts(ctx.locale);
      // Whoever presses a button has typed no number, and others look on.
      const number = numberOf(query);
      const when = time === undefined ? null : spanText(ctx.format, soFar(time, clock.now()));
      const shown = number === null ? (when ?? isolateAuto(query)) : ctx.format.phone(number);
      const buttons = [
        [
          number !== null &&
            ctx.can('books.view') &&
            tryButton(t.person, `/people ${displayRecipient(number)}`),
        ],
        ...named.map(({ label, ...of }) => ['value' in of && tryButton(label, `/find ${of.value}`)]),
      ];
      if (found.length === 0) return { content: when === null ? t.none(shown) : t.noneThen(when), buttons };
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
      alsoCalled: ['search', 'history', 'جستجو', 'سابقه', 'پیامهایقبلی'],
      everyday: true,
      permission: PERMISSION,
      about: (locale) => findTexts(locale).about,
      example: (locale) => (locale === 'fa' ? '/find سفارش ۱۲' : '/find order 12'),
      offer: { contact: (locale, number) => findTexts(locale).offerContact(number) },
      args: {
        query: queryArgument,
      },
      run: async (ctx, { query }) => await list.say(ctx, { query, page: 1 }),
    }),
    say: async (ctx, what) => await list.say(ctx, { ...what, page: 1 }),
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
export function numberOf(query: string): string | null {
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

/** The search in what was received and stored. */
export const findTexts = defineTexts({
  en: {
    about: 'search received messages by words, or all with one number',
    person: '👤 Who it is',
    offerContact: (number: string): string => `🔎 Messages with ${isolateLtr(number)}`,
    usage: 'words or number',
    ask: html`What are you looking for? Words of a message, such as ${code('order 12')}, or a part of a number, such as ${code('0912')}. A whole mobile number also shows what was sent to it.`,
    bad: html`Search for 1 to 100 characters with a letter or digit among them: words of a message, or a number.`,
    head: (query: string, count: string): Html => html`🔎 ${b(query)} · ${count}`,
    none: (query: string): Html =>
      html`🔎 No received message here has ${b(query)}. Every word must be in the message or in the sender’s number; messages deleted at the gateway before this chat was linked are not here.`,
    noneThen: (when: string): Html =>
      html`🔎 Nothing that was received in this time is here: ${when}. Messages deleted at the gateway before this chat was linked are not here.`,
    entry: (id: string, sender: Html, name: string | null, line: string, when: string): Html =>
      html`${code(`#in${id}`)} · ${sender}${name === null ? '' : html` · ${b(isolateAuto(name))}`} → ${isolateLtr(line)} · ${when}`,
  },
  fa: {
    about: 'جستجو در پیام‌های دریافتی، یا همهٔ پیام‌های یک شماره',
    person: '👤 مشخصات',
    offerContact: (number) => `🔎 پیام‌های ${isolateLtr(number)}`,
    usage: 'کلمه‌ها یا شماره',
    ask: html`دنبال چه می‌گردید؟ چند کلمه از پیام، مانند ${code('سفارش ۱۲')}، یا بخشی از یک شماره، مانند ${code('0912')}. با شمارهٔ کامل موبایل، پیام‌هایی هم که به آن ارسال شده دیده می‌شود.`,
    bad: html`برای جستجو ۱ تا ۱۰۰ کاراکتر بنویسید که حرف یا رقم داشته باشد: چند کلمه از پیام، یا یک شماره.`,
    head: (query, count) => html`🔎 ${b(query)} · ${count}`,
    none: (query) =>
      html`🔎 در پیام‌های دریافتی اینجا چیزی با ${b(query)} نیست. همهٔ کلمه‌ها باید در پیام یا در شمارهٔ فرستنده باشند؛ پیام‌هایی که قبل از وصل‌شدن این گفتگو در پنل پیامک پاک شده‌اند اینجا نیستند.`,
    noneThen: (when) =>
      html`🔎 از این زمان پیامی اینجا نیست: ${when}. پیام‌هایی که قبل از وصل‌شدن این گفتگو در پنل پیامک پاک شده‌اند اینجا نیستند.`,
    entry: (id, sender, name, line, when) =>
      html`${code(`#in${id}`)} · ${sender}${name === null ? '' : html` · ${b(isolateAuto(name))}`} ← ${isolateLtr(line)} · ${when}`,
  },
});
