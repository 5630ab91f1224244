import { z } from 'zod';
import { defineAction } from '../../../telegram/action.ts';
import { LINE_SETTINGS } from './arguments.ts';

const ofLine = z.object({ line: z.string() });
const payload = ofLine.extend({ setting: z.enum(LINE_SETTINGS) });

/** The buttons of a sender line. */
export const lineActions = {
  rules: defineAction({ name: 'line.rules', permission: 'line.set', payload: ofLine, reusable: true }),
  edit: defineAction({ name: 'line.edit', permission: 'limits.manage', payload, reusable: true }),
  off: defineAction({ name: 'line.off', permission: 'limits.manage', payload }),
};
