import { z } from 'zod';
import type { Json } from '../json.ts';
import {
  findLine,
  notOneOf,
  readRecipient,
  refuseRecipients,
  showLine,
  showRecipient,
} from '../world/numbers.ts';
import { listedDate } from '../world/listing.ts';
import { refuse } from '../world/refusal.ts';
import type { Refusal } from '../world/refusal.ts';
import { filledText, optionalTime } from './fields.ts';
import { operation } from './operation.ts';
import type { Call, Operation } from './operation.ts';
import type { RestPayload } from './rest-envelope.ts';
import type { RestForm } from './rest-form.ts';
import { pageOf, paging } from './rest-paging.ts';
import { BLOCKED, LINE, NUMBERS, entriesOf, pageOfEntries, shown } from './shapes.ts';

const ADDED = 'افزوده شد';
const DUPLICATE = 'تکراری';
const ACTIVE = 'فعال';
const NOT_BLOCKED = 'یافت نشد';

const number = filledText;
const verdict = { number: shown, to: shown, status: z.string() };

/** The blacklists of lines in versions 4 and 3; `numbers` is how the version writes a list of them. */
export function blacklistOperations(
  { method, ending }: RestForm,
  numbers: z.ZodType<string[]>,
): Operation<RestPayload>[] {
  const some = numbers.refine((list) => list.length > 0, { error: 'it must name a number' });
  return [
    operation({
      name: 'blacklist-list',
      summary: 'Lists the numbers that are blocked on a line, by pages, the oldest first.',
      answer: pageOfEntries({ number: shown, to: shown, user: z.string(), setter: z.string() }),
      refuses: ['no_such_line'],
      example: { number: LINE, page: 1, pagesize: 10 },
      method,
      path: `/line/blocked/list${ending}`,
      input: z.object({ number, startdate: optionalTime, ...paging }),
      run: (call, input) => onLine(call, input.number, (line) => list(call, line, input)),
    }),
    operation({
      name: 'blacklist-add',
      summary: 'Blocks numbers on a line, at most 200 in a call.',
      answer: entriesOf(verdict),
      refuses: ['no_such_line', 'invalid_recipient', 'too_many_numbers', 'blacklist_full'],
      example: { number: LINE, to: NUMBERS },
      method,
      path: `/line/blocked/add${ending}`,
      input: z.object({ number, to: some }),
      run: (call, { number, to }) =>
        onLine(call, number, (line) => {
          const by = { setter: call.account.username, at: call.world.now() };
          const verdicts = call.account.blacklist.add(line, to, by);
          if (!Array.isArray(verdicts)) return verdicts;
          return { entries: verdicts.map((one) => entry(line, one.to, one.added ? ADDED : DUPLICATE)) };
        }),
    }),
    operation({
      name: 'blacklist-remove',
      summary: 'Takes the block of one number on a line away.',
      answer: z.object({}),
      refuses: ['no_such_line', 'invalid_recipient', 'not_blocked'],
      example: { number: LINE, to: BLOCKED },
      method,
      path: `/line/blocked/remove${ending}`,
      input: z.object({ number, to: number }),
      run: (call, { number, to }) =>
        onLine(call, number, (line) => {
          const removed = call.account.blacklist.remove(line, to);
          return removed === 'removed' ? {} : removed;
        }),
    }),
    operation({
      name: 'blacklist-exists',
      summary: 'Tells of numbers whether they are blocked on a line.',
      answer: entriesOf(verdict),
      refuses: ['no_such_line', 'invalid_recipient'],
      example: { number: LINE, to: [BLOCKED] },
      method,
      path: `/line/blocked/exists${ending}`,
      input: z.object({ number, to: some }),
      run: (call, { number, to }) =>
        onLine(call, number, (line) => {
          const digits = to.map(readRecipient).filter((one) => one !== undefined);
          if (digits.length < to.length) return refuseRecipients(to);
          const { blacklist } = call.account;
          return {
            entries: digits.map((one) => entry(line, one, blacklist.has(line, one) ? ACTIVE : NOT_BLOCKED)),
          };
        }),
    }),
  ];
}

function list(
  { world, account }: Call,
  line: string,
  input: { startdate?: number | undefined; page: number; pagesize: number },
): RestPayload {
  const since = input.startdate ?? Number.NEGATIVE_INFINITY;
  const blocked = account.blacklist.list(line).filter(({ addedAt }) => listedDate(world, addedAt) >= since);
  const { items, current } = pageOf(blocked, input);
  const entries = items.map(({ to, setter }) => ({
    number: showLine(line),
    to: showRecipient(to),
    user: account.username,
    setter,
  }));
  return { entries, current };
}

function onLine(
  { account }: Call,
  written: string,
  run: (line: string) => RestPayload | Refusal,
): RestPayload | Refusal {
  const line = findLine(account.lines, written);
  return line === undefined ? refuse('no_such_line', { why: notOneOf(account.lines, written) }) : run(line);
}

function entry(line: string, digits: string, status: string): Json {
  return { number: showLine(line), to: showRecipient(digits), status };
}
