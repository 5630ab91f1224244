import { describe, expect, it } from 'vitest';
import { numbersWithin } from './numbers-within.ts';

describe('mobile numbers within a text', () => {
  it.each([
    ['Mary, 09351112233 Ali', 'Mary', '09351112233', 'Ali'],
    ['مریم، ۰۹۳۵۱۱۱۲۲۳۳ علی', 'مریم', '۰۹۳۵۱۱۱۲۲۳۳', 'علی'],
    ['Mary Ann Lee 0935 111 2233', 'Mary Ann Lee', '0935 111 2233', ''],
    ['09351112233 Hello', '', '09351112233', 'Hello'],
  ])('stand as recipients in %j', (text, before, numbers, after) => {
    expect(numbersWithin(text)).toEqual({ before, numbers, after, isListed: true });
  });

  it.each([
    ['با ۰۹۳۵۱۱۱۲۲۳۳ تماس بگیرید', 'با', '۰۹۳۵۱۱۱۲۲۳۳', 'تماس بگیرید'],
    ['تماس: ۰۹۳۵۱۱۱۲۲۳۳', 'تماس:', '۰۹۳۵۱۱۱۲۲۳۳', ''],
    ['Your order is here now, 09351112233', 'Your order is here now', '09351112233', ''],
    ['from Tehran, 09351112233', 'from Tehran', '09351112233', ''],
    ['از تهران، ۰۹۳۵۱۱۱۲۲۳۳', 'از تهران', '۰۹۳۵۱۱۱۲۲۳۳', ''],
    ['Call us at 09351112233', 'Call us at', '09351112233', ''],
    ['We open at nine tomorrow\n09351112233', 'We open at nine tomorrow', '09351112233', ''],
    ['Hello to 09351112233, 09121234567', 'Hello', '09351112233, 09121234567', ''],
  ])('are of the text in %j', (text, before, numbers, after) => {
    expect(numbersWithin(text)).toEqual({ before, numbers, after, isListed: text.startsWith('Hello') });
  });

  it.each(['', 'Hello', 'Code 12345'])('are none in %j', (text) => {
    expect(numbersWithin(text)).toBeNull();
  });
});
