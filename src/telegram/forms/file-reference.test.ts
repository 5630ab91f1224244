import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileReference, readFileReference } from './file-reference.ts';

test('a reference comes back as the file it was made of, whatever its name', () => {
  const name = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\u0000', ''));
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9_-]+$/), fc.nat(), name, (id, size, called) => {
      expect(readFileReference(fileReference({ id, size, name: called }))).toEqual({
        id,
        size,
        name: called,
      });
    }),
  );
});

test('what a person can type is none', () => {
  const typed = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\u0000', ''));
  fc.assert(fc.property(typed, (text) => readFileReference(text) === null));
  expect(readFileReference('file:AgAD')).toBeNull();
});
