import { z } from 'zod';
import { defineAction, LOOKING } from '../../telegram/action.ts';
import { definePages } from '../../telegram/list.ts';

const DAY_SECONDS = 86_400;
const MONTH_SECONDS = 30 * DAY_SECONDS;
const HOUR_SECONDS = 3600;

const query = { view: z.enum(['unread', 'all']), line: z.string().nullable() };
const onMessage = { id: z.int() };
const looking = { permission: 'inbox.view', ...LOOKING } as const;

const receiving = z.object({
  /** Used up by the first decision: a press that is handled again after a crash finds it gone. */
  nonce: z.string(),
  bindingId: z.uuid(),
  line: z.string().nullable(),
  choice: z.enum(['fetch', 'fetch_more', 'all_lines', 'cancel']),
});

/** The buttons of the inbox, and those below received messages. */
export const inboxActions = {
  found: definePages({
    name: 'inbox.found',
    permission: 'inbox.view',
    of: { query: z.string(), time: z.object({ from: z.int(), to: z.int() }).optional() },
  }),
  history: defineAction({
    name: 'inbox.history',
    permission: 'inbox.view',
    ttlSeconds: MONTH_SECONDS,
    reusable: true,
    payload: z.object(onMessage),
  }),
  take: defineAction({
    name: 'inbound.take',
    permission: 'inbox.reply',
    ttlSeconds: MONTH_SECONDS,
    payload: z.object({ ...onMessage, anyway: z.boolean() }),
  }),
  done: defineAction({
    name: 'inbound.done',
    permission: 'inbox.reply',
    ttlSeconds: MONTH_SECONDS,
    payload: z.object({ ...onMessage, done: z.boolean() }),
  }),
  handOver: defineAction({
    name: 'inbound.hand-over',
    permission: 'inbox.reply',
    ttlSeconds: MONTH_SECONDS,
    reusable: true,
    payload: z.object(onMessage),
  }),
  give: defineAction({
    name: 'inbound.give',
    permission: 'inbox.reply',
    ttlSeconds: DAY_SECONDS,
    payload: z.object({ ...onMessage, to: z.int() }),
  }),
  snooze: defineAction({
    name: 'inbound.snooze',
    permission: 'inbox.reply',
    ttlSeconds: MONTH_SECONDS,
    reusable: true,
    payload: z.object(onMessage),
  }),
  wake: defineAction({
    name: 'inbound.wake',
    permission: 'inbox.reply',
    ttlSeconds: MONTH_SECONDS,
    payload: z.object(onMessage),
  }),
  block: defineAction({
    name: 'inbound.block',
    permission: 'blacklist.add',
    ttlSeconds: MONTH_SECONDS,
    reusable: true,
    payload: z.object(onMessage),
  }),
  blockYes: defineAction({
    name: 'inbound.block-yes',
    permission: 'blacklist.add',
    ttlSeconds: HOUR_SECONDS,
    payload: z.object({ ...onMessage, choice: z.enum(['block', 'cancel']) }),
  }),
  undo: defineAction({
    name: 'inbound.undo',
    permission: 'blacklist.remove',
    ttlSeconds: MONTH_SECONDS,
    payload: z.object({ ...onMessage, to: z.enum(['on', 'off']) }),
  }),
  page: definePages({
    name: 'inbox.page',
    permission: 'inbox.view',
    of: { ...query, apart: z.boolean().optional() },
  }),
  desk: definePages({
    name: 'inbox.desk',
    permission: 'inbox.view',
    of: { view: z.enum(['mine', 'unanswered']), line: z.string().nullable() },
  }),
  texts: defineAction({
    name: 'inbox.texts',
    ...looking,
    payload: z.object({ ...query, page: z.int().min(1), keys: z.array(z.string()) }),
  }),
  export: defineAction({
    name: 'inbox.export',
    ...looking,
    payload: z.object(query),
  }),
  askReceive: defineAction({
    name: 'inbox.ask-receive',
    permission: 'inbox.receive',
    ...LOOKING,
    payload: z.object({ line: z.string().nullable() }),
  }),
  receive: defineAction({
    name: 'inbox.receive-now',
    formerly: ['inbox.receive'],
    permission: 'inbox.receive',
    payload: receiving,
    ttlSeconds: DAY_SECONDS,
  }),
  reply: defineAction({
    name: 'inbound.reply',
    permission: 'inbox.reply',
    ttlSeconds: MONTH_SECONDS,
    reusable: true,
    payload: z.object({ id: z.int() }),
  }),
  anyway: defineAction({
    name: 'inbound.anyway',
    permission: 'inbox.reply',
    ttlSeconds: DAY_SECONDS,
    payload: z.object({ id: z.int(), text: z.string() }),
  }),
  ask: defineAction({
    name: 'inbound.ask',
    permission: 'inbox.reply',
    ttlSeconds: DAY_SECONDS,
    payload: z.object({ id: z.int(), of: z.int() }),
  }),
};
