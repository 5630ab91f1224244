import { z } from 'zod';
import { createFormat, type Format } from '../../i18n/format.ts';
import type { JobControl } from '../../ports/jobs.ts';
import { defineTask, type Clock, type Task } from '../../ports/runtime.ts';
import type { CardView, DraftStore, JobView } from '../../ports/stores.ts';
import { lines, type Html } from '../../telegram/html.ts';
import type { Notifier } from '../../telegram/outgoing/notifier.ts';
import { renderCard } from './card.ts';
import type { Cards } from './cards.ts';
import { callAuthor } from './draft/author-card.ts';
import { reminderText } from './reconcile/doubt-card.ts';
import { jobTexts } from './run/job-texts.ts';
import { missedText } from './schedule/when-card.ts';
import { whenTexts } from './schedule/when-texts.ts';

interface CallDeps {
  readonly jobs: Pick<JobControl, 'draftOf'>;
  readonly drafts: Pick<DraftStore, 'card'>;
  readonly cards: Pick<Cards, 'refresh'>;
  readonly notifier: Pick<Notifier, 'tell'>;
  readonly clock: Clock;
  /** Of chats that have none of their own. */
  readonly timeZone: string;
}

/** What the author of a job is told; null: nothing of it is news by now. */
type Said = (view: CardView & { readonly job: JobView }, format: Format, now: Date) => Html | null;

const CALLS: Readonly<Record<'missed' | 'unanswered' | 'remind', Said>> = {
  missed: missedCall,
  unanswered: unansweredText,
  remind: reminderText,
};

const jobPayload = z.object({ jobId: z.uuid() });

/** The tasks that bring the card of a job up to its question, and call its author with the same buttons. */
export function createCallTasks({ jobs, drafts, cards, notifier, clock, timeZone }: CallDeps): Task[] {
  return Object.entries(CALLS).map(([name, said]) =>
    defineTask({
      name,
      schema: jobPayload,
      run: async ({ jobId }) => {
        const draftId = await jobs.draftOf(jobId);
        if (draftId === null) return;
        await cards.refresh(draftId);
        const view = await drafts.card(draftId);
        if (view === null || view.job === null) return;
        const { chatId, lang } = view.draft;
        const format = createFormat(lang, view.timeZone ?? timeZone);
        const now = clock.now();
        const news = said({ ...view, job: view.job }, format, now);
        if (news === null) return;
        const { buttons } = renderCard({ ...view, timeZone: format.timeZone }, now);
        await notifier.tell(view.place, { chatId, locale: lang, content: callAuthor(view, news), buttons });
      },
    }),
  );
}

/** What the author of a send that did not leave at its time is told; null where it does not wait for an answer any more. */
function missedCall(
  { draft, job }: Pick<CardView, 'draft'> & { readonly job: JobView },
  format: Format,
  now: Date,
): Html | null {
  if (job.state !== 'missed') return null;
  return lines(missedText({ draft, job }, format, now), whenTexts(draft.lang).notification(draft.code));
}

/** What has become of an answer to a received message, where that is not what was meant; null: it is on its way, or there. */
export function unansweredText({
  draft: { code, lang },
  job: { asked, counts },
}: Pick<CardView, 'draft'> & { readonly job: JobView }): Html | null {
  const t = jobTexts(lang);
  if (asked > 0) return t.answerAsks(code);
  if (counts.unknown > 0) return t.answerUnknown(code);
  return counts.planned + counts.rejected + counts.blocked > 0 ? t.answerNotSent(code) : null;
}
