import { z } from 'zod';
import type { AlarmStore } from '../../ports/alerts.ts';
import { defineTask, type Task } from '../../ports/runtime.ts';

/** What is looked at a little after it happened. */
export function createAlertTasks({
  alarms,
}: {
  readonly alarms: Pick<AlarmStore, 'judgeFailures'>;
}): readonly Task[] {
  return [
    defineTask({
      name: 'failures',
      schema: z.object({ jobId: z.uuid() }),
      run: async ({ jobId }) => void (await alarms.judgeFailures(jobId)),
    }),
  ];
}
