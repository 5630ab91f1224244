import { AppError } from '../../domain/errors.ts';
import { displayRecipient, type ParsedRecipients } from '../../domain/phone.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { AuditStore } from '../../ports/stores.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Action } from '../../telegram/action.ts';
import type { ActionButton } from '../../telegram/buttons.ts';
import { clip, fitBlocks, lines } from '../../telegram/html.ts';
import { sayLong, type LongAnswer } from '../../telegram/long-answer.ts';
import type { Turn } from '../../telegram/turn.ts';
import { blacklistActions } from './actions.ts';
import { block, type BlockOrder, type BlockOutcome, type BlockVerdict } from './blocker.ts';
import type { Permits } from './permits.ts';
import { failureLine, shownNumber } from './shown-texts.ts';
import { texts } from './texts.ts';

export interface BlockingDeps {
  readonly gateways: Gateways;
  readonly permits: Permits;
  readonly audit: AuditStore;
  readonly tables: Tables;
}

const LISTED = 8;
const NUMBERS_UNITS = 2500;
const KINDS = ['added', 'already', 'worded', 'unknown', 'not_added'] as const;

type Preview = Pick<ParsedRecipients, 'recipients'> & Partial<ParsedRecipients>;

/** The question before numbers are blocked, the calls, and what is known of each number afterwards. */
export function createBlocking({ gateways, permits, audit, tables }: BlockingDeps): {
  readonly ask: (turn: Turn, line: string, numbers: Preview) => Promise<void>;
  readonly action: Action;
} {
  const buttonFor = async (turn: Turn, order: BlockOrder) => {
    if (turn.binding === null) throw new AppError('not_connected', 'the binding has ended');
    const permit = await permits.mint({ chatId: turn.chat.id, personId: turn.person.id });
    const bindingId = turn.binding.id;
    return (label: string, choice: 'block' | 'other_line' | 'cancel'): ActionButton =>
      blacklistActions.block.button(
        label,
        { permit, bindingId, ...order, choice },
        { personId: turn.person.id },
      );
  };

  const ask = async (turn: Turn, line: string, found: Preview): Promise<void> => {
    const t = texts(turn.locale);
    const { recipients: numbers, repeated = [], invalid = [] } = found;
    const { number, count } = turn.format;
    const button = await buttonFor(turn, { line, numbers });
    const listed = fitBlocks(
      numbers.map((each) => shownNumber(each, numbers.length)),
      NUMBERS_UNITS,
      ' ',
    );
    const content = lines(
      t.askToBlock(line, count(numbers.length, t.numbers)),
      listed.shown,
      listed.dropped > 0 && t.more(number(listed.dropped)),
      repeated.length > 0 && t.repeated(number(repeated.length)),
      ...invalid.slice(0, LISTED).map(({ raw, reason }) => t.invalid(clip(raw, 40), t.why(reason))),
      invalid.length > LISTED && t.more(number(invalid.length - LISTED)),
      t.whatBlocking,
    );
    await turn.say(content, {
      buttons: [
        [{ ...button(t.block(number(numbers.length)), 'block'), style: 'danger' }],
        [button(t.otherLine, 'other_line'), button(t.cancel, 'cancel')],
      ],
    });
  };

  const run = async (turn: Turn, order: BlockOrder): Promise<void> => {
    const t = texts(turn.locale);
    const isRepeat = order.doubtful !== undefined;
    const blacklist = (await gateways.of(turn.binding?.id ?? '')).use('blacklist');
    // What the message of a repeat's button says of other numbers must stay readable.
    if (!isRepeat) await turn.rewrite(t.blocking(order.line, turn.format.number(order.numbers.length)));
    else if (turn.pressedMessageId !== null) await turn.disarm(turn.pressedMessageId);
    const outcome = await block(blacklist, order);
    if (outcome.failure !== null) turn.log.warn({ err: outcome.failure.error }, 'blocking ended early');
    try {
      await audit.add({
        chatId: turn.chat.id,
        personId: turn.person.id,
        updateId: turn.updateId,
        action: 'blacklist_added',
        details: { line: order.line, ...countsOf(outcome.verdicts) },
      });
    } finally {
      await sayLong(isRepeat ? turn : rewriting(turn), await answerOf(turn, order, outcome), tables);
    }
  };

  const answerOf = async (turn: Turn, order: BlockOrder, outcome: BlockOutcome): Promise<LongAnswer> => {
    const t = texts(turn.locale);
    const { verdicts, failure } = outcome;
    const counts = countsOf(verdicts);
    const open = (kind: BlockVerdict['verdict']) =>
      verdicts.filter(({ verdict }) => verdict === kind).map(({ number }) => number);
    const doubtful = open('unknown');
    const left = [...doubtful, ...open('not_added')];
    const button =
      left.length === 0 ? null : await buttonFor(turn, { line: order.line, numbers: left, doubtful });
    const tail = [
      failure !== null && failureLine(turn, failure),
      doubtful.length > 0 && t.mayBeAdded,
      left.length > 0 && t.againHelps,
    ].filter((line) => line !== false);
    return {
      head: t.blockHead(
        order.line,
        turn.person.name,
        KINDS.filter((kind) => counts[kind] > 0)
          .map((kind) => t.counts[kind](turn.format.number(counts[kind])))
          .join(' · '),
      ),
      rows: verdicts.map((each) =>
        t.blocked(each.verdict, shownNumber(each.number, verdicts.length), each.raw),
      ),
      tail: tail.length === 0 ? undefined : lines(...tail),
      buttons: [[button?.(t.again, 'block')]],
      file: {
        name: 'blocked',
        table: {
          header: t.columns,
          rows: verdicts.map(({ number, verdict, raw }) => [
            displayRecipient(number),
            order.line,
            t.blockedWords[verdict],
            raw,
          ]),
        },
      },
    };
  };

  return {
    ask,
    action: blacklistActions.block.does(async (turn, { permit, bindingId, choice, doubtful, ...order }) => {
      const t = texts(turn.locale);
      if (turn.binding?.id !== bindingId)
        throw new AppError(turn.binding === null ? 'not_connected' : 'stale', 'the account has changed');
      if (!(await permits.claim(permit, { personId: turn.person.id, updateId: turn.updateId }))) {
        await turn.say(t.decided);
      } else if (choice === 'cancel') {
        await turn.rewrite(t.cancelled);
      } else if (choice === 'other_line') {
        if (turn.pressedMessageId !== null) await turn.disarm(turn.pressedMessageId);
        await turn.ask('blacklist-line', { what: 'block', numbers: order.numbers.join(' ') });
      } else {
        await run(turn, { ...order, ...(doubtful === undefined ? {} : { doubtful }) });
      }
    }),
  };
}

function countsOf(verdicts: readonly BlockVerdict[]): Record<BlockVerdict['verdict'], number> {
  const counts = { added: 0, already: 0, worded: 0, unknown: 0, not_added: 0 };
  for (const { verdict } of verdicts) counts[verdict] += 1;
  return counts;
}

/** The turn, answering in the message whose button was pressed. */
function rewriting(turn: Turn): Turn {
  return {
    ...turn,
    say: async (content, options = {}) => {
      await turn.rewrite(content, { buttons: options.buttons });
      return turn.pressedMessageId ?? 0;
    },
  };
}
