import { expect, test } from 'vitest';
import { z } from 'zod';
import { clumsy } from './checks.ts';

/* The chat page has its own words, in a table of its own; they are held to what the bot's are held to. */

const TABLE = new URL('../../src/playground/page/i18n.js', import.meta.url).href;
const page = z.object({ TEXTS: z.record(z.string(), z.tuple([z.string(), z.string()])) });
/** They name what the Bot API calls so. */
const NAMED = new Set(['show_polling']);

test.each([
  ['en', 0],
  ['fa', 1],
] as const)('the words of the chat page are those of the bot, in %s', async (locale, index) => {
  const { TEXTS } = page.parse(await import(TABLE));
  const problems = Object.entries(TEXTS).flatMap(([key, texts]) => {
    const text = texts[index].replaceAll(/\{\w+\}/gu, '\u2068x\u2069');
    return clumsy(locale, { text, entities: [] }).map((problem) => `${key}: ${problem}`);
  });
  expect(problems.filter((problem) => !NAMED.has(problem.split(':')[0] ?? ''))).toEqual([]);
});
