import type { ReactionType, Update } from '@grammyjs/types';
import { expect, test } from 'vitest';
import { emojiSet } from './reactions.ts';

const emoji = (each: '👀' | '👌' | '❤'): ReactionType => ({ type: 'emoji', emoji: each });
const set = (before: ReactionType[], after: ReactionType[]): readonly string[] => {
  const reaction: NonNullable<Update['message_reaction']> = {
    chat: { id: 7, type: 'private', first_name: 'Sara' },
    user: { id: 7, is_bot: false, first_name: 'Sara' },
    message_id: 1,
    date: 1,
    old_reaction: before,
    new_reaction: after,
  };
  return emojiSet(reaction);
};

test('what was set just now counts, and neither what stood before, nor what was taken away, nor one of a person’s own', () => {
  expect(set([], [emoji('👀')])).toEqual(['👀']);
  expect(set([emoji('👀')], [emoji('👀'), emoji('👌')])).toEqual(['👌']);
  expect(set([emoji('👌')], [])).toEqual([]);
  expect(set([], [{ type: 'custom_emoji', custom_emoji_id: '✅' }, { type: 'paid' }])).toEqual([]);
  expect(emojiSet(undefined)).toEqual([]);
});
