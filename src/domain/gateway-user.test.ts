import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areTwo, userMarks, type UserTraits } from './gateway-user.ts';

const HERE = 'https://gateway.example/';
const values = (traits: UserTraits, gateway = HERE) => userMarks(gateway, traits).map(({ value }) => value);
const kinds = (traits: UserTraits) => userMarks(HERE, traits).map(({ kind }) => kind);

test.each([
  ['0012345689', '001*****89', false],
  ['0012***589', '001*****89', false],
  ['00********', '001*****89', false],
  ['', '001*****89', false],
  ['**********', '001*****89', false],
  ['002*****89', '001*****89', true],
  ['0012345688', '001*****89', true],
  ['001*****89', '001*****79', true],
  ['00********', '0112345689', true],
])('that %s and %s are two persons is %s', (one, other, two) => {
  expect(areTwo({ nationalCode: one }, { nationalCode: other })).toBe(two);
  expect(areTwo({ nationalCode: other }, { nationalCode: one })).toBe(two);
  expect(areTwo({ nationalCode: one }, {})).toBe(false);
});

test('one code is never that of two persons, however each version masks its middle', () => {
  const shown = fc.tuple(fc.nat(10), fc.nat(10));
  fc.assert(
    fc.property(fc.stringMatching(/^\d{10}$/), shown, shown, (code, ...masks) => {
      const [one = '', other = ''] = masks.map(([front, back]) =>
        code
          .split('')
          .map((digit, at) => (at < front || at >= 10 - back ? digit : '*'))
          .join(''),
      );
      expect(areTwo({ nationalCode: one }, { nationalCode: other })).toBe(false);
    }),
  );
});

describe('a user of the gateway', () => {
  test.each<[string, UserTraits, UserTraits]>([
    ['name', { userName: 'Nik' }, { userName: ' nik ' }],
    ['code that one version masks', { nationalCode: '001*****89' }, { nationalCode: '0012345689' }],
    ['code that is masked in two ways', { nationalCode: '0012***589' }, { nationalCode: '001*****89' }],
    [
      'person, whatever the name is',
      { nationalCode: '001*****89', fullName: 'Sara' },
      { nationalCode: '001*****89', fullName: 'Shop' },
    ],
    [
      'certificate, where there is no code',
      { certificateNumber: '7', fullName: 'سارا  رضایی' },
      { certificateNumber: '7', fullName: 'سارا رضایی' },
    ],
  ])('is known again by the same %s', (_what, one, other) => {
    expect(values(one)).toEqual(values(other));
    expect(values(one)).toHaveLength(1);
  });

  test.each<[string, UserTraits, UserTraits]>([
    ['another name', { userName: 'nik' }, { userName: 'nika' }],
    ['another code', { nationalCode: '001*****89' }, { nationalCode: '001*****88' }],
    [
      'another certificate',
      { nationalCode: '001*****89', certificateNumber: '1' },
      { nationalCode: '001*****89', certificateNumber: '2' },
    ],
    ['another front of a code', { nationalCode: '001*****89' }, { nationalCode: '002*****89' }],
    ['no back of a code', { nationalCode: '001*****89' }, { nationalCode: '001*******' }],
    [
      'another person',
      { certificateNumber: '7', fullName: 'ab' },
      { certificateNumber: '7', fullName: 'a b' },
    ],
    [
      'what is run together',
      { certificateNumber: '7', fullName: '1' },
      { certificateNumber: '71', fullName: '' },
    ],
    ['another kind of mark with the same words', { userName: '7' }, { nationalCode: '7' }],
  ])('is not known by %s', (_what, one, other) => {
    expect(values(one)).not.toEqual(values(other));
  });

  test('is told by nothing where the gateway tells nothing that few have', () => {
    expect(kinds({})).toEqual([]);
    expect(kinds({ fullName: 'Sara' })).toEqual([]);
    expect(
      kinds({ userName: '', nationalCode: '**********', certificateNumber: '', fullName: 'Sara' }),
    ).toEqual([]);
    expect(kinds({ userName: 'nik', nationalCode: '001*****89' })).toEqual(['name', 'person']);
  });

  test('has marks that are stored: they stay as they are', () => {
    const codes = ['0012345689', '***4567*89', '001*******'];
    expect(codes.flatMap((nationalCode) => values({ nationalCode, certificateNumber: 'A1' }))).toEqual([
      'gateway.example\n001…89\na1',
      'gateway.example\n…89\na1',
      'gateway.example\n001…\na1',
    ]);
    expect(values({ userName: 'Nik' })).toEqual(['gateway.example\nnik']);
  });

  test('is another one at another address, however one address is written', () => {
    const nik = { userName: 'nik', nationalCode: '001*****89' };
    expect(values(nik, 'http://Gateway.example')).toEqual(values(nik));
    expect(values(nik, 'https://gateway.example/One//')).toEqual(values(nik, 'https://gateway.example/one'));
    expect(values(nik, 'no address')).not.toEqual(values(nik, 'none'));
    for (const other of [
      'https://other.example/',
      'https://gateway.example:8443/',
      'https://gateway.example/two',
      'https://gateway.example/t/wo',
    ])
      for (const value of values(nik, other)) expect(values(nik)).not.toContain(value);
  });
});
