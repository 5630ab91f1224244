import type { Clock } from '../../../ports/runtime.ts';
import type { DraftStore } from '../../../ports/stores.ts';
import type { Stores } from '../../../storage/stores.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { mention } from '../../shared/mention.ts';
import type { Cards } from '../cards.ts';
import { wayOut } from '../draft/draft-card.ts';
import { texts } from '../texts.ts';

export interface UndoDeps extends Pick<Stores, 'jobs'> {
  readonly drafts: Pick<DraftStore, 'card' | 'findByCode'>;
  readonly cards: Cards;
  readonly clock: Pick<Clock, 'now'>;
}

/** Takes a send back in its hold, and shows the draft that it is again; too late, its card says what is known. */
export function createUndo({ drafts, jobs, cards, clock }: UndoDeps) {
  return async (ctx: RequestContext, { jobId }: { readonly jobId: string }): Promise<void> => {
    const draftId = await jobs.draftOf(jobId);
    if (draftId === null) return;
    const undone = await jobs.undo(jobId, ctx.person.id, ctx.updateId);
    await cards.heard(draftId, ctx);
    if (undone) return await showBack(ctx, draftId);
    await ctx.say(texts(ctx.locale).tooLate);
    await cards.bring(draftId, ctx);
  };

  /** The draft that it is again, where the person is; its author is called when somebody else did it. */
  async function showBack(ctx: RequestContext, id: string): Promise<void> {
    const undone = await drafts.card(id);
    if (undone === null) return;
    await cards.refresh(id);
    const { chatId, code, backAs = '' } = undone.draft;
    const draftId = await drafts.findByCode(chatId, backAs);
    if (draftId === null) return;
    // A look at its credit may have shown it already.
    await cards.refresh(draftId);
    const view = await drafts.card(draftId);
    if (view === null || view.draft.authorId === ctx.person.id) return;
    const { authorId, authorName } = view.draft;
    const author = mention({ id: authorId, name: authorName });
    await ctx.say(texts(ctx.locale).undoCall(author, code, ctx.person.name, backAs), {
      replyTo: view.place.messageId ?? undefined,
      buttons: [[wayOut(view, ctx.format, clock.now())]],
    });
  }
}
