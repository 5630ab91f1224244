import { z } from 'zod';
import type { RegistrationWork } from '../../ports/registrations.ts';
import { defineTask, type Task } from '../../ports/runtime.ts';

/** The ends of a registration's times: of the ten minutes it is open, of the call, of the password on the screen. */
export function createRegistrationTasks(cards: {
  settle(work: RegistrationWork): Promise<void>;
  hidePassword(work: RegistrationWork): Promise<void>;
}): Task[] {
  const schema = z.object({
    registrationId: z.uuid(),
    card: z
      .object({
        chatId: z.uuid(),
        chatTelegramId: z.int(),
        messageId: z.int(),
        lang: z.enum(['en', 'fa']),
        back: z.string().optional(),
      })
      .nullable(),
  });
  return [
    defineTask({ name: 'registration', schema, run: async (work) => await cards.settle(work) }),
    defineTask({
      name: 'registration-password',
      schema,
      run: async (work) => await cards.hidePassword(work),
    }),
  ];
}
