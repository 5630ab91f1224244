import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCarried } from './carried.ts';
import { deliver, withhold, withholdsAnswer } from './deliver.ts';
import type { Harm } from './faults.ts';
import { type Answer, jsonAnswer, readText } from './http.ts';
import { openApi } from './interface/openapi.ts';
import { interfacePage } from './interface/page.ts';
import type { Journal } from './journal.ts';
import type { Json } from './json.ts';
import { findMagic, mayBeMagic } from './magic.ts';
import { noteOf } from './note.ts';
import { reshape } from './reshape.ts';
import type { Faults, Struck } from './striking.ts';
import type { ApiVersion, Execution, OpenedCall } from './versions/api-version.ts';
import { type Refusal, refuse } from './world/refusal.ts';
import type { World } from './world/world.ts';

const MAX_ADDRESS_CHARACTERS = 32 * 1024;
const STRICT_ADDRESS_CHARACTERS = 8 * 1024;
const PAGE =
  '<!DOCTYPE html><html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>';

/**
 * Serves the given versions of the gateway: opens the call, reads the body, suffers the fault that is due,
 * runs the operation, notes the hit, answers. The first version also words what belongs to none of them.
 * Application failures answer with HTTP 200 and the version's envelope. `GET /health` and what
 * tells of the interface are no part of it, and noted nowhere.
 */
export function createGateway(deps: {
  versions: readonly [ApiVersion, ...ApiVersion[]];
  world: World;
  journal: Journal;
  faults: Faults;
  /** Ends the delays that are under way. */
  closing: AbortSignal;
  onCrash(error: unknown): void;
}): RequestListener {
  const { world, faults } = deps;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { call, version, query, stopped } = open(request);
    const subject = { version: version.version, operation: call.operation, account: call.account };
    const note = noteOf(deps, request, subject);
    const body = await readText(request);
    if (body === 'aborted') {
      note.hit({ reachedEffect: false, fault: null, outcome: 'aborted' });
      note.exchange({ body: '', answer: null, fault: null, outcome: 'aborted' });
      response.socket?.destroy();
      return;
    }
    const text = body === 'too_large' ? '' : body.text;
    const isKnown = call.operation !== null && call.account !== null;
    let carried: ReturnType<typeof readCarried> | undefined;
    const read = () => (carried ??= readCarried(query, text));
    const magic = () =>
      isKnown && mayBeMagic(query, text) ? findMagic(read().targets, read().texts) : undefined;
    const struck: Partial<Struck> = faults.take({ ...subject, carried: read }) ?? magic() ?? {};
    const { fault, words, removed } = struck;
    if (fault?.kind === 'delay' && fault.when === 'before') {
      await wait(fault.ms, removed);
      // An effect after the end would miss the ledger's file.
      if (deps.closing.aborted) return;
    }

    const sent = world.ledger.totals().sends;
    const harmed = fault?.when === 'before' && fault.kind !== 'delay';
    const result = harmed ? undefined : run(call, body, stopped);
    const shapes = world.shapesOf(call.account === null ? undefined : world.account(call.account));
    const worded = (json: Json): Answer => {
      const shaped = reshape(json, subject, shapes);
      return jsonAnswer(shaped.json, shaped.httpStatus);
    };
    const answer = changed(fault, version, call.operation, worded, result?.answer ?? null);
    const ended = {
      fault: fault?.kind ?? null,
      outcome: fault !== undefined && withholdsAnswer(fault) ? fault.kind : 'answered',
    };
    // While its answer is held back, others send.
    const calls = world.ledger.totals().sends - sent;
    const messageIds =
      calls === 0
        ? []
        : world.ledger
            .sends()
            .slice(-calls)
            .flatMap((record) => record.messageIds);
    note.hit({ ...ended, reachedEffect: result?.refused === null });

    if (fault?.kind === 'delay' && fault.when === 'after') await wait(fault.ms, removed);
    note.exchange({ ...ended, words, body: text, answer, result, messageIds });
    response.setHeader('date', new Date(world.now()).toUTCString());
    if (fault !== undefined && withholdsAnswer(fault)) withhold(response, answer, fault);
    else deliver(response, answer);
  }

  function open(request: IncomingMessage): {
    call: OpenedCall;
    version: ApiVersion;
    query: URLSearchParams;
    stopped: Refusal | undefined;
  } {
    const url = request.url ?? '';
    const [address = '', ...rest] = url.split('?');
    const query = new URLSearchParams(rest.join('?'));
    const segments = address.split('/').filter((segment) => segment !== '');
    const version = deps.versions.find(({ prefix }) => prefix.every((part, at) => segments[at] === part));
    const chosen = version ?? deps.versions[0];
    const call = chosen.open(world, {
      method: request.method ?? '',
      path: version === undefined ? [] : segments.slice(chosen.prefix.length),
      query,
      headers: request.headers,
      loose: looseAddress(url, address),
    });
    const tooLong = url.length > MAX_ADDRESS_CHARACTERS ? refuse('address_too_long') : undefined;
    const elsewhere = version === undefined ? refuse('unknown_path', { why: beginnings() }) : undefined;
    return { call, version: chosen, query, stopped: tooLong ?? elsewhere };
  }

  function beginnings(): string {
    const known = deps.versions.map(({ prefix }) => `/${prefix.join('/')}/`).join(' or ');
    return `addresses on this port begin with ${known}`;
  }

  function run(
    call: OpenedCall,
    body: { text: string } | 'too_large',
    stopped: Refusal | undefined,
  ): Execution {
    if (stopped !== undefined) return call.refuse(stopped);
    if (body === 'too_large') return call.refuse(refuse('body_too_large'));
    try {
      return call.execute(body.text);
    } catch (error) {
      deps.onCrash(error);
      return call.refuse(refuse('server_fault'));
    }
  }

  async function wait(ms: number, removed: AbortSignal | undefined): Promise<void> {
    const waits = [deps.closing, ...(removed === undefined ? [] : [removed])].map((signal) =>
      sleep(ms, undefined, { signal, ref: false }),
    );
    await Promise.race(waits).catch(() => undefined);
  }

  return (request, response) => {
    if (request.method === 'GET' && request.url === '/health') {
      deliver(response, jsonAnswer({ ok: true }));
      return;
    }
    const described =
      request.method === 'GET' ? interfaceAnswer(deps.versions, request.url ?? '') : undefined;
    if (described !== undefined) {
      deliver(response, described);
      return;
    }
    handle(request, response).catch((error: unknown) => {
      deps.onCrash(error);
      response.socket?.destroy();
    });
  };
}

/** What of an address a stricter gateway refuses. */
function looseAddress(url: string, path: string): Refusal[] {
  const found: Refusal[] = [];
  if (path.includes('//')) found.push(refuse('unknown_path', { why: 'the path has `//` in it' }));
  if (path.endsWith('/')) found.push(refuse('unknown_path', { why: 'the path ends with `/`' }));
  if (url.length > STRICT_ADDRESS_CHARACTERS)
    found.push(
      refuse('address_too_long', { why: `the address has ${url.length} characters, more than 8 KiB` }),
    );
  return found;
}

/** The answer that a fault puts in the place of the true one. */
function changed(
  fault: Harm | undefined,
  version: ApiVersion,
  operation: string | null,
  worded: (json: Json) => Answer,
  told: Json,
): Answer {
  if (fault?.kind === 'html') {
    return {
      httpStatus: fault.httpStatus,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: PAGE,
    };
  }
  if (fault?.kind === 'error') {
    const { headers, httpStatus, body } = worded(version.failure(fault, operation));
    const status = fault.httpStatus === 200 ? httpStatus : fault.httpStatus;
    return { body, httpStatus: status, headers: { ...headers, ...fault.headers } };
  }
  if (fault?.kind === 'body') {
    const headers = { 'content-type': fault.contentType, ...fault.headers };
    return { httpStatus: fault.httpStatus, headers, body: fault.text };
  }
  return worded(told);
}

/** The interface of a version as `/interface/vN.json` (OpenAPI) or `/interface/vN.md`; undefined for any other path. */
function interfaceAnswer(versions: readonly ApiVersion[], path: string): Answer | undefined {
  const [, number, form] = /^\/interface\/v(\d)\.(json|md)$/.exec(path) ?? [];
  const version = versions.find((one) => String(one.version) === number);
  if (version === undefined) return undefined;
  if (form === 'json') return jsonAnswer(openApi(version));
  const headers = { 'content-type': 'text/markdown; charset=utf-8' };
  return { httpStatus: 200, headers, body: interfacePage(version) };
}
