import { z } from 'zod';
import { defineAction } from '../../telegram/action.ts';

/** So many entries can be looked at. */
export const MOST = 200;

/** The buttons below the record. */
export const auditActions = {
  page: defineAction({
    name: 'audit.page',
    permission: 'audit.view',
    payload: z.object({ n: z.int().min(1).max(MOST), upTo: z.int(), page: z.int().min(1) }),
  }),
  export: defineAction({
    name: 'audit.export',
    permission: 'audit.view',
    payload: z.object({}),
  }),
};
