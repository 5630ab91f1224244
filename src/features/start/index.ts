import { z } from 'zod';
import type { AbsenceStore } from '../../ports/absence.ts';
import type { DraftStore, IdentityStore } from '../../ports/stores.ts';
import { outlookOf, visibleCommands } from '../../telegram/dispatch/menus.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import { lines } from '../../telegram/html.ts';
import { kitTexts, roleName } from '../../telegram/texts.ts';
import { connectActions } from '../connect/actions.ts';
import { limitActions } from '../limits/actions.ts';
import { langSchema, langActions } from './actions.ts';
import { helpOn, helpOverview } from './help-card.ts';
import { texts } from './texts.ts';

export interface StartDeps {
  readonly absence: Pick<AbsenceStore, 'heldIn'>;
  readonly identities: IdentityStore;
  readonly drafts: DraftStore;
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
  features,
  refreshMenus,
}: StartDeps): Feature {
  const open = { permission: null } as const;

  const start = defineCommand({
    ...open,
    name: 'start',
    about: (locale) => texts(locale).about('start'),
    args: {},
    run: async (turn) => {
      const t = texts(turn.locale);
      const connected = turn.binding !== null;
      // Also what the bot says when it comes into a group: menus may have changed while it could not reach it.
      await refreshMenus(turn.chat.id);
      await turn.say(t.hello(connected, turn.chat.type !== 'private'), {
        buttons: [
          [!connected && connectActions.begin.button(t.link, {})],
          [
            langActions.set.button(texts('en').langName, { lang: 'en' }),
            langActions.set.button(texts('fa').langName, { lang: 'fa' }),
          ],
        ],
      });
      const held = await absence.heldIn(turn.chat.id);
      if (held === null) return;
      const some = (n: number): string | null => (n === 0 ? null : turn.format.count(n, t.sends));
      await turn.say(t.held(turn.format.dateTime(held.since), some(held.paused), some(held.scheduled)), {
        buttons: [[limitActions.go.button(t.letGo, {})]],
      });
    },
  });

  const help = defineCommand({
    ...open,
    name: 'help',
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
    run: async (turn, { topic }) => {
      await refreshMenus(turn.chat.id, turn.person.id);
      const outlook = outlookOf(turn);
      if (topic === undefined) {
        await turn.say(helpOverview(features(), outlook, turn.locale));
        return;
      }
      const { content, inPrivate } = helpOn(features(), topic, outlook, turn.locale);
      await turn.say(content, {
        buttons: [[inPrivate && { label: kitTexts(turn.locale).openPrivate, url: turn.startLink('help') }]],
      });
    },
  });

  const cancel = defineCommand({
    ...open,
    name: 'cancel',
    urgent: true,
    about: (locale) => texts(locale).about('cancel'),
    args: {},
    // The router has left the form already, as for every command; a draft is what the next /cancel ends.
    run: async (turn) => {
      if (turn.inForm) {
        await turn.say(texts(turn.locale).formLeft);
        return;
      }
      const code = await drafts.cancelNewest(turn.chat.id, turn.person.id, turn.updateId);
      await turn.say(code === null ? texts(turn.locale).cancelled : texts(turn.locale).draftCancelled(code));
    },
  });

  const whoami = defineCommand({
    ...open,
    name: 'whoami',
    about: (locale) => texts(locale).about('whoami'),
    args: {},
    run: async (turn) => {
      const commands = features().flatMap((feature) => feature.commands);
      const allowed = visibleCommands(commands, outlookOf(turn))
        .filter((command) => command.permission !== null)
        .map((command) => command.name);
      const role = turn.role === null ? null : roleName(turn.locale, turn.role);
      await turn.say(
        texts(turn.locale).whoami({
          name: turn.person.name,
          id: turn.person.id,
          role,
          isLinked: turn.binding !== null,
          allowed,
        }),
      );
    },
  });

  const lang = defineCommand({
    ...open,
    name: 'lang',
    about: (locale) => texts(locale).about('lang'),
    example: () => '/lang fa',
    args: {
      lang: {
        schema: z.string().trim().toLowerCase().pipe(langSchema),
        usage: (locale) => texts(locale).usageLang,
        ask: ({ locale }) => texts(locale).askLang,
        problem: (locale) => texts(locale).badLang,
        choices: async () => [
          { label: texts('en').langName, value: 'en' },
          { label: texts('fa').langName, value: 'fa' },
        ],
      },
    },
    run: async (turn, values) => {
      await identities.setPersonLang(turn.person.id, values.lang);
      const t = texts(values.lang);
      const mayChat = turn.chat.type !== 'private' && turn.can('lang.chat');
      await turn.say(mayChat ? lines(t.langNow(t.langName), t.langChat) : t.langNow(t.langName), {
        buttons: mayChat
          ? [[langActions.forAll.button(t.forAll, { lang: values.lang }, { personId: turn.person.id })]]
          : [],
      });
    },
  });

  return {
    name: 'start',
    commands: [start, help, cancel, whoami, lang],
    actions: [
      langActions.set.does(async (turn, values) => {
        await identities.setPersonLang(turn.person.id, values.lang);
        await turn.say(texts(values.lang).langNow(texts(values.lang).langName));
      }),
      langActions.forAll.does(async (turn, values) => {
        await identities.setChatLang(turn.chat.id, values.lang);
        await turn.rewrite(texts(values.lang).langChatDone);
      }),
    ],
  };
}
