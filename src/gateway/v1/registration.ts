import type { Facets, NewUser, NewUserPersonality } from '../../ports/gateway.ts';
import type { Calls } from '../calls.ts';
import { checkNewUser, refuse } from '../checks.ts';
import { createScrubber } from '../scrub.ts';
import { v1Done } from './envelope.ts';
import type { V1Ask } from './wire.ts';

/** Interface, version 1, Register user: what a person is asked beyond the fields of every form. */
const NATURAL = [
  'first_name',
  'last_name',
  'father',
  'gender',
  'date',
  'shenasname',
  'email',
  'tel',
  'fax',
  'post_code',
  'addr',
  'referrer',
] as const;
const LEGAL = [
  ...NATURAL,
  'company',
  'company_reg_number',
  'company_eco_code',
  'company_melli_id',
  'company_type',
] as const;

const KINDS = {
  natural: { word: 'حقیقی', fields: NATURAL },
  legal: { word: 'حقوقی', fields: LEGAL },
} as const satisfies Record<NewUserPersonality['kind'], { word: string; fields: readonly string[] }>;

/** Registration in version 1: the minimal form, or that of a natural or a legal person. */
export function createV1Registration(calls: Calls, ask: V1Ask, isPlain: boolean) {
  return {
    takesPersonality: true,
    async register(user) {
      checkNewUser(user);
      const call = ask('POST', '/user/register', userFields(user, isPlain));
      await calls.write('register', call, v1Done, createScrubber([user.password]));
    },
  } satisfies Facets['registration'];
}

function userFields(user: NewUser, isPlain: boolean): Readonly<Record<string, unknown>> {
  const password = user.password.reveal();
  const common = {
    username: user.userName,
    password,
    parent: user.parent,
    melli_code: user.nationalCode,
    mobile: `+${user.mobile}`,
    package: user.packageId,
    // Clients write this field as a word; only the one for "is not" is attested. The other versions have digits.
    reseller: isPlain ? Number(user.reseller) : user.reseller ? 'هست' : 'نیست',
  };
  const { personality } = user;
  // The interface spells the repeat differently in the minimal form and in the full ones.
  if (personality === undefined) return { ...common, repeatPassword: password };
  const { word, fields } = KINDS[personality.kind];
  const known: ReadonlySet<string> = new Set(fields);
  const given = personality.fields;
  if (!Object.keys(given).every((name) => known.has(name))) refuse('personality', 'unknown_field');
  if (!Object.values(given).every((value) => value.isWellFormed())) refuse('personality', 'not_well_formed');
  return {
    register_personality: word,
    ...Object.fromEntries(fields.map((name) => [name, given[name] ?? ''])),
    ...common,
    password_repeat: password,
  };
}
