import type { Secret } from '../domain/secret.ts';

const MASK = '***';

/**
 * Replaces credentials by `***` in text that came from the gateway and may repeat what it was sent: as they
 * are, and URL-encoded, in base64, base64url, hex or inside a JSON string.
 */
export function createScrubber(secrets: readonly Secret[]): (text: string) => string {
  const spellings = new Set(secrets.flatMap((secret) => spellingsOf(secret.reveal())));
  // The longest first: a spelling may contain another. In any case of letters, as percent codes and hex come.
  const ordered = [...spellings].filter((value) => value !== '').sort((a, b) => b.length - a.length);
  if (ordered.length === 0) return (text) => text;
  const anySpelling = new RegExp(ordered.map((value) => RegExp.escape(value)).join('|'), 'gi');
  return (text) => text.replace(anySpelling, MASK);
}

function spellingsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const encoded = encodeURIComponent(value.toWellFormed());
  const base64 = bytes.toString('base64');
  return [
    value,
    encoded,
    base64,
    base64.replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    JSON.stringify(value).slice(1, -1),
  ];
}
