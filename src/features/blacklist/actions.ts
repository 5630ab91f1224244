import { z } from 'zod';
import { defineAction, LOOKING } from '../../telegram/action.ts';
import { definePages } from '../../telegram/list.ts';

/** What is asked for another line than the one that was shown or asked about. */
export const what = z.enum(['list', 'check', 'block', 'unblock']);

const blocking = z.object({
  nonce: z.string(),
  bindingId: z.uuid(),
  line: z.string(),
  numbers: z.array(z.string()).readonly(),
  /** Set for a repeat: those that the call before may have added. */
  doubtful: z.array(z.string()).readonly().optional(),
  choice: z.enum(['block', 'other_line', 'cancel']),
});

const unblocking = z.object({
  nonce: z.string(),
  bindingId: z.uuid(),
  line: z.string(),
  number: z.string(),
  choice: z.enum(['unblock', 'again', 'other_line', 'cancel']),
});

/** The buttons of blacklists. */
export const blacklistActions = {
  block: defineAction({
    name: 'blacklist.block',
    permission: 'blacklist.add',
    payload: blocking,
  }),
  page: definePages({ name: 'blacklist.page', permission: 'blacklist.view', of: { line: z.string() } }),
  otherLine: defineAction({
    name: 'blacklist.other-line',
    permission: 'blacklist.view',
    ...LOOKING,
    payload: z.object({ what, numbers: z.string() }),
  }),
  export: defineAction({
    name: 'blacklist.export',
    permission: 'blacklist.view',
    ...LOOKING,
    payload: z.object({ line: z.string() }),
  }),
  unblock: defineAction({
    name: 'blacklist.unblock',
    permission: 'blacklist.remove',
    payload: unblocking,
  }),
};
