import type { Message } from '@grammyjs/types';
import { displayRecipient, parseRecipients, type Recipient } from '../../domain/phone.ts';
import { readVCards } from '../../domain/vcard.ts';

/** Somebody whose contact was shared. */
export interface IncomingContact {
  readonly name: string;
  /** The mobile ones, each once. */
  readonly mobiles: readonly Recipient[];
  /** The others, as they stand in it. */
  readonly others: readonly string[];
}

/** The contact that a message shares; beside the number that Telegram shows it may bring a whole card along. */
export function contactOf(message: Pick<Message, 'contact'> | undefined): IncomingContact | null {
  const contact = message?.contact;
  if (contact === undefined) return null;
  const { first_name: first, last_name: last = '', phone_number: shown, vcard = '' } = contact;
  const numbers = [shown, ...readVCards(vcard).flatMap((card) => card.numbers)];
  const read = numbers.map((number) => ({ number, mobiles: parseRecipients(number).recipients }));
  return {
    name: `${first} ${last}`.trim(),
    mobiles: [...new Set(read.flatMap(({ mobiles }) => mobiles))],
    others: [...new Set(read.filter(({ mobiles }) => mobiles.length === 0).map(({ number }) => number))],
  };
}

/** What its numbers are as the text of an argument. */
export function contactNumbers({ mobiles, others }: IncomingContact): readonly string[] {
  return mobiles.length > 0 ? mobiles.map(displayRecipient) : others.slice(0, 1);
}
