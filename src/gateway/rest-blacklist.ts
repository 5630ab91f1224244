import { z } from 'zod';

import { foldLetters } from '../domain/fold.ts';
import { LOOKED_UP_PER_CALL } from '../domain/interface-limits.ts';
import type { BlacklistEntry, BlacklistResult, Facets } from '../ports/gateway.ts';
import type { Calls } from './calls.ts';
import { checkLine, checkMoment, checkNumbers, checkRecipients, checkSize } from './checks.ts';
import { canonicalNumber, wireNumber } from './number.ts';
import { readShape } from './reading.ts';
import { nothingMore, restReading, rowsOf } from './rest-envelope.ts';
import type { RestAsk } from './rest-operations.ts';
import { readPage } from './rest-list-shapes.ts';
import { omitUndefined, text, textIfAny, toText } from './values.ts';

/** The words of add and exists that the interface shows. */
const WORDS: Readonly<Record<string, BlacklistResult['status']>> = {
  'افزوده شد': 'added',
  تکراری: 'duplicate',
  فعال: 'active',
};
/** The size of a page is not stated; only a list without rows needs one. */
const PAGE_DEFAULT = 200;

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
 * Interface, version 4, Blacklist add and exists: number, to, status. A schema for each row would cost more than the
 * calls: before a large send hundreds of thousands of numbers are looked up.
 */
const wordRows = z.custom<readonly WordRow[]>((rows) => Array.isArray(rows) && rows.every(isWordRow));

interface WordRow {
  readonly to: unknown;
  readonly status: unknown;
}

const wordsResult = wordRows.transform((rows): BlacklistResult[] => {
  const kindOf = kindReader();
  return rows.map(({ to, status }) => {
    const raw = toText(status) ?? '';
    return { number: numberOf(to), status: kindOf(raw), raw };
  });
});

const activeResult = wordRows.transform((rows): string[] => {
  const kindOf = kindReader();
  return rows.filter(({ status }) => kindOf(toText(status) ?? '') === 'active').map(({ to }) => numberOf(to));
});

/** The blacklist of a line, on versions 4 and 3. Changes are tried once. */
export function createRestBlacklist(calls: Calls, ask: RestAsk) {
  const reading =
    <T>(schema: z.ZodType<T>) =>
    (body: Uint8Array) =>
      restReading(body, (envelope) => readShape(schema, rowsOf(envelope)));
  const exists = async <T>(line: string, numbers: readonly string[], schema: z.ZodType<T>): Promise<T> => {
    checkLine(line);
    checkNumbers('numbers', numbers, LOOKED_UP_PER_CALL);
    const call = ask('blacklistCheck', { number: line, to: numbers.map(wireNumber) });
    return await calls.read('blacklist_check', call, reading(schema));
  };
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
      return await calls.write('blacklist_add', call, reading(wordsResult));
    },
    async remove(line, number) {
      checkLine(line);
      checkRecipients('numbers', [number]);
      const call = ask('blacklistRemove', { number: line, to: wireNumber(number) });
      await calls.write('blacklist_remove', call, (body) => restReading(body, nothingMore));
    },
    check: (line, numbers) => exists(line, numbers, wordsResult),
    blocked: (line, numbers) => exists(line, numbers, activeResult),
  } satisfies Facets['blacklist'];
}

function isWordRow(row: unknown): row is WordRow {
  return (
    typeof row === 'object' &&
    row !== null &&
    'to' in row &&
    'status' in row &&
    toText(row.to) !== undefined &&
    toText(row.status) !== undefined
  );
}

function numberOf(to: unknown): string {
  return canonicalNumber(toText(to) ?? '');
}

/** An answer says the same word hundreds of times: what it means is found out once. */
function kindReader(): typeof kindOf {
  const known = new Map<string, BlacklistResult['status']>();
  return (word) => {
    const kind = known.get(word) ?? kindOf(word);
    known.set(word, kind);
    return kind;
  };
}

/** Arabic ye and kaf, joiners and doubled spaces are how the same words come from another keyboard. */
function kindOf(word: string): BlacklistResult['status'] {
  const folded = foldLetters(word.normalize('NFC'))
    .replace(/[\s\u200B-\u200F]+/g, ' ')
    .trim();
  return (Object.hasOwn(WORDS, folded) ? WORDS[folded] : undefined) ?? 'unknown';
}
