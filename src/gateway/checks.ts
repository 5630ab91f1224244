import { AppError } from '../domain/errors.ts';
import { IDS_PER_CALL, MESSAGE_CHARACTERS, RECIPIENTS_PER_CALL } from '../domain/interface-limits.ts';
import type {
  MessageId,
  MultiMessage,
  NewUser,
  PatternRequest,
  SendRequest,
  TimeRange,
  UnixSeconds,
} from '../ports/gateway.ts';
import { omitUndefined } from './values.ts';

/** How fast one may ask is not shown: some calls at a time take the wait out of many ids, and burden no gateway. */
const GROUPS_AT_ONCE = 4;

/** Throws `bad_input` (field, reason, limit) for a send that the interface does not allow. */
export function checkSend(request: Pick<SendRequest, 'line' | 'recipients' | 'text'>): void {
  checkLine(request.line);
  checkRecipients('recipients', request.recipients);
  checkText(request.text);
}

export function checkLine(line: string): void {
  if (!/^\+?[0-9]{3,20}$/.test(line)) refuse('line', 'not_a_line');
}

export function checkText(text: string): void {
  if (text.trim() === '') refuse('text', 'empty');
  // A lone surrogate would go out as another character than the one that was shown.
  if (!text.isWellFormed()) refuse('text', 'not_well_formed');
  if (Array.from(text).length > MESSAGE_CHARACTERS) refuse('text', 'too_long', MESSAGE_CHARACTERS);
}

/** One to `limit` canonical numbers, each once. */
export function checkRecipients(
  field: string,
  numbers: readonly string[],
  limit = RECIPIENTS_PER_CALL,
): void {
  checkNumbers(field, numbers, limit);
  if (new Set(numbers).size !== numbers.length) refuse(field, 'repeated');
}

/** One to `limit` canonical numbers. */
export function checkNumbers(field: string, numbers: readonly string[], limit: number): void {
  if (numbers.length === 0) refuse(field, 'empty');
  if (numbers.length > limit) refuse(field, 'too_many', limit);
  if (!numbers.every(isCanonical)) refuse(field, 'not_canonical');
}

/** Interface, Send many: every element must be a valid send. The limit of a single send is taken for a call's. */
export function checkMulti(messages: readonly MultiMessage[]): void {
  if (messages.length === 0) refuse('messages', 'empty');
  if (messages.length > RECIPIENTS_PER_CALL) refuse('messages', 'too_many', RECIPIENTS_PER_CALL);
  for (const { line, recipient, text } of messages) checkSend({ line, recipients: [recipient], text });
}

/** Two moments in order, at most `limit` seconds apart. */
export function checkRange({ from, to }: TimeRange, limit = Number.MAX_SAFE_INTEGER): void {
  checkMoment('from', from);
  checkMoment('to', to);
  if (to < from) refuse('range', 'backwards');
  if (to - from > limit) refuse('range', 'too_long', limit);
}

export function checkMoment(field: string, seconds: UnixSeconds): void {
  if (!Number.isSafeInteger(seconds) || seconds < 0) refuse(field, 'not_a_moment');
}

/** A whole number within bounds, or none. */
export function checkSize(
  field: string,
  value: number | undefined,
  least: number,
  limit = Number.MAX_SAFE_INTEGER,
): void {
  if (value === undefined) return;
  if (!Number.isSafeInteger(value) || value < least) refuse(field, 'too_small', least);
  if (value > limit) refuse(field, 'too_big', limit);
}

export function checkBookId(bookId: string): void {
  if (!/^[0-9]{1,19}$/.test(bookId)) refuse('book', 'not_digits');
}

/** A name of a phonebook. */
export function checkName(name: string): void {
  if (name.trim() === '') refuse('name', 'empty');
  if (!name.isWellFormed()) refuse('name', 'not_well_formed');
}

export function isCanonical(number: string): boolean {
  return /^989[0-9]{9}$/.test(number);
}

/**
 * Asks about ids in groups of 50, as one call takes them, some calls at a time, and gives what is told of all in their
 * order. Throws `bad_input` for an id that is not digits, and what `ask` throws.
 */
export async function inGroups<T>(
  ids: readonly MessageId[],
  ask: (group: readonly MessageId[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  if (!ids.every((id) => /^[0-9]{1,19}$/.test(id))) refuse('ids', 'not_digits');
  const groups: Promise<readonly T[]>[] = [];
  let told: T[] = [];
  for (let start = 0; start < ids.length; start += IDS_PER_CALL) {
    groups.push(ask(ids.slice(start, start + IDS_PER_CALL)));
    if (groups.length === GROUPS_AT_ONCE) told = told.concat(...(await Promise.all(groups.splice(0))));
  }
  return told.concat(...(await Promise.all(groups)));
}

/** Throws `bad_input` with params `field`, `reason` and, where there is one, `limit`. */
export function refuse(field: string, reason: string, limit?: number): never {
  throw new AppError('bad_input', `${field}: ${reason}`, { params: omitUndefined({ field, reason, limit }) });
}

/** Throws `bad_input` (field, reason, limit) for a pattern send that cannot travel as it is meant. */
export function checkPattern(request: PatternRequest, recipientsLimit: number): void {
  checkLine(request.line);
  checkRecipients('recipients', request.recipients, recipientsLimit);
  if (!/^[0-9]{1,18}$/.test(request.patternId)) refuse('patternId', 'not_digits');
  for (const [name, value] of Object.entries(request.variables)) {
    if (name.trim() === '') refuse('variables', 'name_empty');
    if (!name.isWellFormed() || !value.isWellFormed()) refuse('variables', 'not_well_formed');
  }
}

/** Throws `bad_input` (field, reason) for a user that the interface does not allow; no value is repeated. */
export function checkNewUser(user: NewUser): void {
  if (!/^[A-Za-z0-9]{1,64}$/.test(user.userName)) refuse('userName', 'not_letters_and_digits');
  const password = user.password.reveal();
  if (password === '') refuse('password', 'empty');
  if (!password.isWellFormed()) refuse('password', 'not_well_formed');
  if (user.parent.trim() === '') refuse('parent', 'empty');
  if (!isCanonical(user.mobile)) refuse('mobile', 'not_canonical');
  if (!/^[0-9]{10}$/.test(user.nationalCode)) refuse('nationalCode', 'not_10_digits');
  if (!/^[0-9]{1,15}$/.test(user.packageId)) refuse('packageId', 'not_digits');
}

/** The interface states no limit; a portion of this size can be checked after a lost answer. */
const NUMBERS_LIMIT = 1_000;

/** Interface, Create phonebook: a name, at least one number, a flag. */
export function checkNewBook(book: {
  readonly name: string;
  readonly numbers: readonly string[];
  readonly flag: string;
}): void {
  checkName(book.name);
  checkBookNumbers(book.numbers);
  if (book.flag.trim() === '') refuse('flag', 'empty');
  if (!book.flag.isWellFormed()) refuse('flag', 'not_well_formed');
}

/** Numbers that go into a book. */
export function checkBookNumbers(numbers: readonly string[]): void {
  checkRecipients('numbers', numbers, NUMBERS_LIMIT);
}

/** What is taken out may be whatever the gateway's panel once let in: canonical, or digits as they were listed. */
export function checkNumbersToRemove(numbers: readonly string[]): void {
  if (numbers.length === 0) refuse('numbers', 'empty');
  if (numbers.length > NUMBERS_LIMIT) refuse('numbers', 'too_many', NUMBERS_LIMIT);
  if (!numbers.every((number) => /^\+?[0-9]{3,20}$/.test(number))) refuse('numbers', 'not_digits');
  if (new Set(numbers).size !== numbers.length) refuse('numbers', 'repeated');
}
