import type { MiddlewareFn } from 'grammy';
import { findKeyLike } from '../domain/keylike.ts';
import type { AuditStore, BindingStore } from '../ports/stores.ts';
import { commandIn } from './command-in.ts';
import type { KitContext } from './context.ts';
import { keyTexts } from './key-texts.ts';
import { kitTexts } from './texts.ts';

/**
 * A key typed where others read it is deleted, called leaked, and never goes further; its text is kept
 * nowhere. In the private chat keys are expected: there one is deleted when nothing has waited for it, as
 * after a question that was left or is too old.
 */
export function watchKeys(deps: {
  readonly audit: AuditStore;
  readonly bindings: Pick<BindingStore, 'knowsAny'>;
}): MiddlewareFn<KitContext> {
  return async (ctx, next) => {
    const text = ctx.message?.text ?? ctx.message?.caption;
    if (text === undefined) return await next();
    if (ctx.turn.chat.type === 'private') {
      await next();
      await forgetStray(ctx, text, deps.bindings);
      return;
    }
    if (!(await leaks(text, ctx.turn.chat.id, deps.bindings))) return await next();
    const { turn } = ctx;
    const deleted = await turn.forget();
    await deps.audit.add({
      chatId: turn.chat.id,
      personId: turn.person.id,
      updateId: turn.updateId,
      action: 'key_exposed',
      details: { deleted },
    });
    const texts = kitTexts(turn.locale);
    await turn.say(deleted ? texts.leakedKey(turn.person.name) : texts.leakedKeyKept(turn.person.name));
  };
}

async function forgetStray(
  ctx: KitContext,
  text: string,
  bindings: Pick<BindingStore, 'knowsAny'>,
): Promise<void> {
  const { turn } = ctx;
  // A reply may be an answer to somebody, and goes where it is meant to.
  const isMeant = ctx.readByForm === true || ctx.message?.reply_to_message !== undefined;
  if (isMeant || commandIn({ text }, turn.bot.username) !== null) return;
  if (!(await leaks(text, turn.chat.id, bindings))) return;
  const texts = keyTexts(turn.locale);
  await turn.say((await turn.forget()) ? texts.stray : texts.strayKept);
}

async function leaks(
  text: string,
  chatId: string,
  bindings: Pick<BindingStore, 'knowsAny'>,
): Promise<boolean> {
  const words: string[] = [];
  const collect = (candidate: string): boolean => {
    words.push(candidate);
    return false;
  };
  if (findKeyLike(text, collect) !== null) return true;
  // What stands behind /connect is meant as a credential, whatever it looks like.
  if (/^\/connect(?:@\w+)?\s+\S{4,}/iu.test(text)) return true;
  return await bindings.knowsAny(chatId, words.slice(0, 200));
}
