import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readArguments } from './arguments.ts';
import { FileError, readConfig } from './config.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(content: unknown): string {
  const path = join(folder, 'config.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const LINES = ['3000123456'];
const one = { username: 'one', password: 'p', apiKey: 'key-1', lines: LINES };

test('every mistake is named, with its place', () => {
  const path = file({
    acounts: [],
    accounts: [
      { ...one, inbox: [{ from: '9121111111', line: '10001', message: 'x' }] },
      { ...one, credit: -1 },
      { username: 'a b', lines: ['x'] },
    ],
    delivery: { delivered: 90, lost: 10 },
    deliverySeconds: 'soon',
    switches: { shufled: true, cap: 'no' },
    faults: [{ kind: 'explode' }, { kind: 'delay' }],
  });
  let words = '';
  try {
    readConfig(path);
  } catch (error) {
    words = error instanceof FileError ? error.message : '';
  }
  expect(words).toContain(`--config: ${path} does not fit:`);
  for (const mistake of [
    '"acounts"',
    'accounts[1].credit',
    'accounts[2].username',
    'accounts[2].password',
    'accounts[2].lines[0]',
    '"lost"',
    'deliverySeconds',
    '"shufled"',
    'switches.cap',
    'faults[0].kind',
    'faults[1].ms',
  ])
    expect(words).toContain(mistake);
});

test('what is well formed but does not fit together is named too', () => {
  const path = file({
    accounts: [
      {
        ...one,
        inbox: [{ from: '9121111111', line: '10001', message: 'x' }],
        blacklist: [{ line: '20002', to: ['09121111111'] }],
        phonebooks: [
          { title: 'a', flag: 'f', numbers: [] },
          { title: 'b', flag: 'f', numbers: [] },
        ],
      },
      { ...one, username: 'two' },
    ],
  });
  const read = () => readConfig(path);
  expect(read).toThrow("10001 is none of the account's lines");
  expect(read).toThrow("20002 is none of the account's lines");
  expect(read).toThrow('another phonebook has this flag');
  expect(read).toThrow('account one has this apiKey');
  const faults = file({ accounts: [one], faults: [{ kind: 'drop', account: 'nobody' }] });
  expect(() => readConfig(faults)).toThrow('no account nobody');
  const rules = [
    { kind: 'drop', operation: 'sedn' },
    { kind: 'drop', version: 1, operation: 'inbox' },
  ];
  const books = [{ title: 'a', flag: 'f', numbers: ['1234567890'] }];
  const others = file({ accounts: [{ ...one, phonebooks: books }], faults: rules });
  expect(() => readConfig(others)).toThrow('must be a mobile number');
  const misspelt = () => readConfig(file({ faults: rules }));
  expect(misspelt).toThrow('no operation sedn: did you mean `send`?');
  expect(misspelt).toThrow('no operation inbox');
});

test('a plan for all is that of each account without its own', () => {
  const own = { delivered: 100 };
  const { accounts } = readConfig(
    file({
      accounts: [one, { ...one, username: 'two', apiKey: 'k2', delivery: own }],
      delivery: { returned: 100 },
    }),
  );
  expect(accounts).toMatchObject([{ delivery: { returned: 100 } }, { delivery: { delivered: 100 } }]);
  expect(readConfig(file({ delivery: { returned: 100 } })).accounts).toMatchObject([
    { username: 'demo', delivery: { returned: 100 } },
    { username: 'locked' },
  ]);
  expect(readConfig(file({})).accounts).toBeUndefined();
});

test('a file that cannot be read, and two that name accounts, are refused', () => {
  expect(() => readConfig(join(folder, 'none.json'))).toThrow('ENOENT');
  expect(() => readConfig(file('{'))).toThrow('it is not JSON');
  expect(() => readArguments(['--config', file({}), '--accounts', file([one])])).toThrow('give one of them');
});
