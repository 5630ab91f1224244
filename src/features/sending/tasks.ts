import { z } from 'zod';
import type { LateAnswer } from '../../ports/jobs.ts';
import { defineTask, type Task } from '../../ports/runtime.ts';
import type { DraftStore } from '../../ports/stores.ts';
import { createGaugeTask, type GaugeTaskDeps } from './draft/gauge.ts';
import { createReconciler, type ReconcilerDeps } from './reconcile/reconciler.ts';
import { createSender, type SenderDeps } from './run/sender.ts';
import { createTracker, type TrackerDeps } from './track/tracker.ts';

const jobPayload = z.object({ jobId: z.uuid() });
const attemptPayload = z.object({ attemptId: z.uuid() });
const latePayload = z.object({
  jobId: z.uuid(),
  untrue: z.enum(['said_sent', 'said_not_sent', 'sent_again']),
  recipients: z.int(),
  by: z.string(),
  again: z.string().nullable(),
});
const trackPayload = jobPayload.extend({
  after: z.object({ call: z.int(), messageId: z.string() }).optional(),
});
const chatPayload = z.object({ chatId: z.uuid().nullable() });
const cardPayload = z.object({ draftId: z.uuid(), lapses: z.boolean().optional() });

/** The work behind a card: the calls, the reports, and the card itself. */
export function createSendTasks(
  deps: SenderDeps &
    TrackerDeps &
    ReconcilerDeps &
    GaugeTaskDeps & {
      readonly cards: { follow(draftId: string, how?: { readonly isAgain: boolean }): Promise<void> };
      readonly drafts: Pick<DraftStore, 'showOpen' | 'showLater'>;
      readonly tellLate: (late: LateAnswer) => Promise<void>;
      /** Says that the time of a draft is over, or that nobody may approve it any more, where its card alone would not be seen. */
      readonly tellLapse: (draftId: string) => Promise<void>;
    },
): Task[] {
  const send = createSender(deps);
  const track = createTracker(deps);
  const reconcile = createReconciler(deps);
  return [
    defineTask({
      name: 'send',
      schema: jobPayload,
      run: async ({ jobId }, context) => {
        try {
          await send(jobId, context);
        } catch (error) {
          // It is tried again, later each time: until then the card says what has not left.
          const draftId = await deps.jobs.draftOf(jobId);
          if (draftId !== null) await deps.drafts.showLater(draftId);
          throw error;
        }
      },
    }),
    defineTask({
      name: 'reconcile',
      apart: true,
      schema: attemptPayload,
      run: async ({ attemptId }, context) => await reconcile(attemptId, context),
    }),
    defineTask({
      name: 'late-answer',
      schema: latePayload,
      run: async (late) => await deps.tellLate(late),
    }),
    defineTask({
      name: 'track',
      apart: true,
      schema: trackPayload,
      run: async ({ jobId, after }, context) => await track(jobId, context, after),
    }),
    createGaugeTask(deps),
    defineTask({
      name: 'open-drafts',
      schema: chatPayload,
      run: async ({ chatId }) => await deps.drafts.showOpen(chatId),
    }),
    defineTask({
      name: 'card',
      schema: cardPayload,
      run: async ({ draftId, lapses }, { attempt }) => {
        await deps.cards.follow(draftId, { isAgain: attempt > 1 });
        if (lapses === true) await deps.tellLapse(draftId);
      },
    }),
  ];
}
