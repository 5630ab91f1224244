import { AppError } from '../../domain/errors.ts';
import { parseRecipients } from '../../domain/phone.ts';
import { handlingOf } from '../../domain/talk.ts';
import type { InboundView } from '../../ports/inbound.ts';
import type { Blacklisting, BlacklistChange, BlacklistEntry } from '../../ports/two-way.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Action } from '../../telegram/action.ts';
import { defineCommand, type Command, type Feature } from '../../telegram/feature.ts';
import { lines, type Html } from '../../telegram/html.ts';
import { refusalText } from '../../telegram/refusal-texts.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { chatDoerOf } from '../shared/doer.ts';
import { recipientArgument } from '../shared/shared-arguments.ts';
import { inboxActions } from './actions.ts';
import { contactNameArgument } from './arguments.ts';
import { blacklistEntry } from './blacklist-entry.ts';
import { showBrought, type BringingDeps } from './bring-card.ts';
import { shownSender } from './inbound-card.ts';
import { inboundTexts } from './inbound-texts.ts';
import { createReplying, needsRole, type Replying, type ReplyDeps } from './reply-actions.ts';

export interface InboundActionDeps
  extends Omit<ReplyDeps, 'inbound' | 'notifications' | 'drafts'>, Pick<Stores, 'audit'> {
  readonly inbound: ReplyDeps['inbound'] & BringingDeps['inbound'];
  readonly notifications: ReplyDeps['notifications'] & BringingDeps['notifications'];
  readonly drafts: ReplyDeps['drafts'] & BringingDeps['drafts'];
  readonly autoResponses: Pick<Stores['autoResponses'], 'note' | 'decided'>;
  readonly blacklisting: Blacklisting;
}

export interface InboundActions extends Replying {
  readonly reacted: NonNullable<Feature['reacted']>;
}

/** The reactions of which the one takes a received message and the other closes it: nobody sets them in passing. */
const TAKES = '👀';
const CLOSES = '👌';

/** What people do with the card of a received message. */
export function createInboundActions(deps: InboundActionDeps): InboundActions {
  const { inbound, talks, people, notifications, autoResponses, blacklisting, audit } = deps;
  const replying = createReplying(deps);

  /** The message of a button of this chat's; the chat's account may be another one by now. */
  const messageHere = async (ctx: RequestContext, id: number): Promise<InboundView> => {
    const view = await inbound.of(id);
    if (view === null || view.chatId !== ctx.chat.id)
      throw new AppError('stale', 'a received message is not there');
    return view;
  };

  const placeOf = (ctx: RequestContext, view: InboundView): BlacklistEntry => {
    if (ctx.binding?.id !== view.bindingId)
      throw new AppError(ctx.binding === null ? 'not_connected' : 'stale', 'the account has changed');
    const [number = view.talk.number] = parseRecipients(view.talk.number).recipients;
    return { bindingId: view.bindingId, line: view.line, number };
  };

  const showAgain = async (ctx: RequestContext, { id, talk }: InboundView): Promise<void> => {
    // One that was brought may be older than those whose cards are kept up to date.
    await notifications.refresh({ inboundIds: [...new Set([id, ...(await talks.cards(talk.id))])] });
    await showBrought(deps, ctx, id);
  };

  /** What a call to the blacklist came to: for the audit, the cards, and whoever asked. */
  const conclude = async (
    ctx: RequestContext,
    view: InboundView,
    change: BlacklistChange,
    what: 'on' | 'off',
  ): Promise<void> => {
    const t = inboundTexts(ctx.locale);
    const { outcome, failure } = change;
    if (failure !== null)
      ctx.log.warn({ err: failure.error, outcome }, 'a change of a blacklist did not end well');
    const { bindingId, number, line } = placeOf(ctx, view);
    try {
      if (outcome !== 'not_done') {
        const decided = what === 'on' ? 'out' : 'in';
        await autoResponses.decided({ bindingId, what: decided, line, numbers: [number] });
        await audit.add({ ...chatDoerOf(ctx), ...blacklistEntry(decided, { line, number }, outcome) });
      }
    } finally {
      await ctx.say(
        lines(
          t.asked(what, outcome, shownSender(view.sender, ctx.format), line),
          failure !== null && failure.refusal !== '' && t.refused(refusalText(ctx.locale, failure.refusal)),
          failure !== null && t.again,
        ),
      );
    }
  };

  /** Gives what there is to say beside the card: that somebody else has it. */
  const take = async (ctx: RequestContext, view: InboundView, anyway: boolean): Promise<Html | null> => {
    const talk = await talks.take(view.talk.id, ctx.person.id, anyway);
    await showAgain(ctx, view);
    const { takenBy } = handlingOf(talk ?? view.talk, view.capturedAt);
    const at = talk?.takenAt ?? null;
    if (takenBy === null || takenBy.id === ctx.person.id || at === null) return null;
    return inboundTexts(ctx.locale).takenFirst(takenBy.name, ctx.format.relative(at, deps.clock.now()));
  };

  const finish = async (ctx: RequestContext, view: InboundView, done: boolean): Promise<null> => {
    await talks.done(view.talk.id, ctx.person.id, done);
    await showAgain(ctx, view);
    return null;
  };

  /** Who has been told in a chat that reactions do nothing for them. */
  const refused = new Set<string>();

  /**
   * What a reaction to a card does, if the message is one: the same as its button does. Whoever has no role here reacts as
   * people do; whoever has too small a one is told once, and not again for each.
   */
  const byReaction =
    (does: (ctx: RequestContext, view: InboundView) => Promise<Html | null>) =>
    async (ctx: RequestContext, messageId: number): Promise<void> => {
      if (ctx.role === null) return;
      const told = await deps.notifications.byMessage(ctx.chat.telegramId, messageId);
      const inboundId = told?.inboundId ?? null;
      const view = inboundId === null ? null : await inbound.of(inboundId);
      if (view === null) return;
      const t = inboundTexts(ctx.locale);
      const say = async (content: Html): Promise<void> =>
        void (await ctx.say(content, { replyTo: messageId }));
      const who = `${ctx.chat.id} ${ctx.person.id}`;
      if (view.chatId !== ctx.chat.id) return await say(t.byButtonsHere);
      if (!ctx.can('inbox.reply')) {
        if (refused.size >= MAX_REFUSED) refused.clear();
        if (!refused.has(who)) await say(needsRole(ctx));
        refused.add(who);
        return;
      }
      const beside = await does(ctx, view);
      if (beside !== null) await say(beside);
    };

  const ownActions: readonly Action[] = [
    inboxActions.take.does(async (ctx, { id, anyway }) => {
      const beside = await take(ctx, await messageHere(ctx, id), anyway);
      if (beside !== null) await ctx.say(beside);
    }),
    inboxActions.done.does(async (ctx, { id, done }) => {
      await finish(ctx, await messageHere(ctx, id), done);
    }),
    inboxActions.block.does(async (ctx, { id }) => {
      const t = inboundTexts(ctx.locale);
      const view = await messageHere(ctx, id);
      const { line } = placeOf(ctx, view);
      const sender = shownSender(view.sender, ctx.format);
      const mine = { personId: ctx.person.id };
      const { blockYes } = inboxActions;
      await ctx.say(t.askBlock(sender, line), {
        buttons: [
          [
            blockYes.button(t.blockYes, { id, choice: 'block' }, { ...mine, style: 'danger' }),
            blockYes.button(t.cancel, { id, choice: 'cancel' }, mine),
          ],
        ],
      });
    }),
    inboxActions.blockYes.does(async (ctx, { id, choice }) => {
      const t = inboundTexts(ctx.locale);
      const view = await messageHere(ctx, id);
      if (choice === 'cancel') return await ctx.rewrite(t.left);
      const place = placeOf(ctx, view);
      await ctx.rewrite(t.blocking);
      // A press that is handled again after a crash looks first: nothing is added twice.
      const change = await blacklisting.add(place, true);
      await autoResponses.note(id, { block: { by: ctx.person.name, outcome: change.outcome } });
      await conclude(ctx, view, change, 'on');
    }),
    inboxActions.undo.does(async (ctx, { id, to }) => {
      const view = await messageHere(ctx, id);
      const place = placeOf(ctx, view);
      const change = to === 'off' ? await blacklisting.remove(place) : await blacklisting.add(place, true);
      // What surely changed nothing leaves the button where it is.
      if (change.outcome !== 'not_done')
        await autoResponses.note(id, { undo: { by: ctx.person.name, outcome: change.outcome } });
      await conclude(ctx, view, change, to);
      await showAgain(ctx, view);
    }),
  ];

  const name: Command = defineCommand({
    name: 'name',
    permission: 'inbox.reply',
    about: (locale) => inboundTexts(locale).aboutName,
    example: (locale) => inboundTexts(locale).exampleName,
    args: { number: recipientArgument, name: contactNameArgument },
    run: async (ctx, { number, name: called }) => {
      const t = inboundTexts(ctx.locale);
      await people.name(ctx.chat.id, number, called, ctx.person.id);
      const shown = shownSender(number, ctx.format);
      await ctx.say(called === null ? t.unnamed(shown) : t.named(shown, called));
    },
  });

  return {
    commands: [...replying.commands, name],
    actions: [...ownActions, ...replying.actions],
    replied: replying.replied,
    shownBy: replying.shownBy,
    reacted: {
      [TAKES]: byReaction(async (ctx, view) => {
        const { doneBy } = handlingOf(view.talk, view.capturedAt);
        // A look at what is closed opens nothing again: that is a button's.
        return doneBy === null ? await take(ctx, view, false) : inboundTexts(ctx.locale).doneBy(doneBy.name);
      }),
      [CLOSES]: byReaction(async (ctx, view) => await finish(ctx, view, true)),
    },
  };
}

const MAX_REFUSED = 2000;
