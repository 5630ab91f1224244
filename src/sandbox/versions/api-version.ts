import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Json } from '../json.ts';
import { nearest } from '../nearest.ts';
import { mayUseService } from '../world/account.ts';
import type { Account } from '../world/account.ts';
import { isRefusal, refuse } from '../world/refusal.ts';
import type { Refusal, RefusalReason } from '../world/refusal.ts';
import { whyRefused } from '../world/why.ts';
import type { World } from '../world/world.ts';
import { readBody } from './body.ts';
import { identify, strangers } from './credentials.ts';
import type { Credential } from './credentials.ts';
import { isReplyRefusal } from './operation.ts';
import type { Operation } from './operation.ts';

/** A request without its transport. `path` holds the segments after the version's prefix, still encoded. */
export type ApiRequest = {
  readonly method: string;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** What of the address a stricter gateway refuses. */
  readonly loose: readonly Refusal[];
};

/** A request whose operation and account are known as far as possible; nothing has happened yet. */
export type OpenedCall = {
  readonly operation: string | null;
  readonly account: string | null;
  /** Checks the parameters and runs the operation. */
  execute(body: string): Execution;
  refuse(refusal: Refusal): Execution;
};

/** What came of a call: `refused` is null when the operation did what it is for. */
export type Execution = {
  readonly answer: Json;
  readonly refused: Refusal | null;
  /** For the journal: what was let pass. */
  readonly warnings: readonly string[];
};

export type ApiVersion = {
  readonly version: 4 | 3 | 1;
  /** The path segments with which all its addresses begin. */
  readonly prefix: readonly string[];
  /** Their names. */
  readonly operations: readonly string[];
  /** The table itself, for those who describe it. */
  readonly table: Table;
  open(world: World, request: ApiRequest): OpenedCall;
  refuse(refusal: Refusal): Json;
  /** An answer that an injected fault asks for: a status of the envelope, or a code of the tables. */
  failure(
    fault: { status?: number | undefined; code?: number | undefined; message?: string | undefined },
    operation?: string | null,
  ): Json;
};

/** One way to say who calls: all of these parameters. */
type CredentialPlaces = readonly { readonly in: 'query' | 'header'; readonly name: string }[];

/** A row as readers see it: `answer` is the whole of what success answers, `refusal` what a reason does. */
export type Described = Omit<Operation<Json>, 'run' | 'forUserStatus'> & {
  refusal(reason: RefusalReason): Json;
};

/** What a version can do, and how it says no. */
export type Table = {
  readonly rows: readonly Described[];
  readonly authentication: string;
  readonly credentialPlaces: readonly CredentialPlaces[];
  readonly failed: z.ZodType;
  /** What a reason answers where no operation answers in its own way. */
  refusal(reason: RefusalReason): Json;
};

/** How a version wraps payloads and refusals. */
export type Envelope<P> = {
  /** What a success answers with this payload. */
  answered: (payload: z.ZodType) => z.ZodType;
  /** What every refusal answers. */
  readonly failed: z.ZodType;
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
  /** How a request says who it is, for those who do it wrong. */
  authentication: string;
  /** Query parameters that hold the key. With any of them the segment before the operation may too: `pathKey`. */
  keyParameters: readonly string[];
  /** The ways to say who calls, the one that examples use first. */
  credentialPlaces: readonly CredentialPlaces[];
  /** Whether the interface says of what type each member of a body is. */
  typed: boolean;
  credentials: (request: ApiRequest, pathKey: string | undefined) => Credential[];
}): ApiVersion {
  const { version, operations, envelope } = parts;

  function open(world: World, request: ApiRequest): OpenedCall {
    const found = findOperation(operations, request, parts.keyParameters.length > 0);
    const credentials = parts.credentials(request, found.pathKey);
    const who = identify(world, credentials, parts.authentication);
    const { operation } = found;
    const warnings: string[] = [];
    const stop = (refused: Refusal) => ({ answer: envelope.refusal(refused, operation), refused, warnings });
    return {
      operation: operation?.name ?? null,
      account: isRefusal(who) ? null : who.username,
      refuse: stop,
      execute(body) {
        if (operation === undefined) return stop(found.refusal);
        if (isRefusal(who)) return stop(who);
        if (!mayUseService(who)) return stop(refuseStatus(who));
        const isGet = operation.method === 'GET';
        const input = isGet
          ? { members: readQuery(request.query, parts.keyParameters), loose: [] }
          : readBody(body);
        if (isRefusal(input)) return stop(input);
        const warn = (words: string): void => {
          warnings.push(words);
        };
        const tolerate = (refusal: Refusal): Refusal | undefined => {
          if (world.switches.strict) return refusal;
          warn(`a stricter gateway refuses this: ${whyRefused(refusal)}`);
          return undefined;
        };
        for (const loose of [...request.loose, ...strangers(who, credentials), ...input.loose]) {
          const refusal = tolerate(loose);
          if (refusal !== undefined) return stop(refusal);
        }
        const call = {
          world,
          account: who,
          version,
          operation: operation.name,
          warn,
          tolerate,
          isTyped: parts.typed && !isGet,
        };
        const reply = operation.run(call, { ...input.members, ...found.params });
        if (isReplyRefusal(reply)) return stop(reply);
        return { answer: envelope.success(reply), refused: null, warnings };
      },
    };
  }

  return {
    version,
    prefix: parts.prefix,
    operations: operations.map(({ name }) => name),
    table: {
      rows: operations.map((row) => ({
        ...row,
        answer: envelope.answered(row.answer),
        refusal: (reason) => envelope.refusal({ refused: reason }, row),
      })),
      authentication: parts.authentication,
      credentialPlaces: parts.credentialPlaces,
      failed: envelope.failed,
      refusal: (reason) => envelope.refusal({ refused: reason }),
    },
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
  let refusal: Refusal | undefined;
  const methods: string[] = [];
  for (const reading of readings) {
    for (const operation of operations) {
      const params = matchPath(operation.path, reading.path);
      if (params === undefined) continue;
      if (operation.method === method) return { operation, params, pathKey: reading.pathKey };
      methods.push(operation.method);
      const taken = methods.join(' or ');
      refusal = refuse('wrong_method', { why: `${operation.path} takes ${taken}, not ${method}` });
    }
  }
  refusal ??= refuse('unknown_path', { why: explainPath(operations, readings) });
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

function explainPath(
  operations: readonly { readonly path: string }[],
  readings: readonly { readonly path: readonly string[] }[],
): string {
  const known = operations.map(({ path }) => path);
  const tried = readings.map(({ path }) => `/${path.map(decode).join('/')}`);
  const guess = tried.map((path) => nearest(path, known)).find((word) => word !== undefined);
  return guess === undefined
    ? `this version has no operation at this path; known: ${known.join(' ')}`
    : `this version has no operation at this path: did you mean \`${guess}\`?`;
}

function refuseStatus({ username, userStatus }: Account): Refusal {
  return refuse('account_status', {
    detail: userStatus,
    why: `account ${username} has user status ${userStatus}; only 0 and 2 may use the service`,
  });
}

function readQuery(query: URLSearchParams, keyParameters: readonly string[]): Record<string, string> {
  return Object.fromEntries([...query].filter(([name]) => !keyParameters.includes(name)));
}
