import type { Message } from '@grammyjs/types';
import { stripBidi } from '../../src/i18n/format.ts';
import type { Driver } from '../../src/playground/control/driver.ts';
import { PATIENCE } from './patience.ts';

/** A message as it is now; of a card that has been brought to the end of the chat, the one there. */
export function standing(driver: Driver, message: Message): Message {
  const all = driver.messages(message.chat.id);
  const own = all.find((each) => each.message_id === message.message_id) ?? message;
  const code = /^⬇️.*?(#[A-Z]\d+)/u.exec(stripBidi(own.text ?? ''))?.[1];
  if (code === undefined) return own;
  // What is said about a card names it as well: as a reply, or with a mark of its own.
  const head = new RegExp(`^(?![⬇🚫🏷📊👀]).*${code}\\b`, 'u');
  const next = all.findLast(
    (each) =>
      each.message_id > own.message_id &&
      each.from?.is_bot === true &&
      each.reply_to_message === undefined &&
      head.test(stripBidi(each.text ?? '').split('\n')[0] ?? ''),
  );
  return next === undefined ? own : standing(driver, next);
}

/** Waits until a message, or the card that it was, fits. */
export async function whenStanding(
  driver: Driver,
  message: Message,
  fits: (message: Message) => boolean,
): Promise<Message> {
  const look = (): Message | undefined => {
    const { message_id: id } = standing(driver, message);
    return driver.messages(message.chat.id).find((each) => each.message_id === id && fits(each));
  };
  return await driver.waitIn(message.chat.id, look, PATIENCE);
}
