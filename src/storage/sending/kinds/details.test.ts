import { expect, test } from 'vitest';
import { newBulk, type Bulk } from '../../../domain/bulk.ts';
import { readOutgoing, writeOutgoing } from './details.ts';

const BULK: Bulk = { ...newBulk({ name: 'a.csv', reference: 'x' }), header: 3 };

test('a draft from a file is read as it was written', () => {
  expect(readOutgoing(writeOutgoing(BULK))).toEqual(BULK);
});

test.each([
  ['one of the release before, with names in its first row', { hasHeader: true }, 1],
  ['one of the release before, without names', { hasHeader: false }, 0],
  ['one whose names a program of the release before has given up', { hasHeader: false, header: 3 }, 0],
  ['one that a program of the release before has given names', { hasHeader: true, header: 0 }, 1],
])('%s is read', (_what, stored, header) => {
  const { details } = writeOutgoing(newBulk({ name: 'a.csv', reference: 'x' }));
  const { header: _header, ...older } = { header: 0, ...details };
  expect(readOutgoing({ kind: 'bulk', details: { ...older, ...stored } })).toMatchObject({ header });
});
