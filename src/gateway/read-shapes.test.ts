import { describe, expect, test } from 'vitest';

import type { GatewayVersion, SmsGateway } from '../ports/gateway.ts';
import { exchange, failureOf, rest, v1 } from './testing/exchange.ts';

const account = (g: SmsGateway) => g.use('account').details();
const credit = (g: SmsGateway) => g.use('credit').credit();
const latest = (g: SmsGateway) => g.use('reports').latest();
const status = (g: SmsGateway) => g.use('reports').status(['11']);
const details = (g: SmsGateway) => g.use('details').byIds(['11']);

type Row = readonly [
  GatewayVersion,
  title: string,
  body: unknown,
  (g: SmsGateway) => Promise<unknown>,
  unknown,
];
const both = (title: string, payload: object, ...rows: readonly [Row[3], unknown]): Row[] =>
  ([3, 4] as const).map((version) => [version, title, rest(payload), ...rows]);

const person = { fullname: 'a', mellicode: 'b', shenasname: 'c', date: 'd', postcode: 'e', addr: 'f' };
const PERSON = {
  fullName: 'a',
  nationalCode: 'b',
  certificateNumber: 'c',
  date: 'd',
  postCode: 'e',
  address: 'f',
};
const sent = { messageid: 11, message: 'x', from: '3000', state: 10, status: 'w', date: '5' };
const SENT = { id: '11', text: 'x', line: '3000', date: 5 };
const delivered = { raw: 10, text: 'w', kind: 'delivered' };

test.each<Row>([
  ...both(
    'all of an account',
    { data: { ...person, expire_time: '7', credit: '12.5', tarrif: 'g', type: 'h', other: 1 } },
    account,
    { ...PERSON, expiresAt: 7, credit: 12, tariff: 'g', type: 'h' },
  ),
  ...both('a part of an account', { data: { type: 'h', credit: 'x' } }, account, { type: 'h' }),
  ...both('a list of one', { entries: [{ credit: 5 }] }, credit, 5),
  ...both(
    'all of the latest',
    { data: { ...sent, recipients_count: '9', recipients: ['+989120000001'] } },
    latest,
    { ...SENT, recipients: ['989120000001'], recipientsCount: 9, state: delivered },
  ),
  ...both('the latest without recipients', { data: { messageid: 11, message: 5 } }, latest, {
    id: '11',
    text: '5',
    recipients: [],
    recipientsCount: 0,
    state: { raw: '', text: '', kind: 'unknown' },
  }),
  ...[
    [10, 10],
    ['10', 10],
    ['12345', '12345'],
    ['-1', '-1'],
    ['x1', 'x1'],
    ['1x', '1x'],
    [1.5, ''],
    [null, ''],
  ].flatMap(([state, raw]) =>
    both(`a state ${JSON.stringify(state)}`, { entries: [{ messageid: 11, state }] }, status, [
      { id: '11', state: expect.objectContaining({ raw, text: '' }) },
    ]),
  ),
  ...['number', 'to'].flatMap((name) => [
    ...both(`a row for several by ${name}`, { entries: [{ ...sent, [name]: ['0912', '0913'] }] }, details, [
      { ...SENT, recipient: '0912', state: delivered },
      { ...SENT, recipient: '0913', state: delivered },
    ]),
    ...both(`an empty ${name}`, { entries: [{ ...sent, [name]: '' }] }, details, [
      { ...SENT, state: delivered },
    ]),
    ...both(`nobody under ${name}`, { entries: [{ ...sent, [name]: [] }] }, details, [
      { ...SENT, state: delivered },
    ]),
  ]),
  ...both('a single row', { data: sent }, status, [{ id: '11', line: '3000', state: delivered }]),
  ...[status, details].flatMap((run): Row[] =>
    ([3, 4] as const).map((version) => [version, 'an unknown id', rest({}, 400, 'کد 31'), run, []]),
  ),
  [1, 'an unknown id', v1({ status: 31 }), status, []],
  [
    1,
    'all of an account',
    v1({ details: { ...person, company: 'g', fax: 'h' } }),
    account,
    { ...PERSON, company: 'g', fax: 'h' },
  ],
  [1, 'a row of another id', v1([{ id: 12, state: 4 }]), status, [expect.objectContaining({ id: '12' })]],
  [1, 'a trial account', v1({ status: 2, value: 7 }), credit, 7],
  [1, 'no latest', v1({ status: 30 }), latest, undefined],
  [1, 'no report of a latest', v1({ status: 31 }), latest, undefined],
  [
    1,
    'the least of a latest',
    v1({ details: { id: 7, message: 'x', state: 4 } }),
    latest,
    {
      id: '7',
      text: 'x',
      recipients: [],
      recipientsCount: 0,
      state: { raw: 4, text: '', kind: 'delivered' },
    },
  ],
  [
    1,
    'a latest without a state',
    v1({ details: { id: 7, message: 'x', state: null } }),
    latest,
    expect.objectContaining({ state: { raw: '', text: '', kind: 'unknown' } }),
  ],
  ...(
    [
      [{ messageid: '11', state: 4, statustext: 'x', recipient: '+989120000001' }, 4, 'x', '989120000001'],
      [{ id: 11, status: 'w', number: '0912' }, 'w', 'w', '0912'],
      [{ id: 11, state: '4', status: 'w', to: '0912' }, 4, 'w', '0912'],
      [{ id: 11, state: 4, status: '0' }, 4, '', undefined],
      [{ status: 10 }, 10, '', undefined],
      [{ id: 11, state: 4 }, 4, '', undefined],
      [4, 4, '', undefined],
    ] as const
  ).map(([row, raw, text, recipient]): Row => [
    1,
    `the row ${JSON.stringify(row)}`,
    v1([row]),
    status,
    [{ id: '11', recipient, state: expect.objectContaining({ raw, text }) }],
  ]),
])('version %i reads %s', async (version, _title, body, run, expected) => {
  const { gateway } = await exchange(version, body);
  expect(await run(gateway)).toEqual(expected);
});

describe('what is read', () => {
  test.each<Row>([
    ...both('an account of nothing', { data: { other: 1 } }, account, 'other_shape'),
    ...both('a list of two', { entries: [{ credit: 5 }, { credit: 6 }] }, credit, 'other_shape'),
    ...[[{}], [null], [5], [[sent]], 'x'].flatMap((entries) =>
      both(`rows like ${JSON.stringify(entries)}`, { entries }, status, 'other_shape'),
    ),
    ...both('details without a text', { entries: [{ messageid: 11 }] }, details, 'other_shape'),
    ...both('details without an id', { entries: [{ message: 'x' }] }, details, 'other_shape'),
    [1, 'an account of nothing', v1({ details: { other: 1 } }), account, 'other_shape'],
    [1, 'a status that is no list', v1('x'), status, 'other_shape'],
    [1, 'two lists', v1({ a: [4], b: [4] }), status, 'other_shape'],
    ...[
      [null],
      ['x'],
      [{ id: 11 }],
      [{ id: 11, state: true }],
      [4, 4],
      [{ state: 4 }, { state: 4 }],
      [{ id: 11, state: 4 }, 'x'],
    ].map((rows): Row => [1, `rows like ${JSON.stringify(rows)}`, v1(rows), status, 'other_shape']),
    ...[null, false, undefined].map((result): Row => [
      1,
      `a change that says ${result}`,
      { status: 200, result },
      (g) => g.use('phonebookWrite').remove('5'),
      'other_shape',
    ]),
    [1, 'no envelope', { state: 200 }, credit, 'no_envelope'],
    ...both('no envelope', { return: {} }, credit, 'no_envelope'),
  ])('is not guessed by version %i from %s', async (version, _title, body, run, reason) => {
    const { gateway } = await exchange(version, body);
    expect(await failureOf(run(gateway))).toMatchObject({ code: 'gateway_unreadable', params: { reason } });
  });

  test.each<[GatewayVersion, unknown, (g: SmsGateway) => Promise<unknown>, number]>([
    [1, v1({ status: 2 }), credit, 2],
    [1, v1({ status: 2 }), account, 2],
    [1, v1({ status: 3, value: 5 }), credit, 3],
    [1, { status: 400, message: 'کد 2', result: { value: 5 } }, credit, 2],
    [1, v1({ status: 5 }), latest, 5],
    [1, v1({ status: 30 }), status, 30],
    [1, { status: 400, message: 'کد 0' }, credit, 400],
    [1, { status: 400, message: 'کد 5' }, credit, 5],
    [3, rest({}, 400), status, 400],
    [3, rest({}, 404), latest, 404],
  ])('by version %i from %j is a refusal where it is one', async (version, body, run, code) => {
    const { gateway } = await exchange(version, body);
    expect(await failureOf(run(gateway))).toMatchObject({ code: 'gateway_refused', params: { code } });
  });

  test.each([
    [1, { status: 400 }],
    [3, { return: { status: 400 } }],
    [4, { return: { status: 400 } }],
  ] as const)('by version %i has no text where there is none', async (version, body) => {
    const { gateway } = await exchange(version, body);
    expect(await failureOf(credit(gateway))).toMatchObject({ params: { code: 400, text: '' } });
  });
});
