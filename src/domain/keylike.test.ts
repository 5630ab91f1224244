import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findKeyLike, findKeyLikes, isInName } from './keylike.ts';

const KEY = '9f31c0Ab77de_41-77Qd2';

const isKnown = (candidate: string): boolean => candidate === 'sandbox-key-demo';

describe('a credential in a chat', () => {
  it.each([
    `my key is ${KEY}`,
    `API key: ${KEY}`,
    `api_key=${KEY}`,
    `the token for the shop: "${KEY}", keep it`,
    `KEY\n${KEY}`,
    `apikey ${KEY}`,
    `my key ${KEY} for https://example.com/a`,
    `کلید-${KEY}`,
    `کلید من ${KEY} است`,
    `توکن: ${KEY}`,
    `/connect ${KEY}`,
    `/connect@PeykBot ${KEY}`,
    `https://example.com/?token=${KEY}&x=1`,
    KEY,
    `  \`${KEY}\`\n`,
    `«${KEY}»`,
    '123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw-',
    'use 123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw- please',
  ])('is found in %j', (text) => {
    const found = findKeyLike(text);
    expect(found).not.toBeNull();
    expect(text.slice(found?.start, found?.end)).toBe(found?.value);
  });

  it.each([
    '',
    'hello',
    'the key point is that we send at 10:30 tomorrow',
    'a token of our appreciation for 2026',
    'monkey abcdef1234567890abcdef',
    'keyboard abcdef1234567890abcdef',
    'tokenize abcdef1234567890abcdef',
    'order A-20260912-7731-XK9 has left, tell them',
    'key accounts: internationalization-of-everything',
    'key 1234567890123456789',
    'the key is abc123',
    `${KEY} is my order`,
    'see my-token-abcdef123456789 there',
    'ratio 1234567:89',
    '/connect@sms_panel_2026_team_bot',
    'the key points are in http://docs.example.com/d/1AbCdEfGh2345678901234567890/edit',
    'the key points are in https://docs.example.com/d/1AbCdEfGh2345678901234567890',
    'https://example.com/?token=x https://docs.example.com/d/1AbCdEfGh2345678901234567890/edit',
    'see https://docs.example.com/d/1AbCdEfGh2345678901234567890/edit',
    'the key points are in https://docs.example.com/d/1AbCdEfGh2345678901234567890/edit',
    '+989121234567',
    '/send 09121234567, 09351112233 سلام',
    '/status 8800112233445566, 8800112233445567',
    'سلام، کلید دفتر دست کیست؟',
    'جلسه فردا ساعت ۱۰ برگزار می‌شود.',
    '@some_long_username_1990',
    'sandbox-key-demo',
  ])('is not seen in %j', (text) => {
    expect(findKeyLike(text)).toBeNull();
  });

  it('is found anywhere when it equals a key in use, whatever its shape', () => {
    expect(findKeyLike('try sandbox-key-demo in there', isKnown)).toEqual({
      start: 4,
      end: 20,
      value: 'sandbox-key-demo',
      known: true,
    });
    expect(findKeyLike('try sandbox-key-demos in there', isKnown)).toBeNull();
  });

  it('is found each time', () => {
    const found = { value: KEY, known: false };
    expect(findKeyLikes(`key ${KEY} and token ${KEY}!`)).toEqual([
      { ...found, start: 4, end: 4 + KEY.length },
      { ...found, start: 15 + KEY.length, end: 15 + 2 * KEY.length },
    ]);
  });

  it('is found after a word that announces it, wherever it stands', () => {
    const keys = fc.stringMatching(/^[A-Za-z]\d[A-Za-z0-9_-]{14,60}$/);
    const around = fc.stringMatching(/^[a-zآ-ی ,.:\n]{0,30}$/u);
    fc.assert(
      fc.property(
        keys,
        around,
        around,
        fc.constantFrom('key', 'Token', 'کلید'),
        (key, before, after, word) => {
          const found = findKeyLikes(`${before} ${word}: ${key} ${after}`);
          expect(found.map(({ value }) => value)).toContain(key);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is looked for in linear time in hostile text', () => {
    const hostile = [
      'key '.repeat(1_000),
      '-'.repeat(4_000),
      '_key'.repeat(1_000),
      'https://'.repeat(500),
      '1:'.repeat(2_000),
    ];
    for (const text of hostile) expect(findKeyLike(text)).toBeNull();
    for (const name of hostile) expect(isInName(name)).toBe(false);
  });
});

describe('a credential in the name of a file', () => {
  it.each([
    'my key 9f31bd77c2a04e5510.txt',
    'api_key_9f31bd77c2a04e5510.txt',
    'token-9f31bd77c2a04e5510',
    'key.9f31bd77c2a04e5510.env',
    'کلید 9f31bd77c2a04e5510.txt',
    '123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw-.txt',
    'sandbox-key-demo.txt',
    'backup sandbox-key-demo (1).zip',
  ])('is found in %j', (name) => {
    expect(isInName(name, isKnown)).toBe(true);
  });

  // What programs call their files is no credential, whatever it looks like.
  it.each([
    '',
    'report.xlsx',
    'report-2026-11-22.xlsx',
    'IMG_20261122_101530.jpg',
    'IMG20261122101530.jpg',
    'Screenshot_2026-11-22-10-15-30-412_org.telegram.jpg',
    '5d41402abc4b2a76b9719d911017c592.pdf',
    '5d41402abc4b2a76b9719d911017c592',
    '550e8400-e29b-41d4-a716-446655440000.png',
    'key-performance-indicators-2026-11.xlsx',
    'Key_Account_List_2026_11_22.xlsx',
    'monkey_9f31bd77c2a04e5510.txt',
    'کلید دفتر.pdf',
  ])('is not seen in %j', (name) => {
    expect(isInName(name, isKnown)).toBe(false);
  });

  it('is known by its words, also when they are joined', () => {
    const isPlain = (candidate: string): boolean => candidate === 'plainword';
    expect(isInName('account_plainword_old.csv', isPlain)).toBe(true);
    expect(isInName('account_plainwords_old.csv', isPlain)).toBe(false);
  });
});
