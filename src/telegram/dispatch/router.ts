import type { Message } from '@grammyjs/types';
import type { MiddlewareFn } from 'grammy';
import { AppError } from '../../domain/errors.ts';
import { asksToChange } from '../../domain/said-words.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Tracer } from '../../ports/tracer.ts';
import type { Action } from '../action.ts';
import { isComplete, isTyped, readLine, type Command, type Feature, type OwnMessage } from '../feature.ts';
import { fileReference, type IncomingFile } from '../forms/file-reference.ts';
import { FORM_ANSWER } from '../forms/answer-buttons.ts';
import { plainText } from '../html.ts';
import { kitTexts } from '../texts.ts';
import type { RequestContext } from '../request-context.ts';
import { AGAIN, offerButton, tryButton } from '../again.ts';
import { slash } from '../slash.ts';
import {
  behindCommand,
  commandCalled,
  commandCried,
  commandIn,
  commandShown,
  namesBot,
  urgentLine,
  wordBehindSlash,
  wordsOf,
} from './command-in.ts';
import type { KitContext } from './context.ts';
import { guardOf } from './guard.ts';
import { nearCommand } from './near-command.ts';
import { createReader, targetOf, type Reader } from './read-command.ts';
import { emojiSet } from './act.ts';
import { createUnclear } from './unclear.ts';
import { unclearTexts } from './unclear-texts.ts';

export interface Routes {
  readonly commands: ReadonlyMap<string, Command>;
  readonly actions: ReadonlyMap<string, Action>;
  readonly read: Reader;
  readonly starts: ReadonlyMap<string, (request: RequestContext, token: string) => Promise<void>>;
  readonly replied: readonly NonNullable<Feature['replied']>[];
  readonly meant: readonly NonNullable<Feature['meant']>[];
  readonly edited: readonly NonNullable<Feature['edited']>[];
  readonly reacted: ReadonlyMap<string, NonNullable<Feature['reacted']>[string]>;
}

/** Collects what the features declare; a name that is declared twice is a mistake of ours. */
export function collectRoutes(features: readonly Feature[], tracer?: Tracer): Routes {
  const commands = new Map<string, Command>();
  const actions = new Map<string, Action>();
  const starts = new Map<string, (request: RequestContext, token: string) => Promise<void>>();
  for (const feature of features) {
    for (const command of feature.commands) add(commands, command.name, traced('command', command, tracer));
    for (const action of feature.actions ?? [])
      for (const name of [action.name, ...action.formerly])
        add(actions, name, traced('action', action, tracer));
    for (const [prefix, start] of Object.entries(feature.starts ?? {})) add(starts, prefix, start);
  }
  const replied = features.map((feature) => feature.replied).filter((each) => each !== undefined);
  const meant = features.map((feature) => feature.meant).filter((each) => each !== undefined);
  const edited = features.map((feature) => feature.edited).filter((each) => each !== undefined);
  const reacted = new Map(features.flatMap((feature) => Object.entries(feature.reacted ?? {})));
  return { commands, actions, read: createReader(features), starts, replied, meant, edited, reacted };
}

/** What is declared, with each run of it as a part of its trace. */
function traced<D extends { readonly name: string; readonly run: (...given: never[]) => Promise<void> }>(
  what: string,
  declared: D,
  tracer: Tracer | undefined,
): D {
  if (tracer === undefined) return declared;
  const run = async (...given: never[]) =>
    await tracer.span('part', `${what} ${declared.name}`, {}, () => declared.run(...given));
  return { ...declared, run };
}

/** The end of the middleware: a finished form, a press, a deep link or a command comes to its handler here. */
export function route(routes: Routes, metrics: Pick<Metrics, 'command'>): MiddlewareFn<KitContext> {
  const unclear = createUnclear(routes.commands);
  /** What was told in groups, with the message that it was told to. */
  const told = new Map<string, Pick<Message, 'message_id' | 'date'>>();

  return async (ctx) => {
    const { request } = ctx;
    if (ctx.formDone !== undefined) {
      const { command: name, typed } = ctx.formDone;
      // What else is in the album of the answer is with it.
      if (ctx.message !== undefined) unclear.isFurther(ctx.formKey, ctx.message, true);
      const command = routes.commands.get(name);
      if (command !== undefined) await counted(request, command, typed);
      return;
    }
    if (ctx.press?.action === AGAIN.name) {
      await runAgain(ctx, ctx.press.payload);
      return;
    }
    if (ctx.press?.action === FORM_ANSWER.name) {
      if (ctx.readByForm !== true) await request.rewrite(kitTexts(request.locale).notWaiting);
      return;
    }
    if (ctx.press !== undefined) {
      const action = routes.actions.get(ctx.press.action);
      if (action === undefined) throw new Error(`a button asks for what nothing does: ${ctx.press.action}`);
      // The token was judged by the least role that it was made for; the action's own guard is asked as well.
      if (!request.can(action.permission))
        throw new AppError('not_allowed', `press of ${action.name} without the role`);
      await action.run(request, ctx.press.payload);
      return;
    }
    if (ctx.messageReaction !== undefined) {
      for (const emoji of emojiSet(ctx.messageReaction))
        await routes.reacted.get(emoji)?.(request, ctx.messageReaction.message_id);
      return;
    }
    if (ctx.myChatMember !== undefined) {
      await runLine(ctx, '/start');
      return;
    }
    if (ctx.editedMessage !== undefined && request.isPrivate) {
      const typed = commandIn(ctx.editedMessage, request.bot.username);
      const name = typed === null ? undefined : routes.commands.get(typed.name)?.name;
      const again =
        name !== undefined && offerButton(request, `/${name}`, slash(request.locale, name), 'rest');
      return void (await request.say(kitTexts(request.locale).editIgnored, {
        replyTo: ctx.editedMessage.message_id,
        buttons: [[again]],
      }));
    }
    const { message } = ctx;
    if (message === undefined) return;
    // What begins like a command is another's words as well.
    if (message.forward_origin !== undefined) await runWords(ctx);
    else await runLine(ctx, message.text ?? message.caption ?? '');
  };

  async function runAgain(ctx: KitContext, payload: unknown): Promise<void> {
    const { line, takes, file } = AGAIN.read(payload);
    const { request } = ctx;
    const { subject, pressedMessageId } = request;
    if (takes === undefined) return await runLine(ctx, line);
    if (subject === null) return await request.rewrite(unclearTexts(request.locale).gone);
    if (pressedMessageId !== null) await request.disarm(pressedMessageId);
    const words = { file: '', text: '', words: subject.words, rest: behindCommand(subject.words) }[takes];
    await runLine(ctx, `${line} ${words}`, {
      file: file ?? subject.file,
      ...(takes === 'text' ? { answered: subject.words } : {}),
    });
  }

  async function runLine(
    ctx: KitContext,
    text: string,
    {
      file = ctx.request.file,
      answered,
    }: { readonly file?: IncomingFile | null; readonly answered?: string } = {},
  ): Promise<void> {
    const { request } = ctx;
    const typed = commandIn({ text }, request.bot.username);
    if (typed === null) {
      const line = request.isPrivate ? urgentLine(routes.commands, text) : null;
      if (line !== null) return await runLine(ctx, line);
      const word = wordBehindSlash(text);
      const isSlip = word !== null && nearCommand(routes.commands, word) !== undefined && isForBot(ctx, word);
      await (isSlip ? unknown(ctx, word, text) : runWords(ctx));
      return;
    }
    unclear.moveOn(ctx.formKey, ctx.message);
    const called = commandCalled(routes.commands, typed);
    // In a group it may be another bot's, and then says nothing about a question of this one.
    if (called !== null || request.chat.type === 'private') ctx.form.leave();
    const start = typed.name === 'start' ? /^([a-z]+)_([A-Za-z0-9_-]+)$/u.exec(typed.input.trim()) : null;
    const opened = start === null ? undefined : routes.starts.get(start[1] ?? '');
    if (opened !== undefined && request.chat.type === 'private') {
      await opened(request, start?.[2] ?? '');
      return;
    }
    if (called === null || !(called.byShape || mayType(request, called.command))) {
      if (called === null && request.isPrivate && asksToChange(text)) await runWords(ctx);
      else if (isForBot(ctx, typed.name)) await unknown(ctx, typed.name, text);
      return;
    }
    const { command, input } = called;
    const isCaption = ctx.message?.caption !== undefined && (file === null || !takesFile(command));
    if (isCaption && takesText(command) && guardOf(request, command) === null)
      await request.say(unclearTexts(request.locale).onlyText);
    const read =
      answered === undefined
        ? await routes.read.command(ctx, command, input)
        : readLine(command, input, { answered });
    await counted({ ...request, file }, command, withFile(command, read, file));
  }

  async function unknown(ctx: KitContext, name: string, text: string): Promise<void> {
    await unclear.unknown(ctx.request, name, text, await routes.read.shown(ctx));
  }

  async function counted(...run: Parameters<typeof runCommand>): Promise<void> {
    const [, { name }] = run;
    try {
      metrics.command(name, await runCommand(...run));
    } catch (error) {
      metrics.command(name, 'failed');
      throw error;
    }
  }

  /** In a group a command that there is not may be another bot's: unless it names this one, or nearly one of its commands. */
  function isForBot({ request, message }: KitContext, name: string): boolean {
    if (request.chat.type === 'private' || message === undefined) return request.chat.type === 'private';
    if (namesBot(message, request.bot.username)) return true;
    if (request.role === null || nearCommand(routes.commands, name) === undefined) return false;
    return !wasTold(`${request.chat.id} ${request.person.id} /${name}`, message, TOLD_SECONDS);
  }

  /** Words that are no command: an answer to one of the bot's messages, or otherwise meant for it. In a group people talk. */
  async function runWords(ctx: KitContext): Promise<void> {
    const { request, message } = ctx;
    if (message === undefined) return;
    const words = wordsOf(message, request.bot.username);
    const target = targetOf(message, ctx.me.id);
    const isSaidToBot = request.chat.type === 'private' || namesBot(message, request.bot.username);
    const isFurther = unclear.isFurther(ctx.formKey, message, isSaidToBot);
    // An app puts the caption of an album on its first piece.
    const isMeant = isSaidToBot || (isFurther && unclear.isWithMeant(ctx.formKey));
    const isOwn = message.text !== undefined && message.forward_origin === undefined;
    const shown = isOwn ? commandShown(routes.commands, words) : null;
    const cried = isOwn ? commandCried(routes.commands, words) : null;
    if (target !== null) {
      const text = message.text ?? message.caption ?? '';
      const isText = message.text !== undefined;
      const said = { text, isText, isFurther, isCode: shown !== null, isCry: cried !== null };
      for (const replied of routes.replied) if (await replied(request, target, said)) return;
    }
    const isHeard = isMeant || (target !== null && request.role !== null);
    const isAnswer = isOwn && request.isPrivate && shown === null && cried === null;
    if (isAnswer && (await ctx.form.late(words))) return;
    if (isHeard && shown !== null)
      return await counted(request, shown.command, readLine(shown.command, shown.input));
    const isOrder = isOwn && isMeant;
    if (isOrder && cried !== null)
      return await counted(request, cried, await routes.read.command(ctx, cried, ''));
    const { notWaiting, notYours } = kitTexts(request.locale);
    // Whose question it was is not said with it.
    if (target !== null && asksForReply(target)) return void (await request.say(notYours));
    // Below a message of the bot's people go on among themselves: once is enough, and once for a file.
    const what = request.file === null ? 'words' : 'file';
    if (!isMeant && (target === null || wasTold(`${request.chat.id} ${target.id} ${what}`, message))) return;
    for (const meant of routes.meant) if (await meant(request, words, { isOrder })) return;
    if (target !== null && request.chat.type === 'private' && request.file === null && words !== '')
      return void (await request.say(notWaiting));
    await unclear.answer(ctx, words, { below: !isMeant, isFurther });
  }

  /** Whether it was told to another message; the same one may be handled once more. */
  function wasTold(
    what: string,
    { message_id: id, date }: Message,
    forSeconds = Number.POSITIVE_INFINITY,
  ): boolean {
    const before = told.get(what);
    if (before !== undefined && before.message_id !== id && date - before.date < forSeconds) return true;
    if (told.size >= MAX_REMEMBERED) told.clear();
    told.set(what, { message_id: id, date });
    return false;
  }
}

const MAX_REMEMBERED = 2000;
/** Who gives the same command again so soon means another bot. */
const TOLD_SECONDS = 600;

/** Whether a message of the bot's is a question in a group: only these ask for a reply, and a reply brings their text along. */
function asksForReply({ text }: OwnMessage): boolean {
  return (['en', 'fa'] as const).some((locale) => text.endsWith(plainText(kitTexts(locale).replyToMe)));
}

/** Whether what is written with it is what people get. */
function takesText({ args }: Command): boolean {
  return Object.values(args).some(({ answered }) => answered === true);
}

function takesFile({ args, offer }: Command): boolean {
  return offer?.file !== undefined || Object.values(args).some(({ file }) => file === true);
}

/** Of those that are on no menu, only what is this person's own. */
function mayType({ chat, person }: RequestContext, command: Command): boolean {
  return isTyped(command) || (chat.type === 'private' && command.typedBy?.includes(person.id) === true);
}

/** The one central guard, and after it the form or the handler: every command comes through here. */
export async function runCommand(
  request: RequestContext,
  command: Command,
  typed: Readonly<Record<string, string>>,
): Promise<'done' | 'asked' | 'refused'> {
  const texts = kitTexts(request.locale);
  if (command.place === 'private' && request.chat.type !== 'private') {
    await request.say(texts.privateOnly, {
      buttons: [[{ label: texts.openPrivate, url: request.startLink('help') }]],
    });
    return 'refused';
  }
  const refusal = guardOf(request, command);
  if (refusal !== null) {
    const link = request.binding === null && tryButton(unclearTexts(request.locale).link, '/connect');
    await request.say(refusal, { buttons: [[link]] });
    return 'refused';
  }
  if (!isComplete(request, command, typed)) {
    await request.ask(command.name, typed);
    return 'asked';
  }
  await command.run(request, typed);
  return 'done';
}

/** A document that came with the command answers the argument that takes one, unless it was typed. */
function withFile(
  command: Command,
  typed: Readonly<Record<string, string>>,
  file: IncomingFile | null,
): Readonly<Record<string, string>> {
  if (file === null) return typed;
  const taking = Object.entries(command.args).find(([, argument]) => argument.file === true);
  return taking === undefined || typed[taking[0]] !== undefined
    ? typed
    : { ...typed, [taking[0]]: fileReference(file) };
}

function add<T>(map: Map<string, T>, name: string, value: T): void {
  if (map.has(name)) throw new Error(`declared twice: ${name}`);
  map.set(name, value);
}
