import { short } from './facts.ts';
import { BOOKS, dataOf, hears, type Place, tap } from './people.ts';
import { SEND, type Sending } from './sending.ts';
import type { Stand } from './stand.ts';

/** Prepares a send to a phonebook of so many numbers; `press` lets it out. */
export async function prepareSend(
  stand: Stand,
  place: Place,
  text: string,
  size: number,
): Promise<{ readonly sending: Sending; press(): Promise<void> }> {
  const book = BOOKS.get(size);
  if (book === undefined) throw new Error(`there is no book of ${size} numbers`);
  const { chat, people, account } = place;
  const [owner] = people;
  const said = await stand.telegram.say(owner, chat, `/booksend ${book.title} ${text}`);
  const card = await hears(
    stand,
    chat,
    owner,
    said.message_id,
    (message) => message.text?.includes(text) === true && dataOf(message, SEND) !== undefined,
  );
  const presses: string[] = [];
  const { line } = account;
  const wanted = book.numbers.map((number) => ({ recipient: short(number), text, line, flash: false }));
  return {
    sending: { place, wanted, said: said.message_id, presses, deeds: [] },
    async press() {
      presses.push(dataOf(card, SEND) ?? '');
      await tap(stand, owner, card, SEND);
    },
  };
}
