import type { Message } from '@grammyjs/types';
import { stripBidi } from '../../i18n/format.ts';
import { readLine, type Command, type Feature, type OwnMessage, type Received } from '../feature.ts';
import { answeredBy } from './command-in.ts';
import type { KitContext } from './context.ts';

export interface Reader {
  /** What stands behind a command, with what the message says that this one answers, and whom it is about. */
  command(ctx: KitContext, command: Command, input: string): Promise<Record<string, string>>;
  /** The received message that this one replies to, or that its topic is about. */
  received(ctx: KitContext): Promise<Received | null>;
}

export function createReader(features: readonly Feature[]): Reader {
  async function received(ctx: KitContext): Promise<Received | null> {
    const message = ctx.message ?? ctx.editedMessage;
    const target = message === undefined ? null : targetOf(message, ctx.me.id);
    if (target === null && ctx.request.threadId === undefined) return null;
    for (const { receivedIn } of features) {
      const found = await receivedIn?.(ctx.request, target);
      if (found !== undefined && found !== null) return found;
    }
    return null;
  }

  return {
    received,
    async command(ctx, command, input) {
      const answered = answeredBy(ctx.message ?? ctx.editedMessage, ctx.me.id);
      // A file with the command holds the numbers itself.
      const asks = ctx.request.file === null && Object.values(command.args).some((each) => each.received);
      return readLine(command, input, { answered, received: asks ? await received(ctx) : null });
    },
  };
}

/** The message of the bot's that one replies to. In a topic all reply to what opened it. */
export function targetOf({ reply_to_message: target }: Message, botId: number): OwnMessage | null {
  if (target?.from?.id !== botId || target.forum_topic_created !== undefined) return null;
  return { id: target.message_id, text: stripBidi(target.text ?? '') };
}
