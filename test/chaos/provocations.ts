import { PLACES } from './places.ts';
import { hasty, type Act, type Plan, type Press, type SendAct } from './schedule.ts';
import type { Rule, Strike } from './strikes.ts';

type Provocation = (round: number) => Plan;

const LENGTH_MS = 3500;
const PLAIN: SendAct = {
  kind: 'send',
  at: 0,
  chat: 0,
  messages: 3,
  press: 'once',
  thinkMs: 0,
  again: false,
};
const SEND_PATH = '/api/v3/rest/sms/send';

/** Nothing happens but what people do. */
export const calm: Provocation = (round) => plan(round, sends(['once', 'once', 'once']), []);

/** Every update comes again, beside questions that Peyk answers each time anew. */
export const repeatedUpdates: Provocation = (round) =>
  plan(
    round,
    [
      ...sends(['once', 'twice', 'by_two']),
      // In chats of their own: an answer waits behind the card of whoever sends.
      ...[2, 4].map((chat): Act => ({ kind: 'ask', at: 100, chat, command: '/whoami' })),
    ],
    [
      { kind: 'replay', at: 1500, count: 9 },
      { kind: 'replay', at: 2500, count: 9 },
    ],
  );

/** The gateway takes each call and answers with what well-behaved clients repeat by themselves. */
export const invitedRepeats: Provocation = (round) =>
  plan(
    round,
    sends(['once', 'once', 'once', 'once']),
    [
      { httpStatus: 421 },
      { httpStatus: 307, headers: { location: SEND_PATH } },
      { httpStatus: 421 },
      { httpStatus: 308, headers: { location: SEND_PATH } },
    ].map((rule): Strike => gateway({ kind: 'error', when: 'after', status: 500, ...rule })),
  );

/** Somebody asks for more at once than is let through. */
export const tooMuch: Provocation = (round) => plan(round, hasty(0), []);

/** The chat that limits itself asks for more than it may. */
export const overCaps: Provocation = (round) =>
  plan(
    round,
    [false, true, false, true, false].map((bySecond, index) => ({
      ...PLAIN,
      at: 400 * index,
      chat: PLACES.limited,
      ...(bySecond ? { bySecond } : {}),
    })),
    [],
  );

function gateway(rule: Rule): Strike {
  return { kind: 'gateway', at: 0, rule: { operation: 'send', times: 1, ...rule } };
}

/** One send in each chat that has an account of version 3, and a second round of them. */
function sends(presses: readonly Press[]): Act[] {
  const chats = [0, 1, 3, 4];
  return presses.map((press, index) => ({
    ...PLAIN,
    at: 100 * index,
    chat: chats[index % chats.length] ?? 0,
    press,
  }));
}

function plan(round: number, acts: readonly Act[], strikes: readonly Strike[]): Plan {
  return { round, lengthMs: LENGTH_MS, latencyMs: 0, acts, strikes };
}
