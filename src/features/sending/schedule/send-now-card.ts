import type { ScheduleStore } from '../../../ports/schedule.ts';
import type { DraftStore } from '../../../ports/stores.ts';
import type { Action } from '../../../telegram/action.ts';
import { waitingActions } from '../actions.ts';
import type { Cards } from '../cards.ts';
import { tellPress } from '../confirm/press-card.ts';
import { whenTexts } from './when-texts.ts';

interface SendNowDeps {
  readonly schedule: ScheduleStore;
  readonly drafts: DraftStore;
  readonly cards: Cards;
  readonly undoSeconds: number;
  readonly checkCredit: (bindingId: string) => Promise<void>;
}

/** The answer "now" to the question what shall happen to a send that did not leave at its time. */
export function createSendNow({ schedule, drafts, cards, undoSeconds, checkCredit }: SendNowDeps): Action {
  return waitingActions.now.does(async (turn, { jobId, warned = false }) => {
    const t = whenTexts(turn.locale);
    if (turn.binding !== null) await checkCredit(turn.binding.id);
    const { draftId, pressed } = await schedule.sendNow({
      jobId,
      warned,
      chatId: turn.chat.id,
      personId: turn.person.id,
      updateId: turn.updateId,
      undoSeconds,
      timeZone: turn.format.timeZone,
    });
    if (pressed.result === 'confirmed') return;
    const shown = draftId ?? (await schedule.one(turn.chat.id, jobId))?.draftId ?? null;
    if (shown !== null && pressed.result !== 'asked') await cards.refresh(shown);
    if (pressed.result === 'gone') await turn.say(t.gone);
    else if (pressed.result === 'not_yours') await turn.say(t.notYours);
    else if (pressed.result === 'short') {
      const button = waitingActions.now.button(t.sendNow, { jobId, warned: true }, { style: 'danger' });
      await turn.say(t.short, { buttons: [[button]] });
    } else {
      const view = draftId === null ? null : await drafts.card(draftId);
      if (view === null) return;
      if (pressed.result === 'author_role') await turn.say(t.authorLost(view.draft.authorName));
      else await tellPress(turn, pressed, view);
    }
  });
}
