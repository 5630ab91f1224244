import { z } from 'zod';
import { defineAction, LOOKING } from '../../telegram/action.ts';
import { definePages } from '../../telegram/list.ts';

const onPerson = z.object({ number: z.string() });
const onTag = z.object({ tag: z.string() });
/** Whom a list shows: those under a tag, those of whom the words are true, or both; null: all. */
const chosen = z.object({ tag: z.string().nullable(), words: z.string().nullable() });
const looking = { permission: 'books.view', ...LOOKING } as const;

/** The buttons of people who are kept. */
export const peopleActions = {
  page: definePages({ name: 'people.page', permission: 'books.view', of: chosen.shape }),
  show: defineAction({ name: 'people.show', ...looking, payload: onPerson }),
  export: defineAction({
    name: 'people.export',
    ...looking,
    payload: z.object({ tag: z.string().nullable(), format: z.enum(['csv', 'xlsx']) }),
  }),
  change: defineAction({ name: 'people.change', ...looking, permission: 'books.write', payload: onPerson }),
  askDrop: defineAction({
    name: 'people.ask-drop',
    ...looking,
    permission: 'books.delete',
    payload: onPerson,
  }),
  drop: defineAction({ name: 'people.drop', permission: 'books.delete', payload: onPerson }),
  askDropTag: defineAction({
    name: 'people.ask-drop-tag',
    ...looking,
    permission: 'books.delete',
    payload: onTag,
  }),
  dropTag: defineAction({ name: 'people.drop-tag', permission: 'books.delete', payload: onTag }),
  keep: defineAction({ name: 'people.keep', permission: 'books.delete', payload: z.object({}) }),
};
