import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliver, withhold, withholdsAnswer } from './deliver.ts';
import type { Fault, Faults } from './faults.ts';
import { jsonAnswer, readText } from './http.ts';
import type { Answer } from './http.ts';
import { maskedPath } from './masked-path.ts';
import type { ApiVersion, OpenedCall } from './versions/api-version.ts';
import { refuse } from './world/refusal.ts';
import type { World } from './world/world.ts';

const MAX_ADDRESS_CHARACTERS = 32 * 1024;
const PAGE =
  '<!DOCTYPE html><html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>';

/**
 * Serves the given versions of the gateway: opens the call, reads the body, suffers the fault that is due,
 * runs the operation, notes the hit, answers. The first version also words what belongs to none of them.
 * Application failures answer with HTTP 200 and the version's envelope.
 */
export function createGateway(deps: {
  versions: readonly [ApiVersion, ...ApiVersion[]];
  world: World;
  faults: Faults;
  /** Ends the delays that are under way. */
  closing: AbortSignal;
  onCrash(error: unknown): void;
}): RequestListener {
  const { world, faults } = deps;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { call, version, tooLong } = open(request);
    const method = request.method ?? '';
    const subject = { version: version.version, operation: call.operation, account: call.account };
    const hit = {
      ...subject,
      at: world.realNow(),
      method,
      path: maskedPath(request.url ?? '', world.accounts()),
    };
    const body = await readText(request);
    if (body === 'aborted') {
      world.ledger.recordHit({ ...hit, reachedEffect: false, fault: null, outcome: 'aborted' });
      response.socket?.destroy();
      return;
    }
    const { fault, removed } = faults.take(subject) ?? {};
    if (fault?.kind === 'delay' && fault.when === 'before') {
      await wait(fault.ms, removed);
      // An effect after the end would miss the ledger's file.
      if (deps.closing.aborted) return;
    }

    const stopped = fault?.when === 'before' && fault.kind !== 'delay';
    const result = stopped ? undefined : run(call, body, tooLong);
    const answer = changed(fault, version, call.operation, result?.answer ?? jsonAnswer(null));
    const outcome = fault !== undefined && withholdsAnswer(fault) ? fault.kind : 'answered';
    world.ledger.recordHit({
      ...hit,
      reachedEffect: result?.reachedEffect ?? false,
      fault: fault?.kind ?? null,
      outcome,
    });

    if (fault?.kind === 'delay' && fault.when === 'after') await wait(fault.ms, removed);
    response.setHeader('date', new Date(world.now()).toUTCString());
    if (fault !== undefined && withholdsAnswer(fault)) withhold(response, answer, fault);
    else deliver(response, answer);
  }

  function open(request: IncomingMessage): { call: OpenedCall; version: ApiVersion; tooLong: boolean } {
    const url = request.url ?? '';
    const tooLong = url.length > MAX_ADDRESS_CHARACTERS;
    const [address = '', ...query] = url.split('?');
    const segments = address.split('/').filter((segment) => segment !== '');
    const version = deps.versions.find(({ prefix }) => prefix.every((part, at) => segments[at] === part));
    const chosen = version ?? deps.versions[0];
    const call = chosen.open(world, {
      method: request.method ?? '',
      path: version === undefined ? [] : segments.slice(chosen.prefix.length),
      query: new URLSearchParams(query.join('?')),
      headers: request.headers,
    });
    return { call, version: chosen, tooLong };
  }

  function run(call: OpenedCall, body: { text: string } | 'too_large', tooLong: boolean) {
    const stop = (reason: 'address_too_long' | 'body_too_large' | 'server_fault') => ({
      answer: jsonAnswer(call.refuse(refuse(reason))),
      reachedEffect: false,
    });
    if (tooLong) return stop('address_too_long');
    if (body === 'too_large') return stop('body_too_large');
    try {
      const { answer, reachedEffect } = call.execute(body.text);
      return { answer: jsonAnswer(answer), reachedEffect };
    } catch (error) {
      deps.onCrash(error);
      return stop('server_fault');
    }
  }

  async function wait(ms: number, removed: AbortSignal | undefined): Promise<void> {
    const signal = removed === undefined ? deps.closing : AbortSignal.any([deps.closing, removed]);
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }

  return (request, response) => {
    handle(request, response).catch((error: unknown) => {
      deps.onCrash(error);
      response.socket?.destroy();
    });
  };
}

/** The answer that a fault puts in the place of the true one. */
function changed(
  fault: Fault | undefined,
  version: ApiVersion,
  operation: string | null,
  answer: Answer,
): Answer {
  if (fault?.kind === 'html') {
    return {
      httpStatus: fault.httpStatus,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: PAGE,
    };
  }
  if (fault?.kind === 'error') {
    const { headers, ...made } = jsonAnswer(version.failure(fault, operation), fault.httpStatus);
    return { ...made, headers: { ...headers, ...fault.headers } };
  }
  if (fault?.kind === 'body') {
    const headers = { 'content-type': fault.contentType, ...fault.headers };
    return { httpStatus: fault.httpStatus, headers, body: fault.text };
  }
  return answer;
}
