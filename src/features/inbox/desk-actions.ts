import { AppError } from '../../domain/errors.ts';
import { can } from '../../domain/roles.ts';
import { handlingOf } from '../../domain/talk.ts';
import type { InboundView } from '../../ports/inbound.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Action } from '../../telegram/action.ts';
import { inRows } from '../../telegram/buttons.ts';
import { defineCommand, type Command } from '../../telegram/feature.ts';
import { clip } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { mention } from '../shared/mention.ts';
import { likelyTimes, readAhead, whenArgument, type LikelyDeps } from '../shared/when-argument.ts';
import { inboxActions } from './actions.ts';
import { inboundIdArgument } from './arguments.ts';
import { bringCard, showBrought, type BringingDeps } from './bring-card.ts';
import { deskTexts } from './desk-texts.ts';

export interface DeskActionDeps extends LikelyDeps {
  readonly inbound: BringingDeps['inbound'];
  readonly notifications: BringingDeps['notifications'];
  readonly drafts: BringingDeps['drafts'];
  readonly talks: Pick<Stores['talks'], 'take' | 'snooze' | 'wake' | 'cards'>;
  readonly team: Pick<Stores['team'], 'members'>;
}

const SNOOZE = 'inbound-snooze';
const WHEN = { rules: false, least: 60_000 } as const;
/** Buttons of one message; whoever is not among them can be named by /role, and take it. */
const MOST_OFFERED = 30;
const NAME_UNITS = 30;

/** What whoever has taken a message does with it other than to answer: hand it over, or put it off. */
export function createDeskActions(deps: DeskActionDeps): {
  readonly command: Command;
  readonly actions: readonly Action[];
} {
  const { inbound, notifications, talks, team, clock } = deps;

  /** Null: the person has been told that it cannot be done here. */
  const messageAt = async (ctx: RequestContext, id: number): Promise<InboundView | null> => {
    const view = await inbound.of(id);
    if (view === null || view.chatId !== ctx.chat.id)
      throw new AppError('stale', 'a received message is not there');
    if (!ctx.isAway) return view;
    await ctx.say(deskTexts(ctx.locale).atHome(ctx.chat.title, String(id)));
    return null;
  };

  const showAgain = async (ctx: RequestContext, { id, talk }: InboundView): Promise<void> => {
    await notifications.refresh({ inboundIds: [...new Set([id, ...(await talks.cards(talk.id))])] });
    await showBrought(deps, ctx, id);
  };

  const colleagues = async (ctx: RequestContext) =>
    (await team.members(ctx.chat.id)).filter(
      ({ id, role }) => id !== ctx.person.id && can(role, 'inbox.reply'),
    );

  return {
    command: defineCommand({
      name: SNOOZE,
      permission: 'inbox.reply',
      about: null,
      args: {
        id: inboundIdArgument,
        when: {
          ...whenArgument(WHEN),
          ask: ({ locale }, known) => deskTexts(locale).askSnooze(known['id'] ?? ''),
          choices: likelyTimes(deps, WHEN),
        },
      },
      run: async (ctx, { id, when }) => {
        const t = deskTexts(ctx.locale);
        const view = await messageAt(ctx, id);
        if (view === null) return;
        const read = readAhead(when, { ...WHEN, now: clock.now(), format: ctx.format });
        if ('problem' in read) return await ctx.ask(SNOOZE, { id: `in${id}` }, when);
        const isOff = await talks.snooze(view.talk.id, ctx.person.id, read.at);
        await showAgain(ctx, view);
        await ctx.say(
          isOff ? t.snoozed(String(id), ctx.format.dateTime(read.at)) : t.overAlready(String(id)),
        );
      },
    }),
    actions: [
      inboxActions.snooze.does(async (ctx, { id }) => {
        if ((await messageAt(ctx, id)) !== null) await ctx.ask(SNOOZE, { id: `in${id}` });
      }),
      inboxActions.wake.does(async (ctx, { id }) => {
        const view = await messageAt(ctx, id);
        if (view === null) return;
        await talks.wake(view.talk.id);
        await showAgain(ctx, view);
      }),
      inboxActions.handOver.does(async (ctx, { id }) => {
        const t = deskTexts(ctx.locale);
        if ((await messageAt(ctx, id)) === null) return;
        const others = await colleagues(ctx);
        if (others.length === 0) return void (await ctx.say(t.nobodyElse));
        const buttons = others
          .slice(0, MOST_OFFERED)
          .map(({ id: to, name }) => inboxActions.give.button(clip(name, NAME_UNITS), { id, to }));
        await ctx.say(t.askHandOver(String(id)), { buttons: inRows(buttons, 2) });
      }),
      inboxActions.give.does(async (ctx, { id, to }) => {
        const t = deskTexts(ctx.locale);
        const view = await messageAt(ctx, id);
        if (view === null) return;
        const { doneBy } = handlingOf(view.talk, view.capturedAt);
        // They may have lost their role since they were offered.
        const chosen = (await colleagues(ctx)).find((each) => each.id === to);
        if (chosen === undefined) return await ctx.rewrite(t.mayNot);
        if (doneBy !== null) return await ctx.rewrite(t.overAlready(String(id)));
        await talks.take(view.talk.id, to, true);
        await showAgain(ctx, view);
        await ctx.rewrite(t.handedOver(String(id), chosen.name));
        // A message of its own, never an edited one: only that tells the person it names.
        const theirs = (await inbound.of(id)) ?? view;
        await bringCard(deps, ctx, theirs, t.isYours(mention(chosen), ctx.person.name));
      }),
    ],
  };
}
