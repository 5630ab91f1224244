import { z } from 'zod';
import { defineAction } from '../../telegram/action.ts';
import { LIMIT_NAMES } from './arguments.ts';

const payload = z.object({ limit: z.enum(LIMIT_NAMES) });

/** The buttons of a chat's limits, and its switch. */
export const limitActions = {
  edit: defineAction({
    name: 'limits.edit',
    permission: 'limits.manage',
    payload,
    reusable: true,
  }),
  off: defineAction({
    name: 'limits.off',
    permission: 'limits.manage',
    payload,
  }),
  stop: defineAction({
    name: 'limits.stop',
    permission: 'limits.manage',
    urgent: true,
    payload: z.object({}),
  }),
  go: defineAction({
    name: 'limits.go',
    permission: 'limits.manage',
    payload: z.object({}),
  }),
};
