import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAppError } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';
import { loadMasterKeys, masterKeyProblems } from './master-keys.ts';

const ONE = Buffer.alloc(32, 1).toString('base64');
const TWO = Buffer.alloc(32, 2).toString('base64');

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'peyk-keys-'));
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe('loadMasterKeys', () => {
  it('takes the keys of the settings, newest first, and makes no file', () => {
    const { keys, source } = loadMasterKeys({ masterKeys: new Secret(`k2:${TWO}, k1:${ONE}`), dataDir });
    expect(source).toBe('settings');
    expect(keys.map(({ kid, key }) => [kid, key.reveal()])).toEqual([
      ['k2', TWO],
      ['k1', ONE],
    ]);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('makes a key file that only its owner may read, once', () => {
    const folder = join(dataDir, 'not', 'there');
    const first = loadMasterKeys({ masterKeys: undefined, dataDir: folder });
    const second = loadMasterKeys({ masterKeys: undefined, dataDir: folder });
    expect([first.source, second.source]).toEqual(['generated', 'file']);
    expect(second.keys[0].kid).toBe(first.keys[0].kid);
    expect(second.keys[0].key.equals(first.keys[0].key)).toBe(true);
    expect(statSync(join(folder, 'master.key')).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder)).toEqual(['master.key']);
  });

  it('gives one key to four processes that start at once', async () => {
    const script = `import { loadMasterKeys } from ${JSON.stringify(join(import.meta.dirname, 'master-keys.ts'))};
      console.log(loadMasterKeys({ masterKeys: undefined, dataDir: process.argv[1] }).keys[0].kid);`;
    const run = () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, dataDir], {
        encoding: 'utf8',
      });
    const kids = await Promise.all([run(), run(), run(), run()]);
    expect(new Set(kids.map(({ stdout }) => stdout)).size).toBe(1);
    expect(readdirSync(dataDir)).toEqual(['master.key']);
  });

  it.each([0o640, 0o604, 0o660])('refuses a file of mode %o, which others may read or write', (mode) => {
    loadMasterKeys({ masterKeys: undefined, dataDir });
    chmodSync(join(dataDir, 'master.key'), mode);
    expect(failure(() => loadMasterKeys({ masterKeys: undefined, dataDir }))).toContain(
      'can be read by others',
    );
  });

  it('reads several keys of a file, and refuses a damaged one without showing it', () => {
    const file = join(dataDir, 'master.key');
    writeFileSync(file, `k2:${TWO}\nk1:${ONE}\n`, { mode: 0o600 });
    expect(loadMasterKeys({ masterKeys: undefined, dataDir }).keys).toHaveLength(2);
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 30));
    const message = failure(() => loadMasterKeys({ masterKeys: undefined, dataDir }));
    expect(message).toContain('entry 1: its key must be 32 bytes');
    expect(message).not.toContain(TWO.slice(0, 10));
    writeFileSync(file, '');
    expect(failure(() => loadMasterKeys({ masterKeys: undefined, dataDir }))).toContain('entry 1');
  });
});

describe('masterKeyProblems', () => {
  it('names every mistake by its place, none by its value', () => {
    const canary = 'canarycanarycanary';
    const problems = masterKeyProblems(`k1:${ONE},k1:${TWO},${ONE},k 2:${canary},,k3:${ONE.slice(0, -1)}`);
    expect(problems).toEqual([
      'entry 2: its name is there twice',
      expect.stringMatching(/^entry 3: its name/),
      expect.stringMatching(/^entry 4: its name/),
      expect.stringMatching(/^entry 4: its key/),
      expect.stringMatching(/^entry 5: its name/),
      expect.stringMatching(/^entry 5: its key/),
      expect.stringMatching(/^entry 6: its key/),
    ]);
    expect(problems.join(' ')).not.toContain('canary');
    expect(masterKeyProblems(`k2:${TWO},k1:${ONE}`)).toEqual([]);
  });
});

function failure(work: () => unknown): string {
  try {
    work();
    return 'no failure';
  } catch (error) {
    return isAppError(error, 'config') ? error.message : String(error);
  }
}
