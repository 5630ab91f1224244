import type { ChatDoer, Doer } from '../../ports/doer.ts';
import type { RequestContext } from '../../telegram/request-context.ts';

/** Who does something, by which update, for the audit. */
export function doerOf({ person, updateId }: Pick<RequestContext, 'person' | 'updateId'>): Doer {
  return { personId: person.id, updateId };
}

/** The same, and the chat in which it is done. */
export function chatDoerOf(ctx: Pick<RequestContext, 'chat' | 'person' | 'updateId'>): ChatDoer {
  return { chatId: ctx.chat.id, ...doerOf(ctx) };
}
