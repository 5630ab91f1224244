import type { LetGo } from '../../ports/jobs.ts';
import type { Stores } from '../../storage/stores.ts';
import type { RequestContext } from '../../telegram/request-context.ts';

/** Finds what the person has let go last in this chat while it can still be taken back; null: nothing, or not by them. */
export async function heldSend(
  ctx: RequestContext,
  jobs: Pick<Stores['jobs'], 'lastLetGo'>,
): Promise<LetGo | null> {
  const last = ctx.can('send.stop') ? await jobs.lastLetGo(ctx.chat.id, ctx.person.id, ctx.updateId) : null;
  return last?.isOwn === true && last.canUndo ? last : null;
}
