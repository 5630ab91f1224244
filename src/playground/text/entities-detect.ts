import type { MessageEntity } from '@grammyjs/types';

type Found = MessageEntity.CommonMessageEntity['type'];

const PATTERNS: readonly (readonly [Found, RegExp])[] = [
  [
    'url',
    /(?<![\w@.])(?:https?:\/\/[^\s<>"«»]+|(?:[a-z0-9-]+\.)+(?:com|org|net|ir|io|me|dev|app)(?:\/[^\s<>"«»]*)?)/giu,
  ],
  ['email', /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu],
  ['bot_command', /(?<![\p{L}\p{N}_/<>])\/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![A-Za-z0-9_/])/gu],
  ['mention', /(?<![\p{L}\p{N}_@])@[A-Za-z0-9_]{3,32}(?![A-Za-z0-9_])/gu],
  ['hashtag', /(?<![\p{L}\p{N}_#&])#[\p{L}\p{N}_‌]*\p{L}[\p{L}\p{N}_‌]*/gu],
  ['phone_number', /(?<![\p{N}\w])\+\d{8,15}(?!\d)/gu],
];

/**
 * What Telegram marks by itself in a text: links, addresses, commands, mentions, hashtags, phone numbers.
 * Found entities never overlap; the kind that stands first in the list wins.
 */
export function detectEntities(text: string): MessageEntity[] {
  const found: MessageEntity[] = [];
  for (const [type, pattern] of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const value = type === 'url' ? match[0].replace(/[.,;:!?)\]}'"]+$/u, '') : match[0];
      const entity: MessageEntity = { type, offset: match.index, length: value.length };
      if (!found.some((other) => overlap(other, entity))) found.push(entity);
    }
  }
  return found;
}

export function overlap(
  a: { offset: number; length: number },
  b: { offset: number; length: number },
): boolean {
  return a.offset < b.offset + b.length && b.offset < a.offset + a.length;
}
