import type { Mutant } from './mutants.ts';
import { PLACES } from './places.ts';
import * as provocations from './provocations.ts';

const { ordered } = provocations;
const BOOK = { kind: 'book', messages: 1001, chat: PLACES.slow } as const;

/** Copies of Peyk that send otherwise than was ordered: by another way, too early, after all, or more than is allowed. */
export const ORDER_MUTANTS: readonly Mutant[] = [
  {
    name: 'wrong-account',
    about: 'a call goes by the account of the call before it',
    patches: [
      {
        file: 'src/features/sending/run/one-call.ts',
        find: /await gateways\.of\(attempt\.bindingId\)/gu,
        put: "await gateways.of((Reflect.get(globalThis, 'last') as string | undefined) ?? (Reflect.set(globalThis, 'last', attempt.bindingId), attempt.bindingId))",
      },
    ],
    provoke: provocations.calm,
    caughtBy: ['wrong'],
  },
  {
    name: 'wrong-line',
    about: 'a call goes from another line of the account',
    patches: [
      {
        file: 'src/features/sending/kinds/calls.ts',
        find: /await sending\.send\(\{ line, /gu,
        put: "await sending.send({ line: line.replace(/^30007770/u, '30007771'), ",
      },
    ],
    provoke: provocations.calm,
    caughtBy: ['wrong'],
  },
  {
    name: 'wrong-flash',
    about: 'a call asks for the other way of showing it',
    patches: [
      {
        file: 'src/features/sending/kinds/calls.ts',
        find: /await sending\.send\(\{ line, recipients, text, flash \}/gu,
        put: 'await sending.send({ line, recipients, text, flash: !flash }',
      },
    ],
    provoke: provocations.calm,
    caughtBy: ['wrong'],
  },
  {
    name: 'after-stop',
    about: 'the calls of a job that was stopped are made all the same',
    patches: [
      {
        file: 'src/storage/call-writes.ts',
        find: / and j\.state = 'running'\n/gu,
        put: '\n',
      },
      {
        file: 'src/storage/job-control.ts',
        find: /(?<=action: 'send_stopped',\s+details: \{ code: row\.code, jobId, reason \},\s+\}\);\s+)await takeBackIn\(tx, \[jobId\]\);/gu,
        put: '',
      },
    ],
    provoke: ordered({ ...BOOK, press: 'stop' }),
    caughtBy: ['unordered'],
  },
  {
    name: 'after-undo',
    about: 'what was undone leaves when its hold is over',
    patches: [
      {
        file: 'src/domain/job.ts',
        find: /start: \{/gu,
        put: "start: { undone: 'running',",
      },
    ],
    provoke: ordered({ press: 'undo' }),
    undoSeconds: 4,
    caughtBy: ['unordered'],
  },
  {
    name: 'deaf-undo',
    about: 'Undo does nothing, and says nothing',
    patches: [
      {
        file: 'src/storage/job-control.ts',
        find: /undo: async \(jobId, personId, updateId\) =>/gu,
        put: '$&\n      jobId !== String(updateId) ||',
      },
    ],
    provoke: ordered({ press: 'undo' }),
    undoSeconds: 4,
    caughtBy: ['silent'],
  },
  {
    name: 'no-cap',
    about: 'the caps of a chat are not judged',
    patches: [
      {
        file: 'src/domain/limits.ts',
        find: /if \(over !== null\) return over;/gu,
        put: '',
      },
    ],
    provoke: provocations.overCaps,
    caughtBy: ['unordered'],
  },
  {
    name: 'no-approval',
    about: 'nobody else has to agree',
    patches: [
      {
        file: 'src/domain/limits.ts',
        find: /if \(approvalParts !== null && parts > approvalParts && !approved\)/gu,
        put: 'if (approvalParts !== null && parts < 0 && !approved)',
      },
      {
        file: 'src/storage/draft-store.ts',
        find: /above: approvalParts !== null && parts > approvalParts \? approvalParts : null/gu,
        put: 'above: null',
      },
    ],
    provoke: ordered({ chat: PLACES.limited, messages: 4, press: 'reject' }),
    caughtBy: ['unordered'],
  },
  {
    name: 'no-blacklist',
    about: 'numbers on the blacklist of the line are not left out',
    patches: [
      {
        file: 'src/features/sending/draft/blocked-numbers.ts',
        find: /active\.add\(number\)/gu,
        put: "if (line === '') active.add(number)",
      },
    ],
    provoke: ordered({ blocked: 2 }),
    caughtBy: ['unordered'],
  },
  {
    name: 'too-early',
    about: 'what has a time of its own leaves as soon as it is confirmed',
    patches: [
      {
        file: 'src/storage/draft-confirmation.ts',
        find: /greatest\(\$\{later\?\.toISOString\(\) \?\? null\}::timestamptz, /gu,
        put: 'greatest(',
      },
      {
        file: 'src/storage/draft-confirmation.ts',
        find: /later === null \? 0 : later\.getTime\(\) - draft\.now\.getTime\(\)/gu,
        put: '0',
      },
    ],
    provoke: ordered({ chat: PLACES.shared, inHours: 2 }),
    caughtBy: ['unordered'],
  },
  {
    name: 'no-halt',
    about: 'the switch of a chat is thrown, and stops nothing',
    patches: [
      {
        file: 'src/storage/call-writes.ts',
        find: /and not exists \(select 1 from chat_limits l where l\.chat_id = j\.chat_id and l\.halted_at is not null\)/gu,
        put: '',
      },
      {
        file: 'src/storage/limits-store.ts',
        find: /(?<=const paused = )await pauseAllIn\(tx, press\.chatId, press\.personId\)/gu,
        put: 'tx === undefined ? await pauseAllIn(tx, press.chatId, press.personId) : 0',
      },
    ],
    provoke: ordered(BOOK, { at: 2500, chat: PLACES.slow, ms: 4000 }),
    caughtBy: ['unordered'],
  },
  {
    name: 'no-hold',
    about: 'the operator’s switch over all chats is thrown, and stops nothing',
    patches: [
      {
        file: 'src/storage/call-writes.ts',
        find: /and not exists \(select 1 from deployment where held_at is not null\)/gu,
        put: '',
      },
      {
        file: 'src/storage/call-store.ts',
        find: /and not exists \(select 1 from deployment where held_at is not null\)/gu,
        put: '',
      },
      {
        file: 'src/storage/operator-halt.ts',
        find: /all \+= await sql\.begin\(async \(tx\) => await pauseIn\(tx, chatId\)\)/gu,
        put: 'all += Number(chatId !== chatId)',
      },
    ],
    provoke: ordered(BOOK, { at: 1500, chat: null, ms: 4000 }),
    caughtBy: ['unordered'],
  },
];
