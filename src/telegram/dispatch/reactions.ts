import type { Update } from '@grammyjs/types';

/** The emoji that somebody has just set, each once; what was taken away, and what is no emoji of Telegram's own, is none. */
export function emojiSet(reaction: Update['message_reaction']): readonly string[] {
  const emojiIn = (list: NonNullable<typeof reaction>['new_reaction'] = []): string[] =>
    list.flatMap((each) => (each.type === 'emoji' ? [each.emoji.replaceAll('\uFE0F', '')] : []));
  const before = emojiIn(reaction?.old_reaction);
  return emojiIn(reaction?.new_reaction).filter((emoji) => !before.includes(emoji));
}
