import { createRandom, type Random } from './random.ts';
import { dealStrikes, type Strike } from './strikes.ts';

/** What a person does with the card of what they have prepared. */
export type Press = 'once' | 'twice' | 'by_two' | 'never' | 'cancel' | 'stop_after';

/** How a message is prepared: typed numbers, rows of their own, a phonebook or a file; the last two take several calls. */
export type SendKind = 'send' | 'multi' | 'book' | 'bulk';

/** One thing that a person does. Chats are given by their place in the list. */
export type Act =
  | {
      readonly kind: SendKind;
      readonly at: number;
      readonly chat: number;
      /** Of a book: how many of its numbers there are at most. */
      readonly messages: number;
      readonly press: Press;
      /** From the card to the press, in milliseconds. */
      readonly thinkMs: number;
      /** Says the same to the same numbers as the send before it in this chat. */
      readonly again: boolean;
    }
  | { readonly kind: 'ask'; readonly at: number; readonly chat: number; readonly command: string };

export interface Plan {
  readonly round: number;
  readonly lengthMs: number;
  /** How long the bytes of a gateway call travel, each way: so that many calls are under way when a blow falls. */
  readonly latencyMs: number;
  readonly acts: readonly Act[];
  readonly strikes: readonly Strike[];
}

const LENGTH_MS = 8000;
const KINDS: readonly SendKind[] = [
  ...(['send', 'send', 'send', 'send', 'send', 'send'] as const),
  ...(['multi', 'multi', 'book', 'book', 'book', 'bulk', 'bulk'] as const),
];
const LATENCIES_MS = [5, 40, 120, 250] as const;
const QUESTIONS = ['/credit', '/whoami', '/help'] as const;
const PRESSES = [
  ...(['once', 'once', 'once', 'once', 'twice', 'twice', 'twice'] as const),
  ...(['by_two', 'by_two', 'never', 'cancel', 'stop_after'] as const),
];

/** What will be tried in a round: the same for the same seed, whatever comes of it. */
export function planRound(
  random: Random,
  round: number,
  stage: { readonly chats: number; readonly processes: number },
): Plan {
  const own = random.fork(`round ${round}`);
  return {
    round,
    lengthMs: LENGTH_MS,
    latencyMs: own.pick(LATENCIES_MS),
    acts: planActs(own.fork('acts'), stage.chats),
    strikes: dealStrikes(own.fork('strikes'), LENGTH_MS, stage.processes),
  };
}

/** The rounds of a seed, one after the other. */
export function* planRounds(
  seed: string,
  rounds: number,
  stage: { readonly chats: number; readonly processes: number },
): Generator<Plan> {
  const random = createRandom(seed);
  for (let round = 1; round <= rounds; round += 1) yield planRound(random, round, stage);
}

function planActs(random: Random, chats: number): Act[] {
  const presses = random.shuffled(PRESSES);
  // Two files in one chat would each be asked about, and nobody can tell from a question which it means.
  let fileChat = random.int(0, chats - 1);
  const sends = random.shuffled(KINDS).map((kind, index): Act => ({
    kind,
    at: random.int(0, LENGTH_MS * 0.7),
    chat: kind === 'bulk' ? (fileChat += 1) % chats : index % chats,
    messages: messagesOf(random, kind),
    press: presses[index % presses.length] ?? 'once',
    thinkMs: random.int(0, 600),
    again: random.chance(0.15),
  }));
  const questions = Array.from({ length: 4 }, (): Act => ({
    kind: 'ask',
    at: random.int(0, LENGTH_MS),
    chat: random.int(0, chats - 1),
    command: random.pick(QUESTIONS),
  }));
  return [...sends, ...questions].sort((left, right) => left.at - right.at);
}

function messagesOf(random: Random, kind: SendKind): number {
  if (kind === 'multi') return random.int(2, 6);
  // Three calls, or six.
  if (kind === 'book') return random.pick([401, 401, 1001]);
  if (kind === 'bulk') return random.int(150, 650);
  return random.chance(0.25) ? random.int(201, 340) : random.int(1, 4);
}
