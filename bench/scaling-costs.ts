import type { Kept } from './kept.ts';
import type { Result } from './result.ts';

/** What one of something costs. */
export interface UnitCost {
  readonly statements: number;
  /** Milliseconds of a core. */
  readonly botMs: number;
  readonly postgresMs: number;
  readonly bytes: Kept;
}

/** Everything that the model is made of. */
export interface UnitCosts {
  /** A call of the gateway that looks after an account. */
  readonly poll: UnitCost;
  /** A received message, stored and told. */
  readonly message: UnitCost;
  /** A command that asks the gateway, by itself. */
  readonly command: UnitCost;
  /** A send to one, from the tap to its reports. */
  readonly send: UnitCost;
  /** One more recipient of a large send. */
  readonly recipient: UnitCost;
  /** A second in which nothing happens, of one process. */
  readonly idle: UnitCost;
  /** From the gateway's answer to the chat. */
  readonly ownSeconds: number;
  /** Of a process without accounts, and what each open account adds. */
  readonly memory: { readonly baseMb: number; readonly openKb: number };
  /** Benchmarks whose results were not there: constants stand in for them. */
  readonly assumed: readonly string[];
}

type Read = (benchmark: string) => Result | null;

const NOTHING: Kept = { atOnce: 0, month: 0, year: 0 };

/** `npm run bench -- costs`, on two cores that others used as well. */
const COSTS = {
  message: { statements: 34, botMs: 4, postgresMs: 6.6, bytes: { atOnce: 2048, month: 2048, year: 27 } },
  command: { statements: 8, botMs: 3.6, postgresMs: 3, bytes: { atOnce: 191, month: 0, year: 0 } },
  send: { statements: 82, botMs: 28, postgresMs: 56, bytes: { atOnce: 3659, month: 2621, year: 1911 } },
  recipient: {
    statements: 0.011,
    botMs: 0.03,
    postgresMs: 0.02,
    bytes: { atOnce: 127, month: 117, year: 6 },
  },
  idle: { statements: 9.7, botMs: 11, postgresMs: 3.4, bytes: NOTHING },
} as const;
const TITLES = {
  message: 'received message, told',
  command: '/credit by itself',
  send: 'send to one, with its reports',
  recipient: 'recipient of a large send',
  idle: 'no account, a second',
} as const;

/** `npm run bench -- polling`, likewise: of 10,000 accounts, for one and an hour, and what was open then. */
const POLLING = { statements: 113, botMs: 22, postgresMs: 18, calls: 17, ownSeconds: 0.29 };
const ACCOUNTS = 10_000;
/** One busy account of a hundred with a message every 30 s. */
export const MESSAGES_PER_ACCOUNT_HOUR = 1.2;
/** `npm run bench -- memory`: a process that had little to do. */
const BASE_MB = 255;
/** Of src/gateway/accounts.ts: an account stays open for so long after it was asked, and how many of 10,000 then are. */
export const OPEN_SECONDS = 150;
const OPEN = ACCOUNTS * (OPEN_SECONDS / 285);
/** Of one open account, as docs/performance.md tells it. */
const OPEN_KB = 14;

/** Takes what the last runs measured, and constants where there was none. */
export function readUnitCosts(read: Read): UnitCosts {
  const costs = read('costs');
  const polling = read('polling');
  const of = (name: keyof typeof COSTS): UnitCost => {
    const figure = (measure: string): number | null => figureOf(costs, TITLES[name], measure);
    return {
      statements: atLeastNone(figure('statements')) ?? COSTS[name].statements,
      botMs: atLeastNone(figure('CPU of the bot')) ?? COSTS[name].botMs,
      postgresMs: atLeastNone(figure('CPU of Postgres')) ?? COSTS[name].postgresMs,
      bytes: {
        atOnce: atLeastNone(figure('kept at once')) ?? COSTS[name].bytes.atOnce,
        month: atLeastNone(figure('kept after 30 days')) ?? COSTS[name].bytes.month,
        year: atLeastNone(figure('kept after 402 days')) ?? COSTS[name].bytes.year,
      },
    };
  };
  const message = of('message');
  const hour = (measure: string, otherwise: number): number =>
    figureOf(polling, '10,000, per account and hour', measure) ?? otherwise;
  const calls = hour('calls of the gateway', POLLING.calls);
  const perPoll = (measure: string, otherwise: number, ofMessage: number): number =>
    Math.max(0, hour(measure, otherwise) - MESSAGES_PER_ACCOUNT_HOUR * ofMessage) / calls;
  const own = figureOf(polling, 'alert', "both: from the gateway's answer to that reading to chat, p50");
  const peakMb = figureOf(polling, '10,000, after two minutes', 'peak memory of the bot');
  return {
    poll: {
      statements: perPoll('statements', POLLING.statements, message.statements),
      botMs: perPoll('CPU of the bot', POLLING.botMs, message.botMs),
      postgresMs: perPoll('CPU of Postgres', POLLING.postgresMs, message.postgresMs),
      bytes: NOTHING,
    },
    message,
    command: of('command'),
    send: of('send'),
    recipient: of('recipient'),
    idle: of('idle'),
    ownSeconds: own === null ? POLLING.ownSeconds : own / 1000,
    memory: {
      baseMb: BASE_MB,
      openKb: peakMb === null ? OPEN_KB : Math.max(0, ((peakMb - BASE_MB) * 1024) / OPEN),
    },
    assumed: ['costs', 'polling'].filter((name) => read(name) === null),
  };
}

/** What a benchmark found; null: it has not been run, or not measured that. */
export function figureOf(result: Result | null, what: string, measure: string): number | null {
  return result?.figures.find((each) => each.what === what && each.measure === measure)?.figure ?? null;
}

/** A difference of two noisy windows may be below nothing. */
function atLeastNone(value: number | null): number | null {
  return value === null ? null : Math.max(0, value);
}
