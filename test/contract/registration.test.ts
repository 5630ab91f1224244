import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { Secret } from '../../src/domain/secret.ts';
import type { NewUser } from '../../src/ports/gateway.ts';
import { ACCOUNTS, startBench } from './accounts.ts';
import type { Bench } from './accounts.ts';

const USER = {
  userName: 'newUser1',
  password: new Secret('p@ss,"word"&1+%'),
  parent: 'demo',
  mobile: '989121110001',
  nationalCode: '0012345679',
  packageId: '12',
  reseller: false,
} as const satisfies NewUser;

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

describe.each(ACCOUNTS)('registration with $title', (account) => {
  test('takes a user once', async () => {
    const registration = bench.open(account).use('registration');

    await expect(registration.register(USER)).resolves.toBeUndefined();
    await expect(registration.register(USER)).rejects.toMatchObject({
      code: 'gateway_refused',
      params: { operation: 'register', mayHaveActed: false },
    });
  });

  test('takes two users of a manager in a day, and more on the next', async () => {
    const registration = bench.open(account).use('registration');
    await registration.register({ ...USER, userName: 'first' });
    await registration.register({ ...USER, userName: 'second' });

    await expect(registration.register({ ...USER, userName: 'third' })).rejects.toMatchObject({
      code: 'gateway_refused',
    });
    bench.advance(86_400);
    await expect(registration.register({ ...USER, userName: 'third' })).resolves.toBeUndefined();
  });

  test('is tried once: after a lost answer the user is there', async () => {
    const registration = bench.open(account).use('registration');
    await bench.admin('/faults', { kind: 'drop', when: 'after', times: 1 });

    await expect(registration.register(USER)).rejects.toMatchObject({
      code: 'gateway_no_answer',
      params: { mayHaveActed: true },
    });
    await expect(registration.register(USER)).rejects.toMatchObject({ code: 'gateway_refused' });
  });
});

/** Versions 4 and 3 have an envelope's status for it, and a code of the table that their text may name. */
test.each(ACCOUNTS)('the third of a day is refused as such with $title', async (account) => {
  const registration = bench.open(account).use('registration');
  for (const userName of ['first', 'second']) await registration.register({ ...USER, userName });
  await expect(registration.register({ ...USER, userName: 'third' })).rejects.toMatchObject({
    params: {
      name: expect.stringMatching(/^(?:rate_limited|registration_limit)$/),
      mayHaveActed: false,
    },
  });
});

describe.each(ACCOUNTS.filter(({ version }) => version === 1))('registration with $title', (account) => {
  const person = {
    first_name: 'علی',
    last_name: 'احمدی',
    father: 'رضا',
    gender: 'مرد',
    date: '1370/01/02',
    email: 'a@b.example',
  };
  const company = {
    company: 'نمونه',
    company_reg_number: '1',
    company_eco_code: '2',
    company_melli_id: '10100000000',
    company_type: 'خاص',
  };

  test.each([
    ['natural', person],
    ['legal', { ...person, ...company }],
  ] as const)('takes a %s person with all fields', async (kind, fields) => {
    const registration = bench.open(account).use('registration');
    const personality = { kind, fields };

    await expect(registration.register({ ...USER, personality })).resolves.toBeUndefined();
    await expect(registration.register({ ...USER, personality })).rejects.toMatchObject({
      params: { code: 15, table: 'registration', name: 'user_name_taken' },
    });
  });
});
