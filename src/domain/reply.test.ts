import { describe, expect, test } from 'vitest';
import { replyDoubt } from './reply.ts';

describe('an answer to one who has written', () => {
  test.each([
    'Ready at five.',
    'سلام، سفارش شما فردا می‌رسد.',
    'write to sara@shop.example',
    'a@b',
    'please do not block us',
    'at @ab',
    '1/2 price today',
    'yes / no?',
    '{}',
    'x'.repeat(459),
    'س'.repeat(201),
  ])('leaves without another look: %s', (text) => {
    expect(replyDoubt(text)).toBeNull();
  });

  test.each([
    ['x'.repeat(460), 'long'],
    ['س'.repeat(202), 'long'],
    ['Dear {name}, it is ready', 'fields'],
    ['{نام} عزیز', 'fields'],
    ['@omid_shop can you take this?', 'mention'],
    ['این با شماست @omid_shop', 'mention'],
    ['(@Omid)', 'mention'],
    ['block this number', 'order'],
    ['spam', 'order'],
    ['/زمان فردا ۹ سلام', 'order'],
    [' ／ مسدود', 'order'],
    ['بلاکش کن لطفا', 'order'],
  ])('waits for one: %s', (text, why) => {
    expect(replyDoubt(text)).toBe(why);
  });
});
