import { z } from 'zod';
import { defineAction } from '../../telegram/action.ts';
import { definePages } from '../../telegram/list.ts';

const WEEK_SECONDS = 604_800;
const ofRules = { permission: 'alerts.manage', ttlSeconds: WEEK_SECONDS } as const;

/** The buttons of an inbox's rules. */
export const ruleActions = {
  page: definePages({ name: 'rules.page', permission: 'alerts.manage', of: {} }),
  remove: defineAction({
    name: 'rules.remove',
    ...ofRules,
    payload: z.object({ id: z.uuid(), page: z.int().min(1) }),
  }),
  optout: defineAction({
    name: 'rules.optout',
    ...ofRules,
    payload: z.object({ line: z.string(), isOn: z.boolean(), page: z.int().min(1) }),
  }),
  desk: defineAction({
    name: 'rules.desk',
    ...ofRules,
    reusable: true,
    payload: z.object({ what: z.enum(['hours', 'closed']) }),
  }),
  read: defineAction({
    name: 'rules.read',
    ...ofRules,
    payload: z.object({ isOn: z.boolean(), page: z.int().min(1) }),
  }),
};
