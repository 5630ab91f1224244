import { z } from 'zod';
import { defineAction, LOOKING } from '../../telegram/action.ts';

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

/** What people want, as a page of help each. */
export const PAGES = ['send', 'file', 'inbox', 'reports', 'credit', 'team'] as const;
export type Page = (typeof PAGES)[number];

/** The buttons of help: a page, the first one with all of them, or every command. */
export const helpActions = {
  page: defineAction({
    name: 'help.page',
    permission: null,
    ...LOOKING,
    payload: z.object({ page: z.enum([...PAGES, 'first', 'all']) }),
  }),
};
