import { z } from 'zod';
import { defineAction } from '../../telegram/action.ts';

/** `back` is the address that leads back into the group. */
const pending = z.object({ bindingId: z.uuid(), back: z.string().optional() });

/** The buttons of linking an account, and of ending that. */
export const connectActions = {
  begin: defineAction({
    name: 'connect.begin',
    permission: null,
    payload: z.object({}),
  }),
  link: defineAction({
    name: 'connect.link',
    permission: null,
    payload: pending,
  }),
  drop: defineAction({
    name: 'connect.drop',
    permission: null,
    payload: pending,
  }),
  addToken: defineAction({
    name: 'connect.add-token',
    permission: null,
    payload: z.object({ chatId: z.uuid(), title: z.string(), back: z.string().optional() }),
  }),
  unlink: defineAction({
    name: 'connect.unlink',
    permission: 'disconnect',
    payload: z.object({}),
  }),
  stay: defineAction({
    name: 'connect.stay',
    permission: 'disconnect',
    payload: z.object({}),
  }),
};
