import type { MiddlewareFn } from 'grammy';
import { AGAIN } from '../again.ts';
import { kitTexts } from '../texts.ts';
import { commandIn } from './command-in.ts';
import type { KitContext } from './context.ts';
import { isAnonymousAdmin } from './identify.ts';

/**
 * A command from an anonymous admin has no person: a button is offered, and whoever presses it is known by
 * the press. The command is then given again by that person, with that person's rights.
 */
export function askAnonymous(): MiddlewareFn<KitContext> {
  return async (ctx, next) => {
    if (!isAnonymousAdmin(ctx.message) || ctx.message === undefined) return await next();
    const { request } = ctx;
    if (commandIn(ctx.message, request.bot.username) === null) return;
    const texts = kitTexts(request.locale);
    await request.say(texts.whoAreYou, {
      buttons: [[AGAIN.button(texts.goOnAsMyself, { line: ctx.message.text ?? ctx.message.caption ?? '' })]],
    });
  };
}
