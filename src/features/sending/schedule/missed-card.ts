import { z } from 'zod';
import { createFormat } from '../../../i18n/format.ts';
import type { JobControl } from '../../../ports/jobs.ts';
import { defineTask, type Clock, type Task } from '../../../ports/runtime.ts';
import type { DraftStore } from '../../../ports/stores.ts';
import { lines } from '../../../telegram/html.ts';
import type { Notifier } from '../../../telegram/outgoing/notifier.ts';
import { callAuthor } from '../call-card.ts';
import { renderCard } from '../card.ts';
import type { Cards } from '../cards.ts';
import { missedText } from './when-card.ts';
import { whenTexts } from './when-texts.ts';

interface MissedDeps {
  readonly jobs: Pick<JobControl, 'draftOf'>;
  readonly drafts: Pick<DraftStore, 'card'>;
  readonly cards: Cards;
  readonly notifier: Pick<Notifier, 'tell'>;
  readonly clock: Clock;
  /** Of chats that have none of their own. */
  readonly timeZone: string;
}

/** Brings the card of a missed send up to its question, and calls its author with the same buttons. */
export function createMissedTask({ jobs, drafts, cards, notifier, clock, timeZone }: MissedDeps): Task {
  return defineTask({
    name: 'missed',
    schema: z.object({ jobId: z.uuid() }),
    run: async ({ jobId }) => {
      const draftId = await jobs.draftOf(jobId);
      if (draftId === null) return;
      await cards.refresh(draftId);
      const view = await drafts.card(draftId);
      if (view?.job?.state !== 'missed') return;
      const { chatId, lang, code } = view.draft;
      const format = createFormat(lang, view.timeZone ?? timeZone);
      const now = clock.now();
      const why = missedText({ draft: view.draft, job: view.job }, format, now);
      const said = lines(why, whenTexts(lang).notification(code));
      const { buttons } = renderCard({ ...view, timeZone: format.timeZone }, now);
      await notifier.tell(view.place, { chatId, locale: lang, content: callAuthor(view, said), buttons });
    },
  });
}
