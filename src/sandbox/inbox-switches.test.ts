import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { LINE, rest } from './testing.ts';

const NOW = 1_790_000_000_000;
type Listed = { entries: { messageid?: bigint; message: string }[]; current: Record<string, string> };
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: () => NOW });
});
beforeEach(() => {
  sandbox.world.reset();
  const demo = sandbox.world.account('demo');
  if (demo === undefined) throw new Error('no demo account');
  demo.inbox.length = 0;
  for (let index = 0; index < 4; index += 1)
    sandbox.world.receive(demo, { from: '9121110001', line: LINE, text: `m${index}` });
});
afterAll(() => sandbox.close());

async function ask(path: string, parameters: Record<string, number> = {}): Promise<Listed> {
  return (await rest(3, sandbox, `sms/${path}`, parameters)).json as Listed;
}
const texts = async (path: string, parameters: Record<string, number> = {}): Promise<string[]> =>
  (await ask(path, parameters)).entries.map(({ message }) => message);

test('an inbox can list the oldest first, and receive still takes the longest waiting', async () => {
  sandbox.world.setSwitches({ oldestFirst: true });
  expect(await texts('inbox')).toEqual(['m0', 'm1', 'm2', 'm3']);
  expect(await texts('inboxpaged', { page: 2, pagesize: 3 })).toEqual(['m3']);
  expect(await texts('receive')).toEqual(['m0', 'm1', 'm2', 'm3']);
  expect(await texts('receive', { isread: 1 })).toEqual(['m3', 'm2', 'm1', 'm0']);
});

test('an inbox can leave out what is read, unless it is asked for', async () => {
  sandbox.world.setSwitches({ hidesRead: true });
  await ask('receive');
  expect(await ask('inboxpaged')).toMatchObject({ entries: { length: 0 }, current: { totalcount: '0' } });
  expect(await texts('inboxpaged', { isread: 1 })).toHaveLength(4);
});

test('the ids of received messages can be missing, or be shared by two', async () => {
  sandbox.world.setSwitches({ inboxIds: 'missing' });
  for (const path of ['inboxpaged', 'receive'])
    expect((await ask(path)).entries.map((entry) => 'messageid' in entry)).toEqual(Array(4).fill(false));
  sandbox.world.setSwitches({ inboxIds: 'shared' });
  const ids = (await ask('inboxpaged')).entries.map(({ messageid }) => messageid);
  expect(new Set(ids).size).toBeLessThan(4);
});
