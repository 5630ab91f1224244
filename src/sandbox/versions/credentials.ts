import type { IncomingHttpHeaders } from 'node:http';
import type { Account } from '../world/account.ts';
import { refuse } from '../world/refusal.ts';
import type { Refusal } from '../world/refusal.ts';
import type { World } from '../world/world.ts';

/** One way in which a request says who it is; a request may carry several. */
export type Credential =
  | { readonly kind: 'apiKey' | 'token'; readonly value: string }
  | { readonly kind: 'password'; readonly username: string; readonly password: string };

/**
 * The account that any of the credentials opens. Whether that account may act is not decided here. `authentication`
 * says how this version wants it, for those who get it wrong.
 */
export function identify(
  world: World,
  credentials: readonly Credential[],
  authentication: string,
): Account | Refusal {
  if (credentials.length === 0)
    return refuse('no_credentials', { why: `there are no credentials: ${authentication}` });
  const account = world.accounts().find((one) => credentials.some((credential) => opens(one, credential)));
  if (account !== undefined) return account;
  const why = credentials.map((credential) => explain(world, credential)).join('; ');
  return refuse('unknown_account', { why: `${why}: ${authentication}` });
}

/** What stands beside a right credential and is wrong: a stricter gateway looks at it first. */
export function strangers(account: Account, credentials: readonly Credential[]): Refusal[] {
  return credentials
    .filter((credential) => !opens(account, credential))
    .map(({ kind }) => {
      const named =
        kind === 'password'
          ? 'a user name with password'
          : `another ${kind === 'token' ? 'token' : 'API key'}`;
      return refuse('unknown_account', {
        why: `beside the right credential stands ${named} that is not this account's`,
      });
    });
}

function explain(world: World, credential: Credential): string {
  if (credential.kind === 'password') {
    const { username } = credential;
    // The name is not said: a key may stand in its place.
    return world.account(username) === undefined
      ? 'there is no account of this user name'
      : `the password is not that of account ${username}`;
  }
  const [wanted, other] =
    credential.kind === 'apiKey' ? (['API key', 'token'] as const) : (['token', 'apiKey'] as const);
  const owner = world.accounts().find((one) => one[other] === credential.value);
  const mistaken = other === 'token' ? 'token for version 1' : 'API key for versions 4 and 3';
  return owner === undefined
    ? `no account has this ${wanted}`
    : `no account has this ${wanted}; it is the ${mistaken} of account ${owner.username}`;
}

/**
 * Credentials in headers, for versions 3 (`kind` apiKey) and 1 (`kind` token): `Authorization` bare or with
 * Bearer, `Token`, `Username` with `Password`; also a key alone in `Username`, which some clients send.
 */
export function headerCredentials(headers: IncomingHttpHeaders, kind: 'apiKey' | 'token'): Credential[] {
  const username = headerValues(headers['username'])[0];
  const password = headerValues(headers['password'])[0];
  const keys = [
    ...headerValues(headers.authorization).map((value) => value.replace(/^bearer\s+/i, '')),
    ...headerValues(headers['token']),
    ...(username !== undefined && password === undefined ? [username] : []),
  ];
  const credentials: Credential[] = keys.map((value) => ({ kind, value }));
  if (username !== undefined && password !== undefined) {
    credentials.push({ kind: 'password', username, password });
  }
  return credentials;
}

/** A header sent twice arrives as one text with a comma. */
function headerValues(header: string | string[] | undefined): string[] {
  return [header ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

function opens(account: Account, credential: Credential): boolean {
  if (credential.kind !== 'password') return account[credential.kind] === credential.value;
  return account.username === credential.username && account.password === credential.password;
}
