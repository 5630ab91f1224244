import { AppError } from '../domain/errors.ts';

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
