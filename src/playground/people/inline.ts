import type { InlineQuery, Message } from '@grammyjs/types';
import { pushInline } from '../deliver.ts';
import type { Emulator } from '../emulator.ts';
import { ControlError } from '../errors.ts';
import { chatOf, say, shownChatId, type Spoken } from './people.ts';
import type { ChatState, InlineAnswer, InlineQueryState } from '../types.ts';
import { botOf } from './views.ts';

/** The answer to an inline query as a person is shown it. */
export interface ShownAnswer {
  inline_query_id: string;
  results: { id: string; type: string; title: string; description: string; file_id?: string }[];
  button?: InlineAnswer['button'];
  next_offset?: string;
}

/**
 * A person types `@bot words` in a chat: the bot is asked, unless its last answer to the same may still be used. Throws
 * ControlError for a bot without inline mode.
 */
export function askInline(
  em: Emulator,
  asked: {
    user_id: number;
    chat_id: number;
    bot?: string | undefined;
    query: string;
    offset?: string | undefined;
  },
): { inline_query_id: string; answer?: ShownAnswer } {
  const chat = chatOf(em, asked.user_id, asked.chat_id);
  const from = em.world.users.get(asked.user_id);
  const bot = botOf(em, asked.bot);
  if (from === undefined) throw new ControlError('unknown user');
  if (bot.inline === undefined) throw new ControlError(`@${bot.user.username ?? ''} has no inline mode`);
  const { query, offset = '' } = asked;
  const id = String(6_100_000_000_000_000_000n + BigInt(em.world.nextCallbackId++));
  const known = [...em.world.inlineQueries.values()].findLast(
    ({ answer, ...other }) =>
      other.botId === bot.id &&
      other.query === query &&
      other.offset === offset &&
      answer !== undefined &&
      answer.freshUntil > em.now() &&
      (!answer.isPersonal || other.userId === from.id),
  );
  const state: InlineQueryState = {
    id,
    botId: bot.id,
    userId: from.id,
    chatKey: chat.key,
    query,
    offset,
    at: em.now(),
    answer: known?.answer,
  };
  em.world.inlineQueries.set(id, state);
  if (state.answer !== undefined) return { inline_query_id: id, answer: shownAnswer(id, state.answer) };
  pushInline(em, bot, { inline_query: { id, from, query, offset, ...chatType(chat, bot.id) } });
  return { inline_query_id: id };
}

/** The answer to a query, as soon as there is one. */
export function inlineAnswer(em: Emulator, id: string): ShownAnswer | undefined {
  const state = em.world.inlineQueries.get(id);
  if (state === undefined) throw new ControlError(`unknown inline query ${id}`);
  return state.answer && shownAnswer(id, state.answer);
}

/** The bot has answered: whoever asked is told. */
export function answered(em: Emulator, query: InlineQueryState, answer: InlineAnswer): void {
  query.answer = answer;
  em.bus.emit({
    type: 'inline_answer',
    chatKey: query.chatKey,
    userId: query.userId,
    data: { answer: shownAnswer(query.id, answer) },
  });
}

/** A person chooses a result: it is their message, sent via the bot. Throws ControlError where they may not write. */
export function choose(
  em: Emulator,
  chosen: Omit<Spoken, 'chat_id'> & { inline_query_id: string; result_id: string },
): Message {
  const query = em.world.inlineQueries.get(chosen.inline_query_id);
  const bot = em.world.bots.get(query?.botId ?? 0);
  const chat = em.world.chats.get(query?.chatKey ?? '');
  const from = em.world.users.get(chosen.user_id);
  const result = query?.answer?.results.find(({ id }) => id === chosen.result_id);
  if (query?.userId !== chosen.user_id || !bot || !chat || !from || !result) {
    throw new ControlError('no such result of an inline query');
  }
  const { content, ...more } = result.message;
  // Only what has buttons can be edited by its bot.
  const inlineMessageId = more.markup && Buffer.from(`inline ${query.id}`).toString('base64url');
  const [message] = say(
    em,
    { ...chosen, chat_id: shownChatId(em, chat) },
    [{ ...content, via_bot: bot.user }],
    { ...more, via: { botId: bot.id, inlineMessageId } },
  );
  if (message === undefined) throw new ControlError('nothing was sent');
  const known = inlineMessageId !== undefined && { inline_message_id: inlineMessageId };
  if (inlineMessageId !== undefined) {
    em.world.inlineMessages.set(inlineMessageId, { chatKey: chat.key, messageId: message.message_id });
  }
  if (bot.inline?.feedback === true) {
    pushInline(em, bot, {
      chosen_inline_result: { from, ...known, query: query.query, result_id: result.id },
    });
  }
  return message;
}

/** Switches inline mode of a bot, as BotFather does; with `feedback` the bot is told what was chosen. */
export function setInline(
  em: Emulator,
  wanted: { bot?: string | undefined; enabled: boolean; feedback?: boolean | undefined },
): void {
  botOf(em, wanted.bot).inline = wanted.enabled ? { feedback: wanted.feedback ?? false } : undefined;
  em.world.version++;
  em.bus.emit({ type: 'chat', data: {} });
}

function shownAnswer(id: string, { results, button, nextOffset }: InlineAnswer): ShownAnswer {
  return {
    inline_query_id: id,
    results: results.map(({ id: resultId, type, title, description, file_id: fileId }) => ({
      id: resultId,
      type,
      title,
      description,
      ...(fileId !== undefined && { file_id: fileId }),
    })),
    ...(button !== undefined && { button }),
    ...(nextOffset !== '' && { next_offset: nextOffset }),
  };
}

function chatType({ type, botId }: ChatState, asked: number): Pick<InlineQuery, 'chat_type'> {
  return { chat_type: type === 'private' && botId === asked ? 'sender' : type };
}
