import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLine } from '../../../../telegram/feature.ts';
import { createFutureFeature, type FutureDeps } from './index.ts';

const [future] = createFutureFeature({} as unknown as FutureDeps).commands;

function read(line: string): Readonly<Record<string, string>> {
  if (future === undefined) throw new Error('no command');
  return readLine(future, line);
}

const isTime = (typed: string): boolean => future?.args['when']?.schema.safeParse(typed).success === true;

test('a line is a time, numbers and a text, however each is written', () => {
  const times = [
    'tomorrow 9',
    'tomorrow 9:00',
    'tomorrow at 9 pm',
    '2030-12-24 18:30',
    '1410/10/03 18:30',
    '۱۴۱۰/۱۰/۰۳ ۱۸:۳۰',
    'in 2h',
    'in 30 minutes',
    '۲ ساعت دیگر',
    'فردا ۹ صبح',
    'شنبه ساعت ۱۰',
    '18:30',
  ];
  const numbers = [
    '09121234567',
    '09121234567, ۰۹۳۵۱۱۱۲۲۳۳',
    '+98 912 123 4567',
    '9121234567 0912x, 9351112233',
  ];
  const texts = ['Hello', 'at 18:30 we meet', 'سلام، فردا ساعت ۹'];
  fc.assert(
    fc.property(
      fc.constantFrom(...times),
      fc.constantFrom(...numbers),
      fc.constantFrom(...texts),
      fc.constantFrom(' ', '\n'),
      (when, to, text, gap) => {
        expect(read(`${when}${gap}${to} ${text}`)).toEqual({ when, numbers: to, text });
        expect(isTime(when), when).toBe(true);
      },
    ),
  );
});

test('a time in a form that nobody knows is told as a whole; what stands behind it is kept', () => {
  for (const when of [
    'yesterday',
    '5/12/2030 18:30',
    'next month on monday',
    'every day 9:00',
    'پس از ناهار',
  ]) {
    const line = read(`${when} 09121234567 Hello you`);
    expect(line).toEqual({ when, numbers: '09121234567', text: 'Hello you' });
    expect(isTime(when), when).toBe(false);
  }
});

test('without a number only the first word is taken for the time', () => {
  expect(read('soon hello you')).toMatchObject({ when: 'soon' });
  expect(read('')).toEqual({});
});
