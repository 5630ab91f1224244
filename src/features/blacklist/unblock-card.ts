import { AppError } from '../../domain/errors.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Action } from '../../telegram/action.ts';
import type { ActionButton } from '../../telegram/buttons.ts';
import { lines } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { blacklistActions } from './actions.ts';
import { failedChange, type FailedChange } from '../../domain/failed-change.ts';
import type { Nonces } from './nonces.ts';
import { failureLine, shownNumber } from './shown-texts.ts';
import { texts } from './texts.ts';

export interface UnblockingDeps extends Pick<Stores, 'audit'> {
  readonly gateways: Gateways;
  readonly nonces: Nonces;
}

/** The interface: remove of a number that is not present. */
const NOT_THERE = 400;

/** The question before a number is taken off a blacklist, the call, and what is known afterwards. */
export function createUnblocking({ gateways, nonces, audit }: UnblockingDeps): {
  readonly ask: (ctx: RequestContext, line: string, number: string) => Promise<void>;
  readonly action: Action;
} {
  const buttonFor = async (ctx: RequestContext, line: string, number: string) => {
    if (ctx.binding === null) throw new AppError('not_connected', 'the binding has ended');
    const nonce = await nonces.mint({ chatId: ctx.chat.id, personId: ctx.person.id });
    const bindingId = ctx.binding.id;
    return (label: string, choice: 'unblock' | 'again' | 'other_line' | 'cancel'): ActionButton =>
      blacklistActions.unblock.button(
        label,
        { nonce, bindingId, line, number, choice },
        { personId: ctx.person.id },
      );
  };

  const run = async (ctx: RequestContext, line: string, number: string, isRepeat: boolean): Promise<void> => {
    const t = texts(ctx.locale);
    const shown = shownNumber(ctx, number);
    const blacklist = (await gateways.of(ctx.binding?.id ?? '')).use('blacklist');
    let failure: FailedChange | null = null;
    try {
      await blacklist.remove(line, number);
    } catch (error) {
      failure = failedChange(error);
      if (failure === null) throw error;
      ctx.log.warn({ err: error, mayHaveActed: failure.mayHaveActed }, 'unblocking did not end well');
    }
    const wasGone = failure?.why === 'refused' && failure.code === NOT_THERE;
    const outcome = failure === null ? 'removed' : wasGone ? 'not_there' : 'unknown';
    try {
      if (failure === null || failure.mayHaveActed || (wasGone && isRepeat))
        await audit.add({
          chatId: ctx.chat.id,
          personId: ctx.person.id,
          updateId: ctx.updateId,
          action: 'blacklist_removed',
          details: { line, number, outcome },
        });
    } finally {
      if (failure === null) {
        await ctx.rewrite(t.unblocked(line, shown, ctx.person.name));
      } else if (wasGone) {
        await ctx.rewrite(isRepeat ? t.goneNow(line, shown) : t.notThere(line, shown));
      } else {
        const button = await buttonFor(ctx, line, number);
        const meaning =
          failure.mayHaveActed || isRepeat ? t.mayBeOff(line, shown) : t.stillThere(line, shown);
        // Once it is doubtful it stays so, whatever a later call that surely did nothing says.
        const choice = failure.mayHaveActed || isRepeat ? 'again' : 'unblock';
        await ctx.rewrite(lines(failureLine(ctx, failure), meaning), {
          buttons: [[button(t.again, choice)]],
        });
      }
    }
  };

  return {
    ask: async (ctx, line, number) => {
      const t = texts(ctx.locale);
      const button = await buttonFor(ctx, line, number);
      await ctx.say(t.askToUnblock(line, shownNumber(ctx, number)), {
        buttons: [
          [{ ...button(t.unblock, 'unblock'), style: 'success' }],
          [button(t.otherLine, 'other_line'), button(t.cancel, 'cancel')],
        ],
      });
    },
    action: blacklistActions.unblock.does(async (ctx, { nonce, bindingId, line, number, choice }) => {
      const t = texts(ctx.locale);
      if (ctx.binding?.id !== bindingId)
        throw new AppError(ctx.binding === null ? 'not_connected' : 'stale', 'the account has changed');
      if (!(await nonces.claim(nonce, { personId: ctx.person.id, updateId: ctx.updateId }))) {
        await ctx.say(t.decided);
      } else if (choice === 'cancel') {
        await ctx.rewrite(t.cancelled);
      } else if (choice === 'other_line') {
        if (ctx.pressedMessageId !== null) await ctx.disarm(ctx.pressedMessageId);
        await ctx.ask('blacklist-line', { what: 'unblock', numbers: number });
      } else {
        await run(ctx, line, number, choice === 'again');
      }
    }),
  };
}
