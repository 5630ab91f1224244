import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { TOKEN, rest, v1, v3 } from './testing.ts';

/** Noon in Tehran. */
const NOON = Date.UTC(2026, 0, 10, 8, 30);
const HOUR = 3_600_000;
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: () => NOON });
});
beforeEach(() => sandbox.world.reset());
afterAll(() => sandbox.close());

const USER = {
  uname: 'fresh1',
  passwd: 'Secret!1',
  passwd_repeat: 'Secret!1',
  parent: 'demo',
  mobile: '09121234567',
  melli_code: '0012345679',
  package: 12,
  reseller: 0,
};
const OK = { return: { status: 200, message: 'تایید شد' } };

describe.each([4, 3] as const)('version %i', (version) => {
  const register = async (change: Record<string, string | number> = {}) =>
    (await rest(version, sandbox, 'user/register', { ...USER, ...change })).json;

  test('a new user can log in with user name and password, and has nothing yet', async () => {
    expect(await register()).toEqual(OK);
    const headers = { username: 'fresh1', password: 'Secret!1' };
    expect((await v3(sandbox, 'my/credit', [], headers)).json).toMatchObject({ data: { credit: 0 } });
    expect(sandbox.world.account('fresh1')).toMatchObject({ lines: [], representative: false });
    expect((await v3(sandbox, 'my/credit', [], { ...headers, password: 'x' })).json).toMatchObject({
      return: { status: 401 },
    });
  });

  test.each([
    ['a user name with a sign', { uname: 'fresh-1' }, 10],
    ['a user name in Persian', { uname: 'کاربر' }, 10],
    ['a mobile number with a plus', { mobile: '+989121234567' }, 11],
    ['a mobile number without its beginning', { mobile: '9121234567' }, 11],
    ['a national code of nine digits', { melli_code: '001234567' }, 12],
    ['a manager that is somebody else', { parent: 'locked' }, 14],
    ['a user name that is taken', { uname: 'demo' }, 15],
    ['an unknown package', { package: 13 }, 16],
    ['two passwords', { passwd_repeat: 'Secret!2' }, 17],
  ])('%s is refused with its code and registers nobody', async (_, change, code) => {
    const before = sandbox.world.accounts().length;
    expect(await register(change)).toEqual({
      return: { status: 400, message: `خطا در ثبت کاربر: کد ${code}` },
    });
    expect(sandbox.world.accounts()).toHaveLength(before);
  });

  test.each([{ mobile: '989121234567' }, { package: 14 }, { reseller: 1 }, { melli_code: 1234567890 }])(
    'takes %j as well',
    async (change) => {
      expect(await register(change)).toEqual(OK);
    },
  );

  test('the third registration of a day is refused with 429, and the next day is free again', async () => {
    expect(await register()).toEqual(OK);
    expect(await register({ uname: 'fresh2' })).toEqual(OK);
    const full = { return: { status: 429, message: 'ثبت بیش از 2 کاربر در روز مجاز نیست: کد 18' } };
    expect(await register({ uname: 'fresh3' })).toEqual(full);
    sandbox.world.advance(11.9 * HOUR);
    expect(await register({ uname: 'fresh3' })).toEqual(full);
    expect(sandbox.world.account('fresh3')).toBeUndefined();
    // Midnight in Tehran, half past eight in the evening of Greenwich.
    sandbox.world.advance(0.1 * HOUR);
    expect(await register({ uname: 'fresh3' })).toEqual(OK);
  });

  test('refused registrations are not counted', async () => {
    for (let count = 0; count < 3; count += 1) await register({ uname: 'demo' });
    expect(await register()).toEqual(OK);
  });
});

const PERSON = {
  register_personality: 'حقیقی',
  first_name: 'سارا',
  last_name: 'رضایی',
  father: 'علی',
  gender: 'زن',
  username: 'sara',
  password: 'Secret!1',
  password_repeat: 'Secret!1',
  parent: 'demo',
  date: '1370/01/02',
  shenasname: '12',
  melli_code: '0012345679',
  email: 'sara@example.com',
  mobile: '+989121234567',
  tel: '',
  fax: '',
  post_code: '',
  addr: '',
  referrer: '',
  package: '12',
  reseller: 'نیست',
};
const COMPANY = {
  register_personality: 'حقوقی',
  company: 'شرکت',
  company_reg_number: '1',
  company_eco_code: '2',
  company_melli_id: '3',
  company_type: 'خصوصی',
};
const MINIMAL = { username: 'mini', password: 'Secret!1', repeatPassword: 'Secret!1' };

describe('version 1', () => {
  const register = async (body: object, token = TOKEN) =>
    (await v1(sandbox, 'user/register', body, { token })).json;

  test.each([
    ['the short form', MINIMAL],
    ['a natural person', PERSON],
    ['a legal person', { ...PERSON, ...COMPANY }],
    ['a person with a package as a number', { ...PERSON, package: 14 }],
    ['a person without e-mail', { ...PERSON, email: '' }],
  ])('%s is registered, and the result is the bare code 0', async (_, body) => {
    expect(await register(body)).toEqual({ status: 200, result: 0 });
    const headers = { username: body.username, password: body.password };
    expect((await v1(sandbox, 'my/credit', undefined, headers)).json).toEqual({
      status: 200,
      result: { status: 0, value: 0 },
    });
  });

  test('the names of a person and a company stand in the details of the new account', async () => {
    await register({ ...PERSON, ...COMPANY });
    expect(sandbox.world.account('sara')?.profile).toMatchObject({ fullname: 'سارا رضایی', company: 'شرکت' });
  });

  test.each([
    ['a wrong user name', { ...PERSON, username: 'a b' }, 10],
    ['an empty user name in the short form', { ...MINIMAL, username: '' }, 10],
    ['a wrong mobile number', { ...PERSON, mobile: '123' }, 11],
    ['no mobile number', { ...PERSON, mobile: undefined }, 11],
    ['a wrong national code', { ...PERSON, melli_code: '1' }, 12],
    ['a wrong e-mail', { ...PERSON, email: 'sara' }, 13],
    ['another manager', { ...PERSON, parent: 'locked' }, 14],
    ['a taken user name', { ...MINIMAL, username: 'demo' }, 15],
    ['a wrong package', { ...PERSON, package: '935' }, 16],
    ['two passwords', { ...MINIMAL, repeatPassword: 'x' }, 17],
  ])('%s is refused with a bare code', async (_, body, code) => {
    expect(await register(body)).toEqual({ status: 200, result: code });
  });

  test.each([
    ['register_personality', { ...PERSON, register_personality: 'other' }],
    ['company', { ...PERSON, register_personality: 'حقوقی' }],
    ['gender', { ...PERSON, gender: 'x' }],
    ['first_name', { ...PERSON, first_name: '' }],
    ['repeatPassword', { username: 'a', password: 'b', password_repeat: 'b' }],
  ])('a wrong or missing %s is refused by its name', async (name, body) => {
    expect(await register(body)).toEqual({
      status: 400,
      message: `پارامترهای ارسالی ناقص یا نامعتبر است: ${name}`,
    });
  });

  test('its table has no code for the limit, so the third of a day fails as a whole with 429', async () => {
    await register(MINIMAL);
    await rest(4, sandbox, 'user/register', USER);
    expect(await register(PERSON)).toEqual({
      status: 429,
      message: 'ثبت بیش از 2 کاربر در روز مجاز نیست',
    });
  });

  test('an injected code is bare as well', async () => {
    sandbox.faults.add({ kind: 'error', operation: 'register', code: 14, times: 1 });
    expect(await register(MINIMAL)).toEqual({ status: 200, result: 14 });
  });
});

test('an account that is no representative may register nobody', async () => {
  sandbox.world.addAccount({ username: 'plain', password: 'p', apiKey: 'plain-key', token: 'plain-token' });
  const { json } = await v3(sandbox, 'user/register', { ...USER, parent: 'plain' }, { token: 'plain-key' });
  expect(json).toEqual({ return: { status: 400, message: 'خطا در ثبت کاربر: کد 14' } });
  expect((await v1(sandbox, 'user/register', MINIMAL, { token: 'plain-token' })).json).toEqual({
    status: 200,
    result: 14,
  });
});

test('no password of a registration comes to rest in the ledger', async () => {
  await rest(4, sandbox, 'user/register', { ...USER, passwd: 'Canary77', passwd_repeat: 'Canary77' });
  await v1(sandbox, 'user/register', { ...MINIMAL, password: 'Canary77', repeatPassword: 'Canary77' });
  expect(JSON.stringify(sandbox.ledger.hits())).not.toContain('Canary77');
});
