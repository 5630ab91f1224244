import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { http } from './testing.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ adminPort: 0 });
});
afterAll(() => sandbox.close());

/** The lines of a document's shell blocks that call curl. */
function curls(file: string): string[] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line.startsWith('curl '));
}

/** Splits as a shell does, with the few quotes and variables that the documents use. */
function words(line: string): string[] {
  const variables: Record<string, string> = {
    B: sandbox.baseUrl,
    W: sandbox.wsUrl,
    A: sandbox.adminUrl ?? '',
    K: 'token: sandbox-key-demo',
    T: 'token: sandbox-token-demo',
  };
  const found = line.matchAll(/'([^']*)'|"([^"]*)"|(#.*)|(\S+)/g);
  return [...found].flatMap(([, single, double, comment, bare]) => {
    if (comment !== undefined) return [];
    return (
      single ?? (double ?? bare ?? '').replaceAll(/\$([A-Z])/g, (_, name: string) => variables[name] ?? '')
    );
  });
}

/** What curl would do with these words; a machine that runs the tests may lack it. */
async function run(line: string) {
  const [, ...rest] = words(line);
  const call = {
    url: '',
    method: 'GET' as 'GET' | 'POST' | 'DELETE',
    headers: {} as Record<string, string>,
    body: '',
  };
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    const value = rest[at + 1] ?? '';
    if (!['-X', '-H', '-d'].includes(word)) {
      expect(call.url, `one address in: ${line}`).toBe('');
      call.url = word;
      continue;
    }
    at += 1;
    if (word === '-X' && value === 'DELETE') call.method = value;
    if (word === '-H') call.headers = Object.fromEntries([value.split(': ')]);
    if (word === '-d') {
      call.body = value;
      if (call.method === 'GET') call.method = 'POST';
    }
  }
  const { url, body, ...options } = call;
  return http(url, { ...options, ...(body === '' ? {} : { body }) });
}

test('every curl example of the README succeeds, one after the other', async () => {
  const lines = curls('README.md');
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) {
    const { json } = await run(line);
    const success = line.includes('$W')
      ? { status: 200, result: { status: 0 } }
      : { return: { status: 200 } };
    expect(json, line).toMatchObject(success);
  }
  const operations = new Set(sandbox.ledger.hits().map(({ operation }) => operation));
  for (const group of [
    'send',
    'multi',
    'latestoutbox',
    'inboxpaged',
    'details',
    'register',
    'phonebook-create',
  ])
    expect(operations).toContain(group);
  expect(operations).toContain('blacklist-add');
});

test('every curl example of the admin interface succeeds', async () => {
  for (const line of curls('admin.md')) {
    const { httpStatus, text } = await run(line);
    expect([httpStatus, text], line).toEqual([200, expect.not.stringContaining('"error":')]);
  }
});
