import { z } from 'zod';
import type { Json } from '../json.ts';
import type { ReceivedMessage } from '../world/account.ts';
import { countInbox, readInbox, receiveMessages } from '../world/inbox.ts';
import { arrange, listedDate } from '../world/listing.ts';
import { showLine, showSender } from '../world/numbers.ts';
import { ID_STEP } from '../world/outbox.ts';
import { isRefusal, refuse } from '../world/refusal.ts';
import type { World } from '../world/world.ts';
import { countField, optionalBit, optionalText } from './fields.ts';
import { operation } from './operation.ts';
import type { Operation } from './operation.ts';
import type { RestPayload } from './rest-envelope.ts';
import type { RestForm } from './rest-form.ts';
import { pageOf, paging } from './rest-paging.ts';
import { range } from './rest-reports.ts';
import { LINE, RANGE_EXAMPLE, dataOf, date, entriesOf, messageId, pageOfEntries, shown } from './shapes.ts';

const plain = { message: z.string(), to: shown, from: shown, date };
const received = { messageid: messageId.optional(), ...plain };
const filter = { number: optionalText, isread: optionalBit };

/** What versions 4 and 3 do with received messages. */
export function inboxOperations({ method, ending }: RestForm): Operation<RestPayload>[] {
  return [
    operation({
      name: 'countinbox',
      summary: 'Counts the messages received in a range, by default the unread ones.',
      answer: dataOf({ startdate: date, enddate: date, isread: z.int(), count: z.int() }),
      refuses: ['wrong_range', 'no_such_line'],
      example: RANGE_EXAMPLE,
      method,
      path: `/sms/countinbox${ending}`,
      input: z.object({ ...range, ...filter }),
      run({ world, account }, { startdate, enddate, number, isread = false }) {
        if (enddate < startdate) return refuse('wrong_range');
        const count = countInbox(world, account, { startdate, enddate }, { number, isread });
        if (typeof count !== 'number') return count;
        return { data: { startdate, enddate, isread: isread ? 1 : 0, count } };
      },
    }),
    operation({
      name: 'inbox',
      summary: 'Lists received messages, the newest first, without ids.',
      answer: entriesOf(plain),
      example: { count: 2, offset: 0 },
      method,
      path: `/sms/inbox${ending}`,
      input: z.object({
        count: countField({ min: 1, fallback: 50 }),
        offset: countField({ min: 0, fallback: 0 }),
      }),
      run({ world, account }, { count, offset }) {
        const messages = readInbox(world, account);
        if (isRefusal(messages)) return messages;
        const entries = messages.slice(offset, offset + count).map((message): Json => {
          const { messageid: _, ...rest } = show(world, message);
          return rest;
        });
        return { entries: arrange(world, entries) };
      },
    }),
    operation({
      name: 'inboxpaged',
      summary: 'Lists received messages by pages, the newest first.',
      answer: pageOfEntries(received),
      refuses: ['no_such_line'],
      example: { number: LINE, page: 1, pagesize: 2 },
      method,
      path: `/sms/inboxpaged${ending}`,
      input: z.object({ ...filter, ...paging }),
      run({ world, account }, input) {
        const messages = readInbox(world, account, input);
        if (isRefusal(messages)) return messages;
        const { items, current } = pageOf(messages, input);
        return {
          entries: arrange(
            world,
            items.map((message) => show(world, message)),
          ),
          current,
        };
      },
    }),
    operation({
      name: 'receive',
      summary:
        'Takes at most 50 unread messages, which are read from then on; with isread 1 shows read ones.',
      answer: entriesOf(received),
      refuses: ['no_such_line'],
      example: { number: LINE, isread: 0 },
      method,
      path: `/sms/receive${ending}`,
      input: z.object(filter),
      run({ world, account }, input) {
        const messages = receiveMessages(world, account, input);
        if (isRefusal(messages)) return messages;
        return {
          entries: arrange(
            world,
            messages.map((message) => show(world, message)),
          ),
        };
      },
    }),
  ];
}

/** None, or one that the next message may have too, where a switch says so. */
function idOf({ switches }: World, messageId: bigint): { messageid?: bigint } {
  if (switches.inboxIds === 'missing') return {};
  return { messageid: switches.inboxIds === 'shared' ? messageId / (2n * ID_STEP) : messageId };
}

function show(world: World, { messageId, text, from, line, receivedAt }: ReceivedMessage) {
  return {
    ...idOf(world, messageId),
    message: text,
    from: showSender(from),
    to: showLine(line),
    date: listedDate(world, receivedAt),
  };
}
