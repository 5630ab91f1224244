import { z } from 'zod';
import { defineAction } from '../../telegram/action.ts';

/** `back` is the address that leads back into the group. */
const payload = z.object({ registrationId: z.uuid(), userName: z.string(), back: z.string().optional() });

/** The buttons of a registration. They stand in the private chat, so the role in the chat that it is for is asked by the service. */
export const registrationActions = {
  show: defineAction({
    name: 'register.show',
    permission: null,
    payload,
  }),
  confirm: defineAction({
    name: 'register.confirm',
    permission: null,
    payload,
  }),
  drop: defineAction({
    name: 'register.drop',
    permission: null,
    payload,
  }),
};
