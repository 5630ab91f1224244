import type { ApiResponse } from 'grammy/types';
import { LostAnswer, refusalFailure, SurelyUnsent, telegramFailure, type TelegramFailure } from './errors.ts';
import type { CancelSignal } from './http.ts';

/** One call of the Bot API, in a form that can be carried out more than once. */
export interface Call<P extends object, T> {
  readonly method: string;
  readonly payload: P;
  readonly signal: CancelSignal | undefined;
  attempt(payload: P): Promise<ApiResponse<T>>;
  withChat(chatId: number): P;
  /** The payload as it should be at this moment. */
  refresh(): P;
}

export type Outcome<T> =
  | { readonly failure: null; readonly response: ApiResponse<T> }
  | { readonly failure: TelegramFailure; readonly response: ApiResponse<T> | null; readonly error: unknown };

export async function tryOnce<P extends object, T>(call: Call<P, T>): Promise<Outcome<T>> {
  try {
    const response = await call.attempt(call.refresh());
    if (response.ok) return { failure: null, response };
    return { failure: refusalFailure(response), response, error: null };
  } catch (error) {
    return { failure: telegramFailure(error), response: null, error };
  }
}

/** A refusal goes back as it came; what has no answer becomes one of two errors of our own. */
export function fail<T>(outcome: Exclude<Outcome<T>, { failure: null }>): ApiResponse<T> {
  const { failure, response, error } = outcome;
  if (failure.kind === 'lost_answer') throw new LostAnswer(failure.description ?? 'NO_ANSWER');
  if (failure.kind === 'surely_unsent') throw new SurelyUnsent(failure.description ?? 'NOT_SENT');
  if (response === null) throw error;
  return response;
}

export function mayRepeat(method: string, failure: TelegramFailure): boolean {
  return failure.kind === 'surely_unsent' || (failure.kind === 'lost_answer' && REPEATABLE.test(method));
}

export function isDone(method: string, failure: TelegramFailure): boolean {
  if (failure.kind === 'not_modified') return EDIT.test(method);
  if (failure.kind === 'message_gone') return method === 'deleteMessage';
  return failure.kind === 'query_too_old' && method === 'answerCallbackQuery';
}

/** `true` is among the results of each method that may end this way. */
export function done<T>(): ApiResponse<T> {
  const result: unknown = true;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above; the method's type is not known here
  return { ok: true, result: result as T };
}

/** As of a message that is not there: what is asked of one in a chat that has moved would be done to another one. */
export function gone<T>(method: string): ApiResponse<T> {
  const refusal = { ok: false, error_code: 400, description: 'Bad Request: message not found' } as const;
  return isDone(method, refusalFailure(refusal)) ? done() : refusal;
}

export function laneOf(method: string): 'sends' | 'edits' | null {
  if (SEND.test(method)) return 'sends';
  return EDIT.test(method) ? 'edits' : null;
}

export function chatOf(payload: object): string | undefined {
  if (!('chat_id' in payload)) return undefined;
  const id = payload.chat_id;
  return typeof id === 'number' || (typeof id === 'string' && id !== '')
    ? String(id).toLowerCase()
    : undefined;
}

/** An album counts as the messages that it is, though never as more than ten; taking buttons off counts as nothing. */
export function costOf(payload: object): number {
  if ('message_id' in payload && !('text' in payload) && !('reply_markup' in payload)) return 0;
  if ('media' in payload && Array.isArray(payload.media)) return Math.min(payload.media.length, MAX_COST);
  if ('message_ids' in payload && Array.isArray(payload.message_ids)) {
    return Math.min(payload.message_ids.length, MAX_COST);
  }
  return 1;
}

/** Whether a flood limit on a call that names no chat holds for everything that is sent. */
export function standsForAll(method: string): boolean {
  return STANDS_FOR_ALL.test(method);
}

/** Milliseconds before the first, second, … repeat. */
export function jitter(repeat: number): number {
  return 250 * 2 ** repeat * (0.5 + Math.random());
}

const MAX_COST = 10;

const SEND = /^(?:send(?!ChatAction$)|copyMessage|forwardMessage)/u;
const EDIT = /^editMessage/u;
/** Doing these twice has the effect of once. */
const REPEATABLE = /^(?:edit|delete|get|set|pin|unpin|answerCallbackQuery$|sendChatAction$)/u;
/** A flood limit on a settings method holds for that method alone, and often for hours. */
const STANDS_FOR_ALL = /^(?:answerCallbackQuery$|editMessage)/u;
