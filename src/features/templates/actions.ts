import { z } from 'zod';
import { defineAction, LOOKING } from '../../telegram/action.ts';
import { definePages } from '../../telegram/list.ts';

const PERMISSION = 'send.prepare';
const onTemplate = z.object({ id: z.uuid() });
const looking = {
  permission: PERMISSION,
  payload: onTemplate,
  ...LOOKING,
} as const;

/** The buttons of kept texts. */
export const templateActions = {
  page: definePages({ name: 'templates.page', permission: PERMISSION, of: {} }),
  use: defineAction({
    name: 'templates.use',
    ...looking,
  }),
  answers: defineAction({
    name: 'templates.answers',
    permission: PERMISSION,
    payload: z.object({ id: z.uuid(), isOn: z.boolean() }),
  }),
  replace: defineAction({
    name: 'templates.replace',
    permission: PERMISSION,
    payload: z.object({ name: z.string(), text: z.string(), replacing: z.uuid() }),
  }),
  keep: defineAction({
    name: 'templates.keep',
    permission: PERMISSION,
    payload: z.object({}),
  }),
  askRemove: defineAction({
    name: 'templates.ask-remove',
    ...looking,
  }),
  remove: defineAction({
    name: 'templates.remove',
    permission: PERMISSION,
    payload: onTemplate,
  }),
};
