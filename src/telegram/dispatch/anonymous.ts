import type { MiddlewareFn } from 'grammy';
import { z } from 'zod';
import { defineAction } from '../action.ts';
import { kitTexts } from '../texts.ts';
import { commandIn } from './command-in.ts';
import type { KitContext } from './context.ts';
import { isAnonymousAdmin } from './identify.ts';

/** The same line once more, by whoever presses. */
export const AGAIN = defineAction({
  name: 'kit.again',
  permission: null,
  payload: z.object({ line: z.string() }),
  ttlSeconds: 60,
});

/**
 * A command from an anonymous admin has no person: a button is offered, and whoever presses it is known by
 * the press. The command is then given again by that person, with that person's rights.
 */
export function askAnonymous(): MiddlewareFn<KitContext> {
  return async (ctx, next) => {
    if (!isAnonymousAdmin(ctx.message) || ctx.message === undefined) return await next();
    const { turn } = ctx;
    if (commandIn(ctx.message, turn.bot.username) === null) return;
    const texts = kitTexts(turn.locale);
    await turn.say(texts.whoAreYou, {
      buttons: [[AGAIN.button(texts.goOnAsMyself, { line: ctx.message.text ?? ctx.message.caption ?? '' })]],
    });
  };
}
