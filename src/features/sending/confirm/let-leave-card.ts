import type { Clock } from '../../../ports/runtime.ts';
import type { DraftStore } from '../../../ports/stores.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import type { Cards } from '../cards.ts';
import { tellPress } from './press-card.ts';

/**
 * Confirms a draft that was just written, for whoever wrote it: by the same transaction as a press of its button, after which
 * the undo hold begins. What keeps it from leaving is told, and its card stays with its buttons.
 */
export type LetLeave = (ctx: RequestContext, draftId: string) => Promise<void>;

/** Lets a draft leave without another press. */
export function createLetLeave(deps: {
  readonly drafts: Pick<DraftStore, 'card' | 'confirm'>;
  readonly cards: Pick<Cards, 'refresh' | 'called'>;
  readonly clock: Clock;
  readonly undoSeconds: number;
  readonly checkCredit: (bindingId: string) => Promise<void>;
}): LetLeave {
  const { drafts, cards, undoSeconds } = deps;
  return async (ctx, draftId) => {
    if (ctx.binding !== null) await deps.checkCredit(ctx.binding.id);
    const { updateId } = ctx;
    const press = { draftId, version: 1, personId: ctx.person.id, updateId, undoSeconds };
    const done = await drafts.confirm({ ...press, timeZone: ctx.format.timeZone });
    // The card comes by itself.
    if (done.result === 'confirmed') return;
    const view = await drafts.card(draftId);
    try {
      // Which limit it is stands on the card.
      if (view !== null && done.result !== 'limited')
        await tellPress(ctx, done, view, { cards, now: deps.clock.now() });
    } finally {
      await cards.refresh(draftId);
    }
  };
}
