import { z } from 'zod';
import { defineAction, LOOKING } from '../../telegram/action.ts';

const DAY_SECONDS = 86_400;
/** So many messages can be looked at closer at once. */
export const MAX_DETAILS = 20;

const format = z.enum(['csv', 'xlsx']);
const ofCard = z.object({ card: z.string() });
const ofRange = z.object({ from: z.int(), to: z.int(), line: z.string().optional() });
const ofTag = z.object({ from: z.int(), to: z.int(), tag: z.string(), line: z.string().nullable() });
export const outboxOf = z.union([ofRange, z.object({ latest: z.literal(true) })]);

/** The buttons of reports and lists of what was sent. */
export const reportActions = {
  details: defineAction({
    name: 'status.details',
    permission: 'status.view',
    ttlSeconds: DAY_SECONDS,
    reusable: true,
    payload: z.object({ ids: z.array(z.string()).max(MAX_DETAILS) }),
  }),
  page: defineAction({
    name: 'outbox.page',
    permission: 'outbox.view',
    ...LOOKING,
    payload: z.intersection(outboxOf, z.object({ page: z.int() })),
  }),
  file: defineAction({
    name: 'outbox.file',
    permission: 'outbox.view',
    ...LOOKING,
    payload: z.intersection(outboxOf, z.object({ format })),
  }),
  show: defineAction({
    name: 'report.show',
    permission: 'report.view',
    ...LOOKING,
    payload: ofCard,
  }),
  /** A number, which a group does not show whole, and words for a time as they can be typed behind it. */
  track: defineAction({
    name: 'track.time',
    permission: 'track.view',
    ...LOOKING,
    payload: z.object({ number: z.string(), since: z.string() }),
  }),
  /** Words for a time, as they can be typed behind `/report`. */
  ofTime: defineAction({
    name: 'report.time',
    permission: 'report.view',
    ...LOOKING,
    payload: z.object({ typed: z.string(), line: z.string().optional() }),
  }),
  /** On the card of a send, which stays as it is. */
  ofSend: defineAction({
    name: 'report.send',
    permission: 'report.view',
    ...LOOKING,
    payload: ofCard,
  }),
  reportFile: defineAction({
    name: 'report.file',
    permission: 'report.view',
    ...LOOKING,
    payload: ofCard.extend({ format }),
  }),
  failed: defineAction({
    name: 'report.failed',
    permission: 'report.view',
    ...LOOKING,
    payload: ofCard,
  }),
  outboxFailed: defineAction({
    name: 'outbox.failed',
    permission: 'outbox.view',
    ...LOOKING,
    payload: ofRange,
  }),
  tagFile: defineAction({
    name: 'report.tag-file',
    permission: 'report.view',
    ...LOOKING,
    payload: z.intersection(ofTag, z.object({ format })),
  }),
  tagFailed: defineAction({
    name: 'report.tag-failed',
    permission: 'report.view',
    ...LOOKING,
    payload: ofTag,
  }),
};
