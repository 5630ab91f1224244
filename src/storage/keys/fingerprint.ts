import { createHmac, hkdfSync } from 'node:crypto';
import type { MasterKeys } from './master-keys.ts';

/** Recognises a credential without keeping it: one print (hex) for each master key, newest first. */
export type Fingerprint = (value: string) => string[];

/** Prints are keyed, so that whoever has a dump of the database cannot try out likely values. */
export function createFingerprint(masterKeys: MasterKeys): Fingerprint {
  const keys = masterKeys.map(({ key }) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key.reveal(), 'base64'), '', 'peyk credential print', 32)),
  );
  return (value) => keys.map((key) => createHmac('sha256', key).update(value).digest('hex'));
}
