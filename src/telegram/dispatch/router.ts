import type { MiddlewareFn } from 'grammy';
import { AppError } from '../../domain/errors.ts';
import { leastRole } from '../../domain/roles.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Action } from '../action.ts';
import { credentialNames } from '../error-texts.ts';
import { readLine, type Command, type Feature } from '../feature.ts';
import { fileReference, type IncomingFile } from '../forms/file-reference.ts';
import { asksForReply, FORM_ANSWER } from '../forms/form.ts';
import { kitTexts, roleName } from '../texts.ts';
import type { Turn } from '../turn.ts';
import { AGAIN } from './anonymous.ts';
import { commandIn } from './command-in.ts';
import type { KitContext } from './context.ts';

export interface Routes {
  readonly commands: ReadonlyMap<string, Command>;
  readonly actions: ReadonlyMap<string, Action>;
  readonly starts: ReadonlyMap<string, (turn: Turn, token: string) => Promise<void>>;
  readonly replied: readonly NonNullable<Feature['replied']>[];
}

/** Collects what the features declare; a name that is declared twice is a mistake of ours. */
export function collectRoutes(features: readonly Feature[]): Routes {
  const commands = new Map<string, Command>();
  const actions = new Map<string, Action>();
  const starts = new Map<string, (turn: Turn, token: string) => Promise<void>>();
  for (const feature of features) {
    for (const command of feature.commands) add(commands, command.name, command);
    for (const action of feature.actions ?? [])
      for (const name of [action.name, ...action.formerly]) add(actions, name, action);
    for (const [prefix, start] of Object.entries(feature.starts ?? {})) add(starts, prefix, start);
  }
  const replied = features.map((feature) => feature.replied).filter((each) => each !== undefined);
  return { commands, actions, starts, replied };
}

/** The end of the middleware: a finished form, a press, a deep link or a command comes to its handler here. */
export function route(routes: Routes, metrics: Pick<Metrics, 'command'>): MiddlewareFn<KitContext> {
  return async (ctx) => {
    const { turn } = ctx;
    if (ctx.formDone !== undefined) {
      const { command: name, typed } = ctx.formDone;
      const command = routes.commands.get(name);
      if (command !== undefined) await counted(turn, command, typed);
      return;
    }
    if (ctx.press?.action === AGAIN.name) {
      const { line } = ctx.press.payload;
      if (typeof line === 'string') await runLine(ctx, line);
      return;
    }
    if (ctx.press?.action === FORM_ANSWER.name) {
      if (ctx.readByForm !== true) await turn.rewrite(kitTexts(turn.locale).notWaiting);
      return;
    }
    if (ctx.press !== undefined) {
      const action = routes.actions.get(ctx.press.action);
      if (action === undefined) throw new Error(`a button asks for what nothing does: ${ctx.press.action}`);
      // The token was judged by the least role that it was made for; the action's own guard is asked as well.
      if (!turn.can(action.permission))
        throw new AppError('not_allowed', `press of ${action.name} without the role`);
      await action.run(turn, ctx.press.payload);
      return;
    }
    if (ctx.myChatMember !== undefined) {
      await runLine(ctx, '/start');
      return;
    }
    if (ctx.message === undefined) return;
    await runLine(ctx, ctx.message.text ?? ctx.message.caption ?? '');
  };

  async function runLine(ctx: KitContext, text: string): Promise<void> {
    const { turn } = ctx;
    const typed = commandIn({ text }, turn.bot.username);
    if (typed === null) return await runReply(ctx, text);
    await ctx.conversation.exitAll();
    const start = typed.name === 'start' ? /^([a-z]+)_([A-Za-z0-9_-]+)$/u.exec(typed.input.trim()) : null;
    const opened = start === null ? undefined : routes.starts.get(start[1] ?? '');
    if (opened !== undefined && turn.chat.type === 'private') {
      await opened(turn, start?.[2] ?? '');
      return;
    }
    const command = routes.commands.get(typed.name);
    if (command === undefined || !mayType(turn, command)) {
      // In a group the command may be meant for another bot.
      if (turn.chat.type === 'private')
        await turn.say(kitTexts(turn.locale).unknownCommand(`/${typed.name}`));
      return;
    }
    await counted(turn, command, withFile(command, readLine(command, typed.input), turn.file));
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

  /**
   * A bare text is nothing, unless it replies to a message of the bot's: whoever answers a question that is over is told so. In a
   * topic all replies to what opened it.
   */
  async function runReply(ctx: KitContext, text: string): Promise<void> {
    const target = ctx.message?.reply_to_message;
    if (target?.from?.id !== ctx.me.id || target.forum_topic_created !== undefined) return;
    const own = { id: target.message_id, text: target.text ?? '' };
    for (const replied of routes.replied) if (await replied(ctx.turn, own, text)) return;
    // In a group people also talk below what the bot has said.
    if (ctx.turn.chat.type === 'private' || asksForReply(target))
      await ctx.turn.say(kitTexts(ctx.turn.locale).notWaiting);
  }
}

/** Of those that are on no menu, only what is this person's own. */
function mayType({ chat, person }: Turn, { internal, typedBy }: Command): boolean {
  if (internal !== true) return true;
  return chat.type === 'private' && typedBy?.includes(person.id) === true;
}

/** The one central guard, and after it the form or the handler: every command comes through here. */
async function runCommand(
  turn: Turn,
  command: Command,
  typed: Readonly<Record<string, string>>,
): Promise<'done' | 'asked' | 'refused'> {
  const texts = kitTexts(turn.locale);
  if (command.place === 'private' && turn.chat.type !== 'private') {
    await turn.say(texts.privateOnly, {
      buttons: [[{ label: texts.openPrivate, url: turn.startLink('help') }]],
    });
    return 'refused';
  }
  if (command.facet !== undefined && turn.binding === null) {
    await turn.say(texts.needsConnection);
    return 'refused';
  }
  if (command.permission !== null && !turn.can(command.permission)) {
    await turn.say(texts.needsRole(roleName(turn.locale, leastRole(command.permission))));
    return 'refused';
  }
  if (command.facet !== undefined && !turn.capabilities.has(command.facet)) {
    await turn.say(
      texts.needsCredential(credentialNames(turn.locale, turn.capabilities.missing(command.facet))),
    );
    return 'refused';
  }
  if (!isComplete(turn, command, typed)) {
    await turn.ask(command.name, typed);
    return 'asked';
  }
  await command.run(turn, typed);
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

function isComplete(turn: Turn, command: Command, typed: Readonly<Record<string, string>>): boolean {
  return Object.entries(command.args).every(([name, argument]) => {
    const text = typed[name];
    if (text !== undefined) return argument.schema.safeParse(text).success;
    return argument.askWhen === undefined ? argument.optional === true : !argument.askWhen(turn);
  });
}

function add<T>(map: Map<string, T>, name: string, value: T): void {
  if (map.has(name)) throw new Error(`declared twice: ${name}`);
  map.set(name, value);
}
