import type { Message } from '@grammyjs/types';
import { foldWord } from '../../domain/fold.ts';
import { normalizeDigits } from '../../domain/phone.ts';
import { type Command, isCalled } from '../feature.ts';

export interface TypedCommand {
  /** Lower case, without slash and bot name. */
  readonly name: string;
  /** What stands behind it. */
  readonly input: string;
}

export interface CalledCommand {
  readonly command: Command;
  readonly input: string;
  /** By a name of the shape that its names have, with which its input then begins. */
  readonly byShape: boolean;
}

/** In UTF-16 units; a longer text is no name. */
const MOST_SHOWN = 40;

/**
 * The command that a message begins with, in its text or a caption, or null. `/x@Name` counts only for
 * this bot; a command to another bot is none, nor is one that somebody forwards: it is another's words.
 */
export function commandIn(
  message: Pick<Message, 'text' | 'caption' | 'forward_origin'>,
  botUsername: string,
): TypedCommand | null {
  if (message.forward_origin !== undefined) return null;
  const text = message.text ?? message.caption ?? '';
  const match = /^\/([A-Za-z0-9_۰-۹٠-٩０-９]{1,32})(?:@([A-Za-z0-9_]+))?[?؟!.:،,]*(?:\s+|$)([\s\S]*)$/u.exec(
    text,
  );
  if (match === null) return null;
  const [, name = '', addressee, input = ''] = match;
  if (addressee !== undefined && addressee.toLowerCase() !== botUsername.toLowerCase()) return null;
  return { name: normalizeDigits(name.normalize('NFKC')).toLowerCase(), input };
}

/**
 * The command that a typed name stands for, and what it is given: `/A41` is the input of a command that is called so, and
 * where every second counts another name of it is as good.
 */
export function commandCalled(
  commands: ReadonlyMap<string, Command>,
  { name, input }: TypedCommand,
): CalledCommand | null {
  const named = commands.get(name) ?? urgentCalled(commands, foldWord(name));
  return named === undefined
    ? calledByShape(commands, name, input)
    : { command: named, input, byShape: false };
}

/**
 * The command that words are meant for which hold nothing but a name of its shape, as cards show it or nearly so: `#A41`,
 * `a۴۱`, `/ A41`, or null.
 */
export function commandShown(commands: ReadonlyMap<string, Command>, words: string): CalledCommand | null {
  if (words.length > MOST_SHOWN) return null;
  return calledByShape(commands, foldWord(words).replace(/^\/?\s*#?\s*/u, ''));
}

/** The command that words are the name of, alone, where every second counts: `stop!`, `لغو`; or null. */
export function commandCried(commands: ReadonlyMap<string, Command>, words: string): Command | null {
  return words.length > MOST_SHOWN ? null : (urgentCalled(commands, wordAlone(words)) ?? null);
}

function urgentCalled(commands: ReadonlyMap<string, Command>, name: string): Command | undefined {
  return [...commands.values()].find((each) => each.urgent === true && isCalled(each, name));
}

function calledByShape(
  commands: ReadonlyMap<string, Command>,
  name: string,
  rest = '',
): CalledCommand | null {
  for (const command of commands.values()) {
    if (command.calledAs?.test(name) !== true) continue;
    const takesMore = Object.keys(command.args).length > 1;
    return { command, input: takesMore ? `${name} ${rest}`.trimEnd() : name, byShape: true };
  }
  return null;
}

/** The word behind a slash where Telegram reads no command: `/ send`, `/سثدی`, or null. It ends at a space. */
export function wordBehindSlash(text: string): string | null {
  return (
    /^[/／]\s*([\p{L}\p{M}\p{N}\p{Cf}_]{1,32})[?؟!.:،,]*(?:\s|$)/u.exec(text)?.[1]?.toLowerCase() ?? null
  );
}

/** The line of a command for which every second counts, where Telegram reads none: `/ cancel`, `/لغو A41`; or null. */
export function urgentLine(commands: ReadonlyMap<string, Command>, text: string): string | null {
  const called = urgentCalled(commands, foldWord(wordBehindSlash(text) ?? ''));
  return called === undefined ? null : `/${called.name} ${behindCommand(text)}`;
}

/** Whether something stands between a slash and the word behind it. */
export function isSlashApart(text: string): boolean {
  return /^[/／]\s/u.test(text);
}

/** A word that stands alone, without the marks behind it. */
export function wordAlone(words: string): string {
  return foldWord(words.replace(/[?؟!.…:،,]+$/u, ''));
}

/** What stands behind the first word of a message, which was meant as a command. */
export function behindCommand(words: string): string {
  return words.replace(/^[/／]?\s*\S+\s*/u, '');
}

/** What a message says: its text or caption, without the bot's own name before or between. What was forwarded is whole. */
export function wordsOf(
  { text, caption, forward_origin: origin }: Pick<Message, 'text' | 'caption' | 'forward_origin'>,
  botUsername: string,
): string {
  const said = text ?? caption ?? '';
  return (origin === undefined ? said.replaceAll(nameIn(botUsername), '') : said).trim();
}

/** What the message says that this one answers, or what was quoted of it; null: nothing, or the bot's own words, unquoted. */
export function answeredBy(message: Message | undefined, botId: number): string | null {
  const { reply_to_message: target, quote } = message ?? {};
  if (quote?.is_manual === true) return quote.text;
  if (target?.from?.id === botId || target?.forum_topic_created !== undefined) return null;
  return target?.text ?? target?.caption ?? quote?.text ?? null;
}

/** Whether a message calls the bot by its name, in a command or beside its words. */
export function namesBot(
  { text, caption, forward_origin: origin }: Pick<Message, 'text' | 'caption' | 'forward_origin'>,
  botUsername: string,
): boolean {
  if (origin !== undefined) return false;
  const said = text ?? caption ?? '';
  return (
    nameIn(botUsername).test(said) ||
    /^\/\w+@(\w+)/u.exec(said)?.[1]?.toLowerCase() === botUsername.toLowerCase()
  );
}

function nameIn(botUsername: string): RegExp {
  return new RegExp(`(?<!\\w)@${botUsername}(?!\\w)`, 'giu');
}
