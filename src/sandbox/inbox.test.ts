import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { LINE, rest } from './testing.ts';

const NOW = 1_790_000_000_000;
const SECONDS = NOW / 1000;
const OTHER = '50001234';
type Listed = { entries: { messageid: bigint; message: string }[]; current: Record<string, string> };
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: () => NOW });
});
beforeEach(() => sandbox.world.reset());
afterAll(() => sandbox.close());

function demo() {
  const account = sandbox.world.account('demo');
  if (account === undefined) throw new Error('no demo account');
  return account;
}

/** Puts messages m0, m1 … into an emptied inbox. */
function fill(count: number, line = LINE): void {
  demo().inbox.length = 0;
  for (let index = 0; index < count; index += 1)
    sandbox.world.receive(demo(), { from: '9121110001', line, text: `m${index}` });
}

describe.each([4, 3] as const)('version %i', (version) => {
  const ask = async (path: string, parameters = {}) =>
    (await rest(version, sandbox, `sms/${path}`, parameters)).json as Listed;
  const texts = async (path: string, parameters = {}) =>
    (await ask(path, parameters)).entries.map(({ message }) => message);

  test('inbox shows the received messages of all lines, newest first and without ids', async () => {
    expect(await ask('inbox')).toEqual({
      return: { status: 200, message: 'تایید شد' },
      entries: [
        { message: 'Thanks, got it', to: `+98${OTHER}`, from: '+989121110001', date: SECONDS - 600 },
        { message: '11', to: `+98${LINE}`, from: '+989351110002', date: SECONDS - 3600 },
        expect.objectContaining({ from: '+989121110001', date: SECONDS - 7200 }),
      ],
    });
  });

  test('inbox gives 50 by default, then what offset and count say', async () => {
    fill(120);
    expect(await texts('inbox')).toEqual(Array.from({ length: 50 }, (_, index) => `m${119 - index}`));
    expect(await texts('inbox', { count: 3, offset: 100 })).toEqual(['m19', 'm18', 'm17']);
    expect(await texts('inbox', { offset: 120 })).toEqual([]);
    expect(await texts('inbox', { count: 500 })).toHaveLength(120);
    expect(await ask('inbox', { count: 0 })).toMatchObject({ return: { status: 400 } });
  });

  test('inboxpaged gives a page and a block of texts about it', async () => {
    fill(7);
    const page = await ask('inboxpaged', { page: 2, pagesize: 3 });
    expect(page).toEqual({
      return: { status: 200, message: 'تایید شد' },
      entries: ['m3', 'm2', 'm1'].map((message) => ({
        messageid: expect.any(BigInt),
        message,
        from: '+989121110001',
        to: `+98${LINE}`,
        date: SECONDS,
      })),
      current: { totalcount: '7', currentpage: '2', totalpages: '3', pagesize: '3' },
    });
    expect((await ask('inboxpaged', { page: 4, pagesize: 3 })).entries).toEqual([]);
  });

  test('inboxpaged pages by 200, up to 500', async () => {
    fill(501);
    expect((await ask('inboxpaged')).current).toEqual({
      totalcount: '501',
      currentpage: '1',
      totalpages: '3',
      pagesize: '200',
    });
    expect(await texts('inboxpaged')).toHaveLength(200);
    expect(await texts('inboxpaged', { pagesize: 500 })).toHaveLength(500);
    for (const wrong of [{ pagesize: 501 }, { pagesize: 0 }, { page: 0 }, { page: -1 }, { isread: 2 }])
      expect(await ask('inboxpaged', wrong)).toMatchObject({ return: { status: 400 } });
  });

  test('number and isread filter, and an unknown line is refused', async () => {
    expect(await texts('inboxpaged', { number: OTHER })).toEqual(['Thanks, got it']);
    expect(await texts('inboxpaged', { number: `+98${OTHER}`, isread: 0 })).toEqual([]);
    expect(await texts('inboxpaged', { isread: 1 })).toEqual(['Thanks, got it']);
    for (const path of ['inboxpaged', 'receive'])
      expect(await ask(path, { number: '30009' })).toMatchObject({ return: { status: 412 } });
  });

  test('an optional parameter may be empty or null, and a short number shows as it is', async () => {
    sandbox.world.receive(demo(), { from: '2000', line: LINE, text: 'bank' });
    const empty =
      version === 4 ? { number: '', isread: '', page: '', pagesize: '' } : { number: null, page: null };
    const { json } = await rest(version, sandbox, 'sms/inboxpaged', empty as Record<string, string>);
    expect(json).toMatchObject({ entries: { 0: { from: '2000' }, length: 4 }, current: { pagesize: '200' } });
  });

  test('looking never marks anything as read', async () => {
    const range = { startdate: 0, enddate: SECONDS };
    for (const path of ['inbox', 'inboxpaged', 'countinbox']) await ask(path, { ...range, isread: 0 });
    await ask('receive', { isread: 1 });
    expect(demo().inbox.map(({ read }) => read)).toEqual([false, false, true]);
  });

  test('countinbox counts the unread of a range, or the read, and echoes what it counted', async () => {
    const range = { startdate: SECONDS - 7200, enddate: SECONDS };
    const counted = (isread: number, count: number) => ({ data: { ...range, isread, count } });
    expect(await ask('countinbox', range)).toMatchObject(counted(0, 2));
    expect(await ask('countinbox', { ...range, isread: 1 })).toMatchObject(counted(1, 1));
    expect(await ask('countinbox', { ...range, number: OTHER })).toMatchObject(counted(0, 0));
    expect(await ask('countinbox', { ...range, startdate: SECONDS - 7199 })).toMatchObject({
      data: { count: 1 },
    });
    expect(await ask('countinbox', { startdate: 1, enddate: 0 })).toMatchObject({ return: { status: 417 } });
  });

  test('receive takes the 50 longest waiting and marks these alone as read', async () => {
    fill(120);
    expect(await texts('receive')).toEqual(Array.from({ length: 50 }, (_, index) => `m${index}`));
    expect(demo().inbox.filter(({ read }) => read)).toHaveLength(50);
    expect(await texts('receive')).toHaveLength(50);
    expect(await texts('receive')).toHaveLength(20);
    expect(await texts('receive')).toEqual([]);
    expect((await texts('receive', { isread: 1 }))[0]).toBe('m119');
  });

  test('receive of one line leaves the others unread', async () => {
    sandbox.world.receive(demo(), { from: '9121110009', line: OTHER, text: 'other' });
    expect(await texts('receive', { number: OTHER })).toEqual(['other']);
    expect(demo().inbox.filter(({ read }) => !read)).toHaveLength(2);
  });
});

test('read flags follow a small model through any sequence of arrivals and receives', async () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('arrive' as const),
      line: fc.constantFrom(LINE, OTHER),
      count: fc.nat(70),
    }),
    fc.record({
      kind: fc.constant('receive' as const),
      version: fc.constantFrom(4 as const, 3 as const),
      line: fc.constantFrom(LINE, OTHER, undefined),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      fill(0);
      const model: { id: bigint; line: string; read: boolean }[] = [];
      for (const one of steps) {
        if (one.kind === 'arrive') {
          for (let index = 0; index < one.count; index += 1) {
            const id = sandbox.world.receive(demo(), { from: '9121110001', line: one.line, text: 'x' });
            model.push({ id, line: one.line, read: false });
          }
          continue;
        }
        const due = model
          .filter(({ line, read }) => !read && (one.line === undefined || one.line === line))
          .slice(0, 50);
        const filter = one.line === undefined ? {} : { number: one.line };
        const { json } = await rest(one.version, sandbox, 'sms/receive', filter);
        expect((json as Listed).entries.map(({ messageid }) => messageid)).toEqual(due.map(({ id }) => id));
        for (const message of due) message.read = true;
      }
      const unread = await rest(4, sandbox, 'sms/countinbox', { startdate: 0, enddate: SECONDS });
      expect(unread.json).toMatchObject({ data: { count: model.filter(({ read }) => !read).length } });
    }),
    { numRuns: 30 },
  );
});
