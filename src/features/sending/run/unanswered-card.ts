import { z } from 'zod';
import { createFormat } from '../../../i18n/format.ts';
import type { JobControl } from '../../../ports/jobs.ts';
import { defineTask, type Clock, type Task } from '../../../ports/runtime.ts';
import type { DraftStore, JobView } from '../../../ports/stores.ts';
import type { Notifier } from '../../../telegram/outgoing/notifier.ts';
import type { Html } from '../../../telegram/html.ts';
import type { Locale } from '../../../i18n/define.ts';
import { callAuthor } from '../call-card.ts';
import { renderCard } from '../card.ts';
import type { Cards } from '../cards.ts';
import { jobTexts } from './job-texts.ts';

interface UnansweredDeps {
  readonly jobs: Pick<JobControl, 'draftOf'>;
  readonly drafts: Pick<DraftStore, 'card'>;
  readonly cards: Pick<Cards, 'refresh'>;
  readonly notifier: Pick<Notifier, 'tell'>;
  readonly clock: Clock;
  /** Of chats that have none of their own. */
  readonly timeZone: string;
}

/** Calls whoever has answered a received message when that answer is not sent, or nobody knows, with what they may press. */
export function createUnansweredTask({
  jobs,
  drafts,
  cards,
  notifier,
  clock,
  timeZone: ours,
}: UnansweredDeps): Task {
  return defineTask({
    name: 'unanswered',
    schema: z.object({ jobId: z.uuid() }),
    run: async ({ jobId }) => {
      const draftId = await jobs.draftOf(jobId);
      if (draftId === null) return;
      await cards.refresh(draftId);
      const view = await drafts.card(draftId);
      if (view === null || view.job === null) return;
      const { chatId, lang, code } = view.draft;
      const said = unansweredText(view.job, code, lang);
      if (said === null) return;
      const { timeZone } = createFormat(lang, view.timeZone ?? ours);
      const { buttons } = renderCard({ ...view, timeZone }, clock.now());
      await notifier.tell(view.place, { chatId, locale: lang, content: callAuthor(view, said), buttons });
    },
  });
}

/** What has become of an answer, where that is not what was meant; null: it is on its way, or there. */
function unansweredText({ asked, counts }: JobView, code: string, lang: Locale): Html | null {
  const t = jobTexts(lang);
  if (asked > 0) return t.answerAsks(code);
  if (counts.unknown > 0) return t.answerUnknown(code);
  return counts.planned + counts.rejected + counts.blocked > 0 ? t.answerNotSent(code) : null;
}
