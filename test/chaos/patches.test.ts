import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { hasten } from './hasten.ts';
import { hastenInbox } from './hasten-inbox.ts';
import { INBOX_MUTANTS } from './inbox-mutants.ts';
import { MUTANTS } from './mutants.ts';
import { ORDER_MUTANTS } from './order-mutants.ts';
import { ROLLING_MUTANTS } from './rolling-mutants.ts';
import { applyPatches, copySource, type SourceCopy } from './source-copy.ts';

const ROOT = join(import.meta.dirname, '../..');
const copies: SourceCopy[] = [];
const copy = (): SourceCopy => {
  const made = copySource(ROOT);
  copies.push(made);
  return made;
};

afterEach(() => {
  for (const made of copies.splice(0)) made.remove();
});

const ALL = [...MUTANTS, ...ORDER_MUTANTS, ...INBOX_MUTANTS, ...ROLLING_MUTANTS];

test.each(ALL)('the broken copy $name can be made', ({ name, patches }) => {
  expect(() => applyPatches(copy(), name, patches)).not.toThrow();
});

test('the copies in which time is short can be made, also of one that is broken', () => {
  expect(() => hasten(copy())).not.toThrow();
  for (const { name, patches } of INBOX_MUTANTS) {
    const broken = copy();
    applyPatches(broken, name, patches);
    expect(() => hastenInbox(broken)).not.toThrow();
  }
});

test('a patch that fits no place, or several, is refused', () => {
  const file = 'package.json';
  expect(() => applyPatches(copy(), 'this', [{ file, find: /no such words/gu, put: '' }])).toThrow(
    '0 places',
  );
  expect(() => applyPatches(copy(), 'this', [{ file, find: /"/gu, put: '' }])).toThrow('instead of one');
});
