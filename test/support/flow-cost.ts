import type { Message } from '@grammyjs/types';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { given, isFromBot, payloadOf, plain, rows, type Place, type talkIn } from './talk.ts';
import type { World } from './world.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/flows.md'), 'utf8');

export interface Cost {
  readonly typed: number;
  readonly pressed: number;
  /** New messages by the bot. */
  readonly said: number;
  /** Messages below the card at its worst, of the times when its buttons were to be pressed. */
  readonly below: number;
}

type Talk = ReturnType<typeof talkIn>;
type Fits = Parameters<Talk['hears']>[1];

/** Plays flows and counts what they cost. */
export function flowsIn({ driver }: Pick<World, 'driver'>, talk: Talk) {
  /** Plays a flow in one place. */
  return function playIn(place: Place) {
    const all = (): Message[] => driver.messages(place);
    const newest = (): number => all().at(-1)?.message_id ?? 0;
    const began = newest();
    let [typed, pressed, below] = [0, 0, 0];

    /** The newest message with a button that begins so, which is to be pressed. */
    const found = (label: string): Message => {
      pressed += 1;
      const has = (each: Message) =>
        isFromBot(each) &&
        rows(each)
          .flat()
          .some((button) => button.startsWith(label));
      const message = all().findLast(has);
      if (message === undefined)
        throw new Error(`no button begins with ${label}: ${plain(given(all().at(-1)))}`);
      below = Math.max(below, all().filter((each) => each.message_id > message.message_id).length);
      return message;
    };
    const press = async (person: Person, label: string): Promise<Message> => {
      const message = found(label);
      expect(await talk.presses(person, message, label)).toBe('');
      return message;
    };
    return {
      press,
      /** Types, and waits for what it is answered with, on a new message. */
      types: async (person: Person, text: string, fits: Fits, options = {}): Promise<Message> => {
        typed += 1;
        return await talk.asks(person, place, text, fits, options);
      },
      uploads: async (person: Person, name: string, bytes: Uint8Array, fits: Fits): Promise<Message> => {
        typed += 1;
        return await talk.hears(place, fits, person.upload(place, name, bytes, '/bulk').message_id);
      },
      /** Presses the newest button that begins so, and waits for a new message. */
      presses: async (person: Person, label: string, fits: Fits): Promise<Message> => {
        const after = newest();
        await press(person, label);
        return await talk.hears(place, fits, after);
      },
      /** The same, and waits for the message that has the button to change. */
      turns: async (person: Person, label: string, fits: Fits): Promise<Message> =>
        await talk.turns(await press(person, label), fits),
      /** Presses a button that leads to the private chat. */
      follows: (person: Person, label: string): void => {
        person.start(payloadOf(found(label)));
      },
      cost: (): Cost => ({
        typed,
        pressed,
        said: all().filter((each) => each.message_id > began && isFromBot(each)).length,
        below,
      }),
    };
  };
}

/** A flow that goes on in another chat. */
export function together(one: Cost, other: Cost): Cost {
  return {
    typed: one.typed + other.typed,
    pressed: one.pressed + other.pressed,
    said: one.said + other.said,
    below: Math.max(one.below, other.below),
  };
}

/** Prints what a flow has cost, and gives it as `docs/flows.md` writes it. */
export function printed(flow: string, { typed, pressed, said, below }: Cost): string {
  const row = [typed, pressed, said, below].join(' · ');
  process.stdout.write(`| ${flow} | ${row} |\n`);
  return row;
}

/** What `docs/flows.md` says that a flow costs now. */
export function told(flow: string): string | undefined {
  const row = DOCUMENT.split('\n').find((line) => line.startsWith(`| ${flow} `));
  return row?.split('|').at(-2)?.trim();
}
