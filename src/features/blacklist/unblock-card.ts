import { AppError } from '../../domain/errors.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { AuditStore } from '../../ports/stores.ts';
import type { Action } from '../../telegram/action.ts';
import type { ActionButton } from '../../telegram/buttons.ts';
import { lines } from '../../telegram/html.ts';
import type { Turn } from '../../telegram/turn.ts';
import { blacklistActions } from './actions.ts';
import { failureOf, type Failure } from './failure.ts';
import type { Permits } from './permits.ts';
import { failureLine, shownNumber } from './shown-texts.ts';
import { texts } from './texts.ts';

export interface UnblockingDeps {
  readonly gateways: Gateways;
  readonly permits: Permits;
  readonly audit: AuditStore;
}

/** The interface: remove of a number that is not present. */
const NOT_THERE = 400;

/** The question before a number is taken off a blacklist, the call, and what is known afterwards. */
export function createUnblocking({ gateways, permits, audit }: UnblockingDeps): {
  readonly ask: (turn: Turn, line: string, number: string) => Promise<void>;
  readonly action: Action;
} {
  const buttonFor = async (turn: Turn, line: string, number: string) => {
    if (turn.binding === null) throw new AppError('not_connected', 'the binding has ended');
    const permit = await permits.mint({ chatId: turn.chat.id, personId: turn.person.id });
    const bindingId = turn.binding.id;
    return (label: string, choice: 'unblock' | 'again' | 'other_line' | 'cancel'): ActionButton =>
      blacklistActions.unblock.button(
        label,
        { permit, bindingId, line, number, choice },
        { personId: turn.person.id },
      );
  };

  const run = async (turn: Turn, line: string, number: string, isRepeat: boolean): Promise<void> => {
    const t = texts(turn.locale);
    const shown = shownNumber(number);
    const blacklist = (await gateways.of(turn.binding?.id ?? '')).use('blacklist');
    let failure: Failure | null = null;
    try {
      await blacklist.remove(line, number);
    } catch (error) {
      failure = failureOf(error);
      if (failure === null) throw error;
      turn.log.warn({ err: error, mayHaveActed: failure.mayHaveActed }, 'unblocking did not end well');
    }
    const wasGone = failure?.why === 'refused' && failure.code === NOT_THERE;
    const outcome = failure === null ? 'removed' : wasGone ? 'not_there' : 'unknown';
    try {
      if (failure === null || failure.mayHaveActed || (wasGone && isRepeat))
        await audit.add({
          chatId: turn.chat.id,
          personId: turn.person.id,
          updateId: turn.updateId,
          action: 'blacklist_removed',
          details: { line, number, outcome },
        });
    } finally {
      if (failure === null) {
        await turn.rewrite(t.unblocked(line, shown, turn.person.name));
      } else if (wasGone) {
        await turn.rewrite(isRepeat ? t.goneNow(line, shown) : t.notThere(line, shown));
      } else {
        const button = await buttonFor(turn, line, number);
        const meaning =
          failure.mayHaveActed || isRepeat ? t.mayBeOff(line, shown) : t.stillThere(line, shown);
        // Once it is doubtful it stays so, whatever a later call that surely did nothing says.
        const choice = failure.mayHaveActed || isRepeat ? 'again' : 'unblock';
        await turn.rewrite(lines(failureLine(turn, failure), meaning), {
          buttons: [[button(t.again, choice)]],
        });
      }
    }
  };

  return {
    ask: async (turn, line, number) => {
      const t = texts(turn.locale);
      const button = await buttonFor(turn, line, number);
      await turn.say(t.askToUnblock(line, shownNumber(number)), {
        buttons: [
          [{ ...button(t.unblock, 'unblock'), style: 'success' }],
          [button(t.otherLine, 'other_line'), button(t.cancel, 'cancel')],
        ],
      });
    },
    action: blacklistActions.unblock.does(async (turn, { permit, bindingId, line, number, choice }) => {
      const t = texts(turn.locale);
      if (turn.binding?.id !== bindingId)
        throw new AppError(turn.binding === null ? 'not_connected' : 'stale', 'the account has changed');
      if (!(await permits.claim(permit, { personId: turn.person.id, updateId: turn.updateId }))) {
        await turn.say(t.decided);
      } else if (choice === 'cancel') {
        await turn.rewrite(t.cancelled);
      } else if (choice === 'other_line') {
        if (turn.pressedMessageId !== null) await turn.disarm(turn.pressedMessageId);
        await turn.ask('blacklist-line', { what: 'unblock', numbers: number });
      } else {
        await run(turn, line, number, choice === 'again');
      }
    }),
  };
}
