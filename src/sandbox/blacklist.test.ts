import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { LINE, PLAIN, rest, sendOn, v4 } from './testing.ts';

const NOW = 1_790_000_000_000;
const OTHER = '50001234';
const ADDED = 'افزوده شد';
const DUPLICATE = 'تکراری';
const ACTIVE = 'فعال';
const UNKNOWN = 'یافت نشد';
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: () => NOW });
});
beforeEach(() => sandbox.world.reset());
afterAll(() => sandbox.close());

type Entry = { to: string; status: string };

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `09${121_000_000 + index}`);
}

describe.each([4, 3] as const)('version %i', (version) => {
  const ask = async (path: string, parameters = {}) =>
    (await rest(version, sandbox, `line/blocked/${path}`, { number: LINE, ...parameters })).json;

  test('add tells added and duplicate numbers one by one, a repeated one within a call too', async () => {
    await ask('add', { to: [PLAIN] });
    expect(await ask('add', { to: ['+989121111111', '9122222222', '09122222222'] })).toEqual({
      return: { status: 200, message: 'تایید شد' },
      entries: [
        { number: `+98${LINE}`, to: '+989121111111', status: DUPLICATE },
        { number: `+98${LINE}`, to: '+989122222222', status: ADDED },
        { number: `+98${LINE}`, to: '+989122222222', status: DUPLICATE },
      ],
    });
  });

  test('list tells who owns and who added, with the block of paging texts', async () => {
    await ask('add', { to: [PLAIN, '09122222222'] });
    expect(await ask('list')).toEqual({
      return: { status: 200, message: 'تایید شد' },
      entries: ['+989121111111', '+989122222222'].map((to) => ({
        number: `+98${LINE}`,
        to,
        user: 'demo',
        setter: 'demo',
      })),
      current: { totalcount: '2', currentpage: '1', totalpages: '1', pagesize: '200' },
    });
    expect(await ask('list', { page: 2, pagesize: 1 })).toMatchObject({
      entries: [{ to: '+989122222222' }],
      current: { totalcount: '2', currentpage: '2', totalpages: '2', pagesize: '1' },
    });
    expect(await ask('list', { pagesize: 501 })).toMatchObject({ return: { status: 400 } });
  });

  test('list can begin at a time', async () => {
    await ask('add', { to: [PLAIN] });
    sandbox.world.advance(60_000);
    // Adding what is there already does not make it newer.
    await ask('add', { to: ['09122222222', PLAIN] });
    expect(await ask('list', { startdate: NOW / 1000 + 1 })).toMatchObject({
      entries: [{ to: '+989122222222' }],
      current: { totalcount: '1' },
    });
  });

  test('each line has a list of its own', async () => {
    await ask('add', { to: [PLAIN] });
    expect(await ask('list', { number: OTHER })).toMatchObject({ entries: [], current: { totalpages: '0' } });
    expect(await ask('exists', { number: OTHER, to: [PLAIN] })).toMatchObject({
      entries: [{ number: `+98${OTHER}`, status: UNKNOWN }],
    });
  });

  test('exists answers for each number that is asked for', async () => {
    await ask('add', { to: [PLAIN] });
    expect(await ask('exists', { to: ['09122222222', PLAIN] })).toMatchObject({
      entries: [
        { to: '+989122222222', status: UNKNOWN },
        { to: '+989121111111', status: ACTIVE },
      ],
    });
  });

  test('remove frees a number and refuses one that is not there', async () => {
    await ask('add', { to: [PLAIN] });
    expect(await ask('remove', { to: '9121111111' })).toEqual({
      return: { status: 200, message: 'تایید شد' },
    });
    const message = 'این شماره در لیست سیاه خط وجود ندارد';
    expect(await ask('remove', { to: PLAIN })).toEqual({ return: { status: 400, message } });
  });

  test('200 numbers are added at once, 201 are refused and none of them added', async () => {
    expect(await ask('add', { to: numbers(201) })).toMatchObject({ return: { status: 414 } });
    expect(await ask('list')).toMatchObject({ current: { totalcount: '0' } });
    expect(await ask('add', { to: numbers(200) })).toMatchObject({ entries: { length: 200 } });
  });

  test.each([
    ['no number', 'add', { to: [] }, 400],
    ['a number that is none', 'add', { to: [PLAIN, '12'] }, 411],
    ['an unknown line', 'add', { number: '30009', to: [PLAIN] }, 412],
    ['an unknown line', 'list', { number: '30009' }, 412],
    ['a number that is none', 'remove', { to: '12' }, 411],
    ['a number that is none', 'exists', { to: ['12'] }, 411],
  ])('%s is refused by %s', async (_, path, parameters, status) => {
    expect(await ask(path, parameters)).toMatchObject({ return: { status } });
    expect(await ask('list')).toMatchObject({ current: { totalcount: '0' } });
  });
});

test('an inactive account is told 401 when it adds', async () => {
  const { json } = await v4(
    sandbox,
    'line/blocked/add.json',
    { number: '3000654321', to: PLAIN },
    'sandbox-key-locked',
  );
  expect(json).toEqual({ return: { status: 401, message: 'حساب کاربری غیرفعال است: کد 3' } });
});

test('what is sent to a blocked number is charged and never arrives, on that line alone', async () => {
  await rest(4, sandbox, 'line/blocked/add', { number: LINE, to: PLAIN });
  await sendOn(3, sandbox, { recipients: [PLAIN, '09122222222'] });
  await sendOn(3, sandbox, { from: OTHER });
  await rest(4, sandbox, 'line/blocked/remove', { number: LINE, to: PLAIN });
  sandbox.world.advance(10_000);
  expect((await rest(3, sandbox, 'sms/latestoutbox')).json).toMatchObject({
    entries: [
      { to: '+989121111111', state: 10 },
      { to: '+989121111111', state: 2 },
      { to: '+989122222222', state: 10 },
    ],
  });
  expect(sandbox.world.account('demo')?.credit).toBe(10_000_000_000 - 3 * 1420);
});

test('any sequence of adds and removes leaves what a set would hold', async () => {
  const number = fc.integer({ min: 0, max: 5 }).map((index) => `0912000000${index}`);
  const step = fc.record({
    version: fc.constantFrom(4 as const, 3 as const),
    line: fc.constantFrom(LINE, OTHER),
    add: fc.boolean(),
    to: fc.array(number, { minLength: 1, maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      sandbox.world.reset();
      const model = new Map([
        [LINE, new Set<string>()],
        [OTHER, new Set<string>()],
      ]);
      for (const { version, line, add, to } of steps) {
        const blocked = model.get(line) ?? new Set();
        if (add) {
          const { json } = await rest(version, sandbox, 'line/blocked/add', { number: line, to });
          const expected = to.map((one) => {
            const status = blocked.has(one) ? DUPLICATE : ADDED;
            blocked.add(one);
            return { to: one.replace(/^0/, '+98'), status };
          });
          expect(json).toMatchObject({ entries: expected });
          continue;
        }
        const [one = ''] = to;
        const { json } = await rest(version, sandbox, 'line/blocked/remove', { number: line, to: one });
        expect(json).toMatchObject({ return: { status: blocked.delete(one) ? 200 : 400 } });
      }
      for (const [line, blocked] of model) {
        const { json } = await rest(3, sandbox, 'line/blocked/list', { number: line });
        const listed = (json as { entries: Entry[] }).entries.map(({ to }) => to.replace('+98', '0'));
        expect(new Set(listed)).toEqual(blocked);
        expect(listed).toHaveLength(blocked.size);
      }
    }),
    { numRuns: 40 },
  );
});
