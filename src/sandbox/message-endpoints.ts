import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { idOf, showMessage, showRow, timeOf } from './show.ts';
import type { Message } from './show.ts';
import { DELIVERY_STATES } from './world/delivery-plan.ts';
import { readRecipient } from './world/numbers.ts';
import { rowsOf } from './world/outbox.ts';
import type { World } from './world/world.ts';

const MOST = 1000;
const ROWS = 500;
const messageId = z.string().regex(/^\d+$/, 'must be the digits of an id');

const listed = z.strictObject({
  account: z.string().optional(),
  kind: z.enum(['sent', 'received']).optional(),
  /** Sent messages of which at least one recipient is in this state. */
  state: z.enum(DELIVERY_STATES).optional(),
  /** What this phone received and wrote. */
  phone: z.string().optional(),
  /** In the text, the numbers and the line, however letters and digits are written. */
  search: z.string().optional(),
  /** Only what came before the message with this id. */
  before: messageId.optional(),
  limit: z.coerce.number().int().min(1).max(MOST).default(50),
});

/** What the page is told of messages: those of all accounts, newest first, and one of them whole. */
export function messageEndpoints(world: World): readonly Endpoint[] {
  const everything = (): Message[][] =>
    world
      .accounts()
      .flatMap((account) => [
        account.outbox.all().map((message) => ({ kind: 'sent' as const, account, message })),
        account.inbox.map((message) => ({ kind: 'received' as const, account, message })),
      ]);

  const find = (id: string): Message => {
    const one = everything()
      .flat()
      .find((each) => String(idOf(each)) === id);
    if (one === undefined) throw new Error(`no message ${id}`);
    return one;
  };

  return [
    endpoint('GET', '/messages', listed, ({ limit, before, ...wanted }) => {
      const mark = before === undefined ? undefined : find(before);
      const phone = wanted.phone === undefined ? undefined : (readRecipient(wanted.phone) ?? wanted.phone);
      const wantedOne = filterOf(world, { ...wanted, phone });
      const fits = (one: Message) => (mark === undefined || newestFirst(mark, one) < 0) && wantedOne(one);
      const found = everything()
        .flatMap((list) => newest(list, limit + 1, fits))
        .toSorted(newestFirst);
      return {
        messages: found.slice(0, limit).map((one) => showMessage(world, one, phone)),
        more: found.length > limit,
      };
    }),
    endpoint('GET', '/message', z.strictObject({ id: messageId }), ({ id }) => {
      const one = find(id);
      const rows = one.kind === 'sent' ? rowsOf(one.message).slice(0, ROWS) : [];
      return { ...showMessage(world, one), rows: rows.map((row) => showRow(world, row)) };
    }),
  ];
}

/** Ids alone would not do: some accounts have small ones. */
function newestFirst(one: Message, other: Message): number {
  return timeOf(other) - timeOf(one) || Number(idOf(other) - idOf(one));
}

/** The newest ones that fit, of a list that begins with the oldest: what is not needed is not looked at. */
function newest(list: readonly Message[], count: number, fits: (one: Message) => boolean): Message[] {
  const found: Message[] = [];
  for (let at = list.length - 1; at >= 0 && found.length < count; at -= 1) {
    const one = list[at];
    if (one !== undefined && fits(one)) found.push(one);
  }
  return found;
}

function filterOf(
  world: World,
  wanted: Omit<z.output<typeof listed>, 'limit' | 'before'>,
): (one: Message) => boolean {
  const { account, kind, state, phone } = wanted;
  const words = fold(wanted.search ?? '').trim();
  const number = words.replace(/^(?:\+98|0098|98|0)(?=9)/, '');
  return (one) =>
    (account === undefined || one.account.username === account) &&
    (kind === undefined || one.kind === kind) &&
    (phone === undefined || phonesOf(one).includes(phone)) &&
    (state === undefined ||
      (one.kind === 'sent' && rowsOf(one.message).some((row) => world.stateOf(row) === state))) &&
    (words === '' ||
      fold(one.message.text).includes(words) ||
      [one.message.line, ...phonesOf(one)].some((each) => each.includes(number)));
}

function phonesOf(one: Message): readonly string[] {
  return one.kind === 'sent' ? one.message.recipients : [one.message.from];
}

/** Letters and digits of both scripts as one would compare them. */
function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ي', 'ی')
    .replaceAll('ك', 'ک')
    .replaceAll(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
    .replaceAll('\u200c', '');
}
