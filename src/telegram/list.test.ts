import { expect, test } from 'vitest';
import { z } from 'zod';
import { createFormat } from '../i18n/format.ts';
import { defineAction } from './action.ts';
import type { ActionButton } from './buttons.ts';
import { html, type Html } from './html.ts';
import { defineList, definePages, pageOf, type PagePosition } from './list.ts';
import type { RequestContext } from './request-context.ts';

const permission = 'inbox.view';
const line = '3000123456';
const pages = definePages({ name: 'numbers.page', permission, of: { line: z.string() } });
const action = defineAction({ name: 'numbers.export', permission, payload: z.object({ line: z.string() }) });

/** A list and whom it is shown to; `said` is how, what and under which buttons. */
function listOf(found: Omit<PagePosition, 'page'> = {}, locale: 'en' | 'fa' = 'en') {
  const said: [as: string, content: string, buttons: readonly (readonly ActionButton[])[]][] = [];
  const files: unknown[] = [];
  const heard = (as: string) => async (content: Html, options: { buttons: ActionButton[][] }) =>
    void said.push([as, content.markup, options.buttons]);
  const request = {
    locale,
    format: createFormat(locale, 'UTC'),
    say: heard('say'),
    rewrite: heard('rewrite'),
    sendFile: async ({ name, content }: { name: string; content: Buffer }, options: { caption: Html }) =>
      void files.push([name, String(content), options.caption.markup]),
  } as unknown as RequestContext;
  const list = defineList({
    pages,
    source: async (_request, { page }) => ({ page, ...found }),
    card: (_request, { page }, { line }) => ({
      content: html`${line}: ${page}`,
      rowButtons: [[action.button('first', { line })], [action.button('second', { line })]],
      buttons: [[action.button('all', { line })]],
    }),
    export: {
      action,
      tables: { write: async ({ rows }) => Buffer.from(rows.join()) },
      file: async (_request, of) =>
        of.line === line
          ? { name: 'numbers', table: { header: ['n'], rows: [['1'], ['2']] }, caption: html`two` }
          : null,
    },
  });
  return { list, request, said, files };
}

async function rowsOf({ page, ...found }: PagePosition, locale?: 'en' | 'fa') {
  const { list, request, said } = listOf(found, locale);
  await list.say(request, { line, page });
  return said[0]?.[2] ?? [];
}

/** The buttons that turn pages. */
const turning = async (found: PagePosition, locale?: 'en' | 'fa') =>
  (await rowsOf(found, locale))[2]?.map(({ label, payload }) => [label, payload?.['page']]);

test('a list of one page has no buttons that turn it', async () => {
  expect(await turning({ page: 1, pages: 1 })).toEqual([]);
  expect(await turning({ page: 1, pages: 0 })).toEqual([]);
  expect(await turning({ page: 1, more: false })).toEqual([]);
});

test('each page leads back and on', async () => {
  expect(await turning({ page: 2, pages: 7 })).toEqual([
    ['◀', 1],
    ['2 / 7', 2],
    ['▶', 3],
  ]);
  expect(await turning({ page: 7, pages: 7 })).toEqual([
    ['◀', 6],
    ['7 / 7', 7],
  ]);
  expect(await turning({ page: 1, more: true })).toEqual([
    ['1', 1],
    ['▶', 2],
  ]);
});

test('in Persian the arrows point the other way, since the row is turned around', async () => {
  expect(await turning({ page: 2, pages: 3 }, 'fa')).toEqual([
    ['▶', 1],
    ['۲ / ۳', 2],
    ['◀', 3],
  ]);
});

test('where the list has become shorter than the page that is asked for, its last page is shown', async () => {
  expect(await turning({ page: 4, pages: 2 })).toEqual([
    ['◀', 1],
    ['2 / 2', 2],
  ]);
  expect(await turning({ page: 2, pages: 0 })).toEqual([]);
});

test('what turns a page asks for the same list, and may be pressed again for a week', async () => {
  const rows = await rowsOf({ page: 2, pages: 2 });
  const looks = { permission, ttlSeconds: 604_800, reusable: true };
  expect(rows[2]?.[0]).toEqual({ label: '◀', action: 'numbers.page', payload: { line, page: 1 }, ...looks });
});

test('what can be done with a row stands above what turns pages, what can be done with all below', async () => {
  const rows = await rowsOf({ page: 1, pages: 2 });
  const labels = rows.map((row) => row.map(({ label }) => label));
  expect(labels).toEqual([['first'], ['second'], ['1 / 2', '▶'], ['all']]);
});

test('a page has a message of its own at first, and the same at each press, below what is new', async () => {
  const { list, request, said } = listOf();
  await list.say(request, { line, page: 1 });
  await list.actions[0]?.run(request, { line, page: 2 });
  await list.show(request, { line, page: 3 }, html`news`);
  expect(said.map(([as, content]) => [as, content])).toEqual([
    ['say', `${line}: 1`],
    ['rewrite', `${line}: 2`],
    ['rewrite', `news\n${line}: 3`],
  ]);
});

test('an export is a file under its name, or nothing where there is none', async () => {
  const { list, request, files } = listOf();
  await list.actions[1]?.run(request, { line });
  await list.actions[1]?.run(request, { line: 'none' });
  expect(files).toEqual([['numbers.csv', '1,2', 'two']]);
});

test('a page of what is read as a whole is the nearest that there is', () => {
  const numbers = [1, 2, 3, 4, 5];
  expect(pageOf(numbers, 2, 2)).toEqual({ page: 2, pages: 3, total: 5, rows: [3, 4] });
  expect(pageOf(numbers, 9, 2)).toEqual({ page: 3, pages: 3, total: 5, rows: [5] });
  expect(pageOf(numbers, 0, 2)).toEqual({ page: 1, pages: 3, total: 5, rows: [1, 2] });
  expect(pageOf([], 2, 2)).toEqual({ page: 1, pages: 1, total: 0, rows: [] });
});
