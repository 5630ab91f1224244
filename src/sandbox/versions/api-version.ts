import type { IncomingHttpHeaders } from 'node:http';
import { readJson } from '../json.ts';
import type { Json } from '../json.ts';
import { mayUseService } from '../world/account.ts';
import { isRefusal, refuse } from '../world/refusal.ts';
import type { Refusal } from '../world/refusal.ts';
import type { World } from '../world/world.ts';
import { identify } from './credentials.ts';
import type { Credential } from './credentials.ts';
import type { Operation } from './operation.ts';

/** A request without its transport. `path` holds the segments after the version's prefix, still encoded. */
export type ApiRequest = {
  readonly method: string;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
};

/** A request whose operation and account are known as far as possible; nothing has happened yet. */
export type OpenedCall = {
  readonly operation: string | null;
  readonly account: string | null;
  /** Checks the parameters and runs the operation. `reachedEffect` is false when it was refused. */
  execute(body: string): { answer: Json; reachedEffect: boolean };
  refuse(refusal: Refusal): Json;
};

export type ApiVersion = {
  readonly version: 4 | 3 | 1;
  /** The path segments with which all its addresses begin. */
  readonly prefix: readonly string[];
  /** Their names. */
  readonly operations: readonly string[];
  open(world: World, request: ApiRequest): OpenedCall;
  refuse(refusal: Refusal): Json;
  /** An answer that an injected fault asks for: a status of the envelope, or a code of the tables. */
  failure(
    fault: { status?: number | undefined; code?: number | undefined; message?: string | undefined },
    operation?: string | null,
  ): Json;
};

/** How a version wraps payloads and refusals. */
export type Envelope<P> = {
  success(payload: P): Json;
  refusal: (refusal: Refusal, operation?: Operation<P>) => Json;
  failure: ApiVersion['failure'];
};

/** Puts a table of operations, an envelope and a way to authenticate together. */
export function createApiVersion<P extends Json>(parts: {
  version: ApiVersion['version'];
  prefix: readonly string[];
  operations: readonly Operation<P>[];
  envelope: Envelope<P>;
  /** With `keyInPath`, the segment before the operation is handed over as `pathKey`. */
  keyInPath: boolean;
  credentials: (request: ApiRequest, pathKey: string | undefined) => Credential[];
}): ApiVersion {
  const { version, operations, envelope } = parts;

  function open(world: World, request: ApiRequest): OpenedCall {
    const found = findOperation(operations, request, parts.keyInPath);
    const credentials = parts.credentials(request, found.pathKey);
    const who = identify(world, credentials);
    const { operation } = found;
    const refuseHere = (refusal: Refusal) => envelope.refusal(refusal, operation);
    const stop = (refusal: Refusal) => ({ answer: refuseHere(refusal), reachedEffect: false });
    return {
      operation: operation?.name ?? null,
      account: isRefusal(who) ? null : who.username,
      refuse: refuseHere,
      execute(body) {
        if (operation === undefined) return stop(found.refusal);
        if (isRefusal(who)) return stop(who);
        if (!mayUseService(who)) return stop(refuse('account_status', who.userStatus));
        const input = operation.method === 'GET' ? Object.fromEntries(request.query) : readBody(body);
        if (isRefusal(input)) return stop(input);
        const call = { world, account: who, version, operation: operation.name };
        const reply = operation.run(call, { ...input, ...found.params });
        if (isReplyRefusal(reply)) return stop(reply);
        return { answer: envelope.success(reply), reachedEffect: true };
      },
    };
  }

  return {
    version,
    prefix: parts.prefix,
    operations: operations.map(({ name }) => name),
    open,
    refuse: envelope.refusal,
    failure: envelope.failure,
  };
}

type Found<P> =
  | { operation: Operation<P>; params: Record<string, string>; pathKey: string | undefined }
  | { operation: undefined; refusal: Refusal; params: Record<string, string>; pathKey: undefined };

function findOperation<P>(
  operations: readonly Operation<P>[],
  { method, path }: ApiRequest,
  keyInPath: boolean,
): Found<P> {
  const readings = [
    { path, pathKey: undefined },
    ...(keyInPath ? [{ path: path.slice(1), pathKey: path[0] }] : []),
  ];
  let refusal = refuse('unknown_path');
  for (const reading of readings) {
    for (const operation of operations) {
      const params = matchPath(operation.path, reading.path);
      if (params === undefined) continue;
      if (operation.method === method) return { operation, params, pathKey: reading.pathKey };
      refusal = refuse('wrong_method');
    }
  }
  return { operation: undefined, refusal, params: {}, pathKey: undefined };
}

function matchPath(template: string, path: readonly string[]): Record<string, string> | undefined {
  const pattern = template.split('/').filter((segment) => segment !== '');
  if (pattern.length !== path.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = path[index] ?? '';
    if (expected.startsWith('{')) params[expected.slice(1, -1)] = decode(segment);
    else if (expected !== segment) return undefined;
  }
  return params;
}

/** Percent-decodes one segment; a wrong escape is left as it is. */
export function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** An object's members, null ones dropped; an empty body or an empty array stands for no parameters. */
function readBody(body: string): Record<string, unknown> | Refusal {
  if (body.trim() === '') return {};
  let value: unknown;
  try {
    value = readJson(body);
  } catch {
    return refuse('malformed_json');
  }
  if (value === null || (Array.isArray(value) && value.length === 0)) return {};
  if (typeof value !== 'object' || Array.isArray(value)) return refuse('bad_parameters', 'body');
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

function isReplyRefusal(reply: Json | Refusal): reply is Refusal {
  return typeof reply === 'object' && reply !== null && isRefusal(reply);
}
