import { z } from 'zod';
import type { RefusalReason } from '../world/refusal.ts';
import type { Example } from './operation.ts';

/** What readers are told of answers, refusals and examples that several operations share. */

/** A message id: above 2^53, where a reader that uses doubles rounds it. */
export const messageId = z
  .bigint()
  .meta({ type: 'integer', format: 'int64', description: 'Larger than 2^53.' });

/** Epoch seconds in an answer. */
export const date = z.int().meta({ format: 'int64', description: 'Epoch seconds.' });

/** Where a message stands, as a code of the table of delivery. */
export const state = z.int().meta({ description: 'A code of the table of delivery.' });

/** A line or mobile number in an answer. */
export const shown = z.string().meta({ description: 'With +98.' });

export const book = z.object({ book_id: z.int(), uname: z.string(), title: z.string(), count: z.int() });

export const bookNumber = z.object({ number_id: z.int(), number: z.string() });

/** An answer of versions 4 and 3 that lists. */
export function entriesOf(item: Readonly<Record<string, z.ZodType>>) {
  return z.object({ entries: z.array(z.object(item)) });
}

/** An answer of versions 4 and 3 that lists a page. */
export function pageOfEntries(item: Readonly<Record<string, z.ZodType>>) {
  const current = {
    totalcount: z.string(),
    currentpage: z.string(),
    totalpages: z.string(),
    pagesize: z.string(),
  };
  return entriesOf(item).extend({ current: z.object(current) });
}

/** An answer of versions 4 and 3 with one record. */
export function dataOf(members: Readonly<Record<string, z.ZodType>>) {
  return z.object({ data: z.object(members) });
}

/** An answer of version 1 with the status 0, and what stands beside it. */
export function doneWith(members: Readonly<Record<string, z.ZodType>> = {}) {
  return z.object({ status: z.literal(0), ...members });
}

/** Why a text is refused. */
export const TEXT_REFUSES = [
  'no_recipient',
  'empty_message',
  'message_too_long',
  'invalid_recipient',
  'unknown_line',
  'insufficient_credit',
] as const satisfies readonly RefusalReason[];

/** The same, where a call takes a list of recipients. */
export const SEND_REFUSES = [
  ...TEXT_REFUSES,
  'too_many_recipients',
] as const satisfies readonly RefusalReason[];

/** The number that an example's first message went to. */
export const NUMBER = '09121111111';

/** The line and the numbers of examples. */
export const LINE = '3000123456';
export const NUMBERS = [NUMBER, '09122222222'];

export const SEND_EXAMPLE: Example = { from: LINE, recipients: NUMBERS, message: 'Hello', type: 0 };

/** What versions call alike and answer each in its own way. */
export const MANY = {
  summary: 'Sends several messages, each with its own line, recipient, text and type; all or none.',
  refuses: ['unequal_lengths', ...TEXT_REFUSES],
  example: {
    fromArray: [LINE, LINE],
    recipients: NUMBERS,
    messageArray: ['Hello', 'Good day'],
    typeArray: [0, 0],
  },
} as const satisfies Record<string, unknown>;

export const PATTERN_REFUSES: readonly RefusalReason[] = [
  'pattern_not_active',
  'wrong_variables',
  ...SEND_REFUSES,
];

/** The start of examples of ranges: the time of the documents' sandbox. */
export const EXAMPLE_TIME = 1_790_000_000;

export const RANGE_EXAMPLE = { startdate: EXAMPLE_TIME - 3600, enddate: EXAMPLE_TIME + 3600 };

/** A number that is blocked on the line of examples. */
export const BLOCKED = '09129999999';

/** The first phonebook of an example. */
export const BOOK = 1001;

export const USER_REFUSES: readonly RefusalReason[] = [
  'no_manager_access',
  'invalid_user_name',
  'user_name_taken',
  'invalid_mobile',
  'invalid_national_code',
  'wrong_package',
  'passwords_differ',
  'registration_limit',
];

/** Phonebooks, where versions differ in paths and answers alone. */
export const BOOKS = {
  list: { summary: 'Lists the phonebooks.' },
  numbers: { summary: 'Lists the numbers of a phonebook.', refuses: ['no_such_record'] },
  create: {
    summary: 'Creates a phonebook with its numbers.',
    refuses: ['no_number', 'phonebook_exists', 'phonebook_failed', 'flag_empty', 'flag_taken'],
    example: { name: 'Friends', numbers: NUMBERS, flag: 'friends' },
  },
  remove: { summary: 'Deletes a phonebook and its numbers.', refuses: ['no_such_record'] },
  addNumbers: {
    summary: 'Adds numbers to a phonebook.',
    refuses: ['no_such_record', 'no_number', 'phonebook_failed'],
  },
  removeNumbers: {
    summary: 'Deletes numbers from a phonebook.',
    refuses: ['no_such_record', 'no_number', 'phonebook_failed'],
  },
} as const satisfies Record<
  string,
  { summary: string; refuses?: readonly RefusalReason[]; example?: Example }
>;
