import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ENCODINGS, spellingsOf } from './encodings.ts';
import { createScanner, toLines } from './scanner.ts';

/** Every character of it is written in another way by some encoding. */
const ODD = String.raw`k3Y"/+%&='?\<b>~7QxÿzWm`;
const PLAIN = 'cf41b7d29ae8035f6c1d';
const PLANTED: Readonly<Record<string, (secret: string) => string>> = {
  raw: (secret) => secret,
  'percent-encoded': (secret) => encodeURIComponent(secret),
  'percent-encoded in lower case': (secret) =>
    encodeURIComponent(secret).replaceAll(/%../gu, (code) => code.toLowerCase()),
  'percent-encoded twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'in a form': (secret) => new URLSearchParams({ key: secret }).toString(),
  'base64 by itself': (secret) => Buffer.from(secret).toString('base64'),
  'base64 behind one byte': (secret) => Buffer.from(`:${secret}:`).toString('base64'),
  'base64 behind two bytes': (secret) => Buffer.from(`u:${secret}`).toString('base64'),
  'base64 in lines of 76': (secret) =>
    Buffer.from(`${'x'.repeat(40)}${secret}`)
      .toString('base64')
      .replaceAll(/.{76}/gu, '$&\n'),
  base64url: (secret) => Buffer.from(`{"k":"${secret}"}`).toString('base64url'),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  'hex in upper case': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  'a buffer as Node shows it': (secret) =>
    Buffer.from(secret)
      .toString('hex')
      .replaceAll(/..(?=.)/gu, '$& '),
  'a buffer as JSON': (secret) => JSON.stringify(Buffer.from(secret)),
  reversed: (secret) => Array.from(secret).toReversed().join(''),
  'upper case': (secret) => secret.toUpperCase(),
  'lower case': (secret) => secret.toLowerCase(),
  'JSON in JSON': (secret) => JSON.stringify(JSON.stringify({ secret })),
  HTML: (secret) =>
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  'HTML by numbers': (secret) =>
    Array.from(secret)
      .map((each) => `&#${each.codePointAt(0)};`)
      .join(''),
  'two lines of a log': (secret) => `{"msg":"${secret.slice(0, 5)}"}\n{"time":1,"msg":"${secret.slice(5)}"}`,
  'two lines, the first one longer': (secret) => `${secret.slice(0, -6)}\n12:00 ${secret.slice(-6)}`,
  'UTF-16': (secret) => Buffer.from(secret, 'utf16le').toString('latin1'),
  'UTF-16 in hex': (secret) => Buffer.from(secret, 'utf16le').toString('hex'),
  'UTF-16 in base64': (secret) => Buffer.from(`a${secret}`, 'utf16le').toString('base64'),
};

test.each(Object.entries(PLANTED))('a secret planted as %s is found', (name, write) => {
  for (const secret of [ODD, PLAIN]) {
    const scanner = createScanner({ it: secret, other: 'not-there-0123456789' });
    const text = `some text before ${write(secret)} and after`;
    scanner.scan('texts', name, Buffer.from(text, name === 'UTF-16' ? 'latin1' : 'utf8'));
    expect(scanner.hits).toContainEqual(
      expect.objectContaining({ secret: 'it', kind: 'texts', place: name }),
    );
    expect(scanner.hits.filter((hit) => hit.secret === 'other')).toEqual([]);
  }
});

test('there are twelve encodings, and each one finds what is written in it under its own name', () => {
  expect(ENCODINGS).toHaveLength(12);
  const spellings = spellingsOf(ODD);
  for (const encoding of ENCODINGS) {
    const forms = spellings.get(encoding) ?? [];
    expect(forms.length, encoding).toBeGreaterThan(0);
    for (const form of forms) {
      const scanner = createScanner({ it: ODD });
      scanner.scan('texts', encoding, Buffer.concat([Buffer.from('ab '), form, Buffer.from(' cd')]));
      expect(scanner.hits.map((hit) => hit.encoding)).toContain(encoding);
    }
  }
});

test('what comes in pieces is found wherever it is cut, once, at its place', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 30 }), (lead, sizes) => {
      const scanner = createScanner({ it: PLAIN });
      const search = scanner.stream('pieces', 'one');
      const all = Buffer.from(`${'.'.repeat(lead)}${PLAIN}${'.'.repeat(40)}`);
      // The memory of a piece is used again for the next one, as a socket does.
      const piece = Buffer.alloc(16);
      for (let at = 0, turn = 0; at < all.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        const read = all.copy(piece, 0, at, at + size);
        search(piece.subarray(0, read));
        at += read;
      }
      expect(scanner.hits.filter(({ encoding }) => encoding === 'raw')).toEqual([
        { secret: 'it', encoding: 'raw', kind: 'pieces', place: 'one', at: lead },
      ]);
      expect(scanner.searched.get('pieces')).toEqual({ artefacts: 1, bytes: all.length });
    }),
  );
});

test('split anywhere in two, with anything in between, it is found', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: PLAIN.length - 1 }), fc.string(), (at, between) => {
      const scanner = createScanner({ it: PLAIN });
      scanner.scan('texts', 'one', `${PLAIN.slice(0, at)}${between}${PLAIN.slice(at)}`);
      expect(scanner.hits.length).toBeGreaterThan(0);
    }),
  );
});

test('files larger than a piece are searched, at the border of pieces too, and a folder with all that is in it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'peyk-scan-'));
  try {
    for (const back of [5, 0]) {
      const scanner = createScanner({ it: PLAIN });
      const before = Buffer.alloc((1 << 20) - back, 120);
      writeFileSync(join(folder, 'large.bin'), Buffer.concat([before, Buffer.from(PLAIN), before]));
      scanner.folder('files', folder);
      expect(scanner.hits).toContainEqual({
        secret: 'it',
        encoding: 'raw',
        kind: 'files',
        place: 'large.bin',
        at: before.length,
      });
      expect(scanner.searched.get('files')?.bytes).toBe(2 * before.length + PLAIN.length);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a secret that belongs into an artefact is passed over there alone, and the lines name no value', () => {
  const scanner = createScanner({ it: PLAIN, another: ODD });
  scanner.scan('headers', 'authorization', `${PLAIN} ${ODD}`, new Set(['it']));
  expect(new Set(scanner.hits.map(({ secret }) => secret))).toEqual(new Set(['another']));
  scanner.scan('headers', 'another header', PLAIN);
  expect(scanner.hits.some(({ secret }) => secret === 'it')).toBe(true);
  const lines = toLines(scanner, 'a search');
  expect(lines).toContain('2 secrets × 12 encodings');
  expect(lines).not.toContain(PLAIN);
  expect(lines).not.toContain(ODD);
});

test('nothing is found where nothing is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 4000 }), (bytes) => {
      const scanner = createScanner({ it: PLAIN, another: ODD });
      scanner.scan('noise', 'one', bytes);
      expect(scanner.hits).toEqual([]);
    }),
  );
});
