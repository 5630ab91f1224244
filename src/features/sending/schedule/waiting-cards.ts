import type { Clock } from '../../../ports/runtime.ts';
import type { Refused, WaitingPress, WaitingSend } from '../../../ports/schedule.ts';
import type { Stores } from '../../../storage/stores.ts';
import type { Action } from '../../../telegram/action.ts';
import type { ActionButton } from '../../../telegram/buttons.ts';
import { joinHtml, lines, type Html } from '../../../telegram/html.ts';
import { defineList } from '../../../telegram/list.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { chatDoerOf } from '../../shared/doer.ts';
import { lineRuleTexts } from '../../shared/line-rule-texts.ts';
import { ruleText } from '../../shared/rule-texts.ts';
import { waitingActions } from '../actions.ts';
import type { Cards } from '../cards.ts';
import { approvalTexts } from '../confirm/approval-texts.ts';
import { tellPress } from '../confirm/press-card.ts';
import type { When } from './arguments.ts';
import { TIME_FORM } from './forms.ts';
import { paceText } from './pace-card.ts';
import { texts } from './texts.ts';
import { whenTexts } from './when-texts.ts';

export interface WaitingDeps extends Pick<Stores, 'schedule'> {
  readonly cards: {
    refresh(draftId: string): Promise<void>;
    bring(draftId: string, ctx: RequestContext): Promise<void>;
    heard(draftId: string, ctx: RequestContext): Promise<void>;
  };
}

/**
 * What the buttons below a send that waits do, on its card and on the list. A press on the list brings `page` along,
 * and the list up to date; a card is brought up to date by what has changed it.
 */
export function createWaiting({ schedule, cards }: WaitingDeps) {
  const pressOf = (ctx: RequestContext, jobId: string): WaitingPress => ({
    jobId,
    ...chatDoerOf(ctx),
  });

  const list = waitingList(schedule);
  const showList = async (ctx: RequestContext, page: number | undefined): Promise<void> => {
    if (page !== undefined) await list.show(ctx, { page });
  };

  const openChange = async (
    ctx: RequestContext,
    jobId: string,
    change: { readonly when?: When | null },
  ): Promise<void> => {
    const t = texts(ctx.locale);
    const done = await schedule.change(pressOf(ctx, jobId), change);
    if (done.result === 'opened') {
      const { code, of, at } = done;
      const by = done.authorId === ctx.person.id ? null : done.authorName;
      await ctx.say(t.change(code, of, at === null ? null : ctx.format.dateTime(at), by));
      await cards.refresh(done.draftId);
      // The press has used a button of the other card up.
      const send = await schedule.one(ctx.chat.id, jobId);
      if (send !== null) await cards.refresh(send.draftId);
      return;
    }
    await refuse(ctx, jobId, done.result);
  };

  const refuse = async (ctx: RequestContext, jobId: string, result: Refused['result']): Promise<void> => {
    const t = texts(ctx.locale);
    await ctx.say(result === 'gone' ? t.gone : t.notYours);
    // The press has used a button up that is somebody else's to press.
    const send = await schedule.one(ctx.chat.id, jobId);
    if (send !== null) await cards.refresh(send.draftId);
  };

  /** Below a call, as below its card, no page is given. */
  const hear = async (ctx: RequestContext, jobId: string, page: number | undefined): Promise<void> => {
    const send = page === undefined ? await schedule.one(ctx.chat.id, jobId) : null;
    if (send !== null) await cards.heard(send.draftId, ctx);
  };

  const cancel = async (ctx: RequestContext, jobId: string, series: boolean): Promise<boolean> => {
    const done = await schedule.cancel({ ...pressOf(ctx, jobId), series });
    if (!done) await ctx.say(texts(ctx.locale).gone);
    return done;
  };

  const askEnd = async (ctx: RequestContext, jobId: string, code: string, rule: string): Promise<void> => {
    const t = texts(ctx.locale);
    const button = (label: string, series: boolean | null) =>
      waitingActions.end.button(label, { jobId, series });
    await ctx.say(t.askEnd(code, rule), {
      buttons: [[button(t.endOne, false), button(t.endSeries, true)], [button(t.keep, null)]],
    });
  };

  const actions: Action[] = [
    ...list.actions,
    waitingActions.show.does(async (ctx, { jobId, page }) => {
      const send = await schedule.one(ctx.chat.id, jobId);
      if (send !== null) return await cards.bring(send.draftId, ctx);
      await ctx.say(texts(ctx.locale).gone);
      await showList(ctx, page);
    }),
    waitingActions.edit.does(async (ctx, { jobId, page }) => {
      await hear(ctx, jobId, page);
      await openChange(ctx, jobId, {});
      await showList(ctx, page);
    }),
    waitingActions.pause.does(async (ctx, { jobId }) => {
      // What becomes of it the chat is asked by its card.
      const { result } = await schedule.pause(pressOf(ctx, jobId));
      if (result !== 'paused') await refuse(ctx, jobId, result);
    }),
    waitingActions.time.does(async (ctx, { jobId, page }) => {
      const send = await schedule.one(ctx.chat.id, jobId);
      if (send === null) return void (await ctx.say(texts(ctx.locale).gone));
      // The press has used the card's button up; whoever leaves the form finds a new one.
      await hear(ctx, jobId, page);
      if (page === undefined) await cards.refresh(send.draftId);
      await ctx.ask(TIME_FORM, { job: jobId });
    }),
    waitingActions.move.does(async (ctx, { jobId, at }) => {
      const recur = (await schedule.one(ctx.chat.id, jobId))?.recur ?? null;
      await openChange(ctx, jobId, { when: { sendAt: new Date(at), recur } });
    }),
    waitingActions.cancel.does(async (ctx, { jobId, page }) => {
      await hear(ctx, jobId, page);
      const send = await schedule.one(ctx.chat.id, jobId);
      if (send === null || send.recur === null) {
        await cancel(ctx, jobId, false);
        return await showList(ctx, page);
      }
      await askEnd(ctx, jobId, send.code, ruleText(send.recur, ctx.format));
      // Whoever keeps it may change their mind.
      await (page === undefined ? cards.refresh(send.draftId) : showList(ctx, page));
    }),
    waitingActions.end.does(async (ctx, { jobId, series }) => {
      const t = texts(ctx.locale);
      const send = await schedule.one(ctx.chat.id, jobId);
      if (send === null) return await ctx.rewrite(t.gone);
      if (series === null) return await ctx.rewrite(t.kept(send.code));
      if (await cancel(ctx, jobId, series)) await ctx.rewrite(t.ended(send.code, series));
    }),
  ];

  return { list, actions, openChange };
}

const PER_PAGE = 5;

/** Declares the list of what waits in the chat, soonest first, with what can be done about each. */
function waitingList(schedule: Pick<Stores['schedule'], 'waiting'>) {
  return defineList({
    pages: waitingActions.page,
    source: async ({ chat }, { page }) => {
      const found = await schedule.waiting(chat.id, { skip: (page - 1) * PER_PAGE, limit: PER_PAGE });
      return { ...found, page, pages: Math.ceil(found.all / PER_PAGE) };
    },
    card: (ctx, { sends, all, page }) => {
      const t = texts(ctx.locale);
      if (sends.length === 0) return { content: t.none };
      const rows = sends.map((send) => row(ctx, send));
      return {
        content: lines(t.head(ctx.format.count(all, t.sends)), joinHtml(rows, '\n\n')),
        rowButtons: sends.map((send) => buttonsOf(ctx, send, page)),
      };
    },
  });
}

function row({ locale, format }: RequestContext, send: WaitingSend): Html {
  const t = texts(locale);
  const say = send.state === 'missed' ? t.missedRow : t.row;
  return lines(
    say(format.dateTime(send.at), send.code, format.count(send.messages, t.messages), send.authorName),
    send.isUnlinked && whenTexts(locale).reasons.not_connected,
    send.recur !== null && t.repeats(ruleText(send.recur, format)),
    send.pace !== null && paceText(send.pace, format),
    send.change !== null && t.changing(send.change),
    send.priceRial !== null && t.price(format.rial(send.priceRial)),
  );
}

function buttonsOf(
  { locale }: RequestContext,
  { jobId, code, canLeaveNow, takesTime }: WaitingSend,
  page: number,
): ActionButton[] {
  const t = texts(locale);
  const { show, now, edit, time, cancel } = waitingActions;
  const send = { jobId, page };
  return [
    show.button(t.show(code), send),
    ...(canLeaveNow ? [now.button(t.sendNow(code), send)] : []),
    ...(takesTime
      ? [edit.button(t.edit(code), send), time.button(t.time(code), send, { reusable: true })]
      : []),
    cancel.button(t.cancel(code), send),
  ];
}

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
  return waitingActions.now.does(async (ctx, { jobId, warned = false, answered = false, words, page }) => {
    const t = whenTexts(ctx.locale);
    const { nothingSent } = approvalTexts(ctx.locale);
    if (ctx.binding !== null) await checkCredit(ctx.binding.id);
    const { draftId, pressed } = await schedule.sendNow({
      jobId,
      warned,
      answered,
      words,
      // Its card says what the text lacks for as long as it waits.
      lacking: true,
      ...chatDoerOf(ctx),
      undoSeconds,
      timeZone: ctx.format.timeZone,
    });
    const shown = draftId ?? (await schedule.one(ctx.chat.id, jobId))?.draftId ?? null;
    if (shown !== null && page === undefined) await cards.heard(shown, ctx);
    if (pressed.result === 'confirmed') return;
    if (shown !== null && pressed.result !== 'asked') await cards.refresh(shown);
    if (pressed.result === 'gone') await ctx.say(t.gone);
    else if (pressed.result === 'not_yours') await ctx.say(t.notYours);
    else if (pressed.result === 'short' || pressed.result === 'answered' || pressed.result === 'words') {
      const said = pressed.result === 'words' ? pressed.words : [];
      const { seen, why } = {
        short: { seen: { warned: true }, why: t.short },
        answered: { seen: { answered: true }, why: lines(nothingSent, t.reasons.answered) },
        words: { seen: { words: [...said] }, why: lines(nothingSent, lineRuleTexts(ctx.locale).says(said)) },
      }[pressed.result];
      const press = { jobId, warned, answered, words, ...seen };
      const button = waitingActions.now.button(t.sendNow, press, { style: 'danger' });
      await ctx.say(why, { buttons: [[button]] });
    } else {
      const view = draftId === null ? null : await drafts.card(draftId);
      if (view === null) return;
      if (pressed.result === 'author_role') await ctx.say(t.authorLost(view.draft.authorName));
      else await tellPress(ctx, pressed, view, { cards, now: clock.now() });
    }
  });
}
