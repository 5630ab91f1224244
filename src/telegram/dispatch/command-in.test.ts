import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandIn } from './command-in.ts';

const BOT = 'PeykBot';

function read(text: string) {
  return commandIn({ text }, BOT);
}

describe('a command', () => {
  test.each<[string, { name: string; input: string } | null]>([
    ['/send', { name: 'send', input: '' }],
    ['/SEND 0912 hi', { name: 'send', input: '0912 hi' }],
    ['/send@PeykBot 0912', { name: 'send', input: '0912' }],
    ['/send@peykbot\n0912', { name: 'send', input: '0912' }],
    ['/send@OtherBot 0912', null],
    ['/A۱۰', { name: 'a10', input: '' }],
    ['/A１٠ now', { name: 'a10', input: 'now' }],
    ['/send@ 0912', null],
    ['/send  \n\t ۰۹۱۲ سلام\nدوم', { name: 'send', input: '۰۹۱۲ سلام\nدوم' }],
    ['/start c_AbC-_', { name: 'start', input: 'c_AbC-_' }],
    [' /send', null],
    ['hello /send', null],
    ['/', null],
    ['//send', null],
    ['/send!', { name: 'send', input: '' }],
    ['/credit؟', { name: 'credit', input: '' }],
    ['/send@PeykBot: 0912 hi', { name: 'send', input: '0912 hi' }],
    ['/send! 0912', { name: 'send', input: '0912' }],
    ['/send!0912', null],
    ['/send,0912', null],
    ['/sénd', null],
    ['／send', null],
    [`/${'a'.repeat(32)}`, { name: 'a'.repeat(32), input: '' }],
    [`/${'a'.repeat(33)}`, null],
    ['', null],
  ])('in %j', (text, wanted) => {
    expect(read(text)).toEqual(wanted);
  });

  test('counts in a caption too, and in nothing else', () => {
    expect(commandIn({ caption: '/send 0912' }, BOT)).toEqual({ name: 'send', input: '0912' });
    expect(commandIn({}, BOT)).toBe(null);
    const origin = { type: 'hidden_user', date: 1, sender_user_name: 'Ali' } as const;
    expect(commandIn({ text: '/send 0912', forward_origin: origin }, BOT)).toBe(null);
  });

  test('keeps what stands behind it to the letter', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((text) => !/^\s/u.test(text)),
        (input) => {
          expect(read(`/send ${input}`)).toEqual({ name: 'send', input });
        },
      ),
    );
  });

  test('is read from anything without failing, quickly', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 4096 }), (text) => {
        const found = read(text);
        expect(found === null || text.startsWith('/')).toBe(true);
      }),
    );
    expect(read(`/send ${' '.repeat(100_000)}x`)).toEqual({ name: 'send', input: 'x' });
  });
});
