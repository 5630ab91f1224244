import { AppError } from '../../domain/errors.ts';
import { parseRecipients } from '../../domain/phone.ts';
import type { Blacklist } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Stores } from '../../storage/stores.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import { sayLong } from '../../telegram/long-answer.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { accountGateway } from '../shared/account.ts';
import { carried } from '../shared/shared-arguments.ts';
import { what, blacklistActions } from './actions.ts';
import { blacklistLine, numbersToBlock, numberToUnblock, someNumbers } from './arguments.ts';
import { createBlocking } from './block-card.ts';
import { renderCheck } from './check-card.ts';
import { check } from './checker.ts';
import { blockedList } from './list-card.ts';
import { texts } from './texts.ts';
import { createUnblocking } from './unblock-card.ts';

export interface BlacklistDeps extends Pick<Stores, 'links' | 'audit'> {
  readonly autoResponses: Pick<Stores['autoResponses'], 'decided'>;
  readonly gateways: Gateways;
  readonly bindings: Pick<Stores['bindings'], 'lines'>;
  readonly tables: Tables;
}

/** The numbers that a line of the account must not send to: every line has its own list. */
export function createBlacklistFeature(deps: BlacklistDeps): Feature {
  const { gateways, tables } = deps;
  const blocking = createBlocking(deps);
  const unblocking = createUnblocking(deps);
  const line = blacklistLine(deps.bindings);

  const blacklistOf = async (ctx: RequestContext): Promise<Blacklist> =>
    (await accountGateway(gateways, ctx)).use('blacklist');

  const list = blockedList(blacklistOf, tables);

  const ask = async (ctx: RequestContext, line: string, numbers: readonly string[]): Promise<void> => {
    await sayLong(ctx, renderCheck(ctx, line, await check(await blacklistOf(ctx), line, numbers)), tables);
  };

  /** The line that was named, else the chat's; the form has asked where there is neither. */
  const lineOf = (ctx: RequestContext, named: string | undefined): string => {
    const found = named ?? ctx.binding?.line ?? null;
    if (found === null) throw new AppError('stale', 'the line of the chat is gone');
    return found;
  };

  return {
    name: 'blacklist',
    topic: 'blacklist',
    commands: [
      defineCommand({
        name: 'blocked',
        alsoCalled: [
          'blacklist',
          'blocklist',
          'لیستسیاه',
          'spamlist',
          'بلکلیست',
          'بلاکلیست',
          'مسدودها',
          'مسدودشدهها',
        ],
        permission: 'blacklist.view',
        facet: 'blacklist',
        about: (locale) => texts(locale).aboutBlocked,
        example: () => '/blocked 3000123456',
        args: { line },
        run: async (ctx, values) => await list.say(ctx, { line: lineOf(ctx, values.line), page: 1 }),
      }),
      defineCommand({
        name: 'isblocked',
        permission: 'blacklist.view',
        facet: 'blacklist',
        about: (locale) => texts(locale).aboutIsBlocked,
        example: () => '/isblocked 09121234567 09351112233',
        args: { numbers: someNumbers, line },
        run: async (ctx, { numbers, line }) => await ask(ctx, lineOf(ctx, line), numbers.recipients),
      }),
      defineCommand({
        name: 'block',
        alsoCalled: ['ban', 'مسدود', 'بلاک'],
        permission: 'blacklist.add',
        facet: 'blacklist',
        about: (locale) => texts(locale).aboutBlock,
        example: () => '/block 09121234567 09351112233',
        args: { numbers: numbersToBlock, line },
        run: async (ctx, { numbers, line }) => await blocking.ask(ctx, lineOf(ctx, line), numbers),
      }),
      defineCommand({
        name: 'unblock',
        alsoCalled: ['unban', 'رفعمسدودی'],
        permission: 'blacklist.remove',
        facet: 'blacklist',
        about: (locale) => texts(locale).aboutUnblock,
        example: () => '/unblock 09121234567',
        args: { number: numberToUnblock, line },
        run: async (ctx, { number, line }) => await unblocking.ask(ctx, lineOf(ctx, line), number),
      }),
      // The same for another line than the one that was shown or asked about.
      defineCommand({
        name: 'blacklist-line',
        permission: 'blacklist.view',
        facet: 'blacklist',
        about: null,
        args: {
          what: { ...carried, schema: what },
          numbers: carried,
          line: { ...line, take: null, optional: false, askWhen: () => true },
        },
        run: async (ctx, { what, numbers, line }) => {
          const { recipients } = parseRecipients(numbers);
          const [first] = recipients;
          if (what === 'list') await list.say(ctx, { line, page: 1 });
          else if (what === 'check') await ask(ctx, line, recipients);
          else if (!ctx.can(what === 'block' ? 'blacklist.add' : 'blacklist.remove'))
            throw new AppError('not_allowed', `${what} without the role`);
          else if (what === 'block') await blocking.ask(ctx, line, { recipients });
          else if (first !== undefined) await unblocking.ask(ctx, line, first);
        },
      }),
    ],
    actions: [
      ...list.actions,
      blacklistActions.otherLine.does(async (ctx, given) => await ctx.ask('blacklist-line', given)),
      blocking.action,
      unblocking.action,
    ],
  };
}
