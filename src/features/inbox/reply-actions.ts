import { checkMessage } from '../../domain/message.ts';
import { displayRecipient, parseRecipients } from '../../domain/phone.ts';
import { replyDoubt } from '../../domain/reply.ts';
import { leastRole } from '../../domain/roles.ts';
import { foldQuery } from '../../domain/search.ts';
import { handlingOf } from '../../domain/talk.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import type { InboundView, Named, TalkView } from '../../ports/inbound.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { DraftStore } from '../../ports/stores.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Action } from '../../telegram/action.ts';
import {
  defineCommand,
  type Choice,
  type Command,
  type Feature,
  type OwnMessage,
} from '../../telegram/feature.ts';
import { clip, clipLine, lines, quote, type Html } from '../../telegram/html.ts';
import { untilTaken } from '../../telegram/outgoing/errors.ts';
import { kitTexts, roleName } from '../../telegram/texts.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { linkedAccount } from '../shared/account.ts';
import { ownSend } from '../shared/held-send.ts';
import { draftOf } from '../shared/new-draft.ts';
import { choosePeople } from '../shared/people-choices.ts';
import { textArgument } from '../shared/shared-arguments.ts';
import { textOrTemplate } from '../shared/template-call.ts';
import { inboxActions } from './actions.ts';
import { inboundIdArgument } from './arguments.ts';
import { inboundShownBy, shownSender } from './inbound-card.ts';
import { inboundTexts } from './inbound-texts.ts';

export interface ReplyDeps extends Pick<Stores, 'talks' | 'templates' | 'people'> {
  readonly jobs: Pick<Stores['jobs'], 'lastLetGo'>;
  readonly inbound: Pick<Stores['inbound'], 'of' | 'open' | 'find' | 'answeredBefore'>;
  readonly notifications: Pick<Stores['notifications'], 'byMessage' | 'refresh'>;
  readonly destinations: Pick<Stores['destinations'], 'of'>;
  readonly topics: Pick<Stores['topics'], 'talkIn'>;
  readonly drafts: Pick<DraftStore, 'card' | 'create' | 'findBySource'>;
  readonly cards: { refresh(draftId: string): Promise<void> };
  readonly clock: Clock;
  /** Confirms a draft of the person's in their name; see createLetLeave. */
  readonly letLeave: (ctx: RequestContext, draftId: string) => Promise<void>;
  /** Takes a send back in its hold; see createUndo. */
  readonly undo: (ctx: RequestContext, send: { readonly jobId: string }) => Promise<void>;
  /** How long an answer can be taken back; 0: not at all, so it waits for a press. */
  readonly undoSeconds: number;
}

export interface Replying {
  readonly commands: readonly Command[];
  readonly actions: readonly Action[];
  /** A message that replies to one of the bot's; false: to none that shows a received message. */
  readonly replied: NonNullable<Feature['replied']>;
  readonly shownBy: NonNullable<Feature['shownBy']>;
}

const FRESH_MS = 300_000;
/** Kept texts that are offered as buttons; each can be called by its name. */
const CANNED = 8;
/** Of those who wait for an answer. */
const WAITING = 5;

/**
 * Answering received messages: by a reply to the card, by its button, by a command. Each is an ordinary send; it leaves after
 * the undo hold without a press, unless there is more to it than that one person answers one message once with a plain text.
 */
export function createReplying(deps: ReplyDeps): Replying {
  const { inbound, talks, notifications, destinations, topics, drafts, templates, jobs, people } = deps;
  const { cards, clock, letLeave, undo, undoSeconds } = deps;

  const answer = async (
    ctx: RequestContext,
    inboundId: number,
    typed: string,
    {
      anyway = false,
      isMeant = true,
      isCode = false,
    }: { readonly anyway?: boolean; readonly isMeant?: boolean; readonly isCode?: boolean } = {},
  ): Promise<void> => {
    const t = inboundTexts(ctx.locale);
    const view = await inbound.of(inboundId);
    if (view === null || view.chatId !== ctx.chat.id) return void (await ctx.say(t.gone));
    if (linkedAccount(ctx).id !== view.bindingId) return void (await ctx.say(t.otherAccount));
    const to = mobileOf(view);
    if (to === null) {
      await ctx.say(t.notMobile(shownSender(view.sender, ctx.format)));
      return;
    }
    const text = await textOrTemplate(ctx, typed, templates);
    if (text === null) return void (await ctx.say(textArgument.problem(ctx.locale, typed)));
    const check = checkMessage(text);
    if (!check.ok) {
      await ctx.say(textArgument.problem(ctx.locale, text));
      return;
    }
    // Whoever has come meanwhile has no part in what these words have made before the process ended.
    const isMade = ctx.messageId !== null && (await drafts.findBySource(ctx.chat.id, ctx.messageId)) !== null;
    // Of two at once the first has it, and the second is told.
    const others = isMade
      ? null
      : (whoElse(view, ctx.person.id) ??
        whoElse({ ...view, talk: await taken(view, ctx.person.id) }, ctx.person.id));
    if (others !== null && !anyway) return await warn(ctx, view, others, text);
    const { id } = await drafts.create(
      draftOf(ctx, {
        outgoing: { kind: 'text' },
        text,
        line: view.line,
        recipients: [to],
        answers: { inboundId, isAuto: false },
      }),
    );
    await notifications.refresh({ inboundIds: await talks.cards(view.talk.id) });
    const before = await inbound.answeredBefore(inboundId, id);
    const doubt = isCode ? 'code' : replyDoubt(text);
    const isSure = !anyway && isMeant && before === null && doubt === null && undoSeconds > 0 && isFresh(ctx);
    try {
      if (before !== null) await ctx.say(t.sameAnswer(before));
      // What stands in braces is told by the card.
      else if (doubt !== null && doubt !== 'fields') await ctx.say(t.doubt[doubt]);
    } finally {
      await (isSure ? letLeave(ctx, id) : cards.refresh(id));
    }
  };

  /** The last message of each of those whom words name, or whose number they hold, with the rest of them as its answer. */
  const lastOf = async (ctx: RequestContext, said: string): Promise<Choice[]> => {
    const meant = await choosePeople(people)(ctx, { text: said });
    const last = await Promise.all(
      meant.map(async (choice) => {
        const folded = 'value' in choice ? foldQuery(choice.value) : '';
        const [found] = (await inbound.find(ctx.chat.id, { folded, to: null, skip: 0, most: 1 })).found;
        if (found === undefined || !('id' in found)) return [];
        return [{ ...choice, label: `#in${found.id} · ${choice.label}`, value: `in${found.id}` }];
      }),
    );
    return last.flat();
  };

  const taken = async ({ talk }: InboundView, personId: number): Promise<TalkView> =>
    (await talks.take(talk.id, personId, false)) ?? talk;

  /** What has waited while nobody took it up may be answered by now. */
  const isFresh = ({ writtenAt }: RequestContext): boolean =>
    writtenAt !== null && clock.now().getTime() - writtenAt.getTime() < FRESH_MS;

  const warn = async (ctx: RequestContext, view: InboundView, other: Other, text: string): Promise<void> => {
    const t = inboundTexts(ctx.locale);
    const { by, at, hasAnswered } = other;
    const ago = ctx.format.relative(at, clock.now());
    const id = String(view.id);
    const mine = { personId: ctx.person.id };
    const content = lines(
      hasAnswered ? t.someoneAnswered(by.name, ago, id) : t.someoneHas(by.name, ago, id),
      t.yourText,
      quote(clip(text, 900)),
    );
    const buttons = [
      [
        inboxActions.anyway.button(t.sendAnyway, { id: view.id, text }, mine),
        inboxActions.ask.button(t.ask(by.name), { id: view.id, of: by.id }, mine),
      ],
    ];
    // No card comes after it: without this, its writer would take the answer for sent.
    await untilTaken(async () => await ctx.say(content, { buttons }));
  };

  return {
    commands: [
      defineCommand({
        name: 'reply',
        alsoCalled: ['answer', 'پاسخ', 'جواب'],
        permission: 'inbox.reply',
        facet: 'sending',
        about: (locale) => inboundTexts(locale).aboutReply,
        example: (locale) => inboundTexts(locale).exampleReply,
        args: {
          id: {
            ...inboundIdArgument,
            // Below a message, what begins with a figure is said to its sender.
            shown: { of: 'message', isNamedBy: (typed) => /^#?in\p{Nd}/iu.test(typed) },
            choices: async (ctx, { id: said = '', text = '' }) => {
              const { chat, format } = ctx;
              const theirs = await lastOf(ctx, `${said} ${text}`.trim());
              if (theirs.length > 0) return theirs;
              const open = await inbound.open(chat.id, { takenBy: null, line: null, skip: 0, most: WAITING });
              return open.found.map(({ id, sender, text }) => ({
                label: [`#in${id}`, isolateLtr(format.phone(sender)), isolateAuto(clipLine(text, 30))].join(
                  ' · ',
                ),
                value: `in${id}`,
              }));
            },
          },
          text: {
            ...textArgument,
            // People ask by SMS what a no answers.
            endsByNo: false,
            ask: ({ locale, format }, known) =>
              inboundTexts(locale).askText(
                known['id'] ?? '',
                undoSeconds > 0 ? format.duration(undoSeconds * 1000) : null,
              ),
            // A button's answer was not read as it left: it waits on its card for a press.
            choices: async ({ chat }) =>
              (await templates.forAnswers(chat.id, CANNED)).map(({ name: called }) => ({
                label: `#${called}`,
                value: `#${called}`,
              })),
          },
        },
        run: async (ctx, { id, text }) => await answer(ctx, id, text),
      }),
    ],
    actions: [
      inboxActions.reply.does(async (ctx, { id }) => {
        const t = inboundTexts(ctx.locale);
        const view = await inbound.of(id);
        if (view === null || view.chatId !== ctx.chat.id) await ctx.say(t.gone);
        else if (mobileOf(view) === null) await ctx.say(t.notMobile(shownSender(view.sender, ctx.format)));
        else if (ctx.isAway) await ctx.say(t.answerAt(ctx.chat.title, `in${id}`));
        else await ctx.ask('reply', { id: `in${id}` });
      }),
      inboxActions.anyway.does(async (ctx, { id, text }) => {
        if (ctx.pressedMessageId !== null) await ctx.disarm(ctx.pressedMessageId);
        await answer(ctx, id, text, { anyway: true });
      }),
      inboxActions.ask.does(async (ctx, { id, of }) => {
        const view = await inbound.of(id);
        const other = view === null ? null : whoElse(view, ctx.person.id);
        if (view === null || view.chatId !== ctx.chat.id || other === null || other.by.id !== of) {
          await ctx.say(inboundTexts(ctx.locale).gone);
          return;
        }
        await ctx.say(inboundTexts(ctx.locale).asks(other.by, ctx.person.name, String(id)));
      }),
    ],

    replied: async (ctx, target, { text, isText, isFurther, isCode, isCry }) => {
      const found = await inboundOf(ctx, target);
      if (found === null && isText && ctx.isPrivate && LIST.test(target.text) && ctx.can('inbox.reply')) {
        await ctx.ask('reply', { text: text.trim() });
        return true;
      }
      if (found === null) return false;
      const { inboundId, isMeant } = found;
      const view = await inbound.of(inboundId);
      if (view !== null && view.chatId !== ctx.chat.id) {
        await ctx.say(inboundTexts(ctx.locale).answerHome(`in${inboundId}`));
        return true;
      }
      if (!ctx.can('inbox.reply')) {
        // Others in a group may talk about it as they like.
        if (ctx.role !== null) await ctx.say(needsRole(ctx));
        return true;
      }
      const held = isCry && view !== null ? await heldAnswer(ctx, view) : null;
      if (held !== null) await undo(ctx, held);
      else if (isText) await answer(ctx, inboundId, text.trim(), { isMeant, isCode });
      else if (!isFurther) await ctx.say(inboundTexts(ctx.locale).onlyText);
      return true;
    },

    async shownBy(ctx, target) {
      const found = ctx.can('inbox.view') ? await inboundOf(ctx, target) : null;
      const view = found === null ? null : await inbound.of(found.inboundId);
      if (view === null || view.chatId !== ctx.chat.id) return null;
      const number = mobileOf(view);
      return { message: `in${view.id}`, number: number === null ? null : displayRecipient(number) };
    },
  };

  /** What the person has answered in this talk last, while it can still be taken back. */
  async function heldAnswer(ctx: RequestContext, { talk }: InboundView): Promise<{ jobId: string } | null> {
    const held = await ownSend(ctx, jobs);
    const answers = held?.canUndo !== true ? undefined : (await drafts.card(held.draftId))?.draft.answers;
    const answered = answers === undefined ? null : await inbound.of(answers.inboundId);
    return answered?.talk.id === talk.id ? held : null;
  }

  /**
   * The message whose card it is, also where the process ended before it could write down that Telegram took the card; in
   * a correspondent's topic, any message of the bot's stands for the last one, though perhaps the team talks about what it says.
   */
  async function inboundOf(
    ctx: RequestContext,
    target: OwnMessage | null,
  ): Promise<{ readonly inboundId: number; readonly isMeant: boolean } | null> {
    const shown = target === null ? null : await inboundOn(ctx, target);
    if (shown !== null) return { inboundId: shown, isMeant: true };
    if (ctx.threadId === undefined) return null;
    const destination = (await destinations.of(ctx.chat.id)).find((each) => each.topics && each.isChatItself);
    const talkId = destination === undefined ? null : await topics.talkIn(destination.id, ctx.threadId);
    const last = talkId === null ? undefined : (await talks.cards(talkId)).at(-1);
    return last === undefined ? null : { inboundId: last, isMeant: false };
  }

  async function inboundOn({ chat }: RequestContext, { id, text }: OwnMessage): Promise<number | null> {
    const notification = await notifications.byMessage(chat.telegramId, id);
    return notification === null ? inboundShownBy(text) : notification.inboundId;
  }
}

/** What a list of received messages begins with. */
const LIST = /^📥/u;

/** What is said to whoever may read received messages, and not do anything about them. */
export function needsRole({ locale }: Pick<RequestContext, 'locale'>): Html {
  return kitTexts(locale).needsRole(roleName(locale, leastRole('inbox.reply')));
}

interface Other {
  readonly by: Named;
  readonly at: Date;
  readonly hasAnswered: boolean;
}

/** Whoever else looks after it, or has answered already. */
function whoElse({ talk, capturedAt }: InboundView, personId: number): Other | null {
  const { answeredBy, takenBy } = handlingOf(talk, capturedAt);
  if (answeredBy !== null && answeredBy.id !== personId && talk.answeredAt !== null)
    return { by: answeredBy, at: talk.answeredAt, hasAnswered: true };
  if (takenBy !== null && takenBy.id !== personId && talk.takenAt !== null)
    return { by: takenBy, at: talk.takenAt, hasAnswered: false };
  return null;
}

/** Null for a name or a short code: nobody can be reached there. */
function mobileOf({ talk }: InboundView): string | null {
  const [only, ...more] = parseRecipients(talk.number).recipients;
  return only !== undefined && more.length === 0 ? only : null;
}
