import { AppError, isAppError } from '../domain/errors.ts';
import { Secret } from '../domain/secret.ts';
import type { CredentialName, FacetName, GatewayCredentials, SmsGateway } from '../ports/gateway.ts';
import type { Capabilities, Gateways } from '../ports/gateways.ts';
import type { CredentialKind } from '../ports/stores.ts';
import { createGateway, type GatewayOptions } from './compose.ts';
import { createTlsTrusts } from './transport/tls-trust.ts';

export interface AccountsOptions extends Omit<GatewayOptions, 'credentials'> {
  /** Opens the seal of a binding; null when it has ended. */
  readonly credentialsOf: (bindingId: string) => Promise<GatewayCredentials | null>;
}

export interface Accounts extends Gateways {
  close(): Promise<void>;
}

/** A key is kept open in memory no longer than this; the connections of the account live as long. */
const KEEP_MS = 60_000;
const CREDENTIALS = ['api_key', 'username_password', 'token'] as const satisfies readonly CredentialName[];
/** A stand-in, to ask what an account with such a credential could do. */
const NOBODY = new Secret('none');

/** The accounts of this deployment's bindings, each opened when it is needed and forgotten after a minute. */
export function createAccounts({ credentialsOf, ...given }: AccountsOptions): Accounts {
  const options = { trusts: createTlsTrusts(), ...given };
  const open = new Map<string, { readonly gateway: Promise<SmsGateway>; readonly timer: NodeJS.Timeout }>();
  const known = new Map<string, Capabilities>();

  const forget = (bindingId: string): void => {
    const entry = open.get(bindingId);
    if (entry === undefined) return;
    open.delete(bindingId);
    clearTimeout(entry.timer);
    // What is still on the wire ends by its own deadline; only then may the connections go.
    setTimeout(
      () => void entry.gateway.then((gateway) => gateway.close()).catch(() => undefined),
      90_000,
    ).unref();
  };

  return {
    capabilities(kinds) {
      const key = [...kinds].toSorted().join();
      let found = known.get(key);
      if (found === undefined) {
        found = capabilitiesOf(createGateway({ ...options, credentials: standIn(kinds) }));
        known.set(key, found);
      }
      return found;
    },

    accepted() {
      const names: CredentialName[] = [];
      if (options.versions.some((version) => version !== 1)) names.push('api_key');
      if (options.versions.includes(3) || options.versions.includes(1)) names.push('username_password');
      if (options.versions.includes(1)) names.push('token');
      return names;
    },

    async of(bindingId) {
      const entry = open.get(bindingId);
      if (entry !== undefined) return await entry.gateway;
      const gateway = (async () => {
        const credentials = await credentialsOf(bindingId);
        if (credentials === null) throw new AppError('not_connected', 'the binding has ended');
        return createGateway({ ...options, credentials });
      })();
      const timer = setTimeout(() => forget(bindingId), KEEP_MS).unref();
      open.set(bindingId, { gateway, timer });
      gateway.catch(() => {
        clearTimeout(timer);
        open.delete(bindingId);
      });
      return await gateway;
    },

    probe: (credentials) => createGateway({ ...options, credentials }),

    async close() {
      const gateways = [...open.values()];
      open.clear();
      for (const { timer } of gateways) clearTimeout(timer);
      await Promise.allSettled(gateways.map(async ({ gateway }) => await (await gateway).close()));
    },
  };
}

function standIn(kinds: readonly CredentialKind[]): GatewayCredentials {
  return {
    ...(kinds.includes('api_key') ? { apiKey: NOBODY } : {}),
    ...(kinds.includes('password') ? { username: 'none', password: NOBODY } : {}),
    ...(kinds.includes('token') ? { token: NOBODY } : {}),
  };
}

/** Asked for every command of every help and menu: what they are does not change, so each is found out once. */
function capabilitiesOf(gateway: SmsGateway): Capabilities {
  const held = new Map<FacetName, boolean>();
  const lacking = new Map<FacetName, readonly CredentialName[]>();
  return {
    versions: gateway.versions,
    has(facet) {
      const known = held.get(facet);
      if (known !== undefined) return known;
      const has = gateway.has(facet);
      held.set(facet, has);
      return has;
    },
    missing(facet) {
      const known = lacking.get(facet);
      if (known !== undefined) return known;
      const missing = missingFor(gateway, facet);
      lacking.set(facet, missing);
      return missing;
    },
  };
}

function missingFor(gateway: SmsGateway, facet: FacetName): readonly CredentialName[] {
  try {
    gateway.use(facet);
    return [];
  } catch (error) {
    if (!isAppError(error, 'gateway_unsupported')) throw error;
    const missing = error.params['missing'];
    return CREDENTIALS.filter((name) => Array.isArray(missing) && missing.includes(name));
  }
}
