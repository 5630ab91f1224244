import * as fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isAppError } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';
import { type AssociatedData, createSealer, encodeAssociatedData } from './crypto.ts';
import type { MasterKey } from './master-keys.ts';

type Plain = Secret | Buffer | string;

const OLD = masterKey('old');
const NEW = masterKey('new');
const AAD = { purpose: 'credential', binding: 7, chat: -1_001_234_567_890n } satisfies AssociatedData;

const sealer = createSealer([NEW, OLD]);
const forms = [
  {
    name: 'the kept form',
    seal: (plain: Plain, aad: AssociatedData) => sealer.seal(plain, aad),
    open: (sealed: Uint8Array, aad: AssociatedData) => sealer.open(sealed, aad),
    nonces: [5, 65],
  },
  {
    name: 'the short form',
    seal: (plain: Plain, aad: AssociatedData) => sealer.sealShort(plain, aad),
    open: (sealed: Uint8Array, aad: AssociatedData) => sealer.openShort(sealed, aad),
    nonces: [5],
  },
];

const text = fc.string({ unit: 'grapheme' });
const context: fc.Arbitrary<AssociatedData> = fc
  .dictionary(fc.string({ minLength: 1 }), fc.oneof(text, fc.integer(), fc.bigInt()), {
    maxKeys: 4,
    noNullPrototype: true,
  })
  .map((fields) => ({ ...fields, purpose: 'test' }));

describe.each(forms)('$name', ({ seal, open, nonces }) => {
  it('gives back what was sealed, whatever it is and is bound to', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), context, (bytes, aad) => {
        expect(open(seal(Buffer.from(bytes), aad), aad).equals(bytes)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(text, (plain) => {
        expect(open(seal(new Secret(plain), AAD), AAD).toString()).toBe(plain);
      }),
    );
  });

  it('fails closed, with one message, when any bit is flipped', () => {
    const sealed = seal('sandbox-key', AAD);
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const flipped = Buffer.from(sealed);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(failure(() => open(flipped, AAD))).toBe('sealed data cannot be opened');
    }
  });

  it('fails closed when bytes are missing, added, or were never sealed', () => {
    const sealed = seal('sandbox-key', AAD);
    for (let length = 0; length < sealed.length; length += 1) {
      expect(failure(() => open(sealed.subarray(0, length), AAD))).toBe('sealed data cannot be opened');
    }
    expect(failure(() => open(Buffer.concat([sealed, Buffer.alloc(1)]), AAD))).toBe(
      'sealed data cannot be opened',
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(failure(() => open(bytes, AAD))).toBe('sealed data cannot be opened');
      }),
    );
  });

  it('fails closed when it is bound to anything else', () => {
    fc.assert(
      fc.property(context, context, (one, other) => {
        fc.pre(!encodeAssociatedData(one).equals(encodeAssociatedData(other)));
        expect(failure(() => open(seal('x', one), other))).toBe('sealed data cannot be opened');
      }),
    );
    const sealed = seal('x', AAD);
    expect(failure(() => open(sealed, { ...AAD, chat: 1 }))).toBe('sealed data cannot be opened');
    expect(failure(() => open(sealed, { ...AAD, purpose: 'other' }))).toBe('sealed data cannot be opened');
    expect(failure(() => open(sealed, { purpose: AAD.purpose, binding: 7 }))).toBe(
      'sealed data cannot be opened',
    );
  });

  it('fails closed when the master key is unknown, or another one has its name', () => {
    const sealed = seal('x', AAD);
    for (const keys of [OLD, { ...OLD, kid: 'new' }]) {
      const other = createSealer([keys]);
      expect(failure(() => other.open(sealed, AAD))).toBe('sealed data cannot be opened');
      expect(failure(() => other.openShort(sealed, AAD))).toBe('sealed data cannot be opened');
    }
  });

  it('seals the same text to other bytes each time, none of which show it', () => {
    const sealed = Array.from({ length: 2000 }, () => seal('sandbox-key', AAD));
    expect(sealed.every((bytes) => !bytes.includes('sandbox-key'))).toBe(true);
    for (const at of nonces) {
      expect(new Set(sealed.map((bytes) => bytes.toString('hex', at, at + 12))).size).toBe(sealed.length);
    }
  });
});

describe('createSealer', () => {
  it('does not take one form for the other', () => {
    expect(failure(() => sealer.open(sealer.sealShort('x', AAD), AAD))).toBe('sealed data cannot be opened');
    expect(failure(() => sealer.openShort(sealer.seal('x', AAD), AAD))).toBe('sealed data cannot be opened');
  });

  it('opens text to a secret', () => {
    expect(sealer.openSecret(sealer.seal(new Secret('کلید'), AAD), AAD).reveal()).toBe('کلید');
  });

  it('moves a record to the newest master key, after which the old one is not needed', () => {
    const before = createSealer([OLD]).seal('sandbox-key', AAD);
    const after = sealer.rewrap(before, AAD);
    expect(createSealer([NEW]).open(after, AAD).toString()).toBe('sandbox-key');
    expect(failure(() => createSealer([OLD]).open(after, AAD))).toBe('sealed data cannot be opened');
    expect(sealer.rewrap(after, AAD)).toEqual(after);
    expect(failure(() => sealer.rewrap(before, { ...AAD, chat: 1 }))).toBe('sealed data cannot be opened');
  });

  it('opens what an earlier version sealed', () => {
    const fixed = createSealer([{ kid: 'k1', key: new Secret(Buffer.alloc(32, 7).toString('base64')) }]);
    expect(fixed.open(Buffer.from(KEPT, 'base64'), AAD).toString()).toBe('sandbox-key');
    expect(fixed.openShort(Buffer.from(BRIEF, 'base64'), AAD).toString()).toBe('sandbox-key');
  });
});

describe('encodeAssociatedData', () => {
  it('has other bytes for every other context, and the same for the same ids in another order and type', () => {
    expect(encodeAssociatedData({ purpose: 'p', a: 1, b: '2' })).toEqual(
      encodeAssociatedData({ b: 2n, purpose: 'p', a: '1' }),
    );
    const alike: AssociatedData[] = [
      { purpose: 'p', a: 'bc' },
      { purpose: 'p', ab: 'c' },
      { purpose: 'pa', b: 'c' },
      { purpose: 'p', a: 'b', c: '' },
      { purpose: 'p' },
    ];
    expect(new Set(alike.map((aad) => encodeAssociatedData(aad).toString('hex'))).size).toBe(alike.length);
  });

  it.each([Number.NaN, 0.5, 2 ** 53, '\uD800'])('refuses %j, which has no exact text', (value) => {
    expect(failure(() => encodeAssociatedData({ purpose: 'p', value }))).toMatch(/^associated data has/);
  });
});

const KEPT =
  'AQJrMT5Mt+SNifORtUaPQAeXcHAUt1xTWlZzBtDMgw5/ZFXuYMxGUy1pzXop74Ue+T95vbeHYeAd90/w0+319VGcF5eY6lkgNkWXdbC3ZiZYZfcjfPABIz0QyxtqN12UMVQA+i6gsw==';
const BRIEF = 'AgJrMaDwoOP4IRpkfFNueAHJloR53KC1WaR0cKqxf6OL4Q7isi8mWMI+4A==';

function masterKey(kid: string): MasterKey {
  return { kid, key: new Secret(randomBytes(32).toString('base64')) };
}

function failure(work: () => unknown): string {
  try {
    work();
    return 'no failure';
  } catch (error) {
    return isAppError(error, 'crypto') ? error.message : String(error);
  }
}
