import { decode } from './versions/api-version.ts';
import type { Account } from './world/account.ts';

const MASK = '***';

/**
 * The path of a request as the ledger may keep it: no query, and neither a version 4 key (a wrong one may be
 * a right one elsewhere) nor any account's secret in it.
 */
export function maskedPath(url: string, accounts: readonly Account[]): string {
  const segments = (url.split('?')[0] ?? '').split('/');
  const key = segments.findIndex((_, at) => at >= 2 && isVersion4(segments.slice(at - 2, at)));
  return segments
    .map((segment, at) => (at === key && !isGroup(segment) ? MASK : maskSecrets(segment, accounts)))
    .join('/');
}

function isVersion4(pair: readonly string[]): boolean {
  return pair.join('/').toLowerCase() === 'api/v4';
}

/** With the key in the query, the operation's group stands where the key would. */
function isGroup(segment: string): boolean {
  return ['sms', 'user', 'phonebook', 'line'].includes(segment);
}

function maskSecrets(segment: string, accounts: readonly Account[]): string {
  const plain = decode(segment);
  const secrets = accounts.flatMap(({ apiKey, token, password }) => [apiKey, token, password]);
  return secrets.some((secret) => secret !== undefined && plain.includes(secret)) ? MASK : segment;
}
