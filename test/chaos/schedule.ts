import { PLACES } from './places.ts';
import { createRandom, type Random } from './random.ts';
import { dealStrikes, slowGateway, type Strike } from './strikes.ts';

/**
 * What a person does with the card of what they have prepared. `often`: more often than is let through. `stop`, `pause` (and go on) and `undo` follow on a press of Send;
 * `approve` and `reject` are a second person's answers.
 */
export type Press =
  | 'once'
  | 'twice'
  | 'often'
  | 'by_two'
  | 'never'
  | 'cancel'
  | 'stop'
  | 'pause'
  | 'undo'
  | 'approve'
  | 'reject';

/** How a message is prepared: typed numbers, rows of their own, a phonebook or a file; the last two take several calls. */
export type SendKind = 'send' | 'multi' | 'book' | 'bulk';

export interface SendAct {
  readonly kind: SendKind;
  readonly at: number;
  readonly chat: number;
  /** Of a book: how many of its numbers there are at most. */
  readonly messages: number;
  readonly press: Press;
  /** From the card to the press, in milliseconds. */
  readonly thinkMs: number;
  /** Says the same to the same numbers as the send before it by this account. */
  readonly again: boolean;
  /** By the second person of the chat. */
  readonly bySecond?: true;
  /** Nobody waits long for its card. */
  readonly isHasty?: true;
  /** Typed numbers only: shown at once on the recipient's screen. */
  readonly flash?: true;
  /** Typed numbers only: so many more that are on the line's blacklist. */
  readonly blocked?: number;
  /** Typed numbers only: in so many hours; `thenHours`: given that time instead when it waits. */
  readonly inHours?: number;
  readonly thenHours?: number;
}

/** One thing that a person does. Chats are given by their place in the list. */
export type Act =
  | SendAct
  | { readonly kind: 'ask'; readonly at: number; readonly chat: number; readonly command: string }
  /** Switches all sends of the chat off, and on again after a while; without one the operator does, for all chats. */
  | { readonly kind: 'halt'; readonly at: number; readonly chat: number | null; readonly ms: number };

export interface Plan {
  readonly round: number;
  readonly lengthMs: number;
  /** How long the bytes of a gateway call travel, each way: so that many calls are under way when a blow falls. */
  readonly latencyMs: number;
  readonly acts: readonly Act[];
  readonly strikes: readonly Strike[];
}

const LENGTH_MS = 8000;
const FULL_AT_MS = 2500;
const FULL_MS = 5000;
const KINDS: readonly SendKind[] = [
  ...(['send', 'send', 'send', 'send', 'send', 'send'] as const),
  ...(['multi', 'multi', 'book', 'book', 'book', 'bulk', 'bulk'] as const),
];
const LATENCIES_MS = [5, 40, 120, 250] as const;
const QUESTIONS = ['/credit', '/whoami', '/help'] as const;
const PRESSES = [
  ...(['once', 'once', 'once', 'once', 'twice', 'twice', 'twice'] as const),
  ...(['by_two', 'by_two', 'never', 'cancel', 'undo'] as const),
];
const MANY = 16;
/** A longer time is given instead of a shorter one; time is brought forward to both. */
export const HOURS = { first: 2, later: 4 } as const;

/** How many chats with an account anything is sent in that nobody limits or takes back. */
const CHATS = 5;

/** What will be tried in a round: the same for the same seed, whatever comes of it. */
export function planRound(random: Random, round: number, processes: number): Plan {
  const own = random.fork(`round ${round}`);
  const strikes: Strike[] = [slowGateway, ...dealStrikes(own.fork('strikes'), LENGTH_MS, processes)];
  return {
    round,
    lengthMs: LENGTH_MS,
    latencyMs: own.pick(LATENCIES_MS),
    acts: planActs(own.fork('acts'), CHATS),
    strikes,
  };
}

/** The rounds of a seed, one after the other. */
export function planRounds(seed: string, rounds: number, processes: number): Plan[] {
  const random = createRandom(seed);
  return Array.from({ length: rounds }, (_, index) => planRound(random, index + 1, processes));
}

/** A round in which the disk of the database is full for a while; it does not restart besides, as it could not then. */
export function withFullDisk({ strikes, ...plan }: Plan): Plan {
  const others = strikes.filter(({ kind }) => kind !== 'postgres' && kind !== 'blackout');
  return { ...plan, strikes: [...others, { kind: 'disk', at: FULL_AT_MS, ms: FULL_MS }] };
}

function planActs(random: Random, chats: number): Act[] {
  const presses = random.shuffled(PRESSES);
  // Two files in one chat would each be asked about, and nobody can tell from a question which it means.
  let fileChat = random.int(0, chats - 1);
  const sends = random.shuffled(KINDS).map((kind, index): Act => ({
    kind,
    // Each waits for its undo hold, and shall leave while blows fall.
    at: random.int(0, LENGTH_MS * 0.5),
    chat: kind === 'bulk' ? (fileChat += 1) % chats : index % chats,
    messages: messagesOf(random, kind),
    press: presses[index % presses.length] ?? 'once',
    thinkMs: random.int(0, 600),
    again: random.chance(0.15),
    ...(kind === 'send' && index % 3 === 0 ? { flash: true as const } : {}),
  }));
  const questions = Array.from({ length: 4 }, (): Act => ({
    kind: 'ask',
    at: random.int(0, LENGTH_MS),
    chat: random.int(0, chats - 1),
    command: random.pick(QUESTIONS),
  }));
  return [...sends, ...orders(random), ...questions].sort((left, right) => left.at - right.at);
}

/** What is held, taken back, limited or shared: in every round, in the chats that are made for it. */
function orders(random: Random): Act[] {
  const at = (from: number): number => from + random.int(0, 1500);
  const send = (chat: number, more: Partial<SendAct>): SendAct => ({
    kind: 'send',
    at: at(0),
    chat,
    messages: 3,
    press: 'once',
    thinkMs: 0,
    again: false,
    ...more,
  });
  return [
    send(0, { blocked: 2 }),
    send(1, { press: 'undo' }),
    // More presses, and more commands, than one person may make at once.
    send(2, { press: 'often' }),
    ...hasty(0),
    send(PLACES.shared, {}),
    send(PLACES.shared, { at: at(2500), again: true }),
    send(PLACES.shared, { inHours: HOURS.first }),
    send(PLACES.shared, { inHours: HOURS.first, thenHours: HOURS.later }),
    // Whoever is approved comes first: what follows asks for more than is left.
    send(PLACES.limited, { at: 0, messages: 5, press: 'approve' }),
    send(PLACES.limited, { messages: 4, press: 'reject' }),
    send(PLACES.limited, { at: at(3500) }),
    send(PLACES.limited, { at: at(3500), bySecond: true }),
    send(PLACES.limited, { at: at(4500), bySecond: true }),
    send(PLACES.slow, { kind: 'book', messages: 1001, press: 'stop' }),
    send(PLACES.slow, { kind: 'book', messages: 1001, press: 'pause' }),
    send(PLACES.slow, { kind: 'book', messages: 1001 }),
    { kind: 'halt', at: 4500 + random.int(0, 1000), chat: PLACES.slow, ms: random.int(500, 2500) },
    { kind: 'halt', at: 5000 + random.int(0, 2000), chat: null, ms: random.int(500, 1500) },
  ];
}

/** More commands by one person in a moment than are let through. */
export function hasty(at: number): SendAct[] {
  return Array.from({ length: MANY }, (): SendAct => ({
    kind: 'send',
    at,
    chat: PLACES.hasty,
    messages: 1,
    press: 'once',
    thinkMs: 0,
    again: false,
    isHasty: true,
  }));
}

function messagesOf(random: Random, kind: SendKind): number {
  if (kind === 'multi') return random.int(2, 6);
  // Three calls, or six.
  if (kind === 'book') return random.pick([401, 401, 1001]);
  if (kind === 'bulk') return random.int(150, 650);
  return random.chance(0.25) ? random.int(201, 340) : random.int(1, 4);
}
