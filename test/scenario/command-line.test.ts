import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { spawnPeyk } from '../support/peyk-process.ts';
import { runTool } from '../support/run-tool.ts';

/* What stands behind the name of the program, as a shell gives it. */

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'peyk-line-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('help and version end with 0, what is not there with 64, and none of them reads a setting', async () => {
  const broken = { PORT: 'none', DATABASE_URL: 'mysql://x' };
  expect(await runTool(['--version'], broken, folder)).toEqual({
    code: 0,
    text: `peyk ${manifest.version}\n`,
  });
  const help = await runTool(['--help'], broken, folder);
  expect(help).toMatchObject({ code: 0 });
  expect(help.text).toContain('peyk halt on');
  expect(await runTool(['halt', '--help'], broken, folder)).toMatchObject({ code: 0 });
  const wrong = await runTool(['hlat', 'on'], broken, folder);
  expect(wrong).toMatchObject({ code: 64 });
  expect(wrong.text).toContain('Did you mean halt?');
  expect(readdirSync(folder)).toEqual([]);
});

test('a process ends whatever is left open in it', async () => {
  const open = { NODE_OPTIONS: '--import=data:text/javascript,setInterval(()=>{},1000)' };
  expect(await runTool(['--version'], open, folder)).toMatchObject({ code: 0 });
  expect(await runTool(['hlat'], open, folder)).toMatchObject({ code: 64 });
});

test('peyk try asks nobody whom the settings name, and leaves the data of a deployment alone', async () => {
  const nowhere = 'http://127.0.0.1:9';
  const real = {
    TELEGRAM_BOT_TOKEN: '7700000001:abcdefghijklmnopqrstuvwxyz012345678',
    TELEGRAM_API_ROOT: nowhere,
    PROXY_URL: nowhere,
    GATEWAY_BASE_URL: nowhere,
    GATEWAY_WS_URL: nowhere,
    DATABASE_URL: 'postgres://peyk@127.0.0.1:9/peyk',
    MASTER_KEYS: 'of nobody',
    WEBHOOK_URL: 'https://peyk.example.com/updates',
    ROLES: 'poller',
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
  };
  await using peyk = spawnPeyk(real, folder, ['try']);
  await peyk.line('Nothing here leaves this machine');
  await peyk.line('Ctrl-C');
  expect(await peyk.stop()).toBe(0);
  expect(readdirSync(real.DATA_DIR)).toEqual(['try']);
  expect(peyk.complaints()).toBe('');
});
