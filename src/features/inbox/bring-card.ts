import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { InboundView } from '../../ports/inbound.ts';
import type { DraftStore } from '../../ports/stores.ts';
import type { Stores } from '../../storage/stores.ts';
import { offerButton } from '../../telegram/again.ts';
import { defineCommand, type Command } from '../../telegram/feature.ts';
import { lines, type Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { textArgument } from '../shared/shared-arguments.ts';
import { inboundIdArgument } from './arguments.ts';
import { readNote, renderInbound } from './inbound-card.ts';
import { inboundTexts } from './inbound-texts.ts';

export interface BringingDeps {
  readonly inbound: Pick<Stores['inbound'], 'of' | 'lastSent'>;
  readonly notifications: Pick<Stores['notifications'], 'shown' | 'byMessage' | 'brought' | 'refresh'>;
  readonly drafts: Pick<DraftStore, 'card'>;
}

/** A command that is the number of a received message: `/in12`. */
const INBOUND_COMMAND = /^in[1-9]\d{0,14}$/u;

/** The command by which the card of a received message comes anew, with what can be done now. */
export function createBringing(deps: BringingDeps): Command {
  return defineCommand({
    name: 'inbound',
    permission: 'inbox.view',
    calledAs: INBOUND_COMMAND,
    about: null,
    args: { id: inboundIdArgument, text: { ...textArgument, schema: z.string(), optional: true } },
    run: async (ctx, { id, text }) => {
      const message = await deps.inbound.of(id);
      if (message === null || message.chatId !== ctx.chat.id) {
        await ctx.say(inboundTexts(ctx.locale).noMessage(String(id)));
        return;
      }
      await bringCard(deps, ctx, message);
      if (text === undefined) return;
      const t = inboundTexts(ctx.locale);
      await ctx.say(t.asAnswer(String(id)), {
        replyTo: ctx.messageId ?? undefined,
        buttons: [[offerButton(ctx, `/reply in${id}`, t.useAsAnswer, 'rest')]],
      });
    },
  });
}

/** Shows the card of a received message anew, under a word where there is one; from then on it follows like any. */
export async function bringCard(
  deps: BringingDeps,
  ctx: RequestContext,
  message: InboundView,
  above: Html | null = null,
): Promise<void> {
  const { content, buttons } = await cardNow(deps, message, ctx);
  const messageId = await ctx.say(lines(above, content), { buttons });
  await deps.notifications.brought(message.id, {
    chatId: ctx.chat.id,
    messageId,
    threadId: ctx.threadId ?? null,
  });
  // Whatever has happened to it meanwhile found no card here to edit.
  if (!isDeepStrictEqual(await deps.inbound.of(message.id), message))
    await deps.notifications.refresh({ inboundIds: [message.id] });
}

/** Shows what holds now on a card that was brought, when a button of it was pressed, where it does not follow by itself. */
export async function showBrought(deps: BringingDeps, ctx: RequestContext, id: number): Promise<void> {
  const { pressedMessageId, isAway } = ctx;
  if (pressedMessageId === null || isAway) return;
  if ((await deps.notifications.byMessage(ctx.chat.telegramId, pressedMessageId)) !== null) return;
  const message = await deps.inbound.of(id);
  if (message !== null) {
    const { content, buttons } = await cardNow(deps, message, ctx);
    await ctx.rewrite(content, { buttons });
  }
}

async function cardNow(
  { inbound, notifications, drafts }: BringingDeps,
  message: InboundView,
  { format }: RequestContext,
): Promise<ReturnType<typeof renderInbound>> {
  const [told] = await notifications.shown({ inboundIds: [message.id] });
  const draftId = told?.draftId ?? null;
  const answer = draftId === null ? null : await drafts.card(draftId);
  const lastSent = await inbound.lastSent(message.id);
  return renderInbound({ message, lastSent, answer, note: readNote(told?.facts) }, format);
}
