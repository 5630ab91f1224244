import { z } from 'zod';
import { defineAction } from '../../telegram/action.ts';

/** The buttons of the team. */
export const teamActions = {
  page: defineAction({
    name: 'team.page',
    permission: 'team.view',
    payload: z.object({ page: z.int().min(1) }),
  }),
  makeOwner: defineAction({
    name: 'team.make-owner',
    permission: 'roles.grant',
    payload: z.object({ personId: z.int() }),
  }),
  leave: defineAction({
    name: 'team.leave',
    permission: 'roles.grant',
    payload: z.object({}),
  }),
};
