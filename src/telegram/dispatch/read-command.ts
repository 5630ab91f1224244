import { stripBidi } from '../../i18n/format.ts';
import type { Message } from '@grammyjs/types';
import { readLine, type Command, type Feature, type OwnMessage } from '../feature.ts';
import { answeredBy } from './command-in.ts';
import type { KitContext } from './context.ts';

/** Reads what stands behind a command, with what the message says, or speaks of, which this update's answers. */
export type ReadCommand = (
  ctx: KitContext,
  command: Command,
  input: string,
) => Promise<Record<string, string>>;

export function commandReader(features: readonly Feature[]): ReadCommand {
  return async (ctx, command, input) => {
    const message = ctx.message ?? ctx.editedMessage;
    // A file with the command holds the numbers itself.
    const asks =
      ctx.request.file === null && Object.values(command.args).some(({ received }) => received !== undefined);
    const target = message === undefined ? null : targetOf(message, ctx.me.id);
    let received = null;
    if (asks && (target !== null || ctx.request.threadId !== undefined))
      for (const { receivedIn } of features) received ??= (await receivedIn?.(ctx.request, target)) ?? null;
    return readLine(command, input, { answered: answeredBy(message, ctx.me.id), received });
  };
}

/** The message of the bot's that one replies to. In a topic all reply to what opened it. */
export function targetOf({ reply_to_message: target }: Message, botId: number): OwnMessage | null {
  if (target?.from?.id !== botId || target.forum_topic_created !== undefined) return null;
  return { id: target.message_id, text: stripBidi(target.text ?? '') };
}
