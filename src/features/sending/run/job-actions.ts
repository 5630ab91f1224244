import { displayRecipient } from '../../../domain/phone.ts';
import type { ResumeResult } from '../../../ports/jobs.ts';
import type { Unsent } from '../../../ports/unsent.ts';
import type { Clock } from '../../../ports/runtime.ts';
import type { CardView, DraftStore } from '../../../ports/stores.ts';
import type { Tables } from '../../../ports/tables.ts';
import type { Stores } from '../../../storage/stores.ts';
import type { Action } from '../../../telegram/action.ts';
import type { ActionButton } from '../../../telegram/buttons.ts';
import { lines, type Html } from '../../../telegram/html.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { linkedAccount } from '../../shared/account.ts';
import { doerOf } from '../../shared/doer.ts';
import { jobActions } from '../actions.ts';
import type { Cards } from '../cards.ts';
import { limitedRest } from '../confirm/limited-card.ts';
import { texts } from '../texts.ts';
import { jobTexts } from './job-texts.ts';
import { createUndo } from './undo-card.ts';

export interface JobActionDeps extends Pick<Stores, 'jobs' | 'rests'> {
  readonly drafts: Pick<DraftStore, 'card' | 'findByCode'>;
  readonly tables: Tables;
  readonly cards: Cards;
  readonly clock: Pick<Clock, 'now'>;
}

/** Well below what a bot may send in one file, and what a process should hold of one. */
const FILE_UNITS = 8_000_000;

/** What people do to a send that has been confirmed: by the buttons of its card. */
export function createJobActions(deps: JobActionDeps): Action[] {
  const { drafts, jobs, rests, tables, cards } = deps;
  return [
    jobActions.undo.does(createUndo(deps)),
    jobActions.stop.does(async (ctx, { jobId }) => {
      const stopped = await jobs.stop(jobId, 'person', ctx.person.id, ctx.updateId);
      await hear(ctx, jobId);
      if (!stopped) await tell(ctx, jobId, texts(ctx.locale).nothingToStop);
    }),
    jobActions.pause.does(async (ctx, { jobId }) => {
      const paused = await jobs.pause({ jobId, ...doerOf(ctx) });
      await hear(ctx, jobId);
      if (!paused) await tell(ctx, jobId, jobTexts(ctx.locale).nothingToPause);
    }),
    jobActions.resume.does(async (ctx, { jobId, left, told, words }) => {
      const { timeZone } = ctx.format;
      const press = { jobId, ...doerOf(ctx), timeZone, seen: left, told, words };
      const done = await jobs.resume(press);
      if (done.result === 'resumed') return;
      const view = await cardOf(jobId);
      if (view !== null)
        await tell(ctx, jobId, whyNot(ctx, done, view), withWords(ctx, { jobId, left, told }, done));
    }),
    jobActions.rest.does(async (ctx, { jobId }) => {
      const view = await cardOf(jobId);
      if (view?.draft.chatId === ctx.chat.id) await sendRest(ctx, jobId, view.draft.code);
    }),
    jobActions.resend.does(async (ctx, { jobId }) => {
      const t = jobTexts(ctx.locale);
      const done = await rests.resend({
        jobId,
        chatId: ctx.chat.id,
        bindingId: linkedAccount(ctx).id,
        botId: ctx.bot.id,
        ...doerOf(ctx),
        lang: ctx.locale,
        threadId: ctx.threadId,
      });
      if (done.result === 'nothing') return await tell(ctx, jobId, t.nothingToResend);
      if (done.result === 'open') return await tell(ctx, jobId, t.resendOpen(done.code));
      await cards.refresh(done.draftId);
      await refresh(jobId);
    }),
  ];

  async function cardOf(jobId: string): Promise<CardView | null> {
    const draftId = await jobs.draftOf(jobId);
    return draftId === null ? null : await drafts.card(draftId);
  }

  /** The press has used the button up: the card gets fresh ones. */
  async function refresh(jobId: string): Promise<void> {
    const draftId = await jobs.draftOf(jobId);
    if (draftId !== null) await cards.refresh(draftId);
  }

  async function hear(ctx: RequestContext, jobId: string): Promise<void> {
    const draftId = await jobs.draftOf(jobId);
    if (draftId !== null) await cards.heard(draftId, ctx);
  }

  async function tell(
    ctx: RequestContext,
    jobId: string,
    said: Html,
    button: ActionButton | null = null,
  ): Promise<void> {
    await ctx.say(said, { buttons: [[button]] });
    await refresh(jobId);
  }

  /** Everybody for whom a job has not left, with the text that was meant for them where each had one of their own. */
  async function sendRest(ctx: RequestContext, jobId: string, code: string): Promise<void> {
    const t = jobTexts(ctx.locale);
    let rows: string[][] = [];
    let [units, sent] = [0, 0];
    const send = async (isLast: boolean): Promise<void> => {
      const name = t.restName(code, isLast && sent === 0 ? null : sent + 1);
      const content = await tables.write({ header: t.restColumns, rows }, 'csv');
      const caption = t.restCaption(code, ctx.format.number(rows.length));
      await ctx.sendFile({ name, content }, { caption });
      sent += 1;
      [rows, units] = [[], 0];
    };
    for await (const block of rests.unsent(jobId)) {
      if (units > FILE_UNITS) await send(false);
      for (const each of block) {
        rows.push(restRow(ctx, each));
        units += (each.text?.length ?? 0) + ROW_UNITS;
      }
    }
    if (rows.length > 0) await send(true);
    else await ctx.say(t.nobodyLeft);
  }
}

/** A row without its text. */
const ROW_UNITS = 60;

function restRow(ctx: RequestContext, { recipient, why, line, text }: Unsent): string[] {
  return [displayRecipient(recipient), jobTexts(ctx.locale).why[why], line, text ?? ''];
}

/** The same button for a second person, who is shown the words for which one is asked. */
function withWords(
  ctx: RequestContext,
  press: Omit<Parameters<typeof jobActions.resume.button>[1], 'words'>,
  done: ResumeResult,
): ActionButton | null {
  if (done.result !== 'limited' || done.verdict.kind !== 'approval') return null;
  const words = [...done.verdict.words];
  return words.length === 0
    ? null
    : jobActions.resume.button(jobTexts(ctx.locale).sendRest, { ...press, words });
}

function whyNot(
  ctx: RequestContext,
  done: Exclude<ResumeResult, { result: 'resumed' }>,
  { job }: CardView,
): Html {
  const t = jobTexts(ctx.locale);
  switch (done.result) {
    case 'nothing':
      return t.nothingToResume;
    case 'more':
      return lines(t.notGoneOn, t.moreLeft(ctx.format.number(done.recipients)));
    case 'known':
      return lines(t.notGoneOn, done.earlier.answered === true ? t.restAnswered : t.restDoubted);
    case 'not_connected':
      return lines(t.notGoneOn, t.accountGone);
    case 'past':
      return lines(t.notGoneOn, t.tooNear);
    case 'limited':
      return lines(t.notGoneOn, limitedRest(done, job?.confirmedByName ?? '', ctx.format));
  }
}
