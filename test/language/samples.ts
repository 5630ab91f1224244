import type { Locale } from '../../src/i18n/define.ts';
import { createFormat, type Format } from '../../src/i18n/format.ts';
import { clip, type Html } from '../../src/telegram/html.ts';

/*
 * What a table of texts is rendered with. The types below want arguments for every entry that takes some, in
 * whatever depth: a text without a sample does not compile.
 */

type Fn = (...args: never[]) => unknown;

/** Arguments for each text that takes some; for what holds such texts, the same again. */
export type Samples<T> = {
  readonly [K in keyof T as Needs<T[K]> extends true ? K : never]: T[K] extends (
    ...args: infer Args
  ) => unknown
    ? readonly [Args, ...Args[]]
    : Samples<T[K]>;
};

type Needs<V> = V extends Fn
  ? true
  : V extends string | number | Html | readonly unknown[]
    ? false
    : V extends object
      ? keyof Samples<V> extends never
        ? false
        : true
      : false;

/** A way to fill the places of a text: who speaks, and what others have written. */
export interface Voice {
  readonly name: string;
  readonly locale: Locale;
  readonly format: Format;
  /** What others wrote is meant to do harm, so how it reads is not judged. */
  readonly isHostile: boolean;
  /** Text of others that the caller has cut to so many units: names, titles, messages, what was typed. */
  foreign(units: number): string;
}

/** A person's name as Telegram allows it. */
export const NAME = 129;
export const TITLE = 128;
/** The longest message that the gateway takes. */
export const MESSAGE = 900;

/** Nothing that is in these may end up as markup, turn text around, or break a message. */
const HOSTILE: readonly string[] = [
  '<b>x</b> & <a href="https://evil.example">y</a> </blockquote></code> &lt;&amp;&#65; <tg-spoiler>',
  '\u202eevil\u202c \u2066open \u2067nested \u200f\u200e\u061c \u2069\u2069 end\u2068',
  'half \ud83d here \udc00, a NUL \u0000 and \ufeff\u200b\u2060',
  '👨‍👩‍👧‍👦🏳️‍🌈🇮🇷👍🏽 Z\u0351\u036b\u0343\u036a ﷺ﷽ 𝕳𝖊𝖑𝖑𝖔',
  "${7*7} {{7*7}} %s %n \\u0041 '; drop table chat; -- null undefined NaN [object Object]",
  '/send 09121234567 x @everyone #tag https://evil.example tg://user?id=1 *_`[a](http://x)`_* ||s||',
  'line one\nline two\r\n\tline three\u2028four',
];

/** Plain voices in both languages, and in both languages the hostile ones, short and as long as can be. */
export const VOICES: readonly Voice[] = (['en', 'fa'] as const).flatMap((locale) => {
  const format = createFormat(locale, 'Asia/Tehran');
  const plain: Voice = {
    name: `plain ${locale}`,
    locale,
    format,
    isHostile: false,
    foreign: (units) => clip(locale === 'fa' ? 'فروشگاه نیک' : 'Nik Shop', units),
  };
  const hostile = HOSTILE.flatMap((text, index): Voice[] => [
    {
      ...plain,
      name: `hostile ${index} ${locale}`,
      isHostile: true,
      foreign: (units) => clip(text, units),
    },
    {
      ...plain,
      name: `hostile ${index} ${locale}, long`,
      isHostile: true,
      foreign: (units) => text.repeat(Math.ceil(units / text.length)).slice(0, units),
    },
  ]);
  return [plain, ...hostile];
});
