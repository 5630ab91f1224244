import type { Message, User } from '@grammyjs/types';
import { pushPoll, pushPollAnswer, shownMessage } from '../deliver.ts';
import type { Emulator } from '../emulator.ts';
import { ControlError } from '../errors.ts';
import { isIn, memberOf } from './members.ts';
import { forwarded, isForwardable } from '../bot-api/methods/forwarding.ts';
import { chatOf, existing, say, speak, tap, type Spoken } from './people.ts';
import { react, reactionOf } from './reactions.ts';
import type { Button, ChatState, MessageContent, ReplyMarkup, StoredMessage } from '../types.ts';
import { canSee } from './views.ts';
import { isInline, isKeyboard, richButtons } from '../wire.ts';

interface Touch {
  user_id: number;
  chat_id: number;
  message_id: number;
}

/** A person reacts to a message, or takes the reaction back without `emoji`. */
export function reactTo(em: Emulator, touch: Touch & { emoji?: string | undefined }): Message {
  const { chat, user, stored } = touched(em, touch);
  const reaction = touch.emoji === undefined ? undefined : reactionOf(touch.emoji);
  if (touch.emoji !== undefined && reaction === undefined) {
    throw new ControlError(`Telegram has no reaction ${touch.emoji}`);
  }
  if (stored.service) throw new ControlError('nobody reacts to a service message');
  react(em, chat, stored, user, reaction === undefined ? [] : [reaction]);
  return shownMessage(chat, stored);
}

/** What Telegram lets a contact bring along. */
const MAX_VCARD_BYTES = 2048;

/** A person shares a contact: their own, unless a name is given. */
export function shareContact(
  em: Emulator,
  spoken: Spoken & {
    phone_number?: string | undefined;
    first_name?: string | undefined;
    last_name?: string | undefined;
    contact_user_id?: number | undefined;
    vcard?: string | undefined;
  },
): Message {
  const user = personOf(em, spoken.user_id);
  const isOwn = spoken.first_name === undefined;
  const card = isOwn ? user : spoken;
  const userId = isOwn ? user.id : spoken.contact_user_id;
  if (card.first_name === '' || spoken.phone_number === '')
    throw new ControlError('a contact has a first name and a number');
  if (Buffer.byteLength(spoken.vcard ?? '') > MAX_VCARD_BYTES)
    throw new ControlError(`a vCard beside a contact has at most ${MAX_VCARD_BYTES} bytes`);
  const contact = {
    phone_number: spoken.phone_number ?? phoneOf(userId ?? user.id),
    first_name: card.first_name ?? '',
    ...(card.last_name !== undefined && { last_name: card.last_name }),
    ...(userId !== undefined && { user_id: userId }),
    ...(spoken.vcard !== undefined && { vcard: spoken.vcard }),
  };
  return sayOne(em, spoken, { contact });
}

/** A person shares where they are. */
export function shareLocation(
  em: Emulator,
  spoken: Spoken & { latitude: number; longitude: number },
): Message {
  const { latitude, longitude } = spoken;
  return sayOne(em, spoken, { location: { latitude, longitude } });
}

/** A person forwards a message that they see, from one chat into another. */
export function forward(
  em: Emulator,
  spoken: Spoken & { from_chat_id: number; message_id: number },
): Message {
  const from = chatOf(em, spoken.user_id, spoken.from_chat_id);
  if (!canSee(from, spoken.user_id)) throw new ControlError('this person is not in the chat');
  const original = existing(from, spoken.message_id);
  if (!isForwardable(original)) throw new ControlError('this message cannot be forwarded');
  return sayOne(em, spoken, forwarded(em.world, from, original).content);
}

/** A person votes in a poll, by the numbers of the options from 0; none takes the vote back. */
export function vote(em: Emulator, touch: Touch & { option_ids: readonly number[] }): Message {
  const { chat, user, stored } = touched(em, touch);
  const state = em.world.polls.get(stored.wire.poll?.id ?? '');
  if (state === undefined) throw new ControlError('the message has no poll');
  const { poll, votes } = state;
  const options = touch.option_ids;
  if (poll.is_closed) throw new ControlError('the poll is closed');
  if (votes.has(user.id) && !poll.allows_revoting) throw new ControlError('a vote in this poll is final');
  if (options.length > 1 && !poll.allows_multiple_answers)
    throw new ControlError('the poll takes one answer');
  if (options.some((index) => poll.options[index] === undefined)) throw new ControlError('no such option');
  if (options.length === 0) votes.delete(user.id);
  else votes.set(user.id, options);
  for (const [index, option] of poll.options.entries()) {
    option.voter_count = [...votes.values()].filter((chosen) => chosen.includes(index)).length;
  }
  poll.total_voter_count = votes.size;
  if (em.bus.active()) {
    em.bus.emit({ type: 'edit', chatKey: chat.key, data: { message: shownMessage(chat, stored) } });
  }
  if (!poll.is_anonymous) pushPollAnswer(em, poll.id, user, options);
  pushPoll(em, poll.id);
  return shownMessage(chat, stored);
}

/**
 * A person presses the button whose label begins so, of an inline or of a reply keyboard. What it sends: a callback
 * query, the label as a message, the own contact, a place. Links and disabled buttons send nothing: ControlError.
 */
export function press(
  em: Emulator,
  touch: Touch & { label: string; thread_id?: number | undefined },
): { callback_query_id?: string; message?: Message } {
  const { stored } = touched(em, touch, true);
  const { markup } = stored;
  const rows = [...(markup === undefined ? [] : rowsOf(markup)), richButtons(stored.wire.rich_message)];
  const button = rows.flat().find(({ text }) => asSeen(text).startsWith(asSeen(touch.label)));
  if (button === undefined) {
    const labels = JSON.stringify(rows.flat().map(({ text }) => text));
    throw new ControlError(`no button begins with ${touch.label}; there are ${labels}`);
  }
  if (button.callback_data !== undefined) return tap(em, { ...touch, data: button.callback_data });
  if (isInline(markup) || stored.wire.rich_message !== undefined) {
    const kind = Object.keys(button).find((name) => name !== 'text' && name !== 'style') ?? 'text';
    throw new ControlError(`a button of the kind ${kind} sends nothing to the bot`);
  }
  const spoken = { user_id: touch.user_id, chat_id: touch.chat_id, thread_id: touch.thread_id };
  if (button['request_contact'] === true) return { message: shareContact(em, spoken) };
  if (button['request_location'] === true) {
    return { message: shareLocation(em, { ...spoken, latitude: 35.6892, longitude: 51.389 }) };
  }
  return { message: speak(em, { ...spoken, text: button.text }) };
}

/** A label without the marks that keep the directions of its parts, which nobody sees. */
export function asSeen(label: string): string {
  return label.replaceAll(/[\u2066-\u2069]/gu, '');
}

function rowsOf(markup: ReplyMarkup): Button[][] {
  if (isInline(markup)) return markup.inline_keyboard;
  return isKeyboard(markup) ? markup.keyboard : [];
}

/** A number of its own for everybody, which is nobody's. */
function phoneOf(userId: number): string {
  return `98900${String(userId).slice(-7).padStart(7, '0')}`;
}

function touched(
  em: Emulator,
  touch: Touch,
  isPress = false,
): { chat: ChatState; user: User; stored: StoredMessage } {
  const chat = chatOf(em, touch.user_id, touch.chat_id);
  const user = personOf(em, touch.user_id);
  if (chat.type !== 'private' && !isIn(memberOf(chat, user.id))) throw new ControlError('not a member');
  return { chat, user, stored: existing(chat, touch.message_id, isPress ? user.id : undefined) };
}

function personOf(em: Emulator, id: number): User {
  const user = em.world.users.get(id);
  if (user === undefined) throw new ControlError(`unknown user ${id}`);
  return user;
}

function sayOne(em: Emulator, spoken: Spoken, content: MessageContent): Message {
  const [message] = say(em, spoken, [content]);
  if (message === undefined) throw new ControlError('nothing was sent');
  return message;
}
