import type { Message } from '@grammyjs/types';
import { expect } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { harm, hasButton, HELD, numbers, until } from './story.ts';
import { plain, talkIn, type TestAccount } from './talk.ts';
import type { World } from './world.ts';

/* Sends of many calls to a gateway that takes its time, so that people can do something about them meanwhile. */

/** How many were sent, not sent, unknown and on the wire, as an interrupted card says it; what is none is not said. */
export const SAID =
  /(?:· |: )(?:([\d,]+) sent, )?([\d,]+) not sent(?:, ([\d,]+) unknown)?(?:, ([\d,]+) waiting for the gateway’s answer)?/u;

export function longSendsIn(world: World) {
  const talk = talkIn(world);

  /** A draft that somebody has made by a command, to so many recipients. */
  const longDraft = async (person: Person, place: number | Person, text: string, count: number) => {
    const card = await talk.asks(person, place, `/send 09123330004 ${text}`, /Draft #A\d/u);
    const rows = await world.database.sql`
      update draft set recipients = ${numbers(count).map((number) => `98${number}`)}
      where text = ${text} and state = 'open' and chat_id = (select id from chat where telegram_id = ${card.chat.id})
      returning 1`;
    expect(rows).toHaveLength(1);
    return card;
  };

  /** The account's calls are held up, but for the first so many, until it is healed. */
  const slow = (account: TestAccount, options: { skip?: number; ms?: number } = {}) =>
    harm(world, account, { ...HELD, ...options });

  /** The card once it shows this button. */
  const offers = async (card: Message, label: string): Promise<Message> =>
    await talk.turns(card, (message) => hasButton(message, label));

  /** Presses a button of the card as it is by then: one that was used up before makes way for a fresh one. */
  const insists = async (person: Person, card: Message, label: string): Promise<void> => {
    await until(async () => {
      expect(await talk.presses(person, await offers(card, label), label)).toBe('');
    });
  };

  /** Who has got how many, as the gateway knows it. */
  const gotIn = ({ username }: TestAccount) => {
    const recipients = talk.sends(username).flatMap((send) => send.recipients);
    return { messages: recipients.length, people: new Set(recipients).size };
  };

  return { talk, longDraft, slow, offers, insists, gotIn };
}

/** What an interrupted card says: sent, not sent, unknown, waiting for the gateway's answer. */
export function tallyOf(message: Message): readonly [number, number, number, number] {
  return talliedIn(plain(message));
}

export function talliedIn(text: string): readonly [number, number, number, number] {
  const found = SAID.exec(text);
  const [, ...numbers]: (string | undefined)[] = found ?? expect.unreachable(`no numbers in «${text}»`);
  const [left = 0, not = 0, unknown = 0, out = 0] = numbers.map((each) =>
    Number((each ?? '0').replaceAll(',', '')),
  );
  return [left, not, unknown, out];
}

/** Nothing is out any more. */
export function isStill(message: Message): boolean {
  return SAID.test(plain(message)) && !plain(message).includes('waiting for the gateway’s answer');
}
