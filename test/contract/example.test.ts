import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { startSandbox } from '../../src/sandbox/server.ts';

const run = promisify(execFile);

test('the example in the documentation sends an SMS and prints its status', async () => {
  const sandbox = await startSandbox({ port: 0, wsPort: 0 });
  const script = new URL('../../docs/examples/gateway-client.ts', import.meta.url).pathname;

  const { stdout } = await run(process.execPath, [script, '3000123456', '989121234567', 'hello'], {
    env: { GATEWAY_BASE_URL: sandbox.baseUrl, GATEWAY_KEY: 'sandbox-key-demo' },
  });
  await sandbox.close();

  const printed: unknown = JSON.parse(stdout);
  expect(printed).toMatchObject({
    credit: expect.any(Number),
    answer: { outcome: 'accepted', messageIds: [{ id: expect.stringMatching(/^[0-9]+$/) }] },
    status: [{ recipient: '989121234567' }],
  });
  expect(stdout).not.toContain('sandbox-key-demo');
});
