import { z } from 'zod';
import { registerUser } from '../world/register.ts';
import type { Registration } from '../world/register.ts';
import { filledText as text, looseText } from './fields.ts';
import { operation } from './operation.ts';
import { USER_REFUSES } from './shapes.ts';
import type { V1Payload } from './v1-envelope.ts';
import type { Operation } from './operation.ts';

const NATURAL = 'حقیقی';
const LEGAL = 'حقوقی';

const login = { username: looseText, password: looseText };
const person = {
  ...login,
  password_repeat: looseText,
  first_name: text,
  last_name: text,
  parent: text.optional(),
  gender: z.enum(['مرد', 'زن']).optional(),
  melli_code: looseText.default(''),
  email: looseText.default(''),
  mobile: looseText.default(''),
  package: looseText.default(''),
  reseller: looseText.default(''),
};

/** The three forms, told apart by the kind of person; the shortest one names none. */
const forms = z.discriminatedUnion('register_personality', [
  z.object({ ...person, register_personality: z.literal(NATURAL) }),
  z.object({ ...person, register_personality: z.literal(LEGAL), company: text }),
  z.object({ ...login, repeatPassword: looseText, register_personality: z.undefined().optional() }),
]);

/** Registering a user in version 1: answers with the bare code, 0 for success. */
export const V1_REGISTER: Operation<V1Payload> = operation({
  name: 'register',
  summary:
    'Registers a user under this account: by name and password alone, or with a form for a person or a company.',
  answer: z.literal(0),
  refuses: [...USER_REFUSES, 'invalid_email'],
  example: { username: 'friend', password: 'secret1', repeatPassword: 'secret1' },
  method: 'POST',
  path: '/user/register',
  input: forms,
  run({ world, account }, input) {
    const registered = registerUser(world, account, read(input));
    return registered === 'registered' ? 0 : registered;
  },
});

function read(input: z.output<typeof forms>): Registration {
  const { username, password } = input;
  if (input.register_personality === undefined) return { username, password, repeat: input.repeatPassword };
  return {
    username,
    password,
    repeat: input.password_repeat,
    parent: input.parent,
    mobile: input.mobile,
    nationalCode: input.melli_code,
    email: input.email === '' ? undefined : input.email,
    packageId: input.package,
    reseller: !['', '0', 'نیست'].includes(input.reseller),
    fullname: `${input.first_name} ${input.last_name}`,
    company: 'company' in input ? input.company : undefined,
  };
}
