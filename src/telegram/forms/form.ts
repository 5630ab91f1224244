import { conversations, createConversation, type Conversation } from '@grammyjs/conversations';
import type { ConversationData, VersionedState } from '@grammyjs/conversations';
import type { Message } from '@grammyjs/types';
import type { Context, MiddlewareFn } from 'grammy';
import { z } from 'zod';
import type { FormStore } from '../../ports/stores.ts';
import { defineAction } from '../action.ts';
import { commandIn } from '../dispatch/command-in.ts';
import type { KitContext } from '../dispatch/context.ts';
import type { Argument, Command } from '../feature.ts';
import { lines, plainText, type Html } from '../html.ts';
import type { KeyWatch } from '../secrets-in-chat/leaked-key.ts';
import { kitTexts } from '../texts.ts';
import { fileReference, readFileReference } from './file-reference.ts';

/** A form is a command and what is known of its arguments already. */
export interface FormStart {
  readonly command: string;
  readonly typed: Readonly<Record<string, string>>;
}

/** Seals what a form remembers: an answer can be a credential. */
export interface StateSealer {
  sealShort(plain: string, aad: { purpose: string; [field: string]: string }): Uint8Array;
  openShort(sealed: Uint8Array, aad: { purpose: string; [field: string]: string }): Uint8Array;
}

export const FORM = 'form';
/** What a press below a question is; one that no form has taken is of a question that is over. */
export const FORM_ANSWER = defineAction({
  name: 'form.answer',
  permission: null,
  payload: z.object({
    value: z.string().optional(),
    form: z.string().optional(),
    leave: z.literal(true).optional(),
  }),
  ttlSeconds: 600,
});
const TEN_MINUTES_MS = 600_000;
/** Raise it when a change makes remembered forms unreadable: they are then left in silence. */
const STATE_VERSION = 1;

/** Keeps each person's form in each chat and topic, sealed, in one row that is read with the identity. */
export function formState(store: FormStore, sealer: StateSealer): MiddlewareFn<KitContext> {
  return conversations<KitContext, Context>({
    storage: {
      type: 'context',
      version: STATE_VERSION,
      adapter: {
        read: (ctx) => {
          if (ctx.formRow === null) return undefined;
          const opened = sealer.openShort(ctx.formRow.state, { purpose: 'form', key: ctx.formKey });
          const state: VersionedState<ConversationData> = JSON.parse(Buffer.from(opened).toString('utf8'));
          return state;
        },
        write: async (ctx, state) => {
          const sealed = sealer.sealShort(JSON.stringify(state), { purpose: 'form', key: ctx.formKey });
          await store.write(ctx.formKey, ctx.turn.updateId, sealed);
        },
        delete: async (ctx) => {
          await store.remove(ctx.formKey);
        },
      },
    },
  });
}

/**
 * The one form of the kit: asks for the arguments that a command still misses, one by one, and hands
 * over to the router. A command leaves it; a press on some other card passes it by.
 */
export function formMiddleware(
  commands: ReadonlyMap<string, Command>,
  keys: Pick<KeyWatch, 'exposed'>,
): MiddlewareFn<KitContext> {
  return createConversation<KitContext, Context>(
    async (conversation, _first, start: FormStart) => {
      const command = commands.get(start.command);
      if (command === undefined) return;
      const typed: Record<string, string> = { ...start.typed };
      for (const name of Object.keys(command.args)) {
        const answer = await answerTo(conversation, keys, command, name, typed);
        if (answer === undefined) continue;
        typed[name] = answer;
      }
      await outside(conversation, (ctx) => {
        ctx.formDone = { command: command.name, typed };
      });
      await conversation.halt({ next: true });
    },
    { id: FORM, maxMillisecondsToWait: TEN_MINUTES_MS },
  );
}

/** Whether a message of the bot's is a question in a group: only these ask for a reply, and a reply brings their text along. */
export function asksForReply({ text = '' }: Pick<Message, 'text'>): boolean {
  return (['en', 'fa'] as const).some((locale) => text.endsWith(plainText(kitTexts(locale).replyToMe)));
}

/** The question as it stands in the chat. */
interface Prompt {
  readonly messageId: number;
  readonly hasButtons: boolean;
}

type Answer =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'other_form'; readonly form: string }
  | { readonly kind: 'leave' }
  | { readonly kind: 'not_for_form' };

async function answerTo(
  conversation: Conversation<KitContext>,
  keys: Pick<KeyWatch, 'exposed'>,
  command: Command,
  name: string,
  typed: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const argument = command.args[name];
  if (argument === undefined) return undefined;
  const given = typed[name];
  let refused: string | undefined;
  if (given !== undefined) {
    if (argument.schema.safeParse(given).success) return undefined;
    refused = argument.secret === true ? '' : given;
  }
  const wanted = await outside(conversation, (ctx) => given !== undefined || isWanted(argument, ctx));
  if (!wanted) return undefined;

  for (;;) {
    const problem = refused;
    const prompt = await outside(conversation, async (ctx) => await ask(ctx, argument, problem, typed));
    for (;;) {
      await conversation.wait();
      const answer = await outside(
        conversation,
        async (ctx): Promise<Answer> => await readAndClose(ctx, keys, argument, prompt),
      );
      if (answer.kind === 'not_for_form') {
        await conversation.skip({ next: true });
      } else if (answer.kind === 'leave') {
        await conversation.halt({ next: true });
      } else if (answer.kind === 'other_form') {
        const { form } = answer;
        await outside(conversation, (ctx) => {
          ctx.formDone = { command: form, typed };
        });
        await conversation.halt({ next: true });
      } else if (answer.kind === 'refused') {
        refused = '';
        break;
      } else if (argument.schema.safeParse(answer.value).success) {
        return answer.value;
      } else {
        refused = argument.secret === true ? '' : answer.value;
        break;
      }
    }
  }
}

/**
 * Does something once, outside of the replay. What it throws is thrown as it is: the copy that a conversation keeps of
 * an error has lost its class, and with it what a person could be told.
 */
async function outside<R>(
  conversation: Conversation<KitContext>,
  task: (ctx: KitContext) => R | Promise<R>,
): Promise<R> {
  let thrown: unknown;
  return await conversation.external({
    task,
    beforeStoreError: (error) => {
      thrown = error;
      return String(error);
    },
    afterLoadError: (kept) => thrown ?? kept,
  });
}

function isWanted(argument: Argument, ctx: KitContext): boolean {
  if (argument.askWhen !== undefined) return argument.askWhen(ctx.turn);
  return argument.optional !== true;
}

async function ask(
  ctx: KitContext,
  argument: Argument,
  refused: string | undefined,
  known: Readonly<Record<string, string>>,
): Promise<Prompt> {
  const { turn } = ctx;
  const texts = kitTexts(turn.locale);
  const choices = (await argument.choices?.(turn, known)) ?? [];
  const group = turn.chat.type !== 'private';
  const content: Html = lines(
    refused !== undefined && argument.problem(turn.locale, readFileReference(refused)?.name ?? refused),
    argument.ask(turn, known),
    group && texts.replyToMe,
  );
  const mine = { personId: turn.person.id };
  // Only a message can be replied to so; a form that a button has begun asks with buttons.
  const forceReply = group && choices.length === 0 ? ctx.message?.message_id : undefined;
  const messageId = await turn.say(content, {
    forceReply,
    buttons: [
      ...choices.map((choice) => [
        'form' in choice
          ? FORM_ANSWER.button(choice.label, { form: choice.form }, mine)
          : FORM_ANSWER.button(choice.label, { value: choice.value }, mine),
      ]),
      [FORM_ANSWER.button(texts.cancel, { leave: true }, mine)],
    ],
  });
  return { messageId, hasButtons: forceReply === undefined };
}

/** An answered question keeps no buttons: they would belong to whatever is asked next. */
async function readAndClose(
  ctx: KitContext,
  keys: Pick<KeyWatch, 'exposed'>,
  argument: Argument,
  prompt: Prompt,
): Promise<Answer> {
  const answer = await read(ctx, keys, argument, prompt.messageId);
  const rewritten = answer.kind === 'leave' && ctx.press !== undefined;
  if (prompt.hasButtons && answer.kind !== 'not_for_form' && !rewritten)
    await ctx.turn.disarm(prompt.messageId);
  return answer;
}

async function read(
  ctx: KitContext,
  keys: Pick<KeyWatch, 'exposed'>,
  argument: Argument,
  promptId: number,
): Promise<Answer> {
  if (ctx.press !== undefined) {
    if (ctx.press.action !== FORM_ANSWER.name || ctx.turn.pressedMessageId !== promptId)
      return { kind: 'not_for_form' };
    ctx.readByForm = true;
    const { value, form, leave } = ctx.press.payload;
    if (leave === true) {
      await ctx.turn.rewrite(kitTexts(ctx.turn.locale).cancelled);
      return { kind: 'leave' };
    }
    if (typeof form === 'string') return { kind: 'other_form', form };
    return typeof value === 'string' ? { kind: 'value', value } : { kind: 'not_for_form' };
  }
  const message = ctx.message;
  if (message === undefined) return { kind: 'not_for_form' };
  if (commandIn(message, ctx.turn.bot.username) !== null) return { kind: 'leave' };
  // In a group people talk; only a reply to the question is an answer.
  if (ctx.turn.chat.type !== 'private' && message.reply_to_message?.message_id !== promptId) {
    return { kind: 'not_for_form' };
  }
  const sent = ctx.turn.file;
  const text = argument.file === true && sent !== null ? fileReference(sent) : (message.text?.trim() ?? '');
  ctx.readByForm = true;
  if (argument.secret === true) await ctx.turn.forget();
  // A key that was pasted where something else is asked for is neither kept nor repeated.
  else if (await keys.exposed(ctx)) return { kind: 'refused' };
  return text === '' ? { kind: 'refused' } : { kind: 'value', value: text };
}
