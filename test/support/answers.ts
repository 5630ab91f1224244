import type { Message } from '@grammyjs/types';
import type { Person } from '../../src/playground/control/driver.ts';
import { isFromBot, type Place, type talkIn } from './talk.ts';
import type { World } from './world.ts';

type Say = NonNullable<Parameters<Person['send']>[2]>;

/**
 * All that the bot says to some lines, however many messages that is: updates of a chat are handled in their order, so
 * it is over when a question behind them is answered. That question leaves any form.
 */
export function answersIn({ driver }: Pick<World, 'driver'>, talk: Pick<ReturnType<typeof talkIn>, 'hears'>) {
  /** What was said from this message on, once everything until now has been handled. */
  const since = async (
    person: Person,
    place: Place,
    first: number,
    options: Say = {},
  ): Promise<Message[]> => {
    const { message_id: after } = person.send(place, '/help cancel', options);
    const end = await talk.hears(place, /^\/cancel\b/u, after);
    return driver
      .messages(place)
      .filter(
        (message) =>
          isFromBot(message) && message.message_id >= first && message.message_id !== end.message_id,
      );
  };

  /** Says the lines, one after the other, and gives the answers. */
  const toLines = async (
    person: Person,
    place: Place,
    lines: readonly string[],
    options: Say = {},
  ): Promise<Message[]> => {
    const [first] = lines.map((line) => person.send(place, line, options).message_id);
    return await since(person, place, (first ?? 0) + 1, options);
  };

  return { since, toLines };
}
