import { z } from 'zod';
import { defineTask, type Task } from '../../ports/runtime.ts';
import { createChanger, type ChangerDeps } from './changer.ts';

/** The work behind a confirmed change of a phonebook. */
export function createPhonebookTasks(deps: ChangerDeps): Task[] {
  const change = createChanger(deps);
  return [
    defineTask({
      name: 'phonebook',
      schema: z.object({
        changeId: z.uuid(),
        again: z.boolean(),
        updateId: z.number().int(),
        messageId: z.number().int().nullable(),
        threadId: z.number().int().nullable(),
        locale: z.enum(['en', 'fa']),
      }),
      run: change,
    }),
  ];
}
