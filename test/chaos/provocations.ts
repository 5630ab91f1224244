import { PLACES } from './places.ts';
import type { Act, Plan, Press, SendAct, SendKind } from './schedule.ts';
import { type Rule, slowGateway, type Strike } from './strikes.ts';

type Halt = Extract<Act, { readonly kind: 'halt' }>;
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
const MANY = 60;
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

/** The gateway takes the calls, and their answers are lost. */
export const lostAnswers: Provocation = (round) =>
  plan(round, sends(['once', 'once', 'once', 'once'], 8), [
    gateway({ kind: 'drop', when: 'after', times: 4 }),
  ]);

/**
 * The same to so many numbers that they are not looked at one by one, and after them calls that are answered, by which
 * the gateway's clock becomes known.
 */
export const lostAmongOthers: Provocation = (round) =>
  plan(
    round,
    [
      ...sends(['once', 'once', 'once', 'once'], MANY),
      ...sends(['once', 'once', 'once', 'once'], 1).map((act) => ({ ...act, at: act.at + 1800 })),
    ],
    [gateway({ kind: 'drop', when: 'after', times: 4 })],
  );

/** The calls never arrive, and nobody can tell. */
export const lostCalls: Provocation = (round) =>
  plan(round, sends(['once', 'once', 'once', 'once']), [gateway({ kind: 'drop', when: 'before', times: 4 })]);

/** Every process is killed while the gateway has taken calls that it has not answered. */
export const killedWhileWaiting: Provocation = (round) =>
  plan(round, sends(['once', 'once', 'once', 'once']), [
    gateway({ kind: 'delay', when: 'after', ms: 6000, times: 4 }),
    ...[0, 1, 2].map((process): Strike => ({ kind: 'kill', at: 3000, process, downMs: 0 })),
  ]);

/** One order, in the chat that is made for it: at a slow gateway where it has to come in time. */
export function ordered(act: Partial<SendAct>, halt?: Omit<Halt, 'kind'>): Provocation {
  return (round) =>
    plan(
      round,
      [
        // What went before, by other accounts.
        ...sends(['once', 'once', 'once', 'once']),
        { ...PLAIN, at: 300, ...act },
        ...(halt === undefined ? [] : [{ kind: 'halt' as const, ...halt }]),
      ],
      [slowGateway],
    );
}

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
function sends(presses: readonly Press[], messages = 3, kind: SendKind = 'send'): Act[] {
  const chats = [0, 1, 3, 4];
  return presses.map((press, index) => ({
    kind,
    at: 100 * index,
    chat: chats[index % chats.length] ?? 0,
    messages,
    press,
    thinkMs: 0,
    again: false,
  }));
}

function plan(round: number, acts: readonly Act[], strikes: readonly Strike[]): Plan {
  return { round, lengthMs: LENGTH_MS, latencyMs: 0, acts, strikes };
}
