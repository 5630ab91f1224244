/** The ways in which a secret may be written down and still be read by whoever finds it. */
export const ENCODINGS = [
  'raw',
  'percent-encoded',
  'base64 at 0',
  'base64 at 1',
  'base64 at 2',
  'base64url',
  'hex and bytes',
  'reversed',
  'letter case',
  'escaped',
  'split in two',
  'UTF-16',
] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** Shorter pieces turn up by chance: four of anything, eight of a secret's own characters hardly. */
const SHORTEST = 8;

/**
 * What to look for, by encoding. Of base64 it is the characters that the secret's bytes alone decide, so that it
 * is found inside whatever else was encoded with it. A text that was split in two anywhere, with anything in
 * between, keeps its first or its second half whole. Written apart from the lists that Peyk itself masks by.
 */
export function spellingsOf(secret: string): ReadonlyMap<Encoding, readonly Buffer[]> {
  const bytes = Buffer.from(secret);
  const spellings: Record<Encoding, readonly (string | Buffer)[]> = {
    raw: [bytes],
    'percent-encoded': percentForms(secret),
    'base64 at 0': [base64Core(bytes, 0)],
    'base64 at 1': [base64Core(bytes, 1)],
    'base64 at 2': [base64Core(bytes, 2)],
    base64url: [0, 1, 2].map((offset) => toUrl(base64Core(bytes, offset))),
    'hex and bytes': byteForms(bytes),
    reversed: [Array.from(secret).toReversed().join('')],
    'letter case': [secret.toUpperCase(), secret.toLowerCase()],
    escaped: escapedForms(secret),
    'split in two': [
      secret,
      ...[0, 1, 2].map((offset) => base64Core(bytes, offset)),
      bytes.toString('hex'),
    ].flatMap(halves),
    'UTF-16': wideForms(secret),
  };
  const taken = new Set<string>();
  return new Map(
    ENCODINGS.map((encoding) => {
      const found = spellings[encoding].map((form) => Buffer.from(form));
      // A spelling that is the same in two encodings is the first one's.
      const fresh = found.filter((form) => form.length >= SHORTEST && !taken.has(form.toString('latin1')));
      for (const form of fresh) taken.add(form.toString('latin1'));
      return [encoding, fresh];
    }),
  );
}

function percentForms(secret: string): string[] {
  const percent = encodeURIComponent(secret);
  const whole = [...Buffer.from(secret)].map((byte) => `%${hex(byte)}`).join('');
  const forms = [percent, new URLSearchParams([['', secret]]).toString().slice(1), encodeURI(secret), whole];
  return forms.flatMap((form) => {
    const lower = form.replaceAll(/%[0-9a-f]{2}/giu, (code) => code.toLowerCase());
    const upper = form.replaceAll(/%[0-9a-f]{2}/giu, (code) => code.toUpperCase());
    return [lower, upper, encodeURIComponent(upper)];
  });
}

function base64Core(bytes: Buffer, offset: number): string {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return whole.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

function toUrl(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

/** Digits together, as Node shows a buffer, as lists of numbers, and as a buffer's own JSON. */
function byteForms(bytes: Buffer): string[] {
  const digits = [...bytes].map(hex);
  const numbers = [...bytes];
  return [
    ...['', ' ', ':'].flatMap((between) => [digits.join(between), digits.join(between).toUpperCase()]),
    ...[',', ', '].map((between) => numbers.join(between)),
    numbers.map((byte, at) => `"${at}":${byte}`).join(','),
    numbers.map((byte, at) => `'${at}': ${byte}`).join(', '),
  ];
}

/** Inside JSON up to three times, HTML and XML, SQL, and the octal and hexadecimal escapes of terminals and dumps. */
function escapedForms(secret: string): string[] {
  const json = [secret];
  for (let level = 0; level < 3; level += 1) json.push(JSON.stringify(json.at(-1)).slice(1, -1));
  const bytes = [...Buffer.from(secret)];
  const points = Array.from(secret).map((character) => character.codePointAt(0) ?? 0);
  const named = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [
    ...json,
    ...json.map((form) => form.replaceAll('/', String.raw`\/`)),
    named,
    named.replaceAll('"', '&quot;'),
    named.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    points.map((point) => `&#${point};`).join(''),
    points.map((point) => `&#x${point.toString(16)};`).join(''),
    secret.replaceAll("'", "''"),
    secret.replaceAll('\\', String.raw`\\`),
    bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
    bytes.map((byte) => String.raw`\x${hex(byte)}`).join(''),
    points.map((point) => String.raw`\u${point.toString(16).padStart(4, '0')}`).join(''),
  ];
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(text.length - middle)];
}

function wideForms(secret: string): (string | Buffer)[] {
  const little = Buffer.from(secret, 'utf16le');
  const big = Buffer.from(little).swap16();
  return [little, big].flatMap((bytes) => [
    bytes,
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...[0, 1, 2].flatMap((offset) => [base64Core(bytes, offset), toUrl(base64Core(bytes, offset))]),
  ]);
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
