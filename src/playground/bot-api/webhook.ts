import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Emulator } from '../emulator.ts';
import { queueOf } from '../emulator.ts';
import { given } from './queue.ts';
import { isRecord } from './params.ts';
import { readBody } from './transport.ts';
import type { BotState, QueuedUpdate, WebhookState } from '../types.ts';

/** How far the sender looks ahead for updates of idle chats. */
const WINDOW = 500;
const ANSWER_TIMEOUT_MS = 60_000;
const MAX_RETRY_MS = 60_000;

export interface WebhookSender {
  close: () => void;
}

/**
 * Delivers a bot's updates to its webhook: one after another within a chat, chats side by side, up to
 * `max_connections`. An update that is not answered with 2xx is sent again, after `retryMs`, then twice as long.
 * A method call in the answer goes to `runMethod`.
 */
export function startWebhookSender(options: {
  em: Emulator;
  bot: BotState;
  hook: WebhookState;
  retryMs: number;
  runMethod: (name: string, params: Record<string, unknown>) => Promise<void>;
}): WebhookSender {
  const { em, bot, hook } = options;
  const queue = queueOf(em, bot.id);
  const agent = new HttpAgent({ keepAlive: true, maxSockets: hook.maxConnections });
  const busyLanes = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  let isOpen = true;

  const pump = (): void => {
    if (!isOpen) return;
    for (const update of queue.waiting(WINDOW)) {
      if (busyLanes.size >= hook.maxConnections) return;
      if (busyLanes.has(update.lane)) continue;
      busyLanes.add(update.lane);
      void deliver(update, options.retryMs);
    }
  };
  const later = (ms: number, work: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  };
  const deliver = async (update: QueuedUpdate, retryMs: number): Promise<void> => {
    const delivery = given(update, 'webhook', em.now());
    const outcome = await postUpdate(hook, agent, update.json);
    if (!isOpen) return;
    if (outcome.error !== undefined) {
      hook.lastErrorAt = em.seconds();
      hook.lastError = outcome.error;
      delivery.error = outcome.error;
      const wait = outcome.retryAfterMs ?? retryMs;
      later(wait, () => void deliver(update, Math.min(retryMs * 2, MAX_RETRY_MS)));
      return;
    }
    queue.remove(update.id);
    delivery.heardAt = em.now();
    const call = outcome.call;
    if (call !== undefined) await options.runMethod(call.method, call.params);
    busyLanes.delete(update.lane);
    pump();
  };

  queue.onPush(pump);
  pump();
  return {
    close() {
      isOpen = false;
      queue.onPush(undefined);
      for (const timer of timers) clearTimeout(timer);
      agent.destroy();
    },
  };
}

interface Outcome {
  error?: string;
  retryAfterMs?: number;
  call?: { method: string; params: Record<string, unknown> };
}

async function postUpdate(hook: WebhookState, agent: HttpAgent, json: string): Promise<Outcome> {
  try {
    const response = await send(hook, agent, json);
    const status = response.statusCode ?? 0;
    const body = await readBody(response);
    if (status >= 200 && status < 300) return methodCall(body.toString('utf8'));
    const seconds = Number(response.headers['retry-after']);
    return {
      error: `Wrong response from the webhook: ${status} ${response.statusMessage ?? ''}`.trimEnd(),
      ...(seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}),
    };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return { error: code === 'ECONNREFUSED' ? 'Connection refused' : 'Webhook connection closed' };
  }
}

function send(hook: WebhookState, agent: HttpAgent, json: string): Promise<IncomingMessage> {
  const url = new URL(hook.url);
  const isPlain = url.protocol === 'http:';
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(json),
    ...(hook.secret === '' ? {} : { 'X-Telegram-Bot-Api-Secret-Token': hook.secret }),
  };
  const common = { method: 'POST', headers, timeout: ANSWER_TIMEOUT_MS };
  return new Promise((resolve, reject) => {
    const request = isPlain
      ? httpRequest(url, { ...common, agent }, resolve)
      : httpsRequest(url, common, resolve);
    request.on('timeout', () => request.destroy(new Error('timeout')));
    request.on('error', reject);
    request.end(json);
  });
}

function methodCall(body: string): Outcome {
  try {
    const value: unknown = JSON.parse(body);
    if (!isRecord(value)) return {};
    const { method, ...params } = value;
    return typeof method === 'string' ? { call: { method, params } } : {};
  } catch {
    return {};
  }
}
