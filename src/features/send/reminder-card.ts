import { createFormat } from '../../i18n/format.ts';
import type { JobControl } from '../../ports/jobs.ts';
import type { DraftStore } from '../../ports/stores.ts';
import type { Notifier } from '../../telegram/notifier.ts';
import { doubtTexts } from './doubt-texts.ts';

/** Brings a question up again that nobody has answered. */
export function createReminder(deps: {
  readonly jobs: Pick<JobControl, 'draftOf'>;
  readonly drafts: Pick<DraftStore, 'card'>;
  readonly notifier: Pick<Notifier, 'tell'>;
}): (jobId: string) => Promise<void> {
  return async (jobId) => {
    const draftId = await deps.jobs.draftOf(jobId);
    const view = draftId === null ? null : await deps.drafts.card(draftId);
    const asked = view?.job?.asked ?? 0;
    if (view === null || asked === 0) return;
    const { lang, code } = view.draft;
    const format = createFormat(lang, view.timeZone ?? 'UTC');
    await deps.notifier.tell(view.place, doubtTexts(lang).reminder(code, format.number(asked)));
  };
}
