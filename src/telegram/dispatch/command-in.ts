import type { Message } from '@grammyjs/types';
import type { Command } from '../feature.ts';

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

/** The command that a typed name stands for, and what it is given: `/A41` is the input of a command that is called so. */
export function commandCalled(
  commands: ReadonlyMap<string, Command>,
  { name, input }: TypedCommand,
): { readonly command: Command; readonly input: string; readonly byShape: boolean } | null {
  const named = commands.get(name);
  if (named !== undefined) return { command: named, input, byShape: false };
  for (const command of commands.values())
    if (command.calledAs?.test(name) === true) return { command, input: name, byShape: true };
  return null;
}

/** What a message says: its text or caption, or the number of a contact, without the bot's own name before or between. */
export function wordsOf(
  { text, caption, contact }: Pick<Message, 'text' | 'caption' | 'contact'>,
  botUsername: string,
): string {
  const said = text ?? caption ?? contact?.phone_number ?? '';
  return said.replaceAll(nameIn(botUsername), '').trim();
}

/** Whether a message calls the bot by its name, in a command or beside its words. */
export function namesBot({ text, caption }: Pick<Message, 'text' | 'caption'>, botUsername: string): boolean {
  const said = text ?? caption ?? '';
  return (
    nameIn(botUsername).test(said) ||
    /^\/\w+@(\w+)/u.exec(said)?.[1]?.toLowerCase() === botUsername.toLowerCase()
  );
}

function nameIn(botUsername: string): RegExp {
  return new RegExp(`(?<!\\w)@${botUsername}(?!\\w)`, 'giu');
}
