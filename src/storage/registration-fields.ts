import { z } from 'zod';
import { Secret } from '../domain/secret.ts';
import type { NewUser } from '../ports/gateway.ts';
import type { Sealer } from './crypto.ts';

interface Fields {
  readonly user: NewUser;
  readonly generated: boolean;
}

interface Owner {
  readonly id: string;
  readonly chatId: string;
  readonly bindingId: string;
}

/** Seals all that a form has asked for; it opens for this registration, chat and account alone. */
export function sealFields(sealer: Sealer, owner: Owner, { user, generated }: Fields): Buffer {
  const plain = JSON.stringify({ ...user, password: user.password.reveal(), generated });
  return sealer.sealShort(new Secret(plain), aad(owner));
}

/** Throws `crypto` for another registration's fields and for bytes that were changed. */
export function openFields(sealer: Sealer, owner: Owner, sealed: Uint8Array): Fields {
  const opened = sealer.openShort(sealed, aad(owner));
  const { generated, password, personality, ...user } = stored.parse(JSON.parse(opened.toString('utf8')));
  opened.fill(0);
  return {
    generated,
    user: {
      ...user,
      password: new Secret(password),
      ...(personality === undefined ? {} : { personality }),
    },
  };
}

function aad({ id, chatId, bindingId }: Owner) {
  return { purpose: 'registration', registration: id, chat: chatId, binding: bindingId };
}

const stored = z.object({
  userName: z.string(),
  password: z.string(),
  parent: z.string(),
  mobile: z.string(),
  nationalCode: z.string(),
  packageId: z.string(),
  reseller: z.boolean(),
  personality: z
    .object({ kind: z.enum(['natural', 'legal']), fields: z.record(z.string(), z.string()) })
    .optional(),
  generated: z.boolean(),
});
