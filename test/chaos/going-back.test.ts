import { expect, test } from 'vitest';
import type { Acceptance } from './gateway-oracle.ts';
import { checkGoneBack } from './going-back.ts';

const call = (number: number, ...recipients: string[]): Acceptance => {
  const rest = { kind: 'send' as const, account: 'a', line: '3000', flash: false, messageIds: ['1'] };
  return { ...rest, number, at: number, text: 't', recipients };
};
const kinds = (...given: Parameters<typeof checkGoneBack>): string[] =>
  checkGoneBack(...given).map(({ kind, count }) => `${kind} ${count}`);

test('a database that went back leads to nobody being written to twice, and to all sends being held', () => {
  const [one, two] = ['989120000001', '989120000002'];
  expect(kinds([call(1, one), call(9, two)], true, 5)).toEqual([]);
  expect(kinds([call(1, one, two), call(9, one, two)], true, 5)).toEqual(['doubled 2']);
  expect(kinds([call(1, one)], false, 5)).toEqual(['wrong 1']);
});
