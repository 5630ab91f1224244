import { expect, test } from 'vitest';
import { DEFAULT_LIMITS, type SendingWindow } from '../../domain/limits.ts';
import type { Locale } from '../../i18n/define.ts';
import { createFormat, stripBidi } from '../../i18n/format.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { likelyTimes, readAhead } from './when-argument.ts';

/** What is offered on a day in Tehran, at a time there. */
async function offered(
  time: string,
  {
    locale = 'en',
    window = null,
    ofLine = null,
    least = 60_000,
    typed,
    rules = true,
  }: {
    readonly rules?: boolean;
    readonly typed?: string;
    readonly locale?: Locale;
    readonly window?: SendingWindow | null;
    readonly ofLine?: SendingWindow | null;
    readonly least?: number;
  } = {},
): Promise<string[]> {
  const clock = { now: () => new Date(`2026-11-24T${time}:00+03:30`) };
  const rule = { line: '3000123456', purpose: null, required: null, words: [], window: ofLine };
  const limits = { of: () => Promise.resolve({ ...DEFAULT_LIMITS, window, lines: [rule] }) };
  const binding = { line: '3000123456' };
  const request = { chat: { id: 'c' }, binding, format: createFormat(locale, 'Asia/Tehran') };
  const likely = await likelyTimes({ clock, limits }, { rules, least })(request as RequestContext, {
    ...(typed !== undefined && { when: typed }),
  });
  return likely.map(({ label }) => label);
}

test('times are offered in the language of the chat', async () => {
  expect(await offered('12:00')).toEqual(['🕐 In 1 hour', '🕐 Today 18:00', '🕐 Tomorrow 09:00']);
  expect(await offered('12:00', { locale: 'fa' })).toEqual([
    '🕐 یک ساعت دیگر',
    '🕐 امروز ۱۸:۰۰',
    '🕐 فردا ۰۹:۰۰',
  ]);
});

test.each([
  ['tuesday 15:00', 'en', ['🕐 Tue 24 Nov 2026, 15:00', '🕐 Tue 1 Dec 2026, 15:00']],
  ['ساعت ۵', 'fa', ['🕐 چهارشنبه ۴ آذر ۱۴۰۵، ۰۵:۰۰', '🕐 سه‌شنبه ۳ آذر ۱۴۰۵، ۱۷:۰۰']],
  ['tomorrow', 'en', ['🕐 Wed 25 Nov 2026, 09:00', '🕐 Wed 25 Nov 2026, 18:00']],
] as const)('«%s» in doubt is offered as what may be meant, in %s', async (typed, locale, meant) => {
  expect((await offered('12:00', { locale, typed })).map(stripBidi)).toEqual(meant);
});

test('a rule in doubt is not offered where one time is asked for, and is told', async () => {
  const once = { rules: false, least: 60_000 };
  expect((await offered('12:00', { typed: 'every tuesday', rules: false })).map(stripBidi)).not.toContain(
    '🕐 every Tuesday at 09:00',
  );
  const format = createFormat('en', 'Asia/Tehran');
  const read = readAhead('every tuesday', { ...once, now: new Date('2026-11-24T08:30:00Z'), format });
  expect('problem' in read && read.problem.markup).toContain('one time only');
});

test('only such as lie far enough ahead', async () => {
  expect(await offered('18:30')).toEqual(['🕐 In 1 hour', '🕐 Tomorrow 09:00']);
  expect(await offered('17:58', { least: 300_000 })).toEqual(['🕐 In 1 hour', '🕐 Tomorrow 09:00']);
});

test('only such as lie in the hours in which the chat sends', async () => {
  const window = { from: 600, to: 1200 };
  expect(await offered('12:00', { window })).toEqual(['🕐 In 1 hour', '🕐 Today 18:00', '🕐 Tomorrow 10:00']);
  expect(await offered('19:30', { window })).toEqual(['🕐 Tomorrow 10:00']);
  expect(await offered('08:30', { window })).toEqual(['🕐 Today 18:00', '🕐 Tomorrow 10:00']);
  expect(await offered('23:30', { window: { from: 1320, to: 120 } })).toEqual([
    '🕐 In 1 hour',
    '🕐 Tomorrow 22:00',
  ]);
  // The line has hours of its own beside them.
  expect(await offered('12:00', { window, ofLine: { from: 660, to: 1020 } })).toEqual([
    '🕐 In 1 hour',
    '🕐 Tomorrow 11:00',
  ]);
});
