import { z } from 'zod';
import { defineAction } from '../../telegram/action.ts';
import { definePages } from '../../telegram/list.ts';

/** The buttons of the team. */
export const teamActions = {
  page: definePages({ name: 'team.page', permission: 'team.view', of: {} }),
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
