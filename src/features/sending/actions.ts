import { z } from 'zod';
import { defineAction } from '../../telegram/action.ts';
import type { ButtonLook } from '../../telegram/buttons.ts';
import { definePages } from '../../telegram/list.ts';

const DAY_SECONDS = 86_400;
const WEEK_SECONDS = 7 * DAY_SECONDS;
/** What has stopped waits for a person as long as it takes; the same buttons come again with each refresh. */
const MONTH_SECONDS = 30 * DAY_SECONDS;
/** A time may lie a year ahead, and the question about a missed one waits. */
const YEAR_SECONDS = 400 * DAY_SECONDS;

const draftOnly = z.object({ draftId: z.uuid() });
const draftVersion = draftOnly.extend({ version: z.number().int() });
/** `warned`: the press has seen that the credit does not suffice; `lacking`: that the text lacks what its line would have it say. */
const decision = draftVersion.extend({ warned: z.boolean().optional(), lacking: z.boolean().optional() });

const ofAuthor = { permission: 'send.confirm', payload: draftVersion } as const;
const looking = { permission: 'send.prepare', reusable: true } as const;

/** The buttons of a draft's card. */
export const draftActions = {
  confirm: defineAction({
    name: 'draft.confirm',
    formerly: ['send.confirm'],
    permission: 'send.confirm',
    payload: decision,
  }),
  ask: defineAction({
    name: 'draft.ask',
    formerly: ['send.ask'],
    permission: 'send.confirm',
    payload: decision,
  }),
  approve: defineAction({
    name: 'draft.approve',
    formerly: ['send.approve'],
    permission: 'send.approve',
    // For which it was shown that a second person is asked. A button of an earlier release shows none.
    payload: decision.extend({ words: z.array(z.string()).default([]) }),
    ttlSeconds: DAY_SECONDS,
  }),
  reject: defineAction({
    name: 'draft.reject',
    formerly: ['send.reject'],
    permission: 'send.approve',
    payload: decision,
    ttlSeconds: DAY_SECONDS,
  }),
  reopen: defineAction({ name: 'draft.reopen', ...ofAuthor }),
  again: defineAction({
    name: 'draft.again',
    permission: 'send.prepare',
    payload: draftOnly,
    ttlSeconds: MONTH_SECONDS,
  }),
  cancel: defineAction({ name: 'draft.cancel', formerly: ['send.cancel'], ...ofAuthor }),
  flash: defineAction({ name: 'draft.flash', formerly: ['send.flash'], ...ofAuthor }),
  text: defineAction({ name: 'draft.text', formerly: ['send.text'], ...ofAuthor }),
  retext: defineAction({ name: 'draft.retext', ...ofAuthor }),
  /** Adds what the text lacks: exactly what the button says. */
  add: defineAction({
    name: 'draft.add',
    permission: 'send.confirm',
    payload: draftVersion.extend({ phrase: z.string() }),
  }),
  /** Takes the text of the template that the button names. */
  template: defineAction({
    name: 'draft.template',
    permission: 'send.confirm',
    payload: draftVersion.extend({ name: z.string() }),
  }),
  line: defineAction({ name: 'draft.line', formerly: ['send.line'], ...ofAuthor }),
  test: defineAction({ name: 'draft.test', formerly: ['send.test'], ...ofAuthor }),
  when: defineAction({ name: 'draft.when', formerly: ['schedule.when'], ...ofAuthor }),
  /** A time at which the chat's sending window is open. */
  opening: defineAction({
    name: 'draft.opening',
    formerly: ['schedule.opening'],
    permission: 'send.confirm',
    payload: draftVersion.extend({ at: z.number().int() }),
  }),
  /** Shows other buttons of the same card. */
  panel: defineAction({
    name: 'draft.panel',
    ...looking,
    payload: draftOnly.extend({ panel: z.enum(['edit', 'look']).nullable() }),
    ttlSeconds: DAY_SECONDS,
  }),
  skipped: defineAction({
    name: 'draft.skipped',
    formerly: ['send.skipped'],
    ...looking,
    payload: draftOnly,
  }),
};

/** The buttons of a draft that is made from a file. */
export const bulkActions = {
  use: defineAction({ name: 'bulk.use', ...ofAuthor }),
  keep: defineAction({ name: 'bulk.keep', permission: 'books.write', payload: draftVersion }),
  phone: defineAction({
    name: 'bulk.phone',
    permission: 'send.confirm',
    payload: draftVersion.extend({ column: z.number().int().nonnegative() }),
  }),
  header: defineAction({ name: 'bulk.header', ...ofAuthor }),
  columns: defineAction({ name: 'bulk.columns', ...ofAuthor }),
  missing: defineAction({
    name: 'bulk.missing',
    permission: 'send.confirm',
    payload: draftVersion.extend({ way: z.enum(['skip', 'stop']) }),
  }),
  text: defineAction({ name: 'bulk.text', ...ofAuthor }),
  column: defineAction({ name: 'bulk.column', ...ofAuthor }),
  fill: defineAction({ name: 'bulk.fill', ...ofAuthor }),
  row: defineAction({
    name: 'bulk.row',
    ...looking,
    payload: draftOnly.extend({ index: z.number().int().nonnegative() }),
    ttlSeconds: DAY_SECONDS,
  }),
  look: defineAction({ name: 'bulk.look', ...looking, payload: draftOnly, ttlSeconds: DAY_SECONDS }),
  skipped: defineAction({ name: 'bulk.skipped', ...looking, payload: draftOnly, ttlSeconds: DAY_SECONDS }),
  skippedFile: defineAction({
    name: 'bulk.skipped-file',
    ...looking,
    payload: draftOnly,
    ttlSeconds: DAY_SECONDS,
  }),
};

const isSaid = z.literal(true).exactOptional();
const onJob = z.object({ jobId: z.uuid() });
const ofJob = { payload: onJob, ttlSeconds: MONTH_SECONDS } as const;

/** The buttons of a send that has been confirmed. */
export const jobActions = {
  undo: defineAction({
    name: 'job.undo',
    formerly: ['send.undo'],
    permission: 'send.stop',
    urgent: true,
    ...ofJob,
  }),
  stop: defineAction({
    name: 'job.stop',
    formerly: ['send.stop'],
    permission: 'send.stop',
    urgent: true,
    ...ofJob,
  }),
  pause: defineAction({
    name: 'job.pause',
    formerly: ['send.pause'],
    permission: 'send.stop',
    urgent: true,
    ...ofJob,
  }),
  resume: defineAction({
    name: 'job.resume',
    formerly: ['send.resume'],
    permission: 'send.confirm',
    // What is shown is what a press lets go on: more may have been left since. A button of an earlier release shows none.
    payload: onJob.extend({
      left: z.int().default(0),
      told: z.object({ answered: isSaid, doubted: isSaid }).default({}),
      words: z.array(z.string()).default([]),
    }),
    ttlSeconds: MONTH_SECONDS,
  }),
  rest: defineAction({
    name: 'job.rest',
    formerly: ['send.rest'],
    permission: 'send.stop',
    reusable: true,
    ...ofJob,
  }),
  resend: defineAction({
    name: 'job.resend',
    formerly: ['send.resend'],
    permission: 'send.confirm',
    ...ofJob,
  }),
};

/** What a card asks about, and which calls it shows; one of an earlier release names none. */
const onQuestion = onJob.extend({ seen: z.array(z.tuple([z.int(), z.int()])).default([]) });
const ofQuestion = { permission: 'send.settle', ttlSeconds: WEEK_SECONDS } as const;

/** The answers to the question about sends whose outcome is not known. */
export const doubtActions = {
  settle: defineAction({
    name: 'doubt.settle',
    formerly: ['send.settle'],
    ...ofQuestion,
    payload: onQuestion.extend({ sent: z.boolean() }),
  }),
  look: defineAction({
    name: 'doubt.look',
    formerly: ['send.look'],
    ...ofQuestion,
    payload: onQuestion,
  }),
  file: defineAction({
    name: 'doubt.file',
    formerly: ['send.doubtful'],
    ...ofQuestion,
    payload: onJob,
    reusable: true,
  }),
  again: defineAction({
    name: 'doubt.again',
    formerly: ['send.again'],
    ...ofQuestion,
    payload: onQuestion,
  }),
};

/** `page`: of the list below which it stands; absent on the card of the send. */
const waiting = onJob.extend({ page: z.number().int().optional() });

/** The buttons of sends that wait for their time, on their cards and on the list. */
export const waitingActions = {
  page: definePages({ name: 'schedule.page', permission: 'send.schedule', of: {} }),
  show: defineAction({
    name: 'schedule.show',
    permission: 'send.schedule',
    payload: waiting,
    reusable: true,
  }),
  now: defineAction({
    name: 'schedule.now',
    permission: 'send.confirm',
    // `answered`: the press has seen that some had been sent to the first time; `words`: for which a second person is asked.
    payload: waiting.extend({
      warned: z.boolean().optional(),
      answered: z.boolean().optional(),
      words: z.array(z.string()).default([]),
    }),
  }),
  edit: defineAction({ name: 'schedule.edit', permission: 'send.confirm', payload: waiting }),
  pause: defineAction({ name: 'schedule.pause', permission: 'send.confirm', payload: waiting }),
  time: defineAction({ name: 'schedule.time', permission: 'send.confirm', payload: waiting }),
  move: defineAction({
    name: 'schedule.move',
    permission: 'send.confirm',
    payload: onJob.extend({ at: z.number().int() }),
  }),
  cancel: defineAction({
    name: 'schedule.cancel',
    permission: 'send.stop',
    urgent: true,
    payload: waiting,
  }),
  /** Of a series: all of it, the next one alone, or neither. */
  end: defineAction({
    name: 'schedule.end',
    permission: 'send.stop',
    urgent: true,
    payload: onJob.extend({ series: z.boolean().nullable() }),
  }),
};

/** Of buttons on the card of a send that waits. */
export const WAITS_LONG = { ttlSeconds: YEAR_SECONDS } as const;

/** What the buttons of a draft's author have in common: they are for this version, and nobody else may press them. */
export interface Authored {
  readonly payload: { readonly draftId: string; readonly version: number };
  readonly look: ButtonLook;
}
