import type { MiddlewareFn } from 'grammy';
import type { Move } from '../../ports/team.ts';
import type { Stores } from '../../storage/stores.ts';
import type { KitContext } from './context.ts';

/** Notices who leaves a group, by themselves or not, and who comes back. */
export function watchLeavers({
  left,
  returned,
}: Pick<Stores['team'], 'left' | 'returned'>): MiddlewareFn<KitContext> {
  return async (ctx, next) => {
    const { message } = ctx;
    if (message !== undefined) {
      const move = (personId: number): Move => ({
        chatTelegramId: message.chat.id,
        personId,
        updateId: ctx.update.update_id,
      });
      const gone = message.left_chat_member;
      if (gone !== undefined && !gone.is_bot) await left(move(gone.id));
      for (const here of message.new_chat_members ?? []) if (!here.is_bot) await returned(move(here.id));
    }
    await next();
  };
}
