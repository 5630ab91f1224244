import { AppError } from '../domain/errors.ts';
import { Secret } from '../domain/secret.ts';
import type {
  CredentialName,
  FacetName,
  Facets,
  GatewayCredentials,
  GatewayVersion,
  SmsGateway,
} from '../ports/gateway.ts';
import type { Tracer } from '../ports/tracer.ts';
import { createCalls, type GatewayLog } from './calls.ts';
import { refuse } from './checks.ts';
import { createScrubber } from './scrub.ts';
import { traceCalls, traceOutcomes } from './traced-calls.ts';
import type { Resolve } from './transport/checked-lookup.ts';
import { parseProxy } from './transport/proxy.ts';
import { createTlsTrusts, type TlsTrusts } from './transport/tls-trust.ts';
import {
  createTransport,
  DEFAULT_TIMEOUTS,
  type GatewayTimeouts,
  type Transport,
} from './transport/transport.ts';
import { createV1Adapter } from './v1/adapter.ts';
import { createV3Adapter } from './v3/adapter.ts';
import { createV4Adapter } from './v4/adapter.ts';
import { omitUndefined } from './values.ts';

/**
 * Which version serves a facet: `reads` is the deployment's order of versions; a list is an order of its
 * own. Whatever sends goes by POST, so version 4 comes last: a GET may be repeated on its way.
 */
const ROUTES = {
  sending: [3, 1, 4],
  multi: [3, 1, 4],
  pattern: [1, 3],
  futureSend: [1],
  phonebookSend: [1],
  phonebookWrite: [3, 1],
  registration: [3, 1, 4],
  blacklist: [3, 4],
  credit: 'reads',
  account: 'reads',
  reports: 'reads',
  details: 'reads',
  outbox: 'reads',
  inbox: 'reads',
  counts: 'reads',
  phonebookRead: 'reads',
} as const satisfies Readonly<Record<FacetName, 'reads' | readonly GatewayVersion[]>>;

export interface GatewayOptions {
  /** Versions 4 and 3. Absent: the deployment has neither. */
  readonly baseUrl?: string;
  /** Version 1. */
  readonly wsUrl?: string;
  readonly credentials: GatewayCredentials;
  /** Versions that the deployment's gateway offers, in order of preference for reads. */
  readonly versions: readonly GatewayVersion[];
  /** `http://`, `https://` or `socks5://`, for every call. */
  readonly proxy?: string;
  /** Certificate authorities, PEM, instead of the runtime's own. */
  readonly ca?: string;
  /** Whose sessions of TLS it resumes and others may; its own when absent. */
  readonly trusts?: TlsTrusts;
  /** The way to the gateway is the operator's own: names may lead to inner addresses, and http will do. */
  readonly isPrivateNetwork?: boolean;
  /** Version 1: the time of a future send is one text, and `reseller` is 0 or 1, instead of parts and a word. */
  readonly isV1Plain?: boolean;
  /** Finds the addresses of a name; the runtime's own when absent. */
  readonly resolve?: Resolve;
  /** Called once for every call, after it. */
  readonly log?: GatewayLog;
  /** Absent: no traces are made. */
  readonly tracer?: Tracer | undefined;
  readonly timeouts?: Partial<GatewayTimeouts>;
  /** 0 to 1: the jitter of repeated reads. */
  readonly random?: () => number;
}

interface Offer {
  readonly version: GatewayVersion;
  readonly adapter: Partial<Facets>;
  readonly expect: Transport['expect'];
  readonly reachable: boolean;
  readonly credentials: readonly CredentialName[];
}

/**
 * One account at the gateway. Opens nothing until it is used. Throws `config` for an address that cannot be
 * used and `bad_input` (field, reason) for a credential that cannot travel in a header.
 */
export function createGateway(options: GatewayOptions): SmsGateway {
  checkCredentials(options.credentials);
  const transports: Transport[] = [];
  const offers = offersOf(options, transports);
  const serving = (facet: FacetName): Offer | undefined =>
    candidates(facet, offers).find((offer) => offer.reachable);

  const byRequest: Partial<Facets> = { ...registrationOf(offers) };

  return {
    has: (facet) => serving(facet) !== undefined,
    use<F extends FacetName>(facet: F): Facets[F] {
      const found: Facets[F] | undefined = byRequest[facet] ?? serving(facet)?.adapter[facet];
      if (found !== undefined) return found;
      const missing = [...new Set(candidates(facet, offers).flatMap((offer) => offer.credentials))];
      throw new AppError('gateway_unsupported', `the account cannot use ${facet}`, {
        params: { facet, missing },
      });
    },
    expect: (facet, calls) => serving(facet)?.expect(calls),
    versions: offers.filter((offer) => offer.reachable).map((offer) => offer.version),
    async close() {
      await Promise.all(transports.map((transport) => transport.close()));
    },
  };
}

/** The versions that hold the facet, best first, with or without the credentials for it. */
function candidates(facet: FacetName, offers: readonly Offer[]): readonly Offer[] {
  const route = ROUTES[facet];
  const holding = offers.filter((offer) => offer.adapter[facet] !== undefined);
  if (route === 'reads') return holding;
  return route.flatMap((version) => holding.filter((offer) => offer.version === version));
}

/** The short form goes where the table says; what only version 1 can carry goes to version 1. */
function registrationOf(offers: readonly Offer[]): Pick<Partial<Facets>, 'registration'> {
  const able = candidates('registration', offers).filter((offer) => offer.reachable);
  const first = able[0]?.adapter.registration;
  if (first === undefined) return {};
  const full = able.find((offer) => offer.adapter.registration?.takesPersonality === true);
  const personal = full?.adapter.registration ?? first;
  return {
    registration: {
      takesPersonality: personal.takesPersonality,
      register: (user) => (user.personality === undefined ? first : personal).register(user),
    },
  };
}

/** Every version of the deployment with an address, in the order given. */
function offersOf(options: GatewayOptions, transports: Transport[]): readonly Offer[] {
  const { credentials, baseUrl, wsUrl } = options;
  const proxy = options.proxy === undefined ? undefined : parseProxy(options.proxy);
  const secrets = [credentials.apiKey, credentials.password, credentials.token, proxy?.password];
  const scrub = createScrubber(secrets.filter((secret) => secret !== undefined));
  const { trusts = createTlsTrusts() } = options;
  const open = (address: string): Transport => {
    const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
    const { ca, isPrivateNetwork, resolve, random } = options;
    const transport = createTransport(
      omitUndefined({ baseUrl: address, timeouts, trusts, proxy, ca, isPrivateNetwork, resolve, random }),
    );
    transports.push(transport);
    return transport;
  };
  const base = baseUrl === undefined ? undefined : open(baseUrl);
  const ws = wsUrl === undefined ? undefined : open(wsUrl);
  const { tracer } = options;
  const log = tracer === undefined ? options.log : traceOutcomes(options.log);
  const callsOf = (version: GatewayVersion, transport: Transport) => {
    const calls = createCalls(omitUndefined({ version, transport, scrub, log }));
    return tracer === undefined ? calls : traceCalls(calls, version, tracer);
  };
  const hasPair = credentials.username !== undefined && credentials.password !== undefined;

  return [...new Set(options.versions)].flatMap((version): Offer[] => {
    if (version === 1) {
      if (ws === undefined) return [];
      const adapter = createV1Adapter(callsOf(1, ws), v1Headers(credentials), options.isV1Plain ?? false);
      const reachable = credentials.token !== undefined || hasPair;
      const { expect } = ws;
      return [{ version, adapter, expect, reachable, credentials: ['token', 'username_password'] }];
    }
    if (base === undefined) return [];
    const { expect } = base;
    if (version === 3) {
      const adapter = createV3Adapter(callsOf(3, base), restHeaders(credentials));
      const reachable = credentials.apiKey !== undefined || hasPair;
      return [{ version, adapter, expect, reachable, credentials: ['api_key', 'username_password'] }];
    }
    const adapter = createV4Adapter(callsOf(4, base), credentials.apiKey ?? new Secret(''));
    const reachable = credentials.apiKey !== undefined;
    return [{ version, adapter, expect, reachable, credentials: ['api_key'] }];
  });
}

type Headers = Readonly<Record<string, string>>;

/** Throws `bad_input` for a credential that is empty or cannot travel in a header, without repeating it. */
function checkCredentials(credentials: GatewayCredentials): void {
  const values: Readonly<Record<string, Secret | string | undefined>> = {
    api_key: credentials.apiKey,
    username: credentials.username,
    password: credentials.password,
    token: credentials.token,
  };
  for (const [field, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const plain = typeof value === 'string' ? value : value.reveal();
    if (!/^[\x21-\x7E](?:[\x20-\x7E]*[\x21-\x7E])?$/.test(plain)) refuse(field, 'not_printable');
  }
}

/**
 * Interface, Authentication, version 3. Of the three headers for the key, `Authorization` is the one that
 * HTTP software knows to keep to itself.
 */
function restHeaders(credentials: GatewayCredentials): Headers {
  if (credentials.apiKey !== undefined) return { authorization: credentials.apiKey.reveal() };
  return pairHeaders(credentials);
}

/** Interface, Authentication, version 1. */
function v1Headers(credentials: GatewayCredentials): Headers {
  return credentials.token === undefined ? pairHeaders(credentials) : { token: credentials.token.reveal() };
}

function pairHeaders({ username, password }: GatewayCredentials): Headers {
  return username === undefined || password === undefined ? {} : { username, password: password.reveal() };
}
