import { setTimeout as sleep } from 'node:timers/promises';

import { Pool } from 'undici';
import type { buildConnector } from 'undici';

import type { WireFailure } from '../../domain/attempt.ts';
import { dial } from './dial.ts';
import type { DialOptions, DialTarget } from './dial.ts';
import { httpHeaders, readBody } from './http-call.ts';
import type { HttpAnswer, HttpCall } from './http-call.ts';
import { unlessAborted } from './unless-aborted.ts';
import { WireError, wireFailure } from './wire-error.ts';

const ANSWER_LIMIT = 8 * 1024 * 1024;
const TRIES = 3;
const FIRST_WAIT_MS = 200;
const CONNECTIONS = 16;
/** Another try cannot help, or is not wanted. */
const FINAL: ReadonlySet<WireFailure> = new Set(['aborted', 'too_big']);

export interface ReadOptions {
  readonly target: DialTarget;
  readonly dial: Omit<DialOptions, 'signal'>;
  /** All tries and the waits between them. */
  readonly deadlineMs: number;
  /** 0 to 1; full jitter of the waits. */
  readonly random?: () => number;
}

export interface ReadPool {
  /**
   * Makes a call that changes nothing at the gateway, at most 3 times within the deadline. It is made again
   * when no complete answer came, or when `worthRetry` says so of an answer. Rejects with a WireError.
   */
  read(call: HttpCall, worthRetry: (answer: HttpAnswer) => boolean): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** Keep-alive connections for reads, dialled like those of writes. */
export function createReadPool(options: ReadOptions): ReadPool {
  const { target, random = Math.random } = options;
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  let pool: Pool | undefined;
  let isClosed = false;
  // Of the interfaces of an account many are never asked, and a pool is most of what one takes in memory.
  const opened = (): Pool =>
    (pool ??= new Pool(`${target.secure ? 'https' : 'http'}://${host}:${target.port}`, {
      connections: CONNECTIONS,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: dialFor(options),
    }));

  const tryOnce = async (call: HttpCall, signal: AbortSignal): Promise<HttpAnswer> => {
    if (isClosed) throw new WireError('aborted');
    let begun = false;
    try {
      const response = await opened().request({
        method: call.method,
        path: call.path,
        headers: httpHeaders(call),
        body: call.body ?? null,
        signal,
      });
      begun = true;
      const { date } = response.headers;
      const body = await readBody(response.body, ANSWER_LIMIT);
      return { httpStatus: response.statusCode, body, ...(typeof date === 'string' ? { date } : {}) };
    } catch (error) {
      const reason = wireFailure(error, 'protocol');
      throw new WireError(reason === 'reset' && begun ? 'truncated' : reason);
    }
  };

  return {
    async read(call, worthRetry) {
      const guard = new AbortController();
      const timer = setTimeout(() => guard.abort(new WireError('timeout')), options.deadlineMs);
      try {
        for (let attempt = 1; ; attempt += 1) {
          const last = attempt === TRIES;
          const answer = await unlessAborted(tryOnce(call, guard.signal), guard.signal).catch(
            (error: unknown) => {
              if (last || (error instanceof WireError && FINAL.has(error.reason))) throw error;
              return undefined;
            },
          );
          if (answer !== undefined && (last || !worthRetry(answer))) return answer;
          const waitMs = random() * FIRST_WAIT_MS * 2 ** (attempt - 1);
          await unlessAborted(sleep(waitMs, null, { ref: false }), guard.signal);
        }
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      isClosed = true;
      await pool?.destroy();
    },
  };
}

function dialFor(options: ReadOptions): buildConnector.connector {
  return (_options, callback) => {
    void (async () => {
      try {
        const socket = await dial(options.target, options.dial);
        callback(null, socket);
      } catch (error) {
        callback(new WireError(wireFailure(error, 'unreachable')), null);
      }
    })();
  };
}
