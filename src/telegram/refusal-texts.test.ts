import { describe, expect, test } from 'vitest';
import { stateText } from '../features/reports/texts.ts';
import { deliveryState, lookUpCode } from '../gateway/codes.ts';
import { stripBidi } from '../i18n/format.ts';
import type { DeliveryState } from '../ports/gateway.ts';
import { plainText } from './html.ts';
import { refusalReason, refusalText } from './refusal-texts.ts';

/** The interface's code tables, from its document, and what a sibling says of `return`. 0 is success in all of them, and no refusal. */
const TABLES = {
  return: [400, 401, 403, 404, 405, 406, 407, 411, 412, 413, 414, 417, 418, 419, 429],
  user: [1, 2, 3, 4, 5, 6],
  registration: [10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
  sending: [21, 22, 23, 24, 25, 26, 27, 28, 29],
  reports: [30, 31, 32],
  phonebook: [40, 41, 42, 43, 44, 45],
  other: [1000, 2000],
};

const VERSION_1 = {
  ...TABLES,
  return: [...TABLES.return, 500],
  registration: TABLES.registration.filter((code) => code <= 17),
  phonebook: TABLES.phonebook.filter((code) => code <= 43),
};

const rows = ([1, 3, 4] as const).flatMap((version) =>
  Object.entries(version === 1 ? VERSION_1 : TABLES).flatMap(([table, codes]) =>
    codes.map((code) => ({ version, table, code })),
  ),
);

/** The whole of what the client knows by number, found by asking. */
function knownTo(version: 1 | 3 | 4): string[] {
  return Array.from({ length: 3001 }, (_, code) => ({ code, ...lookUpCode(version, code) }))
    .filter(({ table }) => table !== 'unlisted')
    .map(({ table, code }) => `${table} ${code}`);
}

const ENGLISH_ADVICE =
  /\b(Ask|Check|Choose|Correct|Finish|Give|Have it|Link|Look|Renew|Split|Start|Tell|Top|Try|Type|Use|Wait|Write)\b/;
/** A polite imperative, which ends the clause. */
const PERSIAN_ADVICE = /(کنید|بخواهید|بگویید|بپرسید|ببینید|بنویسید|بدهید|انتخاب کنید|بگذارید)/;

describe('every code of every table', () => {
  test.each([1, 3, 4] as const)('that the client of version %i knows is in this list', (version) => {
    const listed = rows.filter((row) => row.version === version).map(({ table, code }) => `${table} ${code}`);
    expect(knownTo(version).toSorted()).toEqual(listed.toSorted());
  });

  test.each(rows)(
    'version $version, $table $code is a sentence in both languages that says what to do',
    (row) => {
      const { name } = lookUpCode(row.version, row.code);
      const [english, persian] = [refusalText('en', name), stripBidi(refusalText('fa', name))];
      expect(english).not.toBe(refusalText('en', 'unlisted'));
      expect(english).toMatch(ENGLISH_ADVICE);
      expect(english).not.toMatch(/[\u0600-\u06ff]/);
      expect(persian).toMatch(PERSIAN_ADVICE);
      for (const said of [english, persian]) {
        // Neither the number nor the name that it has in the code.
        expect(said).not.toMatch(new RegExp(`(?<![\\d۰-۹])${row.code}(?![\\d۰-۹])`));
        expect(said).not.toMatch(/(?<!\/)\b[a-z]+_[a-z_]+\b/);
        expect(said.length).toBeGreaterThan(25);
      }
      expect(english.startsWith(refusalReason('en', name))).toBe(true);
    },
  );

  test('that no table has is a sentence too, and says whom to ask', () => {
    for (const code of [0, 7, 20, 33, 46, 402, 999, 1001, -1]) {
      const { name } = lookUpCode(4, code);
      expect(refusalText('en', name)).toMatch(/Ask its support/);
      expect(refusalText('fa', name)).toMatch(/بپرسید/);
    }
  });
});

describe('every delivery state', () => {
  const states: DeliveryState[] = [0, 1, 2, 3, 4, 5, 6, 14, 10].map((raw) => deliveryState(raw, ''));

  test.each(states)('$raw as $kind reads as words in both languages', (state) => {
    const [english, persian] = [plainText(stateText('en', state)), plainText(stateText('fa', state))];
    expect(english).toMatch(/[a-z]{4}/);
    expect(persian).toMatch(/[\u0600-\u06ff]{2}/);
    if (state.kind !== 'unknown') expect(english + persian).not.toMatch(/[\d۰-۹]/);
  });
});
