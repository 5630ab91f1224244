import { expect, test } from 'vitest';
import { z } from 'zod';
import { createFormat } from '../i18n/format.ts';
import { defineAction } from './action.ts';
import { pageButtons, type PagerSpec } from './pages.ts';
import type { Turn } from './turn.ts';

const page = defineAction({
  name: 'list.page',
  permission: 'inbox.view',
  payload: z.object({ line: z.string(), page: z.int() }),
});
const button = (label: string, to: number) => page.button(label, { line: '3000123456', page: to });

function row(spec: Pick<PagerSpec, 'page' | 'pages' | 'more'>, locale: 'en' | 'fa' = 'en') {
  const turn = { locale, format: createFormat(locale, 'UTC') } as unknown as Turn;
  return pageButtons(turn, { button, ...spec }).map((button) =>
    'action' in button ? [button.label, button.payload?.['page'], button.reusable] : [],
  );
}

test('a list of one page has no buttons', () => {
  expect(row({ page: 1, pages: 1 })).toEqual([]);
  expect(row({ page: 1, more: false })).toEqual([]);
});

test('each page leads back and on, and may be looked at again', () => {
  expect(row({ page: 2, pages: 7 })).toEqual([
    ['◀', 1, true],
    ['2 / 7', 2, true],
    ['▶', 3, true],
  ]);
  expect(row({ page: 7, pages: 7 })).toEqual([
    ['◀', 6, true],
    ['7 / 7', 7, true],
  ]);
  expect(row({ page: 1, more: true })).toEqual([
    ['1', 1, true],
    ['▶', 2, true],
  ]);
});

test('in Persian the arrows point the other way, since the row is turned around', () => {
  expect(row({ page: 2, pages: 3 }, 'fa').map(([label]) => label)).toEqual(['▶', '۲ / ۳', '◀']);
});
