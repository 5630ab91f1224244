import type { Random } from '../chaos/random.ts';

/** Values that stand where another one is expected, as JSON. */
const HOSTILE: readonly [string, ...string[]] = [
  'null',
  'true',
  'false',
  '""',
  '" "',
  '0',
  '-0',
  '-1',
  '1e400',
  '1E3',
  '0.5',
  '200',
  '"200"',
  '22',
  '27',
  '1000',
  '9007199254740993',
  '99999999999999999999999999',
  '-9007199254740993',
  '"9007199254740993"',
  '"۱۲۳"',
  '"0x1F"',
  '"\\u0000"',
  '"\\ud83d"',
  '"<b>&"',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '{"__proto__":{"id":1}}',
  '{"id":1,"id":2}',
  '{"constructor":{"prototype":1}}',
  `${'['.repeat(70)}${']'.repeat(70)}`,
  `"${'x'.repeat(5_000)}"`,
  'NaN',
  'undefined',
  '01',
  '+1',
];

/** Bytes that break readers of text. */
const JUNK: readonly [string, ...string[]] = [
  '\u0000',
  '\u00ff',
  '\u00ff\u00fe',
  '\u00ef\u00bb\u00bf',
  '\u00c0\u0080',
  '\u00ed\u00a0\u0080',
  '\u00d8',
  '\r',
  '\n',
  '\r\n',
  '"',
  '""',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  ';',
  '<!doctype html>',
  '\u001f\u008b\u0008',
];

/** Bytes, one to a character, with some of them lost, doubled, replaced or new. */
export function mutateBytes(random: Random, bytes: string): string {
  const from = random.int(0, bytes.length);
  const to = from + random.int(0, 8);
  switch (random.int(0, 6)) {
    case 0:
      // The last bytes are those whose loss is easily overlooked.
      return random.chance(0.3) ? bytes.slice(0, -random.int(1, 4)) : bytes.slice(0, from);
    case 1:
      return bytes.slice(from);
    case 2:
      return bytes.slice(0, from) + bytes.slice(to);
    case 3:
      return bytes.slice(0, to) + bytes.slice(from);
    case 4:
      return bytes.slice(0, from) + random.pick(JUNK) + bytes.slice(to);
    case 5:
      return bytes.slice(0, from) + random.pick(JUNK) + bytes.slice(from);
    default: {
      const flipped = (bytes.charCodeAt(from) || 0) ^ (1 << random.int(0, 7));
      return bytes.slice(0, from) + String.fromCharCode(flipped & 0xff) + bytes.slice(from + 1);
    }
  }
}

/** JSON in which the value of one member is another, or the member is there twice, or gone, or under another name. */
export function mutateJson(random: Random, json: string): string {
  const members = [...json.matchAll(MEMBER)];
  const member = members[random.int(0, members.length - 1)];
  if (member === undefined) return random.pick(HOSTILE);
  const [whole, name = '', value = ''] = member;
  const other = random.chance(0.8)
    ? random.pick(HOSTILE)
    : (members[random.int(0, members.length - 1)]?.[2] ?? value);
  const put = random.pick([
    `${name}:${other}`,
    `${name}:${other}`,
    `${name}:${other}`,
    `${name}:${value},${name}:${other}`,
    `"__proto__":${value}`,
    `${name.toUpperCase()}:${value}`,
    '"x":0',
    '',
  ]);
  return json.slice(0, member.index) + put + json.slice(member.index + whole.length);
}

/** A name and a value that is no object with members; the value of one that is, as far as its brace. */
const MEMBER =
  /("[^"\\]*")\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|null|true|false|\{\}|\[[^[\]{}]*\])/gu;
