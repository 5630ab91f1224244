import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { AppError } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';
import type { MasterKeys } from './master-keys.ts';

/**
 * Seals what must not rest in plain text. AES-256-GCM throughout. Whatever is wrong with the bytes,
 * the associated data or the key, opening fails with the same AppError `crypto`, which says nothing
 * of the contents.
 */
export interface Sealer {
  /**
   * For what is kept, such as credentials: a random key for this record alone, itself wrapped under
   * the newest master key.
   */
  seal(plain: Secret | Buffer | string, aad: AssociatedData): Buffer;
  open(sealed: Uint8Array, aad: AssociatedData): Buffer;
  /** As `open`, for text that was sealed as a {@link Secret}; no plain copy stays in a buffer. */
  openSecret(sealed: Uint8Array, aad: AssociatedData): Secret;
  /**
   * The same record with its key wrapped under the newest master key; the contents are not touched.
   * Returns bytes that are equal to the given ones when the newest key is in use already.
   */
  rewrap(sealed: Uint8Array, aad: AssociatedData): Buffer;
  /**
   * For what is short-lived, such as updates and forms: half the work and 60 bytes less. Encrypts
   * under one key per master key and purpose, with random nonces: at most 2^32 records for each
   * such pair (a thousand a second for 49 days), then the master key must be rotated. Not
   * rewrapped: such records are to be gone before a master key is retired.
   */
  sealShort(plain: Secret | Buffer | string, aad: AssociatedData): Buffer;
  openShort(sealed: Uint8Array, aad: AssociatedData): Buffer;
}

/*
 * Layouts, after a byte for the kind and the kid (a length byte, then that many bytes):
 *   record  1 | kid | nonce 12 | wrapped record key 32 | tag 16 | nonce 12 | ciphertext | tag 16
 *   short   2 | kid | nonce 12 | ciphertext | tag 16
 * The kid is bound by the associated data of what its key encrypts.
 */
const RECORD = 1;
const SHORT = 2;
const NONCE = 12;
const TAG = 16;
const KEY = 32;
const WRAPPED = NONCE + KEY + TAG;

/** Makes a {@link Sealer}. Sealing uses the first of the keys, opening any of them. */
export function createSealer(masterKeys: MasterKeys): Sealer {
  const keys = new Map(masterKeys.map(({ kid, key }) => [kid, deriver(key)]));
  const newest = masterKeys[0].kid;

  const keyFor = (kid: string, use: string): Buffer => {
    const derive = keys.get(kid);
    if (derive === undefined) throw unreadable();
    return derive(use);
  };
  const wrap = (recordKey: Buffer, context: Buffer): Buffer => {
    const head = header(RECORD, newest);
    return Buffer.concat([head, encrypt(keyFor(newest, 'wrap'), recordKey, [head, context])]);
  };
  /** @returns the record's key, and where its contents begin */
  const unwrap = (sealed: Buffer, context: Buffer): { recordKey: Buffer; body: number; kid: string } => {
    const { kid, end } = readHeader(sealed, RECORD);
    const body = end + WRAPPED;
    const wrapped = sealed.subarray(end, body);
    return {
      recordKey: decrypt(keyFor(kid, 'wrap'), wrapped, [sealed.subarray(0, end), context]),
      body,
      kid,
    };
  };
  const open = (sealed: Uint8Array, aad: AssociatedData): Buffer => {
    const bytes = view(sealed);
    const context = encodeAssociatedData(aad);
    const { recordKey, body } = unwrap(bytes, context);
    const plain = decrypt(recordKey, bytes.subarray(body), [context]);
    recordKey.fill(0);
    return plain;
  };

  return {
    seal: (plain, aad) => {
      const context = encodeAssociatedData(aad);
      const recordKey = randomBytes(KEY);
      const sealed = Buffer.concat([wrap(recordKey, context), encrypt(recordKey, toBytes(plain), [context])]);
      recordKey.fill(0);
      return sealed;
    },
    open,
    openSecret: (sealed, aad) => {
      const plain = open(sealed, aad);
      const secret = new Secret(plain.toString('utf8'));
      plain.fill(0);
      return secret;
    },
    rewrap: (sealed, aad) => {
      const bytes = view(sealed);
      const context = encodeAssociatedData(aad);
      const { recordKey, body, kid } = unwrap(bytes, context);
      if (kid === newest) return Buffer.from(bytes);
      const wrapped = wrap(recordKey, context);
      recordKey.fill(0);
      return Buffer.concat([wrapped, bytes.subarray(body)]);
    },
    sealShort: (plain, aad) => {
      const head = header(SHORT, newest);
      const key = keyFor(newest, `short ${aad.purpose}`);
      return Buffer.concat([head, encrypt(key, toBytes(plain), [head, encodeAssociatedData(aad)])]);
    },
    openShort: (sealed, aad) => {
      const bytes = view(sealed);
      const { kid, end } = readHeader(bytes, SHORT);
      const context = [bytes.subarray(0, end), encodeAssociatedData(aad)];
      return decrypt(keyFor(kid, `short ${aad.purpose}`), bytes.subarray(end), context);
    },
  };
}

/**
 * No master key encrypts by itself: each use has a key of its own, derived once. Uses are few:
 * names in the code.
 */
function deriver(master: Secret): (use: string) => Buffer {
  const derived = new Map<string, Buffer>();
  return (use) => {
    let key = derived.get(use);
    if (key === undefined) {
      const material = Buffer.from(master.reveal(), 'base64');
      key = Buffer.from(hkdfSync('sha256', material, '', `peyk 1 ${use}`, KEY));
      material.fill(0);
      derived.set(use, key);
    }
    return key;
  };
}

function header(kind: number, kid: string): Buffer {
  return Buffer.concat([Buffer.from([kind, kid.length]), Buffer.from(kid, 'latin1')]);
}

function readHeader(sealed: Buffer, kind: number): { kid: string; end: number } {
  const length = sealed[1];
  if (sealed[0] !== kind || length === undefined) throw unreadable();
  return { kid: sealed.toString('latin1', 2, 2 + length), end: 2 + length };
}

/** @returns nonce | ciphertext | tag */
function encrypt(key: Buffer, plain: Uint8Array, aad: readonly Buffer[]): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG });
  cipher.setAAD(Buffer.concat(aad));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, sealed: Buffer, aad: readonly Buffer[]): Buffer {
  if (sealed.length < NONCE + TAG) throw unreadable();
  const end = sealed.length - TAG;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAAD(Buffer.concat(aad));
  decipher.setAuthTag(sealed.subarray(end));
  const plain = decipher.update(sealed.subarray(NONCE, end));
  try {
    decipher.final();
  } catch {
    plain.fill(0);
    throw unreadable();
  }
  return plain;
}

function toBytes(plain: Secret | Buffer | string): Buffer {
  return Buffer.isBuffer(plain)
    ? plain
    : Buffer.from(plain instanceof Secret ? plain.reveal() : plain, 'utf8');
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** One error for all that can be wrong: which it was would help only an attacker. */
function unreadable(): AppError {
  return new AppError('crypto', 'sealed data cannot be opened');
}

/**
 * What a sealed record is bound to: its purpose (a name in the code) and the ids of the rows and
 * chats it belongs to. Opening needs exactly the same; the order of the fields does not matter, and
 * an id is the same as number, bigint and text.
 */
export interface AssociatedData {
  readonly purpose: string;
  readonly [field: string]: string | number | bigint;
}

const VERSION = 1;

/**
 * The bytes that are authenticated with a record. Names and values stand with their lengths: no two
 * different contexts have the same bytes.
 * @throws AppError `crypto` for what has no exact text: unsafe integers, fractions, lone surrogates
 */
export function encodeAssociatedData(aad: AssociatedData): Buffer {
  const parts: Buffer[] = [Buffer.from([VERSION])];
  for (const name of Object.keys(aad).sort()) {
    push(parts, name);
    push(parts, exactText(aad[name]));
  }
  return Buffer.concat(parts);
}

function exactText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value);
  throw new AppError('crypto', 'associated data has a value that is no text and no whole number');
}

function push(parts: Buffer[], text: string): void {
  if (!text.isWellFormed()) throw new AppError('crypto', 'associated data has a lone surrogate');
  const bytes = Buffer.from(text, 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  parts.push(length, bytes);
}
