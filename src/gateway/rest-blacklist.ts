import { z } from 'zod';

import { foldLetters } from '../domain/fold.ts';
import type { BlacklistEntry, BlacklistResult, Facets } from '../ports/gateway.ts';
import type { Calls } from './calls.ts';
import { checkLine, checkMoment, checkRecipients, checkSize } from './checks.ts';
import { canonicalNumber, wireNumber } from './number.ts';
import { readShape } from './reading.ts';
import { nothingMore, restReading, rowsOf } from './rest-envelope.ts';
import type { RestAsk } from './rest-operations.ts';
import { readPage } from './rest-page.ts';
import { omitUndefined, text, textIfAny, toText } from './values.ts';

/** The words of add and exists that the interface shows. */
const WORDS: Readonly<Record<string, BlacklistResult['status']>> = {
  'افزوده شد': 'added',
  تکراری: 'duplicate',
  فعال: 'active',
};
/** The size of a page is not stated; only a list without rows needs one. */
const PAGE_DEFAULT = 200;
/** No limit is stated; so many fit into an address (version 4). */
const CHECK_LIMIT = 400;

/** Interface, version 4, Blacklist list: number, to, user, setter. */
const listResult = z.array(
  z
    .object({ number: textIfAny, to: text, user: textIfAny, setter: textIfAny })
    .transform(({ number, to, user, setter }) => ({
      line: number,
      number: canonicalNumber(to),
      user,
      setter,
    })),
);

/**
 * Interface, version 4, Blacklist add and exists: number, to, status. Read in one step: before a large send hundreds of
 * thousands of rows are looked up, and a schema for each would cost more than the calls.
 */
const wordsResult = z.array(z.unknown()).transform((rows, context): BlacklistResult[] => {
  const words = rows.map(wordOf).filter((word) => word !== null);
  if (words.length === rows.length) return words;
  context.addIssue('not a number and a word');
  return z.NEVER;
});

/** The blacklist of a line, on versions 4 and 3. Changes are tried once. */
export function createRestBlacklist(calls: Calls, ask: RestAsk) {
  const words = (body: Uint8Array) =>
    restReading(body, (envelope) => readShape(wordsResult, rowsOf(envelope)));
  return {
    async list({ line, since, page, pageSize }) {
      checkLine(line);
      if (since !== undefined) checkMoment('since', since);
      checkSize('page', page, 1);
      checkSize('pageSize', pageSize, 1);
      const call = ask('blacklist', { number: line, startdate: since, page, pagesize: pageSize });
      const asked = { page: page ?? 1, pageSize: pageSize ?? PAGE_DEFAULT };
      const { rows, paging } = await calls.read('blacklist', call, (body) =>
        restReading(body, (envelope) => readPage(listResult, envelope, asked)),
      );
      const entries = rows.map(({ user, setter, ...row }): BlacklistEntry =>
        omitUndefined({ line: row.line ?? line, number: row.number, owner: user, setBy: setter }),
      );
      return { entries, paging };
    },
    async add(line, numbers) {
      checkLine(line);
      checkRecipients('numbers', numbers);
      const call = ask('blacklistAdd', { number: line, to: numbers.map(wireNumber) });
      return await calls.write('blacklist_add', call, words);
    },
    async remove(line, number) {
      checkLine(line);
      checkRecipients('numbers', [number]);
      const call = ask('blacklistRemove', { number: line, to: wireNumber(number) });
      await calls.write('blacklist_remove', call, (body) => restReading(body, nothingMore));
    },
    async check(line, numbers) {
      checkLine(line);
      checkRecipients('numbers', numbers, CHECK_LIMIT);
      const call = ask('blacklistCheck', { number: line, to: numbers.map(wireNumber) });
      return await calls.read('blacklist_check', call, words);
    },
  } satisfies Facets['blacklist'];
}

function wordOf(row: unknown): BlacklistResult | null {
  if (typeof row !== 'object' || row === null || !('to' in row) || !('status' in row)) return null;
  const [number, raw] = [toText(row.to), toText(row.status)];
  if (number === undefined || raw === undefined) return null;
  return { number: canonicalNumber(number), status: kindOf(raw), raw };
}

/** Arabic ye and kaf, joiners and doubled spaces are how the same words come from another keyboard. */
function kindOf(word: string): BlacklistResult['status'] {
  const folded = foldLetters(word.normalize('NFC'))
    .replace(/[\s\u200B-\u200F]+/g, ' ')
    .trim();
  return (Object.hasOwn(WORDS, folded) ? WORDS[folded] : undefined) ?? 'unknown';
}
