import { z } from 'zod';
import { defineAction, LOOKING } from '../../telegram/action.ts';

/** The button below the health of the deployment. */
export const healthActions = {
  again: defineAction({
    name: 'health.again',
    permission: null,
    payload: z.object({}),
    ...LOOKING,
  }),
};
