import { createFormat, type Format } from '../../../i18n/format.ts';
import type { JobControl, LateAnswer } from '../../../ports/jobs.ts';
import type { CardView, DraftStore, JobView } from '../../../ports/stores.ts';
import type { Html } from '../../../telegram/html.ts';
import type { Notifier } from '../../../telegram/outgoing/notifier.ts';
import { doubtTexts } from './doubt-texts.ts';

export interface LateAnswerDeps {
  readonly jobs: Pick<JobControl, 'draftOf'>;
  readonly drafts: Pick<DraftStore, 'card'>;
  readonly notifier: Pick<Notifier, 'tell'>;
}

/** Brings a question up again that nobody has answered; null where there is none any more. */
export function reminderText(
  { draft: { code, lang }, job: { asked } }: Pick<CardView, 'draft'> & { readonly job: JobView },
  format: Format,
): Html | null {
  const t = doubtTexts(lang);
  return asked === 0 ? null : t.reminder(code, format.count(asked, t.messages));
}

/** Says that the answer of a call was heard when a person had decided about it otherwise. */
export function createLateAnswer({ notifier, ...deps }: LateAnswerDeps): (late: LateAnswer) => Promise<void> {
  return async ({ jobId, untrue, recipients, by, again }) => {
    const view = await cardOf(deps, jobId);
    if (view === null) return;
    const { chatId, lang, code } = view.draft;
    const t = doubtTexts(lang);
    const count = createFormat(lang, view.timeZone ?? 'UTC').count(recipients, t.messages);
    const said = {
      said_sent: t.lateNotSent(code, count, by),
      said_not_sent: t.lateSent(code, count, by, again),
      sent_again: t.lateTwice(code, count, by, again ?? ''),
    };
    await notifier.tell(view.place, { chatId, locale: lang, content: said[untrue], buttons: [] });
  };
}

async function cardOf(
  { jobs, drafts }: Omit<LateAnswerDeps, 'notifier'>,
  jobId: string,
): Promise<CardView | null> {
  const draftId = await jobs.draftOf(jobId);
  return draftId === null ? null : await drafts.card(draftId);
}
