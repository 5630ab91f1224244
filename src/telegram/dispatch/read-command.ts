import type { Message } from '@grammyjs/types';
import { stripBidi, withoutIsolated } from '../../i18n/format.ts';
import { readLine, type Command, type Feature, type OwnMessage, type Shown } from '../feature.ts';
import { answeredBy } from './command-in.ts';
import type { KitContext } from './context.ts';

export interface Reader {
  /** What stands behind a command, with what the message says that this one answers, and whom it is about. */
  command(ctx: KitContext, command: Command, input: string): Promise<Record<string, string>>;
  /** What the card shows that this message replies to, or what its topic is about. */
  shown(ctx: KitContext): Promise<Shown | null>;
}

export function createReader(features: readonly Feature[]): Reader {
  async function shown(ctx: KitContext): Promise<Shown | null> {
    const message = ctx.message ?? ctx.editedMessage;
    const target = message === undefined ? null : (targetOf(message, ctx.me.id) ?? saidOf(message));
    if (target === null && ctx.request.threadId === undefined) return null;
    let all: Shown | undefined;
    for (const { shownBy } of features) {
      const found = (await shownBy?.(ctx.request, target)) ?? null;
      // A card in a topic speaks of itself, and of what the topic is about.
      if (found !== null) all = { ...all, ...found };
    }
    return all ?? null;
  }

  return {
    shown,
    async command(ctx, command, input) {
      const answered = answeredBy(ctx.message ?? ctx.editedMessage, ctx.me.id);
      // A file with the command holds the numbers itself.
      const asks = ctx.request.file === null && Object.values(command.args).some((each) => each.shown);
      return readLine(command, input, { answered, shown: asks ? await shown(ctx) : null });
    },
  };
}

/** The message of the bot's that one replies to. In a topic all reply to what opened it. */
export function targetOf({ reply_to_message: target }: Message, botId: number): OwnMessage | null {
  if (target?.from?.id !== botId || target.forum_topic_created !== undefined) return null;
  const { message_id: id, text = '' } = target;
  return { id, text: stripBidi(text), ownWords: stripBidi(withoutIsolated(text)) };
}

/** A message of a person's that one replies to: what was made of it is known by its id, and its words are not the bot's. */
function saidOf({ reply_to_message: target }: Message): OwnMessage | null {
  if (target === undefined || target.forum_topic_created !== undefined) return null;
  return { id: target.message_id, text: '', ownWords: '' };
}
