import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from './server.ts';
import { exchange, rawSend, sendOn, v3, v4 } from './testing.ts';
import { createLedger } from './world/ledger.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-ledger-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const record = z.looseObject({ kind: z.enum(['send', 'hit']), number: z.int() });

function read(file: string) {
  const lines = readFileSync(file, 'utf8').split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => record.parse(JSON.parse(line)));
}

test('an accepted send stands in the file when its answer arrives, and even when no answer does', async () => {
  const file = join(folder, 'sends.jsonl');
  const sandbox = await startSandbox({ ledgerFile: file });
  await sendOn(3, sandbox, { message: 'اول' });
  expect(read(file)[0]).toEqual(sandbox.ledger.sends()[0]);
  sandbox.faults.add({ kind: 'drop', when: 'after', times: 1 });
  await exchange(sandbox.baseUrl, rawSend());
  expect(read(file)).toEqual([
    expect.objectContaining({ kind: 'send', number: 1, text: 'اول' }),
    expect.objectContaining({ kind: 'hit', number: 1, reachedEffect: true }),
    expect.objectContaining({ kind: 'send', number: 2, text: 'raw' }),
    expect.objectContaining({ kind: 'hit', number: 2, reachedEffect: true, outcome: 'drop' }),
  ]);
  await sandbox.close();
});

test('a ledger file is appended to, never begun anew', async () => {
  const file = join(folder, 'twice.jsonl');
  for (const message of ['یک', 'دو']) {
    const sandbox = await startSandbox({ ledgerFile: file });
    await sendOn(3, sandbox, { message });
    await sandbox.close();
  }
  expect(read(file).flatMap(({ kind, text }) => (kind === 'send' ? [text] : []))).toEqual(['یک', 'دو']);
});

test('when the file cannot be written, the send is refused and nothing is charged', async () => {
  const crashes: unknown[] = [];
  const sandbox = await startSandbox({
    ledgerFile: '/dev/full',
    onCrash: (error) => crashes.push(error),
  });
  // The note of the hit fails as well, so the connection is cut rather than answered.
  await expect(sendOn(3, sandbox)).rejects.toThrow('other side closed');
  expect(crashes[0]).toMatchObject({ code: 'ENOSPC' });
  expect(sandbox.world.account('demo')?.credit).toBe(10_000_000_000);
  expect(sandbox.ledger.totals().sends).toBe(0);
  await sandbox.close();
});

test('refused calls and stopped ones are hits that did not reach their effect', async () => {
  const sandbox = await startSandbox();
  await sendOn(3, sandbox);
  for (const account of sandbox.world.accounts()) account.credit = 0;
  await sendOn(3, sandbox);
  await sendOn(3, sandbox, { message: '' });
  await v3(sandbox, 'sms/send', {});
  await v4(sandbox, 'user/credit.json', {}, 'wrong');
  expect(sandbox.ledger.hits()).toMatchObject([
    {
      operation: 'send',
      account: 'demo',
      reachedEffect: true,
      path: '/api/v3/rest/sms/send',
      method: 'POST',
    },
    { operation: 'send', account: 'demo', reachedEffect: false },
    { operation: 'send', account: 'demo', reachedEffect: false },
    { operation: 'send', account: 'demo', reachedEffect: false },
    { operation: 'credit', account: null, reachedEffect: false, path: '/api/v4/***/user/credit.json' },
  ]);
  await sandbox.close();
});

test('memory keeps the newest records while the totals count all', () => {
  const ledger = createLedger({ keep: 3 });
  const hit = {
    at: 0,
    version: 3,
    operation: 'send',
    account: 'demo',
    method: 'POST',
    path: '/',
    reachedEffect: true,
    fault: null,
    outcome: 'answered',
  };
  for (let count = 0; count < 10; count += 1) ledger.recordHit(hit);
  expect(ledger.hits().map(({ number }) => number)).toEqual([8, 9, 10]);
  expect(ledger.totals().hits).toBe(10);
});
