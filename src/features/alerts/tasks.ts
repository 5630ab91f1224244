import { z } from 'zod';
import { defineTask, type Task } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';

/** What is looked at a little after it happened. */
export function createAlertTasks({
  alarms,
}: {
  readonly alarms: Pick<Stores['alarms'], 'evaluateFailures'>;
}): readonly Task[] {
  return [
    defineTask({
      name: 'failures',
      schema: z.object({ jobId: z.uuid() }),
      run: async ({ jobId }) => void (await alarms.evaluateFailures(jobId)),
    }),
  ];
}
