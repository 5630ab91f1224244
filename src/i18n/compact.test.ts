import { expect, it } from 'vitest';
import { compactNumber } from './compact.ts';

it.each([
  [0, '0', '۰'],
  [11_642, '11,642', '۱۱٬۶۴۲'],
  [2.5, '2.5', '۲٫۵'],
  [1_200_000, '1.2M', '۱٫۲ میلیون'],
])('%d is short in both languages', (value, en, fa) => {
  expect(compactNumber('en', value)).toBe(en);
  expect(compactNumber('fa', value).replaceAll('\u00a0', ' ')).toBe(fa);
});
