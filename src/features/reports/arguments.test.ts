import { describe, expect, it } from 'vitest';
import { reportArgument } from './arguments.ts';

const read = (typed: string): unknown => reportArgument.schema.safeParse(typed).data ?? null;

describe('what a report is of', () => {
  it.each([
    ['a۴۱', { card: 'A41' }],
    ['7d', { typed: '7d', line: null, tag: null }],
    ['line:3000123456', { typed: undefined, line: '3000123456', tag: null }],
    ['3000123456', { typed: undefined, line: '3000123456', tag: null }],
    ['۳۰۰۰۱۲۳۴۵۶ ۷ روز', { typed: '۷ روز', line: '3000123456', tag: null }],
    ['+983000123456 yesterday', { typed: 'yesterday', line: '3000123456', tag: null }],
    ['tag:Promo', { typed: undefined, line: null, tag: 'promo' }],
    ['#نوروز ۷ روز', { typed: '۷ روز', line: null, tag: 'نوروز' }],
    ['برچسب: يلدا هفته', { typed: 'هفته', line: null, tag: 'یلدا' }],
    [
      '2026-11-01 2026-11-05 tag:promo خط:50001234',
      { typed: '2026-11-01 2026-11-05', line: '50001234', tag: 'promo' },
    ],
    ['1405/08/01..1405/08/07', { typed: '1405/08/01..1405/08/07', line: null, tag: null }],
  ])('%s', (typed, of) => {
    expect(read(typed)).toEqual(of);
  });

  it.each([
    'everything',
    'tag:',
    'tag:<b>',
    'line:abc',
    'tag:a tag:b',
    '3000123456 50001234',
    'promo 7d',
    'tag:promo nonsense here',
    '   ',
  ])('is not %j', (typed) => {
    expect(read(typed)).toBeNull();
  });
});
