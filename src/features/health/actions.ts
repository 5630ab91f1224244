import { z } from 'zod';
import { defineAction } from '../../telegram/action.ts';

const WEEK_SECONDS = 604_800;

/** The button below the health of the deployment. */
export const healthActions = {
  again: defineAction({
    name: 'health.again',
    permission: null,
    payload: z.object({}),
    ttlSeconds: WEEK_SECONDS,
    reusable: true,
  }),
};
