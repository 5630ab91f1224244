/** Below so many characters a value is no secret but a word, and replacing it would tear ordinary lines apart. */
export const SHORTEST_SECRET = 6;

/**
 * The texts by which a secret can stand in another text: as it is, reversed, in upper and lower case, percent-encoded,
 * JSON-escaped (up to three times), as HTML, in hex, in base64 and base64url at each of the three offsets inside a
 * longer value, in UTF-16, and as a list of byte values. Each of them once.
 */
export function spellingsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const wide = Buffer.from(value, 'utf16le');
  const percent = encodeURIComponent(value.toWellFormed());
  const plain = [value, Array.from(value).toReversed().join(''), value.toUpperCase(), value.toLowerCase()];
  const pairs = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  const hex = [pairs.join(''), pairs.join(' '), pairs.join(':'), wide.toString('hex')];
  const base64 = [bytes, wide].flatMap((buffer) => [0, 1, 2].map((offset) => base64Core(buffer, offset)));
  const numbers = [...bytes];
  return [
    ...new Set([
      ...plain.flatMap(escapedForms),
      ...htmlForms(value),
      percent,
      percent.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
      encodeURIComponent(percent),
      new URLSearchParams([['', value]]).toString().slice(1),
      encodeURI(value.toWellFormed()),
      ...hex,
      ...hex.map((digits) => digits.toUpperCase()),
      ...base64,
      ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
      // By itself, with what fills its end.
      bytes.toString('base64'),
      bytes.toString('base64').replaceAll('=', ''),
      bytes.toString('base64url'),
      numbers.join(','),
      numbers.map((byte, index) => `"${index}":${byte}`).join(','),
    ]),
  ];
}

/** As it is, and as it stands inside JSON, inside JSON within a string of JSON, and once more. */
function escapedForms(value: string): string[] {
  const forms = [value];
  for (let level = 1; level <= 3; level += 1) forms.push(JSON.stringify(forms.at(-1)).slice(1, -1));
  return forms;
}

/** With the least that must be written otherwise, with quotes as well, and with every character as a number. */
function htmlForms(value: string): string[] {
  const least = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = least.replaceAll('"', '&quot;');
  const points = Array.from(value, (character) => character.codePointAt(0) ?? 0);
  return [
    least,
    quoted,
    quoted.replaceAll("'", '&#39;'),
    quoted.replaceAll("'", '&#x27;'),
    points.map((point) => `&#${point};`).join(''),
    points.map((point) => `&#x${point.toString(16)};`).join(''),
  ];
}

/** The characters of base64 that the bytes alone decide, when `offset` bytes (mod 3) stand before them. */
function base64Core(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}
