import { readTemplate } from './merge.ts';
import { measureMessage } from './message.ts';
import { saysToBlock } from './said-words.ts';

/** Why an answer should be read once more before it leaves. */
export type ReplyDoubt = 'long' | 'fields' | 'mention' | 'order';

/** Of a text that its writer need not have seen on a card before it is paid for. */
const MOST_PARTS = 3;
/** A member of the team, as Telegram has them called. */
const MENTION = /(?<![\w@])@[a-z]\w{3,31}/iu;
/** What people write for a command that there is not, in whatever letters. */
const COMMAND = /^\s*[/／]\s*\p{L}/u;

/**
 * Finds what speaks against letting an answer leave without another look: it costs many parts, has fields that nothing
 * fills, tells the bot what to do, or speaks to somebody in the chat and not to whom it would reach. Null: nothing does.
 */
export function replyDoubt(text: string): ReplyDoubt | null {
  if (MENTION.test(text)) return 'mention';
  if (saysToBlock(text) || COMMAND.test(text)) return 'order';
  if (readTemplate(text, []).unknown.length > 0) return 'fields';
  return measureMessage(text).parts > MOST_PARTS ? 'long' : null;
}
