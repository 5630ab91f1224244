import type { Refused, ScheduleStore, WaitingPress } from '../../../ports/schedule.ts';
import type { Action } from '../../../telegram/action.ts';
import type { Turn } from '../../../telegram/turn.ts';
import { ruleText } from '../../shared/rule-texts.ts';
import { waitingActions } from '../actions.ts';
import type { When } from './arguments.ts';
import { TIME_FORM } from './forms.ts';
import { waitingList } from './list-card.ts';
import { texts } from './texts.ts';

export interface WaitingDeps {
  readonly schedule: ScheduleStore;
  readonly cards: {
    refresh(draftId: string): Promise<void>;
    copy(draftId: string, turn: Turn): Promise<void>;
  };
}

/**
 * What the buttons below a send that waits do, on its card and on the list. A press on the list brings `page` along,
 * and the list up to date; a card is brought up to date by what has changed it.
 */
export function createWaiting({ schedule, cards }: WaitingDeps) {
  const pressOf = (turn: Turn, jobId: string): WaitingPress => ({
    jobId,
    chatId: turn.chat.id,
    personId: turn.person.id,
    updateId: turn.updateId,
  });

  const list = waitingList(schedule);
  const showList = async (turn: Turn, page: number | undefined): Promise<void> => {
    if (page !== undefined) await list.show(turn, { page });
  };

  const openChange = async (
    turn: Turn,
    jobId: string,
    change: { readonly when?: When | null },
  ): Promise<void> => {
    const t = texts(turn.locale);
    const done = await schedule.change(pressOf(turn, jobId), change);
    if (done.result === 'opened') {
      const { code, of, at } = done;
      const by = done.authorId === turn.person.id ? null : done.authorName;
      await turn.say(t.change(code, of, at === null ? null : turn.format.dateTime(at), by));
      await cards.refresh(done.draftId);
      // The press has used a button of the other card up.
      const send = await schedule.one(turn.chat.id, jobId);
      if (send !== null) await cards.refresh(send.draftId);
      return;
    }
    await refuse(turn, jobId, done.result);
  };

  const refuse = async (turn: Turn, jobId: string, result: Refused['result']): Promise<void> => {
    const t = texts(turn.locale);
    await turn.say(result === 'gone' ? t.gone : t.notYours);
    // The press has used a button up that is somebody else's to press.
    const send = await schedule.one(turn.chat.id, jobId);
    if (send !== null) await cards.refresh(send.draftId);
  };

  const cancel = async (turn: Turn, jobId: string, series: boolean): Promise<boolean> => {
    const done = await schedule.cancel({ ...pressOf(turn, jobId), series });
    if (!done) await turn.say(texts(turn.locale).gone);
    return done;
  };

  const askEnd = async (turn: Turn, jobId: string, code: string, rule: string): Promise<void> => {
    const t = texts(turn.locale);
    const button = (label: string, series: boolean | null) =>
      waitingActions.end.button(label, { jobId, series });
    await turn.say(t.askEnd(code, rule), {
      buttons: [[button(t.endOne, false), button(t.endSeries, true)], [button(t.keep, null)]],
    });
  };

  const actions: Action[] = [
    ...list.actions,
    waitingActions.show.does(async (turn, { jobId, page }) => {
      const send = await schedule.one(turn.chat.id, jobId);
      if (send !== null) return await cards.copy(send.draftId, turn);
      await turn.say(texts(turn.locale).gone);
      await showList(turn, page);
    }),
    waitingActions.edit.does(async (turn, { jobId, page }) => {
      await openChange(turn, jobId, {});
      await showList(turn, page);
    }),
    waitingActions.pause.does(async (turn, { jobId }) => {
      // What becomes of it the chat is asked by its card.
      const { result } = await schedule.pause(pressOf(turn, jobId));
      if (result !== 'paused') await refuse(turn, jobId, result);
    }),
    waitingActions.time.does(async (turn, { jobId, page }) => {
      const send = await schedule.one(turn.chat.id, jobId);
      if (send === null) return void (await turn.say(texts(turn.locale).gone));
      // The press has used the card's button up; whoever leaves the form finds a new one.
      if (page === undefined) await cards.refresh(send.draftId);
      await turn.ask(TIME_FORM, { job: jobId });
    }),
    waitingActions.move.does(async (turn, { jobId, at }) => {
      const recur = (await schedule.one(turn.chat.id, jobId))?.recur ?? null;
      await openChange(turn, jobId, { when: { sendAt: new Date(at), recur } });
    }),
    waitingActions.cancel.does(async (turn, { jobId, page }) => {
      const send = await schedule.one(turn.chat.id, jobId);
      if (send === null || send.recur === null) {
        await cancel(turn, jobId, false);
        return await showList(turn, page);
      }
      await askEnd(turn, jobId, send.code, ruleText(send.recur, turn.format));
      // Whoever keeps it may change their mind.
      await (page === undefined ? cards.refresh(send.draftId) : showList(turn, page));
    }),
    waitingActions.end.does(async (turn, { jobId, series }) => {
      const t = texts(turn.locale);
      const send = await schedule.one(turn.chat.id, jobId);
      if (send === null) return await turn.rewrite(t.gone);
      if (series === null) return await turn.rewrite(t.kept(send.code));
      if (await cancel(turn, jobId, series)) await turn.rewrite(t.ended(send.code, series));
    }),
  ];

  return { list, actions, openChange };
}
