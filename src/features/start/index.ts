import { z } from 'zod';
import { foldWord } from '../../domain/fold.ts';
import { CANCEL_WORDS } from '../../domain/said-words.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Locale } from '../../i18n/define.ts';
import type { Capabilities } from '../../ports/gateways.ts';
import { outlookOf, visibleCommands, type Outlook } from '../../telegram/dispatch/menus.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import { lines, type Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { slashes } from '../../telegram/slash.ts';
import { kitTexts, roleName } from '../../telegram/texts.ts';
import { connectActions } from '../connect/actions.ts';
import { limitActions } from '../limits/actions.ts';
import { helpActions, langSchema, langActions } from './actions.ts';
import { helpFirst, helpOn, helpOverview, helpPage, pageButtons } from './help-card.ts';
import { cardCodeAmongWords, cardCodeTexts } from '../shared/card-code.ts';
import { tellItGoesOn } from '../shared/held-send.ts';
import { isAll } from '../shared/words.ts';
import { texts } from './texts.ts';

/** What people call the languages, as `foldWord` gives it. */
const LANGUAGE_WORDS: Readonly<Record<string, Locale>> = {
  en: 'en',
  english: 'en',
  انگلیسی: 'en',
  fa: 'fa',
  farsi: 'fa',
  persian: 'fa',
  فارسی: 'fa',
};

export interface StartDeps extends Pick<Stores, 'identities' | 'drafts' | 'jobs'> {
  readonly absence: Pick<Stores['absence'], 'heldIn'>;
  readonly cards: {
    bring(draftId: string, ctx: RequestContext): Promise<void>;
    refresh(draftId: string): Promise<void>;
  };
  /** Takes a send back in its hold; see createUndo. */
  readonly undo: (ctx: RequestContext, send: { readonly jobId: string }) => Promise<void>;
  /** Every feature of the product, for help. */
  readonly features: () => readonly Feature[];
  /** Has the command menus of the chat looked at again, of everybody there or of one person. */
  readonly refreshMenus: (chatId: string, personId?: number) => Promise<void>;
}

/** Greeting, help, leaving a form, one's own role, language. Open to anyone. */
export function createStartFeature({
  absence,
  identities,
  drafts,
  jobs,
  cards,
  undo,
  features,
  refreshMenus,
}: StartDeps): Feature {
  const open = { permission: null } as const;

  const start = defineCommand({
    ...open,
    name: 'start',
    everyday: 'until_linked',
    about: (locale) => texts(locale).about('start'),
    args: {},
    run: async (ctx) => {
      const t = texts(ctx.locale);
      const connected = ctx.binding !== null;
      // Also what the bot says when it comes into a group: menus may have changed while it could not reach it.
      await refreshMenus(ctx.chat.id);
      await ctx.say(t.hello(connected, ctx.chat.type !== 'private'), {
        buttons: [
          [!connected && connectActions.begin.button(t.link, {})],
          ...pageButtons(ctx.locale),
          [
            langActions.set.button(texts('en').langName, { lang: 'en' }),
            langActions.set.button(texts('fa').langName, { lang: 'fa' }),
          ],
        ],
      });
      const held = await absence.heldIn(ctx.chat.id);
      if (held === null) return;
      const some = (n: number): string | null => (n === 0 ? null : ctx.format.count(n, t.sends));
      await ctx.say(t.held(ctx.format.dateTime(held.since), some(held.paused), some(held.scheduled)), {
        buttons: [[limitActions.go.button(t.letGo, {})]],
      });
    },
  });

  const help = defineCommand({
    ...open,
    name: 'help',
    alsoCalled: [
      'settings',
      'setup',
      'config',
      'preferences',
      'menu',
      'commands',
      'تنظیمات',
      'دستورها',
      'دستورات',
      'راهنما',
      'کمک',
      'support',
      'whatcanyoudo',
      'howdoesitwork',
      'howdoesthiswork',
      'پشتیبانی',
      'چیکارمیکنی',
      'چیکارمیتونیبکنی',
      'چطوریکارمیکنه',
      'چطورکارمیکنه',
    ],
    everyday: true,
    about: (locale) => texts(locale).about('help'),
    example: () => '/help connect',
    args: {
      topic: {
        schema: z.string().trim().min(1),
        usage: (locale) => texts(locale).usageTopic,
        ask: ({ locale }) => texts(locale).askTopic,
        problem: (locale) => texts(locale).askTopic,
        optional: true,
      },
    },
    run: async (ctx, { topic }) => {
      await refreshMenus(ctx.chat.id, ctx.person.id);
      const outlook = outlookOf(ctx);
      if (topic === undefined) {
        const { content, buttons } = helpFirst(ctx.locale);
        await ctx.say(content, { buttons });
        return;
      }
      if (isAll(topic)) {
        await ctx.say(helpOverview(features(), outlook, ctx.locale));
        return;
      }
      const { content, inPrivate } = helpOn(features(), topic, outlook, ctx.locale);
      await ctx.say(content, {
        buttons: [[inPrivate && { label: kitTexts(ctx.locale).openPrivate, url: ctx.startLink('help') }]],
      });
    },
  });

  /** Ends what a code names where that is sure to cost nothing; of all else the card has the buttons. */
  const cancelNamed = async (ctx: RequestContext, code: string): Promise<void> => {
    const draftId = await drafts.findByCode(ctx.chat.id, code);
    const view = draftId === null ? null : await drafts.card(draftId);
    if (draftId === null || view === null)
      return void (await ctx.say(cardCodeTexts(ctx.locale).noCard(code)));
    const { draft, job } = view;
    if (job?.state === 'holding' && ctx.can('send.stop')) return await undo(ctx, { jobId: job.id });
    const isOwn = job === null && draft.authorId === ctx.person.id;
    if (isOwn && (await drafts.cancel(draftId, draft.version, ctx.person.id, ctx.updateId))) {
      await ctx.endQuestion({ draft: draftId });
      await cards.refresh(draftId);
      return void (await ctx.say(texts(ctx.locale).draftCancelled(code)));
    }
    if (!ctx.can('status.view')) return void (await ctx.say(cardCodeTexts(ctx.locale).noCard(code)));
    if (!(await tellItGoesOn(ctx, view, cards))) await cards.bring(draftId, ctx);
  };

  const cancel = defineCommand({
    ...open,
    name: 'cancel',
    alsoCalled: CANCEL_WORDS,
    everyday: true,
    urgent: true,
    about: (locale) => texts(locale).about('cancel'),
    example: () => '/cancel A41',
    args: { code: cardCodeAmongWords },
    // The router has left the form already, as for every command; what is newest here is what the next /cancel ends.
    run: async (ctx, { code: named }) => {
      const { chat, person, locale, updateId } = ctx;
      if (named !== undefined) return await cancelNamed(ctx, named);
      const last = ctx.can('send.stop') ? await jobs.lastLetGo(chat.id, person.id, updateId) : null;
      const isOwn = last?.isOwn === true;
      if (ctx.inForm) {
        const open = isOwn ? null : await drafts.newest(chat.id, person.id, 'open');
        const view = open === null ? null : await drafts.card(open);
        return void (await ctx.say(texts(locale).formLeft(view?.draft.code ?? null)));
      }
      if (isOwn && last.canUndo) return await undo(ctx, last);
      const code = isOwn ? null : await drafts.cancelNewest(chat.id, person.id, updateId);
      if (code !== null) return void (await ctx.say(texts(locale).draftCancelled(code)));
      const newest = last?.draftId ?? (await drafts.newest(chat.id, person.id, 'any'));
      const sent = newest === null ? null : await drafts.card(newest);
      if (sent === null || !(await tellItGoesOn(ctx, sent, cards)))
        await ctx.say(texts(locale).cancelled(ctx.can('limits.manage')));
    },
  });

  /** The commands that a role allows, written out once for all who look from the same place. */
  const written = new Map<Capabilities | null, Map<string, Html | null>>();
  const allowedIn = (outlook: Outlook, locale: Locale): Html | null => {
    const { capabilities, isPrivate, role } = outlook;
    const known = written.get(capabilities) ?? new Map<string, Html | null>();
    written.set(capabilities, known);
    const key = `${locale} ${isPrivate} ${role}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const names = visibleCommands(
      features().flatMap((feature) => feature.commands),
      outlook,
    )
      .filter((command) => command.permission !== null)
      .map((command) => command.name);
    const made = names.length === 0 ? null : slashes(locale, names);
    known.set(key, made);
    return made;
  };

  const whoami = defineCommand({
    ...open,
    name: 'whoami',
    alsoCalled: ['منکیهستم', 'منکیم', 'منکیام'],
    about: (locale) => texts(locale).about('whoami'),
    args: {},
    run: async (ctx) => {
      const allowed = allowedIn(outlookOf(ctx), ctx.locale);
      const role = ctx.role === null ? null : roleName(ctx.locale, ctx.role);
      await ctx.say(
        texts(ctx.locale).whoami({
          name: ctx.person.name,
          id: ctx.person.id,
          role,
          isLinked: ctx.binding !== null,
          allowed,
        }),
      );
    },
  });

  const lang = defineCommand({
    ...open,
    name: 'lang',
    alsoCalled: ['language', 'languages', 'زبان', 'english', 'persian', 'farsi', 'انگلیسی', 'فارسی'],
    everyday: 'until_linked',
    about: (locale) => texts(locale).about('lang'),
    example: () => '/lang fa',
    args: {
      lang: {
        schema: z
          .string()
          .transform((word) => LANGUAGE_WORDS[foldWord(word)])
          .pipe(langSchema),
        usage: (locale) => texts(locale).usageLang,
        ask: ({ locale }) => texts(locale).askLang,
        problem: (locale) => texts(locale).badLang,
        choices: async () => [
          { label: texts('en').langName, value: 'en' },
          { label: texts('fa').langName, value: 'fa' },
        ],
      },
    },
    run: async (ctx, values) => {
      await identities.setPersonLang(ctx.person.id, values.lang);
      const t = texts(values.lang);
      const mayChat = ctx.chat.type !== 'private' && ctx.can('lang.chat');
      await ctx.say(mayChat ? lines(t.langNow(t.langName), t.langChat) : t.langNow(t.langName), {
        buttons: mayChat
          ? [[langActions.forAll.button(t.forAll, { lang: values.lang }, { personId: ctx.person.id })]]
          : [],
      });
    },
  });

  return {
    name: 'start',
    commands: [start, help, cancel, whoami, lang],
    actions: [
      helpActions.page.does(async (ctx, { page }) => {
        const outlook = outlookOf(ctx);
        if (page === 'all') return void (await ctx.say(helpOverview(features(), outlook, ctx.locale)));
        const { content, buttons } =
          page === 'first' ? helpFirst(ctx.locale) : helpPage(features(), page, outlook, ctx.locale);
        await ctx.rewrite(content, { buttons });
      }),
      langActions.set.does(async (ctx, values) => {
        await identities.setPersonLang(ctx.person.id, values.lang);
        await ctx.say(texts(values.lang).langNow(texts(values.lang).langName));
      }),
      langActions.forAll.does(async (ctx, values) => {
        await identities.setChatLang(ctx.chat.id, values.lang);
        await ctx.rewrite(texts(values.lang).langChatDone);
      }),
    ],
  };
}
