import { describe, expect, test } from 'vitest';

import { Secret } from '../domain/secret.ts';
import type { GatewayVersion, NewUser } from '../ports/gateway.ts';
import { createGateway } from './compose.ts';
import { exchange, failureOf, rest, v1 } from './testing/exchange.ts';

const PASSWORD = 'p@ss, "wörd" 1';
const USER = {
  userName: 'newUser1',
  password: new Secret(PASSWORD),
  parent: 'demo',
  mobile: '989120000001',
  nationalCode: '0012345679',
  packageId: '935',
  reseller: false,
} as const satisfies NewUser;
const NATURAL = {
  kind: 'natural',
  fields: { first_name: 'علی', father: 'رضا', gender: 'مرد', date: '1370/01/02' },
} as const;
const LEGAL = { kind: 'legal', fields: { company: 'نمونه', company_melli_id: '10100000000' } } as const;

const register = async (version: GatewayVersion, body: unknown, user: NewUser = USER) => {
  const { gateway, seen } = await exchange(version, body);
  await gateway.use('registration').register(user);
  return seen()[0];
};

describe('the form', () => {
  test('of version 3 is short', async () => {
    expect(await register(3, rest(), { ...USER, reseller: true })).toEqual({
      method: 'POST',
      path: '/user/register',
      query: {},
      json: {
        uname: 'newUser1',
        passwd: PASSWORD,
        passwd_repeat: PASSWORD,
        parent: 'demo',
        mobile: '09120000001',
        melli_code: '0012345679',
        package: 935,
        reseller: 1,
      },
    });
  });

  test('of version 4 is the same in the query', async () => {
    expect(await register(4, rest())).toMatchObject({
      method: 'GET',
      path: '/user/register.json',
      query: { uname: 'newUser1', passwd: PASSWORD, passwd_repeat: PASSWORD, package: '935', reseller: '0' },
    });
  });

  test.each([
    [true, 1],
    [false, 0],
  ])('of version 1 has digits instead of words where the deployment says so: %s', async (reseller, digit) => {
    const { gateway, seen } = await exchange(1, v1(0), { isV1Plain: true });
    await gateway.use('registration').register({ ...USER, reseller, personality: NATURAL });
    expect(seen()).toMatchObject([{ json: { reseller: digit, register_personality: 'حقیقی' } }]);
  });

  test('of version 1 without a personality repeats the password under its own name', async () => {
    const request = await register(1, v1(0));
    expect(request).toMatchObject({
      path: '/user/register',
      json: { username: 'newUser1', password: PASSWORD, repeatPassword: PASSWORD, mobile: '+989120000001' },
    });
    expect(request?.json).not.toHaveProperty('password_repeat');
    expect(request?.json).not.toHaveProperty('register_personality');
  });

  test('of version 1 for a natural person has its fields and no company', async () => {
    const request = await register(1, v1(0), { ...USER, personality: NATURAL });
    expect(request?.json).toEqual({
      register_personality: 'حقیقی',
      first_name: 'علی',
      last_name: '',
      father: 'رضا',
      gender: 'مرد',
      username: 'newUser1',
      password: PASSWORD,
      password_repeat: PASSWORD,
      parent: 'demo',
      date: '1370/01/02',
      shenasname: '',
      melli_code: '0012345679',
      email: '',
      mobile: '+989120000001',
      tel: '',
      fax: '',
      post_code: '',
      addr: '',
      referrer: '',
      package: '935',
      reseller: 'نیست',
    });
  });

  test('of version 1 for a legal person adds the company', async () => {
    const request = await register(1, v1(0), { ...USER, personality: LEGAL, reseller: true });
    expect(request?.json).toMatchObject({
      register_personality: 'حقوقی',
      company: 'نمونه',
      company_reg_number: '',
      company_eco_code: '',
      company_melli_id: '10100000000',
      company_type: '',
      reseller: 'هست',
    });
  });
});

describe.each([
  [3, (code: number) => rest({}, 400, `خطا: کد ${code}`)],
  [4, (code: number) => rest({}, code, '')],
  [1, (code: number) => v1(code)],
] as const)('version %i', (version, refused) => {
  test.each([
    [10, 'invalid_user_name'],
    [11, 'invalid_mobile'],
    [12, 'invalid_national_code'],
    [14, 'manager_without_access'],
    [15, 'user_name_taken'],
    [16, 'wrong_package'],
    [17, 'passwords_differ'],
  ])('refuses with %i: %s', async (code, name) => {
    const { gateway } = await exchange(version, refused(code));
    expect(await failureOf(gateway.use('registration').register(USER))).toMatchObject({
      code: 'gateway_refused',
      params: { operation: 'register', code, table: 'registration', name, mayHaveActed: false },
    });
  });

  test.each([
    ['userName', { userName: 'new user' }],
    ['userName', { userName: 'کاربر' }],
    ['password', { password: new Secret('') }],
    ['password', { password: new Secret('\uD83D') }],
    ['parent', { parent: ' ' }],
    ['mobile', { mobile: '09120000001' }],
    ['nationalCode', { nationalCode: '123' }],
    ['packageId', { packageId: 'gold' }],
  ])('is not asked with a wrong %s', async (field, change) => {
    const { gateway, connections } = await exchange(version, '');
    const error = await failureOf(gateway.use('registration').register({ ...USER, ...change }));
    expect(error).toMatchObject({ code: 'bad_input', params: { field } });
    expect(connections()).toBe(0);
  });
});

test.each([3, 4] as const)('version %i passes on the limit of a day as a refusal', async (version) => {
  const { gateway } = await exchange(version, rest({}, 429, 'حداکثر ۲ کاربر'));
  expect(await failureOf(gateway.use('registration').register(USER))).toMatchObject({
    params: { code: 429, name: 'rate_limited', mayHaveActed: false },
  });
});

test.each([3, 4] as const)('version %i has no place for a person', async (version) => {
  const { gateway, connections } = await exchange(version, rest());
  expect(gateway.use('registration').takesPersonality).toBe(false);
  expect(
    await failureOf(gateway.use('registration').register({ ...USER, personality: NATURAL })),
  ).toMatchObject({
    params: { field: 'personality', reason: 'needs_version_1' },
  });
  expect(connections()).toBe(0);
});

test.each([
  ['a field that its form does not have', { addr: 'Tehran', company: 'x' }, 'unknown_field'],
  ['half a character', { addr: 'Tehran', father: '\ud83d' }, 'not_well_formed'],
])('version 1 refuses %s', async (_, fields, reason) => {
  const { gateway, connections } = await exchange(1, v1(0));
  const personality = { kind: 'natural', fields } as const;
  expect(await failureOf(gateway.use('registration').register({ ...USER, personality }))).toMatchObject({
    params: { field: 'personality', reason },
  });
  expect(connections()).toBe(0);
});

test('a token registers shortly by version 1, though version 3 comes first', async () => {
  const { seen, url } = await exchange(1, v1(0));
  const credentials = { token: new Secret('token') };
  const gateway = createGateway({ baseUrl: url, wsUrl: url, versions: [3, 1], credentials });

  await gateway.use('registration').register(USER);
  await gateway.close();

  expect(seen()).toMatchObject([{ json: { username: 'newUser1' } }]);
});

test('an account of all versions registers shortly by version 3 and in full by version 1', async () => {
  const { seen, url } = await exchange(3, rest());
  const gateway = createGateway({
    baseUrl: url,
    wsUrl: url,
    versions: [4, 3, 1],
    credentials: { apiKey: new Secret('key'), token: new Secret('token') },
  });

  await gateway.use('registration').register(USER);
  await gateway
    .use('registration')
    .register({ ...USER, personality: LEGAL })
    .catch(() => undefined);
  await gateway.close();

  expect(gateway.use('registration').takesPersonality).toBe(true);
  expect(seen().map(({ json }) => Object.keys(json ?? {})[0])).toEqual(['uname', 'register_personality']);
});
