import { z } from 'zod';
import { defineAction } from '../../telegram/action.ts';

export const langSchema = z.enum(['fa', 'en']);

/** The buttons that choose a language. */
export const langActions = {
  set: defineAction({
    name: 'lang.set',
    permission: null,
    payload: z.object({ lang: langSchema }),
  }),
  forAll: defineAction({
    name: 'lang.for-all',
    formerly: ['lang.chat'],
    permission: 'lang.chat',
    payload: z.object({ lang: langSchema }),
  }),
};
