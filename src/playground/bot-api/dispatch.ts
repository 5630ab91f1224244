import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallRecord } from '../control/calls.ts';
import type { Emulator } from '../emulator.ts';
import { ApiError } from '../errors.ts';
import type { FaultRule } from '../control/faults.ts';
import { NO_METHOD } from './methods/listed.ts';
import { isSpecial, type Method } from './methods/method.ts';
import { methods } from './methods/table.ts';
import type { Params } from './params.ts';
import type { BotState } from '../types.ts';

/** What goes back over HTTP; `drop` means that the connection is cut instead. */
export type Answer =
  | { drop: false; status: number; type: 'application/json' | 'text/html'; body: string }
  | { drop: true };

const HTML_502 = '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body></body>\r\n</html>\r\n';

/** Runs one Bot API call: faults first, then the method; every call is recorded. */
export async function dispatch(
  em: Emulator,
  bot: BotState,
  name: string,
  params: Params,
  signal: AbortSignal,
): Promise<Answer> {
  const fault = em.faults.take(name, params.shown);
  if (fault?.delay_ms !== undefined) await pause(fault.delay_ms, signal);
  const instead = fault === undefined ? undefined : faultAnswer(fault);
  if (instead !== undefined && fault !== undefined) {
    record(em, bot, name, params, { ok: false, ...instead.note, fault: faultName(fault) });
    return instead.answer;
  }
  const method = methods.get(name.toLowerCase());
  try {
    if (method === undefined) throw new ApiError(404, NO_METHOD);
    const answer = await run(em, bot, name, method, params, signal);
    return fault?.drop === 'after' ? { drop: true } : answer;
  } catch (error) {
    const refusal = error instanceof ApiError ? error : new ApiError(500, 'Internal Server Error');
    record(em, bot, name, params, {
      ok: false,
      error_code: refusal.code,
      description: refusal.message,
    });
    if (!(error instanceof ApiError)) throw error;
    return errorAnswer(refusal);
  }
}

/** The envelope of a refusal, with its HTTP status. */
export function errorAnswer(error: ApiError): Answer {
  const { code, message, parameters } = error;
  const envelope = { ok: false, error_code: code, description: message, ...(parameters && { parameters }) };
  return jsonAnswer(envelope, code);
}

export function jsonAnswer(value: object, status = 200): Answer {
  return { drop: false, status, type: 'application/json', body: JSON.stringify(value) };
}

async function run(
  em: Emulator,
  bot: BotState,
  name: string,
  method: Method,
  params: Params,
  signal: AbortSignal,
): Promise<Answer> {
  const result = await method({ em, bot, params, signal });
  const special = isSpecial(result) ? result : undefined;
  record(em, bot, name, params, { ok: true, result: special === undefined ? result : special.shown });
  const json = special?.json ?? JSON.stringify(result);
  const description =
    special?.description === undefined ? '' : `,"description":${JSON.stringify(special.description)}`;
  const body = `{"ok":true,"result":${json}${description}}`;
  return { drop: false, status: 200, type: 'application/json', body };
}

function faultAnswer(
  fault: FaultRule,
): { answer: Answer; note: { error_code?: number; description?: string } } | undefined {
  if (fault.drop === 'before') return { answer: { drop: true }, note: {} };
  if (fault.html502 === true) {
    return {
      answer: { drop: false, status: 502, type: 'text/html', body: HTML_502 },
      note: { error_code: 502 },
    };
  }
  if (fault.code === undefined && fault.retry_after === undefined) return undefined;
  const code = fault.code ?? 429;
  const wait = fault.retry_after;
  const description =
    fault.description ??
    (wait === undefined ? `Injected error ${code}` : `Too Many Requests: retry after ${wait}`);
  const error = new ApiError(code, description, wait === undefined ? undefined : { retry_after: wait });
  return { answer: errorAnswer(error), note: { error_code: code, description } };
}

function faultName(fault: FaultRule): string {
  if (fault.drop !== undefined) return `drop ${fault.drop}`;
  return fault.html502 === true ? 'html502' : 'error';
}

function record(
  em: Emulator,
  bot: BotState,
  method: string,
  params: Params,
  outcome: Pick<CallRecord, 'ok' | 'result' | 'error_code' | 'description' | 'fault'>,
): void {
  const files = params.files.map(({ field, name, bytes }) => ({
    field,
    name,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }));
  const call = em.calls.add({
    at: em.now(),
    bot: bot.id,
    method,
    params: params.shown,
    ...(files.length > 0 && { files }),
    ...outcome,
  });
  if (em.bus.active()) em.bus.emit({ type: 'call', data: { call } });
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    // The caller hung up: the call still has its effect, as with a real server.
  }
}
