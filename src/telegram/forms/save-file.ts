import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import { AppError } from '../../domain/errors.ts';
import { LostAnswer, networkCode } from '../outgoing/errors.ts';

export interface SaveOptions {
  /** Must not be there yet. */
  readonly file: string;
  readonly maxBytes: number;
  readonly deadlineMs: number;
  /** Most sockets to one origin. */
  readonly connections: number;
  readonly signal: AbortSignal;
}

/**
 * Writes what an address gives into a file, a piece at a time. The address holds the bot token and is in no error.
 * What a failure has left of the file is the caller's to remove.
 * @throws {AppError} `bad_input` with reason `too_large` or `gone`
 * @throws {LostAnswer} when the connection or the disk fails
 */
export async function saveFile(dispatcher: Dispatcher, address: URL, options: SaveOptions): Promise<void> {
  const { file, maxBytes, deadlineMs, connections } = options;
  const late = AbortSignal.timeout(deadlineMs);
  try {
    const request: Dispatcher.RequestOptions & { connections: number } = {
      origin: address.origin,
      path: address.pathname,
      method: 'GET',
      // One deadline for the whole file replaces the client's separate ones.
      headersTimeout: 0,
      bodyTimeout: 0,
      signal: AbortSignal.any([late, options.signal]),
      connections,
    };
    const { statusCode, body } = await dispatcher.request(request);
    if (statusCode !== 200) {
      body.on('error', () => undefined).destroy();
      throw fileProblem('gone', `a file was not given: HTTP ${statusCode}`);
    }
    await pipeline(body, atMost(maxBytes), createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    if (error instanceof AppError) throw error;
    options.signal.throwIfAborted();
    throw new LostAnswer(late.aborted ? 'TIMEOUT' : networkCode(error));
  }
}

export function fileProblem(reason: 'gone' | 'too_large', message: string): AppError {
  return new AppError('bad_input', message, { params: { field: 'file', reason } });
}

function atMost(maxBytes: number) {
  return async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let size = 0;
    for await (const piece of pieces) {
      size += piece.length;
      if (size > maxBytes) throw fileProblem('too_large', 'the file is too large');
      yield piece;
    }
  };
}
