import type { MiddlewareFn } from 'grammy';
import type { Command } from '../feature.ts';
import { lines, type Html } from '../html.ts';
import type { RequestContext } from '../request-context.ts';
import { kitTexts } from '../texts.ts';
import { commandCalled, commandIn } from './command-in.ts';
import type { FormStart, KitContext } from './context.ts';
import { runCommand, type Routes } from './router.ts';

/**
 * Gives a command once more that was edited, where what it made can still change: it changes that, and makes nothing new.
 * What has made nothing yet goes on to the question that it may have answered.
 */
export function followEdits({ commands, edited, read }: Routes): MiddlewareFn<KitContext> {
  return async (ctx, next) => {
    const { editedMessage: message } = ctx;
    if (message === undefined) return await next();
    const { request } = ctx;
    const typed = commandIn(message, request.bot.username);
    const called = typed === null ? null : commandCalled(commands, typed);
    for (const follow of edited) {
      const show = await follow(request, typed === null ? (message.text ?? message.caption ?? '') : null);
      if (show === 'told') return;
      if (show === null) continue;
      // What is missing is not asked for: the message itself can be edited once more.
      ctx.form = {
        enter: async (start) => await tellStays(request, commands.get(start.command), start),
        leave() {},
        late: async () => await Promise.resolve(false),
        end: async () => await Promise.resolve(),
      };
      if (called?.command.followsEdits !== true) await tellStays(request);
      else {
        const given = await read.command(ctx, called.command, called.input);
        await runCommand({ ...request, isEdit: true }, called.command, given);
      }
      await show();
      return;
    }
    await next();
  };
}

async function tellStays(request: RequestContext, command?: Command, start?: FormStart): Promise<void> {
  const replyTo = request.messageId ?? undefined;
  await request.say(lines(problemOf(request, command, start), kitTexts(request.locale).editStays), {
    replyTo,
  });
}

/** The first of the arguments that is missing or will not do. */
function problemOf(request: RequestContext, command?: Command, start?: FormStart): Html | null {
  for (const [name, argument] of Object.entries(command?.args ?? {})) {
    const given = start?.typed[name];
    if (given === undefined && argument.optional !== true) return argument.ask(request, start?.typed ?? {});
    if (given !== undefined && !argument.schema.safeParse(given).success)
      return argument.problem(request.locale, given);
  }
  return null;
}
