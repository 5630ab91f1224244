import { z } from 'zod';
import { defineAction } from '../../telegram/action.ts';
import { definePages } from '../../telegram/list.ts';

/** So many entries can be looked at. */
export const MOST = 200;

/** The buttons below the record. */
export const auditActions = {
  page: definePages({
    name: 'audit.page',
    permission: 'audit.view',
    of: { n: z.int().min(1).max(MOST), upTo: z.int() },
  }),
  export: defineAction({
    name: 'audit.export',
    permission: 'audit.view',
    payload: z.object({}),
  }),
};
