import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useSandbox } from './library.ts';

let left = '';

describe('a group of tests', () => {
  const sandbox = useSandbox({ before: beforeAll, after: afterAll }, { strict: true });
  expect(sandbox).toThrow('the hooks have not run');

  test('has a sandbox of its own, as it was asked for', async () => {
    left = sandbox().baseUrl;
    const { apiKey } = sandbox().freshAccount();
    const ask = (path: string): Promise<string> =>
      fetch(`${left}/api/v4/${apiKey}${path}`).then((answer) => answer.text());
    expect(await ask('/user/credit.json')).toContain('"status":200');
    expect(await ask('//user/credit.json')).not.toContain('"status":200');
  });
});

test('and nothing of it is left afterwards', async () => {
  await expect(fetch(`${left}/health`)).rejects.toThrow('fetch failed');
});
