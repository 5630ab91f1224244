import type { Random } from './random.ts';
import { dealStrikes, type Strike } from './strikes.ts';

/** What a person does with the card of what they have prepared. */
export type Press = 'once' | 'twice' | 'by_two' | 'never' | 'cancel' | 'stop_after';

/** One thing that a person does. Chats are given by their place in the list. */
export type Act =
  | {
      readonly kind: 'send' | 'multi';
      readonly at: number;
      readonly chat: number;
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
  readonly acts: readonly Act[];
  readonly strikes: readonly Strike[];
}

const LENGTH_MS = 9000;
const SENDS = 12;
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
    acts: planActs(own.fork('acts'), stage.chats),
    strikes: dealStrikes(own.fork('strikes'), LENGTH_MS, stage.processes),
  };
}

function planActs(random: Random, chats: number): Act[] {
  const presses = random.shuffled(PRESSES);
  const sends = Array.from({ length: SENDS }, (_, index): Act => {
    const isMulti = random.chance(0.25);
    return {
      kind: isMulti ? 'multi' : 'send',
      at: random.int(0, LENGTH_MS * 0.7),
      chat: index % chats,
      messages: isMulti ? random.int(2, 6) : random.chance(0.25) ? random.int(201, 340) : random.int(1, 4),
      press: presses[index % presses.length] ?? 'once',
      thinkMs: random.int(0, 600),
      again: random.chance(0.15),
    };
  });
  const questions = Array.from({ length: 4 }, (): Act => ({
    kind: 'ask',
    at: random.int(0, LENGTH_MS),
    chat: random.int(0, chats - 1),
    command: random.pick(QUESTIONS),
  }));
  return [...sends, ...questions].sort((left, right) => left.at - right.at);
}
