import { faultSchema } from './faults.ts';
import type { FaultRule, Harm } from './faults.ts';
import type { Struck } from './striking.ts';

/** What one magic input does, to whichever request carries it. */
type Magic = {
  /** Of `09700000000`, the last four digits; the text form has the word. */
  readonly digits: string;
  readonly word: string;
  readonly does: string;
  readonly fault: Harm;
};

const PREFIX = '970000';
const TAG = /\[sandbox ([a-z0-9-]{1,20})(?: (\d{1,6}))?\]/i;
const CHEAP = /970000|\[sandbox /i;

const LATE_MS = 5_000;
const VERY_LATE_MS = 90_000;

const CODES: readonly (readonly [codes: readonly number[], what: string])[] = [
  [[10, 11, 12, 13, 14, 15, 16, 17, 18, 19], 'registration'],
  [[21, 22, 23, 24, 25, 26, 27, 28, 29], 'sending'],
  [[30, 31, 32], 'reports'],
  [[40, 41, 42, 43, 44, 45], 'phonebooks'],
  [[1000, 2000], 'faults of the gateway'],
];
const STATUSES = [402, 411, 412, 413, 414, 417, 419, 429, 500, 503];
const USER_STATUSES = [1, 3, 4, 5, 6];

/** Every magic input: the one table, from which that of the documents is made (`magic.test.ts`). */
const TABLE: readonly Magic[] = [
  ...USER_STATUSES.map((status) =>
    magic(`000${status}`, `user-${status}`, `refused as an account of user status ${status}`, {
      kind: 'error',
      status: 401,
      message: `حساب کاربری غیرفعال است: کد ${status}`,
    }),
  ),
  ...CODES.flatMap(([codes, what]) =>
    codes.map((code) =>
      magic(String(code).padStart(4, '0'), String(code), `refused with code ${code} (${what})`, {
        kind: 'error',
        code,
      }),
    ),
  ),
  ...STATUSES.map((status) =>
    magic(`0${status}`, `status-${status}`, `refused with status ${status} in the envelope`, {
      kind: 'error',
      status,
    }),
  ),
  magic('9001', 'late', 'done, and answered 5 s later (`[sandbox late 1500]`: so many milliseconds)', {
    kind: 'delay',
    when: 'after',
    ms: LATE_MS,
  }),
  magic('9002', 'very-late', 'done, and answered 90 s later', {
    kind: 'delay',
    when: 'after',
    ms: VERY_LATE_MS,
  }),
  magic('9003', 'lost', 'done, and the connection closed without an answer', { kind: 'drop', when: 'after' }),
  magic('9004', 'dropped', 'not done, and the connection closed', { kind: 'drop', when: 'before' }),
  magic('9005', 'reset', 'done, and the connection reset', { kind: 'reset', when: 'after' }),
  magic('9006', 'hang', 'done, and never answered', { kind: 'hang', when: 'after' }),
  magic('9007', 'half', 'done, and half of the answer', { kind: 'truncate' }),
  magic('9008', 'html', 'not done, and a web page with HTTP 502', { kind: 'html' }),
  magic('9009', 'html-after', 'done, and a web page with HTTP 200', {
    kind: 'html',
    when: 'after',
    httpStatus: 200,
  }),
  magic('9010', 'empty', 'done, and an answer without a body', { kind: 'body', text: '' }),
  magic('9011', 'http-429', 'not done, and HTTP 429 with `retry-after: 1`', {
    kind: 'error',
    status: 429,
    httpStatus: 429,
    headers: { 'retry-after': '1' },
  }),
  magic('9012', 'http-503', 'not done, and HTTP 503', { kind: 'error', status: 500, httpStatus: 503 }),
];

const BY_DIGITS = new Map(TABLE.map((row) => [row.digits, row]));
const BY_WORD = new Map(TABLE.map((row) => [row.word, row]));

/** The rows of {@link TABLE}, for tests and pages. */
export const MAGIC: readonly Omit<Magic, 'fault'>[] = TABLE;

/** Whether a request may carry a magic input at all: most do not, and need not be read for it. */
export function mayBeMagic(query: URLSearchParams, body: string): boolean {
  return CHEAP.test(body) || [...query.values()].some((value) => CHEAP.test(value));
}

/**
 * The magic input among what a request names, the first of several: what has to happen, and a sentence on what asked
 * for it. Recipients may be written in every way that sends take; a text has its tag anywhere.
 */
export function findMagic(targets: readonly string[], texts: readonly string[]): Struck | undefined {
  for (const digits of targets) {
    const row = digits.startsWith(PREFIX) ? BY_DIGITS.get(digits.slice(PREFIX.length)) : undefined;
    if (row !== undefined) return { fault: row.fault, words: `magic recipient 0${digits}: ${row.does}` };
  }
  for (const text of texts) {
    const [tag, word = '', ms] = TAG.exec(text) ?? [];
    const row = BY_WORD.get(word.toLowerCase());
    if (row === undefined) continue;
    const fault =
      row.fault.kind === 'delay' && ms !== undefined ? { ...row.fault, ms: Number(ms) } : row.fault;
    return { fault, words: `magic text ${tag}: ${row.does}` };
  }
  return undefined;
}

function magic(
  digits: string,
  word: string,
  does: string,
  rule: Exclude<FaultRule, { kind: 'delay' }> | (Extract<FaultRule, { kind: 'delay' }> & { ms: number }),
): Magic {
  const fault = faultSchema.parse(rule);
  return { digits, word, does, fault: fault.kind === 'delay' ? { ...fault, ms: Number(fault.ms) } : fault };
}
