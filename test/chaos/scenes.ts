import { setTimeout as sleep } from 'node:timers/promises';
import { SEND, type Sending } from './sending.ts';
import { short } from './facts.ts';
import { BOOKS, dataOf, hears, type Place, tap } from './people.ts';
import type { Stand } from './stand.ts';
import type { Rule } from './strikes.ts';

/** What the world does to a send of three calls. */
export interface Scene {
  readonly name: string;
  /** Whether it is watched from the command on; by default from the press on. */
  readonly fromCommand?: boolean;
  /** How often Send is pressed at once; by default once. */
  readonly presses?: number;
  /** Right before the press. */
  begin(stand: Stand): Promise<void>;
  /** Takes it back; what hangs is let go. */
  end(stand: Stand): Promise<void>;
}

const UNREACHABLE_MS = 700;

/** A phonebook of three calls. */
export const CALLS = 401;

export const SCENES: readonly Scene[] = [
  { name: 'three calls', begin: nothing, end: nothing },
  { name: 'from the command on', fromCommand: true, begin: nothing, end: nothing },
  { name: 'two presses', presses: 2, begin: nothing, end: nothing },
  oneFault('a lost answer', { kind: 'drop', when: 'after' }),
  oneFault('a refusal for want of credit', { kind: 'error', when: 'before', code: 22 }),
  oneFault('a refusal of the account', { kind: 'error', when: 'before', status: 401 }),
  oneFault('the gateway asks for quiet', { kind: 'error', when: 'after', status: 429, httpStatus: 429 }),
  {
    name: 'no way there',
    async begin({ wires }) {
      await Promise.all(wires.gateway.map((proxy) => proxy.refuse(true)));
      setTimeout(() => void Promise.all(wires.gateway.map((proxy) => proxy.heal())), UNREACHABLE_MS).unref();
    },
    async end({ wires }) {
      await Promise.all(wires.gateway.map((proxy) => proxy.heal()));
    },
  },
];

/** The first call meets it. */
function oneFault(name: string, rule: Rule): Scene {
  return {
    name,
    begin: ({ gateway }) => gateway.fault({ operation: 'send', times: 1, ...rule }),
    end: ({ gateway }) => gateway.clearFaults(),
  };
}

function nothing(): Promise<void> {
  return Promise.resolve();
}

/** Prepares a send to a phonebook of so many numbers; `press` lets it out. */
export async function prepareSend(
  stand: Stand,
  place: Place,
  text: string,
  size: number,
): Promise<{ readonly sending: Sending; press(): Promise<void> }> {
  const book = BOOKS.get(size);
  if (book === undefined) throw new Error(`there is no book of ${size} numbers`);
  const [owner] = place.people;
  const said = await stand.telegram.say(owner, place.chat, `/booksend ${book.title} ${text}`);
  const card = await hears(
    stand,
    place.chat,
    owner,
    said.message_id,
    (message) => message.text?.includes(text) === true && dataOf(message, SEND) !== undefined,
  );
  const presses: string[] = [];
  const wanted = book.numbers.map((number) => ({
    recipient: short(number),
    text,
    line: place.account.line,
    flash: false,
  }));
  return {
    sending: { place, wanted, said: said.message_id, presses, deeds: [] },
    async press() {
      presses.push(dataOf(card, SEND) ?? '');
      await tap(stand, owner, card, SEND);
    },
  };
}

/** Resolves to whether something comes to be within a time. */
export async function within(ms: number, is: () => boolean): Promise<boolean> {
  for (const until = performance.now() + ms; performance.now() < until; await sleep(25))
    if (is()) return true;
  return is();
}
