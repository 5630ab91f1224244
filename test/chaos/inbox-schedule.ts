import { dealInboxStrikes, dealTide } from './inbox-strikes.ts';
import { createRandom, type Random } from './random.ts';
import type { Strike } from './strikes.ts';

/** A message that somebody sends to a line. Places and lines are given by their place in the list. */
export interface Arrival {
  readonly at: number;
  readonly place: number;
  readonly line: number;
  readonly sender: string;
  readonly text: string;
}

/** Another program fetches unread messages of an account, which marks them read. */
export interface Reading {
  readonly at: number;
  readonly place: number;
  readonly version: 3 | 4;
  /** Of one line; null: of all. */
  readonly line: number | null;
}

export interface InboxPlan {
  readonly round: number;
  readonly lengthMs: number;
  readonly latencyMs: number;
  /** Habits of the gateway's lists for this round. */
  readonly switches: { readonly lagMs: number; readonly shuffled: boolean; readonly oldestFirst: boolean };
  readonly arrivals: readonly Arrival[];
  readonly readings: readonly Reading[];
  readonly strikes: readonly Strike[];
}

/** Places whose inbox can be read. */
const PLACES = 4;
const LENGTH_MS = 9000;
const ARRIVALS_MS = 8500;
const PER_SECOND = 20;
const READINGS_PER_SECOND = 6;
/** In some rounds most messages go to one place, so that an outage there leaves several pages behind. */
const HOT = 0.5;
const HOT_SHARE = 0.8;
const LINES = 2;
const SENDERS = 12;
/** Equal messages in the same moment are two messages. */
const TWINS = 0.08;
/**
 * In a tide nobody dies: after a death everything is read again, and that would hide what a reading of the newest pages
 * has left out.
 */
const TIDE_EVERY = 3;
/** The order of a gateway's lists is a habit that it keeps for a while. */
const ORDER_ROUNDS = 6;
const TIDE_LATENCIES_MS = [40, 60, 90] as const;
const LATENCIES_MS = [0, 5, 20, 60] as const;
const TAILS = [
  'hello',
  'hello',
  'سلام، قیمت این چند است؟',
  '<b>bold</b> &amp; "quoted"',
  '/send 09120000000 me',
  'two\nlines\r\nand a third',
  '😀👩‍👩‍👧 \u202Eright to left',
  'كتاب ۱۲۳ ي',
  `long ${'0123456789 '.repeat(40)}`,
] as const;

/** The rounds of a seed: the same for the same seed, whatever comes of them. */
export function planInboxRounds(seed: string, rounds: number, processes: number): InboxPlan[] {
  const random = createRandom(`inbox ${seed}`);
  const startsOldestFirst = random.chance(0.3);
  return Array.from({ length: rounds }, (_, index): InboxPlan => {
    const round = index + 1;
    const own = random.fork(`round ${round}`);
    const isTide = round % TIDE_EVERY === 0;
    return {
      round,
      lengthMs: LENGTH_MS,
      latencyMs: own.pick(isTide ? TIDE_LATENCIES_MS : LATENCIES_MS),
      switches: {
        lagMs: isTide ? 0 : own.pick([0, 0, 0, 700, 2500]),
        shuffled: own.chance(0.3),
        oldestFirst: Math.floor((round - 1) / ORDER_ROUNDS) % 2 === (startsOldestFirst ? 0 : 1),
      },
      arrivals: planArrivals(own.fork('arrivals'), round, {
        places: PLACES,
        hot: isTide || own.chance(HOT) ? own.int(0, PLACES - 1) : null,
      }),
      readings: planReadings(own.fork('readings'), PLACES),
      strikes: (isTide ? dealTide : dealInboxStrikes)(own.fork('strikes'), LENGTH_MS, processes),
    };
  });
}

/** Messages at an even rate, to any place, or most of them to a hot one. */
export function planArrivals(
  random: Random,
  round: number,
  of: { readonly places: number; readonly hot?: number | null; readonly seconds?: number },
): Arrival[] {
  const { places, hot = null, seconds = ARRIVALS_MS / 1000 } = of;
  const arrivals: Arrival[] = [];
  const count = Math.round(seconds * PER_SECOND);
  for (let number = 1; arrivals.length < count; number += 1) {
    const arrival: Arrival = {
      at: random.int(0, seconds * 1000),
      place: hot !== null && random.chance(HOT_SHARE) ? hot : random.int(0, places - 1),
      line: random.int(0, LINES - 1),
      sender: senderOf(random.int(0, SENDERS - 1)),
      text: `in r${round} m${number} ${random.pick(TAILS)}`,
    };
    arrivals.push(arrival);
    if (random.chance(TWINS)) arrivals.push(arrival);
  }
  return arrivals.sort((left, right) => left.at - right.at);
}

export function planReadings(random: Random, places: number, seconds = LENGTH_MS / 1000): Reading[] {
  return Array.from({ length: Math.round(seconds * READINGS_PER_SECOND) }, (): Reading => ({
    at: random.int(0, seconds * 1000),
    place: random.int(0, places - 1),
    version: random.pick([3, 4]),
    line: random.chance(0.5) ? null : random.int(0, LINES - 1),
  })).sort((left, right) => left.at - right.at);
}

/** People, and one service with a short number. */
function senderOf(number: number): string {
  return number === 0 ? '20001234' : `0912${String(7_000_000 + number)}`;
}
