import { z } from 'zod';
import { defineAction, LOOKING } from '../../../telegram/action.ts';
import { definePages } from '../../../telegram/list.ts';

const WEEK_SECONDS = 604_800;
/** `changes`: the order whose text a proposal is to change. */
const ofOrder = {
  payload: z.object({ id: z.uuid(), changes: z.uuid().optional() }),
  ttlSeconds: WEEK_SECONDS,
} as const;
const onPage = {
  payload: z.object({ id: z.uuid(), page: z.int().min(1) }),
  ttlSeconds: WEEK_SECONDS,
} as const;

/** The buttons of sends by people's dates. */
export const dateActions = {
  page: definePages({ name: 'dates.page', permission: 'send.schedule', of: {} }),
  add: defineAction({ name: 'dates.add', permission: 'send.schedule', payload: z.object({}), ...LOOKING }),
  on: defineAction({ name: 'dates.on', permission: 'send.confirm', ...ofOrder }),
  drop: defineAction({ name: 'dates.drop', permission: 'send.schedule', ...ofOrder }),
  retext: defineAction({ name: 'dates.retext', permission: 'send.schedule', ...ofOrder }),
  pause: defineAction({ name: 'dates.pause', permission: 'send.schedule', ...onPage }),
  resume: defineAction({ name: 'dates.resume', permission: 'send.confirm', ...onPage }),
  end: defineAction({ name: 'dates.end', permission: 'send.schedule', ...onPage }),
};
