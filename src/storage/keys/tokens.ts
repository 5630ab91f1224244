import { createHash, randomBytes } from 'node:crypto';

/** 128 random bits in 22 characters: fits into a button and into a deep link. */
export function newToken(): string {
  return randomBytes(16).toString('base64url');
}

/** What is kept of a token: a dump of the database opens nothing. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function sha256(...parts: readonly string[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest();
}
