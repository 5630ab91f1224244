import type { Secret } from '../domain/secret.ts';
import type { GatewayCredentials } from '../ports/gateway.ts';
import { refuse } from './checks.ts';

type Headers = Readonly<Record<string, string>>;

/** Throws `bad_input` for a credential that is empty or cannot travel in a header, without repeating it. */
export function checkCredentials(credentials: GatewayCredentials): void {
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
export function restHeaders(credentials: GatewayCredentials): Headers {
  if (credentials.apiKey !== undefined) return { authorization: credentials.apiKey.reveal() };
  return pairHeaders(credentials);
}

/** Interface, Authentication, version 1. */
export function v1Headers(credentials: GatewayCredentials): Headers {
  return credentials.token === undefined ? pairHeaders(credentials) : { token: credentials.token.reveal() };
}

function pairHeaders({ username, password }: GatewayCredentials): Headers {
  return username === undefined || password === undefined ? {} : { username, password: password.reveal() };
}
