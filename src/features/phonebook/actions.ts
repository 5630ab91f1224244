import { z } from 'zod';
import { defineAction, LOOKING } from '../../telegram/action.ts';
import { definePages } from '../../telegram/list.ts';
import { sourceSchema } from './arguments.ts';

/** The book changes under a preview, and what is left to do is looked up again; but not for ever. */
const HOUR_SECONDS = 3600;
const WEEK_SECONDS = 604_800;

const onChange = z.object({ changeId: z.uuid() });
const onBook = z.object({ bookId: z.string(), title: z.string() });
const looking = { permission: 'books.view', ...LOOKING } as const;

/** The buttons of phonebooks and of changes to them. */
export const phonebookActions = {
  confirm: defineAction({
    name: 'phonebook.confirm',
    permission: 'books.write',
    ttlSeconds: HOUR_SECONDS,
    payload: onChange,
  }),
  resume: defineAction({
    name: 'phonebook.resume',
    permission: 'books.write',
    ttlSeconds: WEEK_SECONDS,
    payload: onChange,
  }),
  cancel: defineAction({
    name: 'phonebook.cancel',
    permission: 'books.write',
    ttlSeconds: HOUR_SECONDS,
    payload: onChange.extend({ title: z.string() }),
  }),
  change: defineAction({
    name: 'phonebook.change',
    permission: 'books.write',
    payload: z.object({ goal: z.enum(['create', 'add', 'remove']), title: z.string(), source: sourceSchema }),
  }),
  skipped: defineAction({
    name: 'phonebook.skipped',
    permission: 'books.write',
    reusable: true,
    payload: z.object({ source: sourceSchema }),
  }),
  list: definePages({ name: 'phonebook.list', permission: 'books.view', of: {} }),
  show: defineAction({
    name: 'phonebook.show',
    ...looking,
    payload: onBook,
  }),
  page: definePages({ name: 'phonebook.page', permission: 'books.view', of: onBook.shape }),
  export: defineAction({
    name: 'phonebook.export',
    ...looking,
    payload: onBook.extend({ format: z.enum(['csv', 'xlsx']) }),
  }),
  form: defineAction({
    name: 'phonebook.form',
    ...looking,
    permission: 'books.write',
    payload: z.object({
      form: z.enum(['book_new', 'book_add', 'book_remove']),
      book: z.string().optional(),
    }),
  }),
  remove: defineAction({
    name: 'phonebook.delete',
    permission: 'books.delete',
    payload: z.object({ title: z.string() }),
  }),
};
