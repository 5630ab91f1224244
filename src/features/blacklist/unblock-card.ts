import type { Gateways } from '../../ports/gateways.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Action } from '../../telegram/action.ts';
import type { ActionButton } from '../../telegram/buttons.ts';
import { lines } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { blacklistActions } from './actions.ts';
import { failedChange, type FailedChange } from '../../domain/failed-change.ts';
import { accountGateway, linkedAccount } from '../shared/account.ts';
import { chatDoerOf } from '../shared/doer.ts';
import { isNotThere } from './one-number.ts';
import { openQuestion } from '../shared/question.ts';
import { decide } from './question-card.ts';
import { failureLine, shownNumber, texts } from './texts.ts';

export interface UnblockingDeps extends Pick<Stores, 'audit' | 'links'> {
  readonly autoResponses: Pick<Stores['autoResponses'], 'decided'>;
  readonly gateways: Gateways;
}

/** The question before a number is taken off a blacklist, the call, and what is known afterwards. */
export function createUnblocking({ autoResponses, gateways, links, audit }: UnblockingDeps): {
  readonly ask: (ctx: RequestContext, line: string, number: string) => Promise<void>;
  readonly action: Action;
} {
  const buttonFor = async (ctx: RequestContext, line: string, number: string) => {
    const question = await openQuestion(links, ctx, 'blacklist');
    return (label: string, choice: 'unblock' | 'again' | 'other_line' | 'cancel'): ActionButton =>
      blacklistActions.unblock.button(
        label,
        { ...question, line, number, choice },
        { personId: ctx.person.id },
      );
  };

  const run = async (ctx: RequestContext, line: string, number: string, isRepeat: boolean): Promise<void> => {
    const t = texts(ctx.locale);
    const shown = shownNumber(ctx, number);
    const blacklist = (await accountGateway(gateways, ctx)).use('blacklist');
    let failure: FailedChange | null = null;
    try {
      await blacklist.remove(line, number);
    } catch (error) {
      failure = failedChange(error);
      if (failure === null) throw error;
      ctx.log.warn({ err: error, mayHaveActed: failure.mayHaveActed }, 'unblocking did not end well');
    }
    const wasGone = failure !== null && isNotThere(failure);
    const outcome = failure === null ? 'removed' : wasGone ? 'not_there' : 'unknown';
    try {
      if (failure === null || failure.mayHaveActed || wasGone)
        await autoResponses.decided({
          bindingId: linkedAccount(ctx).id,
          what: 'in',
          line,
          numbers: [number],
        });
      if (failure === null || failure.mayHaveActed || (wasGone && isRepeat))
        await audit.add({
          ...chatDoerOf(ctx),
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
    action: blacklistActions.unblock.does(async (ctx, pressed) => {
      const { line, number, choice } = pressed;
      await decide(links, ctx, pressed, { what: 'unblock', numbers: number }, async () => {
        await run(ctx, line, number, choice === 'again');
      });
    }),
  };
}
