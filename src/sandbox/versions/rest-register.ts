import { z } from 'zod';
import { registerUser } from '../world/register.ts';
import { filledText as text, flashType, numberText } from './fields.ts';
import { operation } from './operation.ts';
import type { Operation } from './operation.ts';
import type { RestPayload } from './rest-envelope.ts';
import type { RestForm } from './rest-form.ts';
import { USER_REFUSES } from './shapes.ts';

/** Registering a user in versions 4 and 3; a mobile number is written 09… or 989…, nothing else. */
export function registerOperation({ method, ending }: RestForm): Operation<RestPayload> {
  return operation({
    name: 'register',
    summary: 'Registers a user under this account, at most two a day.',
    answer: z.object({}),
    refuses: USER_REFUSES,
    example: {
      uname: 'friend',
      passwd: 'secret1',
      passwd_repeat: 'secret1',
      parent: 'demo',
      mobile: '09121234567',
      melli_code: '0012345679',
      package: 12,
      reseller: 0,
    },
    method,
    path: `/user/register${ending}`,
    input: z.object({
      uname: text,
      passwd: text,
      passwd_repeat: text,
      parent: text,
      mobile: text,
      melli_code: text,
      package: numberText.pipe(z.string().min(1)),
      reseller: flashType,
    }),
    run({ world, account }, input) {
      const registered = registerUser(world, account, {
        username: input.uname,
        password: input.passwd,
        repeat: input.passwd_repeat,
        parent: input.parent,
        mobile: /^(?:09|989)\d{9}$/.test(input.mobile) ? input.mobile : '',
        nationalCode: input.melli_code,
        packageId: input.package,
        reseller: input.reseller,
      });
      return registered === 'registered' ? {} : registered;
    },
  });
}
