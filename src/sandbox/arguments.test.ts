import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ArgumentsError } from '../pages/program.ts';
import { readArguments } from './arguments.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-arguments-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function accountsFile(content: string): string {
  const file = join(folder, 'accounts.json');
  writeFileSync(file, content);
  return file;
}

test('without arguments the two documented ports are used, without admin, accounts or ledger', () => {
  expect(readArguments([])).toEqual({
    host: '127.0.0.1',
    switches: undefined,
    faults: undefined,
    port: 8801,
    wsPort: 8802,
    adminPort: undefined,
    accounts: undefined,
    ledgerFile: undefined,
    deliverySeconds: undefined,
    strict: undefined,
    shapes: undefined,
    log: false,
  });
});

test('every argument is read', () => {
  const accounts = accountsFile('[{"username":"a","password":"b","lines":["10001"]}]');
  const line = `--log --strict --shapes text-ids bare-rows --host ::1 --port 0 --ws-port=1 --admin-port 65535 --accounts ${accounts} --ledger l --delivery-seconds 0.5`;
  expect(readArguments(line.split(' '))).toEqual({
    host: '::1',
    switches: undefined,
    faults: undefined,
    port: 0,
    wsPort: 1,
    adminPort: 65_535,
    accounts: [expect.objectContaining({ username: 'a', lines: ['10001'], credit: 0 })],
    ledgerFile: 'l',
    deliverySeconds: 0.5,
    strict: true,
    shapes: ['text-ids', 'bare-rows'],
    log: true,
  });
  expect(readArguments(['--help'])).toBe('help');
});

test.each([
  [['--port', '65536'], '--port'],
  [['--port', '-1'], '--port'],
  [['--port='], '--port'],
  [['--ws-port', '1e3'], '--ws-port'],
  [['--delivery-seconds', 'soon'], '--delivery-seconds'],
  [['--prot', '1'], '--prot'],
  [['stray'], 'stray'],
  [['--shapes', 'text-id'], 'no shape text-id: did you mean `text-ids`?'],
  [['--shapes', 'text-ids', 'yaml'], 'no shape yaml; known: text-ids small-ids'],
  [['--accounts', '/nowhere/at/all.json'], 'ENOENT'],
])('%j is a mistake that is named', (argv, name) => {
  expect(() => readArguments(argv)).toThrow(ArgumentsError);
  expect(() => readArguments(argv)).toThrow(name);
});

test.each([
  ['{', 'it is not JSON'],
  ['{}', 'expected array'],
  ['[]', '>=1'],
  ['[{"password":"x"}]', '[0].username'],
  ['[{"username":"a","password":"b","credits":1}]', 'credits'],
  ['[{"username":"a","password":"b","lines":["12"]}]', '[0].lines[0]'],
  ['[{"username":"a","password":"b","credit":-5}]', '[0].credit'],
])('the accounts file %s is explained', (content, text) => {
  const argv = ['--accounts', accountsFile(content)];
  expect(() => readArguments(argv)).toThrow(ArgumentsError);
  expect(() => readArguments(argv)).toThrow(text);
});
