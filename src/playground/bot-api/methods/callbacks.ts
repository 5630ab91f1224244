import { badRequest, refusals } from '../../errors.ts';
import { codePoints } from '../../text/formatting.ts';
import type { Call, Method } from './method.ts';

/** How long a query can be answered. Telegram gives no number; people report 5 to 20 seconds. */
export const QUERY_TTL_MS = 15_000;
const MAX_ANSWER = 200;

export const callbackMethods: Readonly<Record<string, Method>> = { answerCallbackQuery };

function answerCallbackQuery({ em, bot, params }: Call): true {
  const query = em.world.callbacks.get(params.str('callback_query_id'));
  const isOpen =
    query !== undefined && query.botId === bot.id && !query.answered && em.now() - query.at < QUERY_TTL_MS;
  if (!isOpen) throw badRequest(refusals.queryTooOld);
  const text = params.str('text');
  const url = params.str('url');
  if (codePoints(text) > MAX_ANSWER) throw badRequest('MESSAGE_TOO_LONG');
  if (url !== '' && !isOwnLink(url, bot.user.username ?? '')) throw badRequest('URL_INVALID');
  query.answered = true;
  em.bus.emit({
    type: 'callback_answer',
    chatKey: query.chatKey,
    userId: query.userId,
    data: {
      callback_query_id: query.id,
      user_id: query.userId,
      ...(text === '' ? {} : { text }),
      show_alert: params.bool('show_alert'),
      ...(url === '' ? {} : { url }),
    },
  });
  return true;
}

/** Without a game the only links allowed are those that open the bot itself with a parameter. */
function isOwnLink(url: string, username: string): boolean {
  const match = /^(?:https?:\/\/)?(?:t|telegram)\.me\/([A-Za-z0-9_]+)\?start=/i.exec(url);
  const direct = /^tg:(?:\/\/)?resolve\?(?:.*&)?domain=([A-Za-z0-9_]+)/i.exec(url);
  return (match?.[1] ?? direct?.[1])?.toLowerCase() === username.toLowerCase();
}
