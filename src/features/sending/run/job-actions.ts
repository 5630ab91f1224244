import { AppError } from '../../../domain/errors.ts';
import { displayRecipient } from '../../../domain/phone.ts';
import type { JobStore, ResumeResult } from '../../../ports/jobs.ts';
import type { RestStore, Unsent } from '../../../ports/rest.ts';
import type { CardView, DraftStore } from '../../../ports/stores.ts';
import type { Tables } from '../../../ports/tables.ts';
import type { Action } from '../../../telegram/action.ts';
import { lines, type Html } from '../../../telegram/html.ts';
import type { Turn } from '../../../telegram/turn.ts';
import { jobActions } from '../actions.ts';
import type { Cards } from '../cards.ts';
import { limitedRest } from '../confirm/limited-card.ts';
import { texts } from '../texts.ts';
import { jobTexts } from './job-texts.ts';

export interface JobActionDeps {
  readonly drafts: Pick<DraftStore, 'card'>;
  readonly jobs: JobStore;
  readonly rests: RestStore;
  readonly tables: Tables;
  readonly cards: Cards;
}

/** Well below what a bot may send in one file, and what a process should hold of one. */
const FILE_UNITS = 8_000_000;

/** What people do to a send that has been confirmed: by the buttons of its card. */
export function createJobActions({ drafts, jobs, rests, tables, cards }: JobActionDeps): Action[] {
  return [
    jobActions.undo.does(async (turn, { jobId }) => {
      const undone = await jobs.undo(jobId, turn.person.id, turn.updateId);
      if (!undone) await tell(turn, jobId, texts(turn.locale).tooLate);
    }),
    jobActions.stop.does(async (turn, { jobId }) => {
      const stopped = await jobs.stop(jobId, 'person', turn.person.id, turn.updateId);
      if (!stopped) await tell(turn, jobId, texts(turn.locale).nothingToStop);
    }),
    jobActions.pause.does(async (turn, { jobId }) => {
      const paused = await jobs.pause({ jobId, personId: turn.person.id, updateId: turn.updateId });
      if (!paused) await tell(turn, jobId, jobTexts(turn.locale).nothingToPause);
    }),
    jobActions.resume.does(async (turn, { jobId, left }) => {
      const { timeZone } = turn.format;
      const press = { jobId, personId: turn.person.id, updateId: turn.updateId, timeZone, seen: left };
      const done = await jobs.resume(press);
      const view = done.result === 'resumed' ? null : await cardOf(jobId);
      if (done.result !== 'resumed' && view !== null) await tell(turn, jobId, whyNot(turn, done, view));
    }),
    jobActions.rest.does(async (turn, { jobId }) => {
      const view = await cardOf(jobId);
      if (view?.draft.chatId === turn.chat.id) await sendRest(turn, jobId, view.draft.code);
    }),
    jobActions.resend.does(async (turn, { jobId }) => {
      const t = jobTexts(turn.locale);
      if (turn.binding === null) throw new AppError('not_connected', 'there is no account to send it by');
      const done = await rests.resend({
        jobId,
        chatId: turn.chat.id,
        bindingId: turn.binding.id,
        botId: turn.bot.id,
        personId: turn.person.id,
        updateId: turn.updateId,
        lang: turn.locale,
        threadId: turn.threadId,
      });
      if (done.result === 'nothing') return await tell(turn, jobId, t.nothingToResend);
      if (done.result === 'open') return await tell(turn, jobId, t.resendOpen(done.code));
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

  async function tell(turn: Turn, jobId: string, said: Html): Promise<void> {
    await turn.say(said);
    await refresh(jobId);
  }

  /** Everybody for whom a job has not left, with the text that was meant for them where each had one of their own. */
  async function sendRest(turn: Turn, jobId: string, code: string): Promise<void> {
    const t = jobTexts(turn.locale);
    let rows: string[][] = [];
    let [units, sent] = [0, 0];
    const send = async (isLast: boolean): Promise<void> => {
      const name = t.restName(code, isLast && sent === 0 ? null : sent + 1);
      const content = await tables.write({ header: t.restColumns, rows }, 'csv');
      const caption = t.restCaption(code, turn.format.number(rows.length));
      await turn.sendFile({ name, content }, { caption });
      sent += 1;
      [rows, units] = [[], 0];
    };
    for await (const block of rests.unsent(jobId)) {
      if (units > FILE_UNITS) await send(false);
      for (const each of block) {
        rows.push(restRow(turn, each));
        units += (each.text?.length ?? 0) + ROW_UNITS;
      }
    }
    if (rows.length > 0) await send(true);
    else if (sent === 0) await turn.say(t.nobodyLeft);
  }
}

/** A row without its text. */
const ROW_UNITS = 60;

function restRow(turn: Turn, { recipient, why, line, text }: Unsent): string[] {
  return [displayRecipient(recipient), jobTexts(turn.locale).why[why], line, text ?? ''];
}

function whyNot(turn: Turn, done: Exclude<ResumeResult, { result: 'resumed' }>, { job }: CardView): Html {
  const t = jobTexts(turn.locale);
  switch (done.result) {
    case 'nothing':
      return t.nothingToResume;
    case 'more':
      return lines(t.notGoneOn, t.moreLeft(turn.format.number(done.recipients)));
    case 'not_connected':
      return lines(t.notGoneOn, t.accountGone);
    case 'past':
      return lines(t.notGoneOn, t.tooNear);
    case 'limited':
      return lines(t.notGoneOn, limitedRest(turn, done, job?.confirmedByName ?? ''));
  }
}
