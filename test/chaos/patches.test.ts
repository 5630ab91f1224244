import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { hastenInbox } from './hasten-inbox.ts';
import { MUTANTS } from './mutants.ts';
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

test.each(MUTANTS)(
  'the broken copy $name can be made, also one in which time is short',
  ({ name, patches }) => {
    const broken = copy();
    expect(() => applyPatches(broken, name, patches)).not.toThrow();
    expect(() => hastenInbox(broken)).not.toThrow();
  },
);

test('a patch that fits no place, or several, is refused', () => {
  const file = 'package.json';
  expect(() => applyPatches(copy(), 'this', [{ file, find: /no such words/gu, put: '' }])).toThrow(
    '0 places',
  );
  expect(() => applyPatches(copy(), 'this', [{ file, find: /"/gu, put: '' }])).toThrow('instead of one');
});
