import { expect, test } from 'vitest';
import { z } from 'zod';
import { createFormat } from '../i18n/format.ts';
import { defineAction } from './action.ts';
import type { ActionButton, Buttons } from './buttons.ts';
import { html, type Html } from './html.ts';
import { defineList, definePages, pageOf, type Place } from './list.ts';
import type { Turn } from './turn.ts';

const of = z.object({ line: z.string() });
const actions = {
  page: definePages({ name: 'numbers.page', permission: 'inbox.view', of: of.shape }),
  export: defineAction({ name: 'numbers.export', permission: 'inbox.view', payload: of }),
};
const LINE = '3000123456';

function listOf(found: Omit<Place, 'page'> & { readonly page?: number }, locale: 'en' | 'fa' = 'en') {
  const said: { as: string; content: string; buttons: Buttons | undefined }[] = [];
  const files: unknown[] = [];
  const heard = (as: string) => (content: Html, options?: { buttons?: Buttons }) =>
    Promise.resolve(said.push({ as, content: content.markup, buttons: options?.buttons }));
  const turn = {
    locale,
    format: createFormat(locale, 'UTC'),
    say: heard('say'),
    rewrite: heard('rewrite'),
    sendFile: (file: { name: string; content: Uint8Array }, options: { caption?: Html }) =>
      Promise.resolve(files.push([file.name, String(file.content), options.caption?.markup])),
  } as unknown as Turn;
  const tables = {
    write: ({ rows }: { rows: readonly (readonly string[])[] }) => Promise.resolve(Buffer.from(rows.join())),
  };
  const exported = (label: string) => actions.export.button(label, { line: LINE });
  const list = defineList({
    pages: actions.page,
    source: (_turn, { page }) => Promise.resolve({ page, ...found }),
    card: (_turn, { page }, { line }) => ({
      content: html`${line}: ${page}`,
      rowButtons: [[exported('first')], [exported('second')]],
      buttons: [[exported('all')]],
    }),
    export: {
      action: actions.export,
      tables,
      file: (_turn, { line }) =>
        Promise.resolve(
          line === LINE
            ? { name: 'numbers', table: { header: ['n'], rows: [['1'], ['2']] }, caption: html`two` }
            : null,
        ),
    },
  });
  return { list, turn, said, files };
}

/** The buttons that turn pages. */
async function turning(found: Place, locale?: 'en' | 'fa'): Promise<readonly ActionButton[]> {
  const { list, turn, said } = listOf(found, locale);
  await list.say(turn, { line: LINE, page: found.page });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the list makes no others
  return (said[0]?.buttons?.[2] ?? []) as ActionButton[];
}

const shown = async (found: Place, locale?: 'en' | 'fa') =>
  (await turning(found, locale)).map(({ label, payload }) => [label, payload?.['page']]);

test('a list of one page has no buttons that turn it', async () => {
  expect(await shown({ page: 1, pages: 1 })).toEqual([]);
  expect(await shown({ page: 1, pages: 0 })).toEqual([]);
  expect(await shown({ page: 1, more: false })).toEqual([]);
});

test('each page leads back and on', async () => {
  expect(await shown({ page: 2, pages: 7 })).toEqual([
    ['◀', 1],
    ['2 / 7', 2],
    ['▶', 3],
  ]);
  expect(await shown({ page: 7, pages: 7 })).toEqual([
    ['◀', 6],
    ['7 / 7', 7],
  ]);
  expect(await shown({ page: 1, more: true })).toEqual([
    ['1', 1],
    ['▶', 2],
  ]);
});

test('in Persian the arrows point the other way, since the row is turned around', async () => {
  expect((await shown({ page: 2, pages: 3 }, 'fa')).map(([label]) => label)).toEqual(['▶', '۲ / ۳', '◀']);
});

test('what turns a page asks for the same list, and may be looked at again for a week, after a restart', async () => {
  const [back] = await turning({ page: 2, pages: 2 });
  expect(back).toEqual({
    label: '◀',
    payload: { line: LINE, page: 1 },
    action: 'numbers.page',
    permission: 'inbox.view',
    ttlSeconds: 604_800,
    reusable: true,
  });
});

test('a page stands in a message of its own at first, and in the same message at each press, below what is new', async () => {
  const { list, turn, said } = listOf({ pages: 9 });
  await list.say(turn, { line: LINE, page: 1 });
  await list.actions[0]?.run(turn, { line: LINE, page: 2 });
  await list.show(turn, { line: LINE, page: 3 }, html`news`);
  expect(said.map(({ as, content }) => [as, content])).toEqual([
    ['say', `${LINE}: 1`],
    ['rewrite', `${LINE}: 2`],
    ['rewrite', `news\n${LINE}: 3`],
  ]);
});

test('what can be done with a row stands above the buttons that turn pages, what can be done with all below', async () => {
  const { list, turn, said } = listOf({ page: 1, pages: 2 });
  await list.say(turn, { line: LINE, page: 1 });
  expect(
    said[0]?.buttons?.map((row) => row.map((button) => (typeof button === 'object' ? button?.label : null))),
  ).toEqual([['first'], ['second'], ['1 / 2', '▶'], ['all']]);
});

test('an export is a file under its name, or nothing where there is none', async () => {
  const { list, turn, files } = listOf({ page: 1 });
  await list.actions[1]?.run(turn, { line: LINE });
  await list.actions[1]?.run(turn, { line: 'none' });
  expect(files).toEqual([['numbers.csv', '1,2', 'two']]);
});

test('a page of what is read as a whole is the nearest that there is', () => {
  const numbers = [1, 2, 3, 4, 5];
  expect(pageOf(numbers, 2, 2)).toEqual({ page: 2, pages: 3, total: 5, rows: [3, 4] });
  expect(pageOf(numbers, 9, 2)).toEqual({ page: 3, pages: 3, total: 5, rows: [5] });
  expect(pageOf(numbers, 0, 2)).toEqual({ page: 1, pages: 3, total: 5, rows: [1, 2] });
  expect(pageOf([], 2, 2)).toEqual({ page: 1, pages: 1, total: 0, rows: [] });
});
