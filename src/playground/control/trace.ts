import type { CallRecord } from './calls.ts';
import { queueOf, type Emulator } from '../emulator.ts';
import { isRecord } from '../bot-api/params.ts';
import { chatOf, firstBot } from '../people/people.ts';
import type { ChatState, Delivery, QueuedUpdate } from '../types.ts';
import { canSee } from '../people/views.ts';
import { ControlError } from '../errors.ts';

/** An update that a message made, as its bot got it. */
export interface TracedUpdate {
  bot: number;
  kind: string;
  /** When it came into being, in ms. */
  at: number;
  update: unknown;
  delivery: Delivery | undefined;
}

const MASK = '•••';

/**
 * What one message told bots, and which calls of theirs made or concerned it: presses of its buttons and their answers, edits, pins.
 * Only what the queues and the log of calls still hold. Throws ControlError for a chat that the person does not see.
 */
export function traceOf(
  em: Emulator,
  wanted: { chat: number; message: number; user?: number | undefined },
): { updates: TracedUpdate[]; calls: CallRecord[] } {
  const owner = wanted.user ?? (wanted.chat > 0 ? wanted.chat : firstBot(em).id);
  const chat = chatOf(em, owner, wanted.chat);
  if (wanted.user !== undefined && !canSee(chat, wanted.user)) {
    throw new ControlError('this person is not in the chat');
  }
  const inlineId = chat.messages.get(wanted.message)?.via?.inlineMessageId;
  const queries = new Set<unknown>();
  const updates = [...em.world.bots.keys()].flatMap((bot) =>
    queueOf(em, bot)
      .history()
      .filter(({ lane }) => lane === chat.key || (inlineId !== undefined && lane.startsWith('inline ')))
      .flatMap((queued) => {
        const content = contentAbout(queued, wanted.message, inlineId);
        if (content === undefined) return [];
        if (queued.kind === 'callback_query') queries.add(content['id']);
        const update = { update_id: queued.id, [queued.kind]: content };
        return [{ bot, kind: queued.kind, at: queued.at, update, delivery: queued.delivery }];
      }),
  );
  const calls = em.calls
    .list()
    .filter(
      ({ params, ...call }) =>
        queries.has(params['callback_query_id']) ||
        (inlineId !== undefined && params['inline_message_id'] === inlineId) ||
        isAbout({ params, ...call }, chat, wanted.message),
    );
  return { updates, calls };
}

/** A copy for the page, without what gives power over a bot: tokens, and the secrets of webhooks. */
export function veiled<T>(em: Emulator, value: T): T {
  const secrets = [...em.world.bots.values()].map(({ token }) => token.slice(token.indexOf(':') + 1));
  const text = JSON.stringify(value, (name, inner: unknown) => (name === 'secret_token' ? MASK : inner));
  return JSON.parse(secrets.reduce((hidden, secret) => hidden.replaceAll(secret, MASK), text));
}

/** The content of an update, when it is about that message or a button of it. */
function contentAbout(
  { kind, json }: QueuedUpdate,
  id: number,
  inlineId: string | undefined,
): Record<string, unknown> | undefined {
  const isInline = inlineId !== undefined && json.includes(`"inline_message_id":"${inlineId}"`);
  // Most updates are about other messages: those need not be taken apart.
  if (!isInline && !json.includes(`"message_id":${id}`)) return undefined;
  const update: unknown = JSON.parse(json);
  const content = isRecord(update) ? update[kind] : undefined;
  if (!isRecord(content)) return undefined;
  if (isInline) return content;
  const about = kind === 'callback_query' ? content['message'] : content;
  return isRecord(about) && about['message_id'] === id ? content : undefined;
}

function isAbout({ bot, params, result }: CallRecord, chat: ChatState, id: number): boolean {
  if (chat.botId !== undefined && chat.botId !== bot) return false;
  const isHere = (named: unknown): boolean => named === chat.id || named === `@${chat.username}`;
  const named = [params['message_id'], ...listOf(params['message_ids'])];
  if (isHere(params['from_chat_id']) && named.includes(id)) return true;
  if (!isHere(params['chat_id'])) return false;
  const made = listOf(result).map((item) => (isRecord(item) ? item['message_id'] : undefined));
  return made.includes(id) || (params['from_chat_id'] === undefined && named.includes(id));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}
