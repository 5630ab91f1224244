import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

import { Client } from 'undici';
import type { buildConnector } from 'undici';

import type { WireFailure, WireStage } from '../../domain/attempt.ts';
import { isUntouched } from './dial-ahead.ts';
import type { DialTarget } from './dial.ts';
import { httpHeaders, readBody } from './http-call.ts';
import type { HttpAnswer, HttpCall } from './http-call.ts';
import { unlessAborted } from './unless-aborted.ts';
import { WireError, wireFailure } from './wire-error.ts';

/** 200 rows that echo 900 characters each, every one of them as an escape, fit twice; more is no answer. */
const ANSWER_LIMIT = 2 * 1024 * 1024;

export interface WriteOptions {
  readonly target: DialTarget;
  /** Gives the connection, on which nothing was written or has come. Rejects with a WireError. */
  readonly connect: (signal: AbortSignal) => Promise<Socket>;
  /** The whole call, from asking for the connection to the last byte of the answer. */
  readonly deadlineMs: number;
  /** How old the permission of `beforeWrite` may be when the first byte is written. */
  readonly fenceMs: number;
  readonly beforeWrite?: (() => Promise<boolean>) | undefined;
  readonly signals: readonly AbortSignal[];
}

export type WriteResult =
  | { readonly kind: 'answered'; readonly answer: HttpAnswer }
  | {
      readonly kind: 'failed';
      readonly stage: WireStage;
      readonly reason: WireFailure;
      readonly bytesMayHaveLeft: boolean;
    };

/**
 * Makes one call that must not be made twice: one connection, opened before `beforeWrite` is asked; one
 * request, written after it said yes; no keep-alive, redirect, retry or second connection. Never rejects.
 */
export async function writeOnce(call: HttpCall, options: WriteOptions): Promise<WriteResult> {
  const guard = new AbortController();
  const timer = setTimeout(() => guard.abort(new WireError('timeout')), options.deadlineMs);
  const giveUp = (): void => guard.abort(new WireError('aborted'));
  for (const signal of options.signals) {
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp);
  }

  const progress: Progress = { stage: 'dial', written: false };
  let socket: Socket | undefined;
  try {
    socket = await options.connect(guard.signal);
    progress.stage = 'fence';
    const mayWrite = await askFence(socket, options, guard.signal);
    // The library does not see an abort before the connection is its own, so the wait ends here as well.
    const work = exchange(call, options.target, socket, mayWrite, progress, guard.signal);
    return { kind: 'answered', answer: await unlessAborted(work, guard.signal) };
  } catch (error) {
    // The library reports an abort in its own words, so the guard's reason goes first.
    const cause: unknown = guard.signal.aborted ? guard.signal.reason : error;
    const reason = wireFailure(cause, 'protocol');
    const cut = reason === 'reset' && progress.stage === 'answer';
    return {
      kind: 'failed',
      stage: progress.stage,
      reason: cut ? 'truncated' : reason,
      bytesMayHaveLeft: progress.written,
    };
  } finally {
    clearTimeout(timer);
    for (const signal of options.signals) signal.removeEventListener('abort', giveUp);
    socket?.destroy();
  }
}

interface Progress {
  stage: WireStage;
  /** Whether anything was ever handed to the socket after the connection stood. */
  written: boolean;
}

/**
 * Resolves to the last check before writing; rejects when the fence said no, failed, or took too long. Its age is looked
 * at twice. As soon as it has answered, so that a database that was slow is called that, and the library is not begun.
 * And when the connection is handed over, where nothing yields any more before the first byte: a process may be frozen
 * in between, and by then others may have called its attempt unknown, and a person may have sent it again.
 */
async function askFence(socket: Socket, options: WriteOptions, signal: AbortSignal): Promise<() => boolean> {
  const { beforeWrite } = options;
  if (beforeWrite === undefined) return () => isUntouched(socket);
  const asked = performance.now();
  const inTime = (): boolean => performance.now() - asked <= options.fenceMs;
  let isLate = false;
  // A timer may come a little before its time by that other clock: whatever it has closed is too late all the same.
  const closeLate = setTimeout(() => {
    isLate = true;
    socket.destroy();
  }, options.fenceMs);
  try {
    // Awaited even when it is too late: what it committed can be taken back only after it has settled.
    const allowed = await unlessAborted(callSafely(beforeWrite), signal);
    if (!allowed || isLate || !inTime()) throw new WireError('fence');
  } finally {
    clearTimeout(closeLate);
  }
  return () => inTime() && isUntouched(socket);
}

async function callSafely(hook: () => Promise<boolean>): Promise<boolean> {
  try {
    const allowed: unknown = await hook();
    return allowed === true;
  } catch {
    return false;
  }
}

async function exchange(
  call: HttpCall,
  target: DialTarget,
  socket: Socket,
  mayWrite: () => boolean,
  progress: Progress,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  const client = new Client(`${target.secure ? 'https' : 'http'}://${host}:${target.port}`, {
    connect: handOver(socket, mayWrite),
    // 0 asks for `connection: close` and makes reuse impossible.
    pipelining: 0,
    allowH2: false,
    maxRequestsPerClient: 1,
    // The deadline is the guard's; the library's own timers would only blur it.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    noteWrites(socket, progress);
    progress.stage = 'request';
    const response = await client.request({
      method: call.method,
      path: call.path,
      headers: httpHeaders(call),
      body: call.body ?? null,
      reset: true,
      signal,
    });
    progress.stage = 'answer';
    const body = await readBody(response.body, ANSWER_LIMIT);
    return { httpStatus: response.statusCode, body };
  } finally {
    void client.destroy(OVER).catch(() => {});
  }
}

/** Nobody is told of it; made once, because the library would make one with its stack for every call. */
const OVER = new WireError('aborted');

/**
 * Gives the library the one socket, in a later microtask because it overlooks a connection that is there at
 * once. From the check to the first byte nothing yields. If it asks again, to reconnect, it gets an error.
 */
function handOver(socket: Socket, mayWrite: () => boolean): buildConnector.connector {
  let given = false;
  return (_options, callback) => {
    queueMicrotask(() => {
      if (given || !mayWrite()) {
        callback(new WireError(given || !isUntouched(socket) ? 'reset' : 'fence'), null);
        return;
      }
      given = true;
      callback(null, socket);
    });
  };
}

/** Marks the first write, whatever becomes of it: from there on nobody can say that no byte has left. */
function noteWrites(socket: Socket, progress: Progress): void {
  const write: (...parameters: Parameters<Socket['write']>) => boolean = socket.write.bind(socket);
  Reflect.set(socket, 'write', (...parameters: Parameters<Socket['write']>): boolean => {
    progress.written = true;
    return write(...parameters);
  });
}
