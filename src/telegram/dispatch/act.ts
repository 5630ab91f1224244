import type { Message, Update } from '@grammyjs/types';
import type { Act, LimitedKind } from '../../domain/rate-limits.ts';
import { isTyped, readLine, type Command } from '../feature.ts';
import { commandCalled, commandCried, commandIn, namesBot, wordsOf } from './command-in.ts';
import { isAnonymousAdmin, whoAndWhere } from './identify.ts';

/** Who the bot is, and what it can be asked. */
export interface ActContext {
  readonly me: { readonly id: number; readonly username: string };
  readonly commands: ReadonlyMap<string, Command>;
  /** By their emoji; absent: none does anything. */
  readonly reactions?: Pick<ReadonlyMap<string, unknown>, 'has'>;
}

/** What an update asks of the bot; null: nothing, such as what people say to each other. */
export function actIn(update: Update, { me, commands, reactions }: ActContext): Act | null {
  const seen = whoAndWhere(update);
  if (seen === null) return null;
  const message = update.message ?? update.edited_message;
  // All anonymous admins share one id; those of a group are told apart from those of others, not from each other.
  const person = isAnonymousAdmin(message) ? seen.chat.id : seen.user.id;
  const by = { person, chat: seen.chat.id };
  if (update.callback_query !== undefined) return { ...by, kinds: ['press'], urgent: 'perhaps' };
  if (emojiSet(update.message_reaction).some((emoji) => reactions?.has(emoji) === true))
    return { ...by, kinds: ['press'], urgent: false };
  // What happens to the bot itself in a place must not be missed.
  if (message === undefined) return null;

  const typed = commandIn(message, me.username);
  const called = typed === null ? null : commandCalled(commands, typed);
  const known = called !== null && (called.byShape || isTyped(called.command)) ? called : null;
  // In a group, what is no command of ours is another bot's, or talk among people.
  const isToBot =
    message.chat.type === 'private' ||
    known !== null ||
    namesBot(message, me.username) ||
    (typed === null && isReplyTo(message, me.id));
  if (!isToBot) return null;
  const kinds: [LimitedKind, ...LimitedKind[]] = ['command'];
  if (known?.command.facet !== undefined) kinds.push('read');
  if (message.document !== undefined) kinds.push('upload');
  const isCried = typed === null && commandCried(commands, wordsOf(message, me.username)) !== null;
  return { ...by, kinds, urgent: isCried || (known !== null && isUrgent(known.command, known.input)) };
}

function isReplyTo(message: Message, botId: number): boolean {
  const target = message.reply_to_message;
  return target?.from?.id === botId && target.forum_topic_created === undefined;
}

function isUrgent(command: Command, input: string): boolean {
  const { urgent = false } = command;
  return typeof urgent === 'boolean' ? urgent : urgent(readLine(command, input));
}

/** The emoji that somebody has just set, each once; what was taken away, and what is no emoji of Telegram's own, is none. */
export function emojiSet(reaction: Update['message_reaction']): readonly string[] {
  const emojiIn = (list: NonNullable<typeof reaction>['new_reaction'] = []): string[] =>
    list.flatMap((each) => (each.type === 'emoji' ? [each.emoji.replaceAll('\uFE0F', '')] : []));
  const before = emojiIn(reaction?.old_reaction);
  return emojiIn(reaction?.new_reaction).filter((emoji) => !before.includes(emoji));
}
