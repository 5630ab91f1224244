import { performance } from 'node:perf_hooks';

import { type Classification, classify, type Observation, type WireFailure } from '../domain/attempt.ts';
import { AppError, type ErrorParams } from '../domain/errors.ts';
import type { GatewayVersion, RefusalName, SendAnswer, SendHooks } from '../ports/gateway.ts';
import { lookUpCode } from './codes.ts';
import type { Reading } from './reading.ts';
import type { HttpAnswer, HttpCall } from './transport/http-call.ts';
import type { Transport } from './transport/transport.ts';
import { WireError } from './transport/wire-error.ts';
import { omitUndefined } from './values.ts';

/** One line for a log about one call: no address, no text, no credential. `ms` counts repeats and waits. */
export interface GatewayLogRecord {
  readonly operation: string;
  readonly version: GatewayVersion;
  readonly ms: number;
  readonly outcome: 'read' | 'done' | 'refused' | 'unreadable' | 'no_answer' | SendAnswer['outcome'];
  readonly httpStatus?: number;
  /** Why no whole answer was read. */
  readonly reason?: WireFailure;
}

export type GatewayLog = (record: GatewayLogRecord) => void;

/** What an answer to a send says, and the gateway's words. */
export interface SeenAnswer {
  readonly seen: Exclude<Observation, { kind: 'failed' }>;
  readonly text: string;
}

/** An answer to a send that has no envelope. */
export function unreadableSend(httpStatus: number): SeenAnswer {
  return { seen: { kind: 'unreadable', httpStatus }, text: '' };
}

/** Of an answer that repeats nothing of what was sent. */
export const NO_ECHO = { sent: { text: '', line: '' }, echo: {} } as const;

/** The three ways in which the adapter of a version calls the gateway. */
export interface Calls {
  /** Throws `gateway_refused`, `gateway_no_answer` or `gateway_unreadable`. */
  read<T>(operation: string, call: HttpCall, interpret: (body: Uint8Array) => Reading<T>): Promise<T>;
  /**
   * One request that changes something and is no send, never repeated. Throws as `read` does, and says in
   * `mayHaveActed` whether the change may be there all the same. `hide` also leaves texts of this call.
   */
  write<T>(
    operation: string,
    call: HttpCall,
    interpret: (body: Uint8Array) => Reading<T>,
    hide?: (text: string) => string,
  ): Promise<T>;
  /** One request, never repeated. Every outcome is an answer; nothing is thrown. */
  send(
    operation: string,
    call: HttpCall,
    observe: (answer: HttpAnswer) => SeenAnswer,
    hooks?: SendHooks,
  ): Promise<SendAnswer>;
}

export interface CallsOptions {
  readonly version: GatewayVersion;
  readonly transport: Transport;
  readonly scrub: (text: string) => string;
  readonly log?: GatewayLog;
}

const RAW_LIMIT = 200;
const UNPROVEN: ReadonlySet<RefusalName> = new Set(['server_error', 'operation_failed', 'operator_error']);

export function createCalls(options: CallsOptions): Calls {
  const { version, transport, scrub } = options;
  const failures = createFailures(version, scrub);
  const begin = (operation: string) => {
    const started = performance.now();
    return (
      outcome: GatewayLogRecord['outcome'],
      { httpStatus, reason }: { httpStatus?: number; reason?: WireFailure },
    ): void => {
      const ms = Math.round(performance.now() - started);
      try {
        options.log?.(omitUndefined({ operation, version, ms, outcome, httpStatus, reason }));
      } catch {
        // A log that fails must not turn an accepted send into an exception.
      }
    };
  };

  return {
    async read(operation, call, interpretBody) {
      const done = begin(operation);
      const interpret = onceInARow(interpretBody);
      let answer: HttpAnswer;
      try {
        answer = await transport.read(call, ({ httpStatus, body }) =>
          isBroken(version, httpStatus, interpret(body)),
        );
      } catch (error) {
        const reason = error instanceof WireError ? error.reason : 'protocol';
        done('no_answer', { reason });
        throw failures.noAnswer(operation, reason);
      }
      const reading = interpret(answer.body);
      done(reading.kind, { httpStatus: answer.httpStatus });
      if (reading.kind === 'read') return reading.value;
      if (reading.kind === 'refused') throw failures.refused(operation, reading);
      throw failures.unreadable(operation, reading.reason, answer.httpStatus);
    },

    async write(operation, call, interpret, hide = (text) => text) {
      const done = begin(operation);
      const result = await transport.write(call);
      if (result.kind === 'failed') {
        done('no_answer', { reason: result.reason });
        throw failures.noAnswer(operation, result.reason, { mayHaveActed: result.bytesMayHaveLeft });
      }
      const { httpStatus, body } = result.answer;
      const reading = interpret(body);
      done(reading.kind === 'read' ? 'done' : reading.kind, { httpStatus });
      if (reading.kind === 'read') return reading.value;
      if (reading.kind === 'unreadable') {
        throw failures.unreadable(operation, reading.reason, httpStatus, { mayHaveActed: true });
      }
      const shown = { ...reading, text: hide(reading.text) };
      throw failures.refused(operation, shown, { mayHaveActed: provesNothing(version, reading.code) });
    },

    async send(operation, call, observe, hooks) {
      const done = begin(operation);
      const result = await transport.write(call, hooks);
      if (result.kind === 'failed') {
        const answer = toAnswer(version, classify(result), '', '');
        done(answer.outcome, { reason: result.reason });
        return answer;
      }
      const { seen, text } = observe(result.answer);
      const raw = scrub(Buffer.from(result.answer.body).toString('utf8')).slice(0, RAW_LIMIT);
      const answer = toAnswer(version, classify(seen), scrub(text), raw);
      done(answer.outcome, { httpStatus: result.answer.httpStatus });
      return answer;
    },
  };
}

/** To read a large answer costs more than its call did: whether it is worth another try and what it says is found out at once. */
function onceInARow<T>(interpret: (body: Uint8Array) => T): (body: Uint8Array) => T {
  let last: { readonly body: Uint8Array; readonly reading: T } | null = null;
  return (body) => {
    if (last?.body !== body) last = { body, reading: interpret(body) };
    return last.reading;
  };
}

/** A fault of the server's, told by a page or in its envelope, is worth another try; a refusal with a reason never is. */
function isBroken(version: GatewayVersion, httpStatus: number, reading: Reading<unknown>): boolean {
  if (reading.kind === 'read') return false;
  if (reading.kind === 'unreadable') return httpStatus >= 500;
  const { code } = reading;
  return (code >= 500 && code <= 599) || lookUpCode(version, code).table === 'other';
}

/** After these a change may have been made: the gateway failed, or gave a reason that nobody documented. */
function provesNothing(version: GatewayVersion, code: number): boolean {
  const { table, name } = lookUpCode(version, code);
  return table === 'other' || table === 'unlisted' || UNPROVEN.has(name);
}

function toAnswer(version: GatewayVersion, result: Classification, text: string, raw: string): SendAnswer {
  if (result.outcome === 'accepted') return { ...result, raw };
  if (result.outcome === 'rejected') {
    const { code } = result;
    return { outcome: 'rejected', code, ...lookUpCode(version, code), text: text.slice(0, RAW_LIMIT), raw };
  }
  if (result.outcome === 'unknown') return toUnknown(result, raw);
  return { outcome: 'not_sent', reason: result.reason };
}

/** Rows without an id may stand among the others; as a trace to look for, only real ids are of use. */
function toUnknown(result: Extract<Classification, { outcome: 'unknown' }>, raw: string): SendAnswer {
  const { messageIds = [], ...rest } = result;
  const traces = messageIds.filter(({ id }) => /[1-9]/.test(id));
  return {
    ...rest,
    ...(traces.length === 0 ? {} : { messageIds: traces }),
    ...(raw === '' ? {} : { raw }),
  };
}

/** The three errors of a call that is no send. `extra` joins the params; texts are scrubbed and cut. */
function createFailures(version: GatewayVersion, scrub: (text: string) => string) {
  return {
    noAnswer: (operation: string, reason: string, extra: ErrorParams = {}) =>
      new AppError('gateway_no_answer', `version ${version} ${operation}: no answer (${reason})`, {
        params: { operation, version, reason, ...extra },
      }),

    unreadable: (operation: string, reason: string, httpStatus: number, extra: ErrorParams = {}) =>
      new AppError('gateway_unreadable', `version ${version} ${operation}: unreadable answer (${reason})`, {
        params: { operation, version, reason, httpStatus, ...extra },
      }),

    refused(
      operation: string,
      refusal: { readonly code: number; readonly text: string },
      extra: ErrorParams = {},
    ) {
      const { code } = refusal;
      const { table, name } = lookUpCode(version, code);
      const text = scrub(refusal.text).slice(0, RAW_LIMIT);
      return new AppError(
        'gateway_refused',
        `version ${version} ${operation}: refused with ${code} (${name})`,
        {
          params: { operation, version, code, table, name, text, ...extra },
        },
      );
    },
  };
}
