import { badRequest, conflict, refusals } from '../../errors.ts';
import { queueOf } from '../../emulator.ts';
import type { Params } from '../params.ts';
import type { BotState, UpdateKind } from '../../types.ts';
import { described, type Call, type Method, type SpecialAnswer } from './method.ts';

const MAX_WAIT_SECONDS = 50;
const KINDS: ReadonlySet<string> = new Set<UpdateKind>([
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'callback_query',
  'my_chat_member',
  'chat_member',
  'inline_query',
  'chosen_inline_result',
  'message_reaction',
  'message_reaction_count',
  'chat_join_request',
  'chat_boost',
  'removed_chat_boost',
  'guest_message',
  'stopped_message_generation',
  'purchased_paid_media',
  'managed_bot',
  'subscription',
  'poll',
  'poll_answer',
  'shipping_query',
  'pre_checkout_query',
  'business_connection',
  'business_message',
  'edited_business_message',
  'deleted_business_messages',
]);

export const updateMethods: Readonly<Record<string, Method>> = {
  getUpdates,
  setWebhook,
  deleteWebhook: ({ em, bot, params }) => {
    const had = bot.webhook !== undefined;
    bot.webhook = undefined;
    em.webhookChanged(bot);
    if (params.bool('drop_pending_updates')) queueOf(em, bot.id).clear();
    return described(true, had ? 'Webhook was deleted' : 'Webhook is already deleted');
  },
  getWebhookInfo: ({ em, bot }) => {
    const hook = bot.webhook;
    return {
      url: hook?.url ?? '',
      has_custom_certificate: false,
      pending_update_count: queueOf(em, bot.id).size(),
      ...(hook?.lastErrorAt === undefined
        ? {}
        : { last_error_date: hook.lastErrorAt, last_error_message: hook.lastError }),
      ...(hook === undefined ? {} : { max_connections: hook.maxConnections, ip_address: '127.0.0.1' }),
      ...(bot.allowed === undefined ? {} : { allowed_updates: [...bot.allowed] }),
    };
  },
};

async function getUpdates({ em, bot, params, signal }: Call): Promise<SpecialAnswer> {
  if (bot.webhook !== undefined) throw conflict(refusals.webhookActive);
  rememberAllowed(bot, params);
  const updates = await queueOf(em, bot.id).poll({
    offset: params.int('offset', 0),
    limit: params.int('limit', 100, 1, 100),
    timeoutMs: params.int('timeout', 0, 0, MAX_WAIT_SECONDS) * 1000,
    signal,
  });
  const json = `[${updates.map((update) => update.json).join(',')}]`;
  return { special: true, json, shown: updates.length };
}

function setWebhook({ em, bot, params }: Call): unknown {
  const url = params.str('url');
  if (url === '') return updateMethods['deleteWebhook']?.({ em, bot, params, signal: AbortSignal.abort() });
  const problem = urlProblem(url);
  if (problem !== undefined) throw badRequest(problem);
  const secret = params.str('secret_token');
  if (secret.length > 256) throw badRequest('secret token is too long');
  if (!/^[A-Za-z0-9_-]*$/.test(secret)) throw badRequest('secret token contains unallowed characters');
  rememberAllowed(bot, params);
  const queue = queueOf(em, bot.id);
  queue.interrupt(conflict(refusals.setWebhook));
  if (params.bool('drop_pending_updates')) queue.clear();
  const maxConnections = params.int('max_connections', 40, 1, 100);
  const isSame = bot.webhook?.url === url && bot.webhook.secret === secret;
  bot.webhook = { url, secret, maxConnections, lastErrorAt: undefined, lastError: undefined };
  em.webhookChanged(bot);
  return described(true, isSame ? 'Webhook is already set' : 'Webhook was set');
}

/** Telegram wants https; the emulator also takes plain http on this machine. */
function urlProblem(url: string): string | undefined {
  if (!URL.canParse(url)) return 'invalid webhook URL specified';
  const { protocol, hostname } = new URL(url);
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback)) return undefined;
  return 'bad webhook: An HTTPS URL must be provided for webhook';
}

/** The list sticks until another one comes; an empty list sets the default, broken JSON changes nothing. */
function rememberAllowed(bot: BotState, params: Params): void {
  if (!params.has('allowed_updates')) return;
  let list: unknown;
  try {
    list = JSON.parse(params.str('allowed_updates'));
  } catch {
    return;
  }
  if (!Array.isArray(list)) return;
  const known = list.filter((kind): kind is string => typeof kind === 'string' && KINDS.has(kind));
  bot.allowed = known.length === 0 ? undefined : new Set(known);
}
