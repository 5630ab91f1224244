import type { Message, Poll, PollOption } from '@grammyjs/types';
import { chatFor, messageFor } from '../access.ts';
import { announce, pushPoll } from '../../deliver.ts';
import { badRequest } from '../../errors.ts';
import { codePoints, plainText } from '../../text/formatting.ts';
import { isRecord, type Params } from '../params.ts';
import { readReplyMarkup } from '../reply-markup.ts';
import type { Call, Method } from './method.ts';
import { send } from './send.ts';

const MAX_QUESTION = 300;
const MAX_OPTION = 100;
const MAX_OPTIONS = 12;

export const pollMethods: Readonly<Record<string, Method>> = { sendPoll, stopPoll };

function sendPoll(call: Call): Message {
  const { em, bot, params } = call;
  const { world } = em;
  const question = plainText(world, params.str('question'), params.str('question_parse_mode'));
  const options = readOptions(call);
  const type = params.str('type');
  if (type !== '' && type !== 'regular' && type !== 'quiz')
    throw badRequest('unsupported poll type specified');
  const correct = type === 'quiz' ? readCorrect(params) : [];
  const explanation = plainText(world, params.str('explanation'), params.str('explanation_parse_mode'));
  return send(call, ['can_send_polls', 'polls'], () => {
    if (codePoints(question.text) > MAX_QUESTION) {
      throw badRequest(`poll question length must not exceed ${MAX_QUESTION}`);
    }
    if (options.length === 0) throw badRequest('poll must have at least one answer option');
    if (options.length > MAX_OPTIONS) throw badRequest(`poll can't have more than ${MAX_OPTIONS} options`);
    if (type === 'quiz') checkCorrect(correct, options.length);
    const id = String(5_900_000_000_000_000_000n + BigInt(world.nextPollId++));
    const poll: Poll = {
      id,
      question: question.text,
      options,
      total_voter_count: 0,
      is_closed: params.bool('is_closed'),
      is_anonymous: !params.has('is_anonymous') || params.bool('is_anonymous'),
      type: type === 'quiz' ? 'quiz' : 'regular',
      allows_multiple_answers: params.bool('allows_multiple_answers'),
      allows_revoting: params.has('allows_revoting') ? params.bool('allows_revoting') : type !== 'quiz',
      members_only: params.bool('members_only'),
      ...(type === 'quiz' && { correct_option_ids: correct }),
      ...(explanation.text !== '' && {
        explanation: explanation.text,
        explanation_entities: explanation.entities,
      }),
    };
    world.polls.set(id, { botId: bot.id, poll, votes: new Map() });
    return { content: { poll } };
  });
}

function stopPoll({ em, bot, params }: Call): Poll {
  const markup = readReplyMarkup(params, true);
  const chat = chatFor(em, bot, params, 'edit');
  const stored = messageFor(chat, params.int('message_id', 0), 'message with poll to stop');
  const { poll } = stored.wire;
  if (poll === undefined) throw badRequest('message is not a poll');
  if (stored.botId !== bot.id || stored.wire.forward_origin !== undefined) {
    throw badRequest("poll can't be stopped");
  }
  if (poll.is_closed) throw badRequest('poll has already been closed');
  poll.is_closed = true;
  stored.markup = markup;
  announce(em, chat, stored, 'edit');
  pushPoll(em, poll.id);
  return poll;
}

function readOptions({ em, params }: Call): PollOption[] {
  const list = params.json('options', 'options');
  if (list === undefined) throw badRequest("can't parse options JSON object");
  if (!Array.isArray(list)) throw badRequest('expected an Array of String as options');
  return list.map((item: unknown, index) => {
    const isText = typeof item === 'string';
    if (!isText && !isRecord(item)) throw badRequest('expected an option to be of type String');
    const text = isText ? item : item['text'];
    const mode = isText ? '' : item['text_parse_mode'];
    if (typeof text !== 'string') throw badRequest('Can\'t find field "text"');
    const shown = plainText(em.world, text, typeof mode === 'string' ? mode : '').text;
    if (codePoints(shown) > MAX_OPTION) {
      throw badRequest(`poll options length must not exceed ${MAX_OPTION}`);
    }
    return { persistent_id: String(index), text: shown, voter_count: 0 };
  });
}

function readCorrect(params: Params): number[] {
  const list = params.json('correct_option_ids', 'correct option identifiers');
  if (list === undefined) return params.has('correct_option_id') ? [params.int('correct_option_id', -1)] : [];
  if (!Array.isArray(list)) throw badRequest('expected an Array of correct option identifiers');
  return list.map((item: unknown) => {
    if (typeof item !== 'number') throw badRequest('correct option identifier must be of type Number');
    if (!Number.isInteger(item)) throw badRequest('invalid correct option identifier specified');
    return item;
  });
}

function checkCorrect(ids: readonly number[], options: number): void {
  if (ids.length === 0) throw badRequest('correct quiz option list must be non-empty');
  if (ids.some((id, index) => index > 0 && id <= (ids[index - 1] ?? 0))) {
    throw badRequest('correct quiz option list must be increasing');
  }
  if (ids.some((id) => id < 0 || id >= options)) throw badRequest('wrong quiz correct_option_id');
}
