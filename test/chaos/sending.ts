import type { Message } from '@grammyjs/types';
import { waitForEarlier } from './patience.ts';
import { dataOf, hears, type Place } from './people.ts';
import type { Stand } from './stand.ts';
import { nameOf, type Wanted } from './wanted.ts';

/** What was done to a send, beside the presses of Send. */
export type Deed = 'approve' | 'reject' | 'undo' | 'stop' | 'pause' | 'resume' | 'due';

/** What a person prepared in a round, and what they did with it. */
export interface Sending {
  readonly place: Place;
  readonly wanted: readonly Wanted[];
  /** Who prepared it, where that is not the owner. */
  readonly by?: number;
  /** The message that asked for it. */
  said: number;
  /** What was pressed to send it, once for each press that went out. */
  readonly presses: string[];
  /** What was done to it, in its order. */
  readonly deeds: Deed[];
}

/** What the button says that lets a message out. */
export const SEND = '✅ Send';
export const CARD_PATIENCE_MS = 10_000;

/** Whoever prepares it. */
export function authorOf({ by, place }: Sending): number {
  return by ?? place.people[0];
}

/** The card of a sending, once it has one of these buttons. */
export async function cardWith(
  stand: Stand,
  { place, said, wanted }: Sending,
  labels: readonly string[],
  patienceMs = waitForEarlier(CARD_PATIENCE_MS),
): Promise<Message | null> {
  const mine = (message: Message): boolean =>
    message.text?.includes(nameOf(wanted)) === true &&
    labels.some((label) => dataOf(message, label) !== undefined);
  return await hears(stand, place.chat, place.people[0], said, mine, patienceMs).catch(() => null);
}

/** A card as it is now. */
export async function look(stand: Stand, place: Place, card: Message): Promise<Message> {
  const [now = card] = await stand.telegram.messages(place.chat, place.people[0], card.message_id - 1);
  return now;
}
