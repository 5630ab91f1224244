import type { MiddlewareFn } from 'grammy';
import type { AuditStore, BindingStore } from '../ports/stores.ts';
import { commandIn } from './command-in.ts';
import type { KitContext } from './context.ts';
import { exposeKey, writerOf } from './exposed-key.ts';
import { leaks } from './key-search.ts';
import { keyTexts } from './key-texts.ts';

/**
 * A key that a person writes where others read it is deleted, called leaked, and never goes further; its text is kept
 * nowhere. In the private chat keys are expected: there one is deleted when nothing has waited for it, as
 * after a question that was left or is too old.
 */
export function watchKeys(deps: {
  readonly audit: AuditStore;
  readonly bindings: Pick<BindingStore, 'knowsAny'>;
}): MiddlewareFn<KitContext> {
  return async (ctx, next) => {
    const { message } = ctx;
    if (message === undefined) return await next();
    if (message.chat.type === 'private') {
      await next();
      await forgetStray(ctx, deps.bindings);
      return;
    }
    if (!(await leaks(message, deps.bindings))) return await next();
    const { turn } = ctx;
    await exposeKey(
      { api: ctx.api, audit: deps.audit, log: turn.log },
      {
        message,
        updateId: turn.updateId,
        chatId: turn.chat.id,
        personId: writerOf(message)?.id ?? null,
        localeOf: () => Promise.resolve(turn.locale),
      },
    );
  };
}

async function forgetStray(ctx: KitContext, bindings: Pick<BindingStore, 'knowsAny'>): Promise<void> {
  const { turn, message } = ctx;
  // A reply may be an answer to somebody, and goes where it is meant to.
  const isMeant = ctx.readByForm === true || message?.reply_to_message !== undefined;
  if (message === undefined || isMeant || commandIn(message, turn.bot.username) !== null) return;
  if (!(await leaks(message, bindings))) return;
  const texts = keyTexts(turn.locale);
  await turn.say((await turn.forget()) ? texts.stray : texts.strayKept);
}
