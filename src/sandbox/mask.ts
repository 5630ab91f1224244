import type { IncomingHttpHeaders } from 'node:http';
import { SECRET_NAMES, isSecretName } from './secret-names.ts';
import { decode } from './versions/api-version.ts';
import type { Account } from './world/account.ts';

const MASK = '***';

/** Shorter ones are looked for by their place alone: a token `t` is in every text. */
const TELLING_LENGTH = 6;

/**
 * The path of a request as the ledger may keep it: no query, and neither a version 4 key (a wrong one may be
 * a right one elsewhere) nor any account's secret in it.
 */
export function maskedPath(url: string, accounts: readonly Account[]): string {
  const segments = (url.split('?')[0] ?? '').split('/');
  const key = segments.findIndex((_, at) => at >= 2 && isVersion4(segments.slice(at - 2, at)));
  const secrets = accounts.flatMap(secretsOf);
  return segments
    .map((segment, at) => (at === key && !isGroup(segment) ? MASK : maskedIn(segment, secrets)))
    .join('/');
}

/** What may be kept of one request: its parts with every credential that it carries, and those of its account, masked. */
export function maskFor(
  request: { url: string; headers: IncomingHttpHeaders },
  path: string,
  account: Account | undefined,
) {
  const [address = '', ...query] = request.url.split('?');
  const pairs = query.length === 0 ? [] : query.join('?').split('&');
  const carried = [
    ...address
      .split('/')
      .filter((_, at, all) => at >= 2 && isVersion4(all.slice(at - 2, at)) && !isGroup(all[at] ?? '')),
    ...pairs
      .filter((pair) => isSecretName(decode(pair.split('=')[0] ?? '')))
      .map((pair) => pair.replace(/^[^=]*=/, '')),
    ...Object.entries(request.headers).flatMap(([name, value]) => (isSecretName(name) ? (value ?? []) : [])),
  ];
  const secrets = [
    ...carried.map(decode).map((value) => value.replace(/^bearer\s+/i, '')),
    ...(account === undefined ? [] : secretsOf(account)),
  ].filter((secret) => secret.length >= TELLING_LENGTH);

  const text = (given: string): string =>
    secrets.reduce((all, secret) => all.replaceAll(secret, MASK), given);
  return {
    text,
    url: [
      path,
      ...(pairs.length === 0 ? [] : [pairs.map((pair) => maskedPair(pair, secrets)).join('&')]),
    ].join('?'),
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [
        name,
        maskedHeader(name, value, account, text),
      ]),
    ),
    body: (given: string): string => text(given.replaceAll(SECRET_MEMBER, `$1"${MASK}"`)),
  };
}

/** A member of JSON that is secret by its name, with its value: a text, ended or not, or anything bare. */
const SECRET_MEMBER = new RegExp(
  `("(?:${SECRET_NAMES.join('|')})"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"?|[^\\s,}\\]"]+)`,
  'gi',
);

/** A key alone in `username`, which some clients send, is a secret like the others. */
function maskedHeader(
  name: string,
  value: string | string[] | undefined,
  account: Account | undefined,
  text: (given: string) => string,
): string {
  const given = [value ?? []].flat().join(', ');
  if (isSecretName(name)) return MASK;
  if (name === 'username' && given !== account?.username) return MASK;
  return text(given);
}

function maskedPair(pair: string, secrets: readonly string[]): string {
  const [name = '', ...value] = pair.split('=');
  if (value.length === 0) return maskedIn(pair, secrets);
  return `${name}=${isSecretName(decode(name)) ? MASK : maskedIn(value.join('='), secrets)}`;
}

function maskedIn(written: string, secrets: readonly string[]): string {
  const plain = decode(written);
  return secrets.some((secret) => plain.includes(secret)) ? MASK : written;
}

function secretsOf({ apiKey, token, password }: Account): string[] {
  return [apiKey, token, password].filter((secret) => secret !== undefined);
}

function isVersion4(pair: readonly string[]): boolean {
  return pair.join('/').toLowerCase() === 'api/v4';
}

/** With the key in the query, the operation's group stands where the key would. */
function isGroup(segment: string): boolean {
  return ['sms', 'user', 'phonebook', 'line'].includes(segment);
}
