import { describe, expect, test } from 'vitest';

import { exchange, failureOf, rest, v1 } from './testing/exchange.ts';

const BOOK_ID = '1152921504606846977';
const row = { book_id: 5, uname: 'demo', title: 'مشتری‌ها', count: 12, extra: true };
const book = { id: '5', owner: 'demo', title: 'مشتری‌ها', count: 12 };
const NUMBERS = ['989120000001', '989120000002'];
const WIRE = ['09120000001', '09120000002'];

/** The same payload in the envelope of the version. */
const list = (version: 1 | 3 | 4, rows: unknown) =>
  version === 1 ? v1({ status: 0, result: rows }) : rest({ entries: rows });

describe.each([3, 4, 1] as const)('phonebooks of version %i', (version) => {
  const path = { 3: '/my/phonebook', 4: '/phonebook/list.json', 1: '/my/phonebook' }[version];

  test('are listed, with or without a name', async () => {
    const { gateway, seen } = await exchange(
      version,
      list(version, [row, { ...row, book_id: BOOK_ID, count: '3' }]),
    );
    const books = gateway.use('phonebookRead');

    expect(await books.list()).toEqual([book, { ...book, id: BOOK_ID, count: 3 }]);
    await books.list({ name: 'مشتری' });

    expect(seen().map((request) => request.path)).toEqual([path, path]);
    const asked = seen().map(({ json, query }) => (version === 3 ? json : query));
    expect(asked).toEqual([{}, { name: 'مشتری' }]);
  });

  test.each([[[]], [null]])('may be none: %j', async (rows) => {
    const { gateway } = await exchange(version, list(version, rows));
    expect(await gateway.use('phonebookRead').list()).toEqual([]);
    expect(await gateway.use('phonebookRead').byName('x')).toBeUndefined();
  });

  test('are found by their very name, in either keyboard’s letters', async () => {
    const rows = [{ ...row, title: 'مشتری‌های دیگر' }, row, { book_id: 6, title: ' Staff ' }];
    const { gateway } = await exchange(version, list(version, rows));
    const books = gateway.use('phonebookRead');

    expect(await books.byName('مشتری‌ها')).toEqual(book);
    expect(await books.byName('Staff')).toEqual({ id: '6', owner: '', title: ' Staff ', count: 0 });
    expect(await books.byName('مشتري‌ها')).toEqual(book);
    expect(await books.byName('مشتری')).toBeUndefined();
  });

  test.each([
    [
      'rows',
      [
        { number_id: 1, number: '+989120000001' },
        { number_id: '2', number: '02188880000' },
      ],
      ['1', '2'],
    ],
    ['rows without ids', [{ number: '09120000001' }, { number: '02188880000' }], [undefined, undefined]],
    ['bare numbers', ['9120000001', '02188880000'], [undefined, undefined]],
  ])('hold numbers, read from %s', async (_title, rows, ids) => {
    const { gateway, seen } = await exchange(version, list(version, rows));

    const numbers = await gateway.use('phonebookRead').numbers(BOOK_ID);

    expect(numbers.map(({ number }) => number)).toEqual(['989120000001', '02188880000']);
    expect(numbers.map(({ id }) => id)).toEqual(ids);
    const [request] = seen();
    if (version === 1)
      expect(request).toMatchObject({ method: 'GET', path: `/phonebook/${BOOK_ID}/number`, json: undefined });
    if (version === 3) expect(request).toMatchObject({ method: 'POST', path: '/phonebook/number' });
    if (version === 4)
      expect(request).toMatchObject({ path: '/phonebook/numbers.json', query: { bookId: BOOK_ID } });
  });

  test.each([
    ['a row without an id', [{ title: 'x' }]],
    ['a word', 'none'],
    ['numbers', [1, 2]],
  ])('cannot be read from %s', async (_title, rows) => {
    const { gateway } = await exchange(version, list(version, rows));
    expect(await failureOf(gateway.use('phonebookRead').list())).toMatchObject({
      code: 'gateway_unreadable',
    });
  });
});

test.each([3, 4] as const)('numbers of version %i are not read from a word', async (version) => {
  const { gateway } = await exchange(version, list(version, ''));
  expect(await failureOf(gateway.use('phonebookRead').numbers('5'))).toMatchObject({
    code: 'gateway_unreadable',
  });
});

describe('a phonebook of version 1 by its name', () => {
  test.each([
    ['bare in the result', v1({ status: 0, ...row })],
    ['under a member', v1({ status: 0, result: row })],
    ['in a list', v1({ status: 0, result: [row] })],
    ['in a bare list', v1([row])],
  ])('is read %s', async (_title, body) => {
    const { gateway, seen } = await exchange(1, body);
    expect(await gateway.use('phonebookRead').byName('مشتری‌ها')).toEqual(book);
    expect(seen()[0]?.path).toBe(`/my/phonebook/${encodeURIComponent('مشتری‌ها')}`);
  });

  test('is none after the code for no such record, and another code is a refusal', async () => {
    const { gateway } = await exchange(1, [v1({ status: 40 }), v1({ status: 43 })]);
    expect(await gateway.use('phonebookRead').byName('x')).toBeUndefined();
    expect(await failureOf(gateway.use('phonebookRead').byName('x'))).toMatchObject({
      params: { name: 'operation_failed' },
    });
  });

  test.each(['.', '..'])('is asked for in the query when it is called %s', async (name) => {
    const { gateway, seen } = await exchange(1, v1({ status: 0, result: [{ ...row, title: name }] }));
    expect(await gateway.use('phonebookRead').byName(name)).toMatchObject({ title: name });
    expect(seen()[0]).toMatchObject({ path: '/my/phonebook', query: { name } });
  });

  test.each([
    ['a slash', 'a/b?c', 'a%2Fb%3Fc'],
    ['dots at its end', 'and more..', 'and%20more..'],
  ])('keeps %s inside its segment', async (_title, name, segment) => {
    const { gateway, seen } = await exchange(1, v1({ status: 0, result: [] }));
    await gateway.use('phonebookRead').byName(name);
    expect(seen()[0]?.path).toBe(`/my/phonebook/${segment}`);
  });
});

describe.each([3, 1] as const)('changes to phonebooks by version %i', (version) => {
  const done = version === 1 ? v1({ status: 0 }) : rest();
  const refused = (code: number) => (version === 1 ? v1({ status: code }) : rest({}, 400, `خطا: کد ${code}`));

  test('are one request each', async () => {
    const { gateway, seen } = await exchange(version, done);
    const books = gateway.use('phonebookWrite');

    await books.create({ name: 'نو', numbers: NUMBERS, flag: 'attempt-1' });
    await books.addNumbers('5', NUMBERS);
    await books.removeNumbers('5', ['989120000001', '02188880000']);
    await books.remove('5');

    const left = ['09120000001', '02188880000'];
    const flag = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
    expect(seen().map(({ method, path, json }) => [method, path, json])).toEqual(
      version === 3
        ? [
            ['POST', '/phonebook/new', { name: 'نو', numbers: WIRE, flag: 'attempt-1' }],
            ['POST', '/phonebook/number/add', { book_id: 5, numbers: WIRE }],
            ['DELETE', '/phonebook/number/delete', { book_id: 5, numbers: left }],
            ['DELETE', '/phonebook/delete', { book_id: 5 }],
          ]
        : [
            ['POST', '/phonebook', { name: 'نو', numbers: WIRE, flag: 'attempt-1' }],
            ['POST', '/phonebook/5/number', { numbers: WIRE, flag }],
            ['DELETE', '/phonebook/5/number', { numbers: left, flag }],
            ['DELETE', '/phonebook/5', undefined],
          ],
    );
  });

  test.each([
    [40, 'no_such_record', false],
    [41, 'phonebook_exists', false],
    [42, 'no_number_sent', false],
    [43, 'operation_failed', true],
    [1000, 'database_fault', true],
    [777, 'unlisted', true],
    [27, 'operator_error', true],
    [500, version === 1 ? 'server_error' : 'unlisted', true],
  ])('are refused with %i, which may leave the change made or not', async (code, name, mayHaveActed) => {
    const { gateway } = await exchange(version, refused(code));
    expect(await failureOf(gateway.use('phonebookWrite').remove('5'))).toMatchObject({
      code: 'gateway_refused',
      params: { operation: 'book_delete', version, code, name, mayHaveActed },
    });
  });

  test('are not taken for done without a success', async () => {
    const { gateway } = await exchange(version, version === 1 ? { status: 200 } : { data: {} });
    expect(await failureOf(gateway.use('phonebookWrite').remove('5'))).toMatchObject({
      code: 'gateway_unreadable',
      params: { mayHaveActed: true },
    });
  });
});

test.each([
  [44, 'flag_empty'],
  [45, 'flag_taken'],
])('version 3 alone knows code %i as %s', async (code, name) => {
  const { gateway } = await exchange(3, rest({}, 400, `کد ${code}`));
  const create = gateway.use('phonebookWrite').create({ name: 'x', numbers: NUMBERS, flag: 'f' });
  expect(await failureOf(create)).toMatchObject({ params: { code, table: 'phonebook', name } });
});

test('a bare zero of version 1 is a success', async () => {
  const { gateway } = await exchange(1, v1(0));
  await expect(gateway.use('phonebookWrite').remove('5')).resolves.toBeUndefined();
});
