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
  const key = keyPlace(segments);
  const secrets = accounts.flatMap(secretsOf);
  return segments.map((segment, at) => (at === key ? MASK : maskedIn(segment, secrets))).join('/');
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
    ...address.split('/').filter((_, at, all) => at === keyPlace(all)),
    ...pairs
      .filter((pair) => isSecretName(decode(pair.split('=')[0] ?? '')))
      .map((pair) => pair.replace(/^[^=]*=/, '')),
    ...Object.entries(request.headers).flatMap(([name, value]) => (isSecretName(name) ? (value ?? []) : [])),
  ].flatMap((value) => [value, ...value.split(',').map((one) => one.trim())]);
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
    body: (given: string): string =>
      text(
        FORM.test(given)
          ? given.replaceAll(SECRET_PAIR, `$1${MASK}`)
          : given.replaceAll(SECRET_MEMBER, `$1"${MASK}"`),
      ),
  };
}

/**
 * A member of JSON that is secret by its name, with its value: a text, ended or not, a list, an object, or anything
 * bare; in quotes of either kind, since what is glued together by hand comes here too.
 */
const SECRET_MEMBER = new RegExp(
  `((["'])(?:${SECRET_NAMES.join('|')})\\2\\s*:\\s*)` +
    `(?:"(?:[^"\\\\]|\\\\.)*"?|'(?:[^'\\\\]|\\\\.)*'?|\\[[^\\]]*\\]?|\\{[^}]*\\}?|[^\\s,}\\]"']+)`,
  'gi',
);

/** A body as forms write it, which no version takes, and a member of it that is secret by its name. */
const FORM = /^[\w.%-]+=/;
const SECRET_PAIR = new RegExp(`((?:^|&)(?:${SECRET_NAMES.join('|')})=)[^&]*`, 'gi');

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

/** Where the key of a version 4 path stands: behind `v4`, also where more or less is before it than should be. */
function keyPlace(segments: readonly string[]): number {
  const version = segments.findIndex((segment) => segment.toLowerCase() === 'v4');
  const key = segments.findIndex((segment, at) => version >= 0 && at > version && segment !== '');
  return isGroup(segments[key] ?? '') ? -1 : key;
}

/** With the key in the query, the operation's group stands where the key would. */
function isGroup(segment: string): boolean {
  return ['sms', 'user', 'phonebook', 'line'].includes(segment);
}
