import type { Message } from '@grammyjs/types';

export interface TypedCommand {
  /** Lower case, without slash and bot name. */
  readonly name: string;
  /** What stands behind it. */
  readonly input: string;
}

/**
 * The command that a message begins with, in its text or a caption, or null. `/x@Name` counts only for
 * this bot; a command to another bot is none.
 */
export function commandIn(
  message: Pick<Message, 'text' | 'caption'>,
  botUsername: string,
): TypedCommand | null {
  const text = message.text ?? message.caption ?? '';
  const match = /^\/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]+))?(?:\s+|$)([\s\S]*)$/u.exec(text);
  if (match === null) return null;
  const [, name = '', addressee, input = ''] = match;
  if (addressee !== undefined && addressee.toLowerCase() !== botUsername.toLowerCase()) return null;
  return { name: name.toLowerCase(), input };
}
