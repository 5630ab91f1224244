import { commandCalled, commandIn } from '../dispatch/command-in.ts';
import type { KitContext } from '../dispatch/context.ts';
import type { Reader } from '../dispatch/read-command.ts';
import type { Command } from '../feature.ts';
import { kitTexts } from '../texts.ts';
import { FORM_ANSWER } from './answer-buttons.ts';
import type { OpenForm, Remembered } from './open-form.ts';
import { typedIn } from './read-answer.ts';

/** Whether somebody who was asked in a group has said something there, to nobody, for the first time since. */
export function isAside({ message, request }: KitContext, { form, argument }: Remembered): boolean {
  if (message === undefined || request.chat.type === 'private' || form.offerId !== undefined) return false;
  const { reply_to_message: target } = message;
  if (target !== undefined && target.forum_topic_created === undefined) return false;
  const isAnswer =
    message.text !== undefined ||
    (request.file !== null && argument.file === true) ||
    (request.contact !== null && argument.contact === true);
  return isAnswer && commandIn(message, request.bot.username) === null;
}

/** Whether somebody replies to a card that the question is not about, where any words would be an answer. */
export async function isForCard(
  ctx: KitContext,
  { messageId, offerId, typed }: OpenForm,
  read: Pick<Reader, 'shown'>,
): Promise<boolean> {
  const target = ctx.message?.reply_to_message?.message_id;
  if (target === undefined || target === messageId || target === offerId || !ctx.request.isPrivate)
    return false;
  const shown = await read.shown(ctx);
  const card = shown?.draft ?? shown?.message;
  return card !== undefined && !Object.values(typed).includes(card);
}

/** Whether the command that is given is about what it names, or the card above it, and not about the question. */
export async function isAboutCard(
  ctx: KitContext,
  commands: ReadonlyMap<string, Command>,
  read: Pick<Reader, 'command'>,
): Promise<boolean> {
  const typed = typedIn(ctx, commands);
  const called = typed === null ? null : commandCalled(commands, typed);
  return called !== null && Object.keys(await read.command(ctx, called.command, called.input)).length > 0;
}

/** Offers to take a message as the answer, which may as well be talk. */
export async function offer({ request, message }: KitContext): Promise<number> {
  const t = kitTexts(request.locale);
  const mine = { personId: request.person.id };
  return await request.say(t.isThisTheAnswer, {
    replyTo: message?.message_id,
    buttons: [
      [FORM_ANSWER.button(t.takeAnswer, { said: true }, mine)],
      [FORM_ANSWER.button(t.cancel, { leave: true }, mine)],
    ],
  });
}
