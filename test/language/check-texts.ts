import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Locale } from '../../src/i18n/define.ts';
import { parseHtml } from '../../src/playground/text/entities-html.ts';
import { clumsy, hasWords, isPersian, unsafe, type Kind, type Shown } from './checks.ts';
import { VOICES, type Samples, type Voice } from './samples.ts';

interface Options {
  /** Keys of texts that are shown as a toast or an alert after a press. */
  readonly toasts?: readonly string[];
  /** Texts that are rightly the same in both languages, or in the other one. */
  readonly sameInBoth?: readonly string[];
}

/**
 * Renders every text of a table in both languages, with plain arguments and with such as are meant to do harm, and
 * asks everything of it that checks.ts knows.
 */
export function checkTexts<T extends object>(
  name: string,
  texts: (locale: Locale) => T,
): (samplesOf: (voice: Voice) => Samples<T>, options?: Options) => void {
  // The table is known before its samples are read, so that they are held against it word by word.
  return (samplesOf, options = {}) => {
    const render = (voice: Voice): Map<string, unknown> => leavesOf(texts(voice.locale), samplesOf(voice));
    checkRendered(name, render, options);
  };
}

function checkRendered(name: string, render: (voice: Voice) => Map<string, unknown>, options: Options): void {
  const kindOf = (path: string, value: unknown): Kind => {
    if (typeof value !== 'string') return 'message';
    if (/(?:^|\.)about/u.test(path)) return 'about';
    if (options.toasts?.some((toast) => path.startsWith(toast)) === true) return 'toast';
    return SIGN.test(value) ? 'label' : 'words';
  };

  describe(`the texts of ${name}`, () => {
    test.each(VOICES)('holds with a $name voice', (voice) => {
      const problems = [...render(voice)].flatMap(([path, value]) => {
        const shown = shownAs(value);
        if (typeof shown === 'string') return [`${path}: ${shown}`];
        const found = [
          ...unsafe(kindOf(path, value), shown),
          ...(voice.isHostile || EXAMPLE.test(path) ? [] : clumsy(voice.locale, shown)),
        ];
        return found.map((problem) => `${path}: ${problem}: ${JSON.stringify(shown.text.slice(0, 300))}`);
      });
      expect(problems).toEqual([]);
    });

    test('says the same things in two languages', () => {
      const [english, persian] = VOICES.filter(({ isHostile }) => !isHostile).map(render);
      expect([...(persian?.keys() ?? [])]).toEqual([...(english?.keys() ?? [])]);
      const same = [...(english ?? [])].flatMap(([path, value]) => {
        if (EXAMPLE.test(path) || options.sameInBoth?.some((each) => path.startsWith(each)) === true)
          return [];
        const [left, right] = [shownAs(value), shownAs(persian?.get(path))];
        if (typeof left === 'string' || typeof right === 'string') return [];
        if (!hasWords(left) && !hasWords(right)) return [];
        const isRight = left.text !== right.text && !isPersian(left) && isPersian(right);
        return isRight ? [] : [`${path}: ${JSON.stringify([left.text, right.text])}`];
      });
      keep(name, english, persian);
      expect(same).toEqual([]);
    });
  });
}

/** Leaves a table as it is read in both languages to `npm run words`, which asks for it. */
function keep(name: string, english?: Map<string, unknown>, persian?: Map<string, unknown>): void {
  const folder = process.env['WORDS_DIR'];
  if (folder === undefined) return;
  const textOf = (value: unknown): string => {
    const shown = shownAs(value);
    return typeof shown === 'string' ? shown : shown.text;
  };
  const rows = [...(english ?? [])].map(([path, value]) => ({
    path,
    en: textOf(value),
    fa: textOf(persian?.get(path)),
  }));
  writeFileSync(join(folder, `${name.replaceAll('/', '-')}.json`), JSON.stringify({ name, rows }));
}

/** A line to copy. */
const EXAMPLE = /(?:^|\.)example/u;

/** Labels begin with a sign. */
const SIGN = /^(?:\p{Extended_Pictographic}|[✓✖✔✘＋+◀▶])/u;

/** Everything that a table makes, by path: each text as it is, or with each of its samples. */
function leavesOf(table: unknown, samples: unknown, path = ''): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const add = (at: string, value: unknown, given: unknown): void => {
    if (typeof value === 'function') {
      const calls = Array.isArray(given) ? given : [];
      for (const [index, args] of calls.entries()) {
        const made: unknown = Reflect.apply(value, undefined, args);
        add(`${at}(${index})`, made, undefined);
      }
    } else if (isText(value)) found.set(at, value);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, part] of Object.entries(value)) {
        const inner: unknown = isRecord(given) ? given[key] : undefined;
        add(at === '' ? key : `${at}.${key}`, part, inner);
      }
    }
  };
  add(path, table, samples);
  return found;
}

/** As Telegram would show it, or why it would not. */
function shownAs(value: unknown): Shown | string {
  if (!isText(value)) return 'no text';
  // What reaches a label comes from a chat or a database, which know no half pairs.
  if (typeof value === 'string') return { text: value.toWellFormed(), entities: [] };
  try {
    return parseHtml(value.markup);
  } catch (error) {
    return `markup that Telegram refuses: ${String(error)}`;
  }
}

function isText(value: unknown): value is string | { readonly markup: string } {
  return typeof value === 'string' || (isRecord(value) && typeof value['markup'] === 'string');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
