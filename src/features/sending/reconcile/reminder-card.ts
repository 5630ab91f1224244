import { createFormat } from '../../../i18n/format.ts';
import type { JobControl, LateAnswer } from '../../../ports/jobs.ts';
import type { CardView, DraftStore } from '../../../ports/stores.ts';
import type { Notifier } from '../../../telegram/outgoing/notifier.ts';
import { doubtTexts } from './doubt-texts.ts';

export interface ReminderDeps {
  readonly jobs: Pick<JobControl, 'draftOf'>;
  readonly drafts: Pick<DraftStore, 'card'>;
  readonly notifier: Pick<Notifier, 'tell'>;
}

/** Brings a question up again that nobody has answered. */
export function createReminder({ notifier, ...deps }: ReminderDeps): (jobId: string) => Promise<void> {
  return async (jobId) => {
    const view = await cardOf(deps, jobId);
    const asked = view?.job?.asked ?? 0;
    if (view === null || asked === 0) return;
    const { chatId, lang, code } = view.draft;
    const format = createFormat(lang, view.timeZone ?? 'UTC');
    const content = doubtTexts(lang).reminder(code, format.number(asked));
    await notifier.tell(view.place, { chatId, locale: lang, content, buttons: [] });
  };
}

/** Says that the answer of a call was heard when a person had decided about it otherwise. */
export function createLateAnswer({ notifier, ...deps }: ReminderDeps): (late: LateAnswer) => Promise<void> {
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
  { jobs, drafts }: Omit<ReminderDeps, 'notifier'>,
  jobId: string,
): Promise<CardView | null> {
  const draftId = await jobs.draftOf(jobId);
  return draftId === null ? null : await drafts.card(draftId);
}
