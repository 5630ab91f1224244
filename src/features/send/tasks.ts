import { z } from 'zod';
import { defineTask, type Task } from '../../ports/runtime.ts';
import { createGaugeTask, type GaugeTaskDeps } from './gauge.ts';
import { createReconciler, type ReconcilerDeps } from './reconciler.ts';
import { createSender, type SenderDeps } from './sender.ts';
import { createTracker, type TrackerDeps } from './tracker.ts';

/** The work behind a card: the calls, the reports, and the card itself. */
export function createSendTasks(
  deps: SenderDeps &
    TrackerDeps &
    ReconcilerDeps &
    GaugeTaskDeps & {
      readonly cards: { follow(draftId: string): Promise<void> };
      readonly remind: (jobId: string) => Promise<void>;
    },
): Task[] {
  const send = createSender(deps);
  const track = createTracker(deps);
  const reconcile = createReconciler(deps);
  const job = z.object({ jobId: z.uuid() });
  return [
    defineTask({ name: 'send', schema: job, run: async ({ jobId }, context) => await send(jobId, context) }),
    defineTask({
      name: 'reconcile',
      schema: z.object({ attemptId: z.uuid() }),
      run: async ({ attemptId }, context) => await reconcile(attemptId, context),
    }),
    defineTask({ name: 'remind', schema: job, run: async ({ jobId }) => await deps.remind(jobId) }),
    defineTask({
      name: 'track',
      schema: job.extend({ after: z.object({ call: z.int(), messageId: z.string() }).optional() }),
      run: async ({ jobId, after }, context) => await track(jobId, context, after),
    }),
    createGaugeTask(deps),
    defineTask({
      name: 'card',
      schema: z.object({ draftId: z.uuid() }),
      run: async ({ draftId }) => {
        await deps.jobs.settle(draftId);
        await deps.cards.follow(draftId);
      },
    }),
  ];
}
