import type { Clock } from '../../../ports/runtime.ts';
import type { Stores } from '../../../storage/stores.ts';
import type { Action } from '../../../telegram/action.ts';
import { waitingActions } from '../actions.ts';
import type { Cards } from '../cards.ts';
import { tellPress } from '../confirm/press-card.ts';
import { whenTexts } from './when-texts.ts';

interface SendNowDeps extends Pick<Stores, 'schedule' | 'drafts'> {
  readonly clock: Pick<Clock, 'now'>;
  readonly cards: Cards;
  readonly undoSeconds: number;
  readonly checkCredit: (bindingId: string) => Promise<void>;
}

/** The answer "now" to the question what shall happen to a send that did not leave at its time. */
export function createSendNow({
  schedule,
  drafts,
  cards,
  clock,
  undoSeconds,
  checkCredit,
}: SendNowDeps): Action {
  return waitingActions.now.does(async (ctx, { jobId, warned = false, page }) => {
    const t = whenTexts(ctx.locale);
    if (ctx.binding !== null) await checkCredit(ctx.binding.id);
    const { draftId, pressed } = await schedule.sendNow({
      jobId,
      warned,
      // Its card says what the text lacks for as long as it waits.
      lacking: true,
      chatId: ctx.chat.id,
      personId: ctx.person.id,
      updateId: ctx.updateId,
      undoSeconds,
      timeZone: ctx.format.timeZone,
    });
    const shown = draftId ?? (await schedule.one(ctx.chat.id, jobId))?.draftId ?? null;
    if (shown !== null && page === undefined) await cards.heard(shown, ctx);
    if (pressed.result === 'confirmed') return;
    if (shown !== null && pressed.result !== 'asked') await cards.refresh(shown);
    if (pressed.result === 'gone') await ctx.say(t.gone);
    else if (pressed.result === 'not_yours') await ctx.say(t.notYours);
    else if (pressed.result === 'short') {
      const button = waitingActions.now.button(t.sendNow, { jobId, warned: true }, { style: 'danger' });
      await ctx.say(t.short, { buttons: [[button]] });
    } else {
      const view = draftId === null ? null : await drafts.card(draftId);
      if (view === null) return;
      if (pressed.result === 'author_role') await ctx.say(t.authorLost(view.draft.authorName));
      else await tellPress(ctx, pressed, view, { cards, now: clock.now() });
    }
  });
}
