import type { ServerResponse } from 'node:http';
import type { Answer } from './http.ts';
import type { Harm } from './faults.ts';

type Unanswering = Extract<Harm, { kind: 'truncate' | 'endless' | 'drop' | 'reset' | 'hang' }>;

const ENDLESS_CHUNK = ' '.repeat(16 * 1024);

/** Whether a fault keeps the whole answer from arriving, rather than changing or delaying it. */
export function withholdsAnswer(fault: Harm): fault is Unanswering {
  return ['truncate', 'endless', 'drop', 'reset', 'hang'].includes(fault.kind);
}

/** Sends a whole answer. */
export function deliver(response: ServerResponse, { httpStatus, headers, body }: Answer): void {
  const bytes = Buffer.from(body);
  response.writeHead(httpStatus, { ...headers, 'content-length': bytes.length });
  response.end(bytes);
}

/** Does to the connection what the fault says, instead of sending the answer. */
export function withhold(response: ServerResponse, answer: Answer, fault: Unanswering): void {
  const { socket } = response;
  if (fault.kind === 'drop') socket?.destroy();
  if (fault.kind === 'reset') socket?.resetAndDestroy();
  if (fault.kind === 'truncate') truncate(response, answer, fault);
  if (fault.kind === 'endless') pourForever(response, answer);
  // A hang keeps the connection as it is until the client or the end of the sandbox closes it.
}

function truncate(
  response: ServerResponse,
  { httpStatus, headers, body }: Answer,
  fault: Extract<Harm, { kind: 'truncate' }>,
): void {
  const bytes = Buffer.from(body);
  const length = fault.mode === 'length' ? { 'content-length': bytes.length } : {};
  const arriving = Math.min(fault.bytes ?? Math.floor(bytes.length / 2), bytes.length);
  response.writeHead(httpStatus, { ...headers, ...length });
  response.flushHeaders();
  if (arriving === 0) response.socket?.end();
  else response.write(bytes.subarray(0, arriving), () => response.socket?.end());
}

function pourForever(response: ServerResponse, { httpStatus, headers }: Answer): void {
  response.writeHead(httpStatus, headers);
  const pour = (): void => {
    while (!response.destroyed && response.write(ENDLESS_CHUNK));
  };
  response.on('drain', pour);
  pour();
}
