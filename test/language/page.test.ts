import { expect, test } from 'vitest';
import { z } from 'zod';
import { clumsy } from './checks.ts';

/* The pages have words of their own, in tables of their own; they are held to what the bot's are held to. */

const TABLES = ['playground/page/texts.js', 'sandbox/phone/texts.js', 'pages/common/texts.js'];
const page = z.object({ TEXTS: z.record(z.string(), z.tuple([z.string(), z.string()])) });
/** They name what the Bot API calls so. */
const NAMED = new Set(['show_polling']);

test.each(TABLES.flatMap((table) => [[table, 'en', 0] as const, [table, 'fa', 1] as const]))(
  'the words of %s are those of the bot, in %s',
  async (table, locale, index) => {
    const { TEXTS } = page.parse(await import(new URL(`../../src/${table}`, import.meta.url).href));
    const problems = Object.entries(TEXTS).flatMap(([key, texts]) => {
      const text = texts[index].replaceAll(/\{\w+\}/gu, '\u2068x\u2069');
      return clumsy(locale, { text, entities: [] }).map((problem) => `${key}: ${problem}`);
    });
    expect(problems.filter((problem) => !NAMED.has(problem.split(':')[0] ?? ''))).toEqual([]);
  },
);
