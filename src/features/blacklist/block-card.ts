import { displayRecipient, type ParsedRecipients } from '../../domain/phone.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Action } from '../../telegram/action.ts';
import type { ActionButton } from '../../telegram/buttons.ts';
import { clip, fitBlocks, lines } from '../../telegram/html.ts';
import { sayLong, type LongAnswer } from '../../telegram/long-answer.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { accountGateway, linkedAccount } from '../shared/account.ts';
import { chatDoerOf } from '../shared/doer.ts';
import { openQuestion } from '../shared/question.ts';
import { blacklistActions } from './actions.ts';
import { block, type BlockOrder, type BlockOutcome, type BlockVerdict } from './blocker.ts';
import { decide } from './question-card.ts';
import { failureLine, shownNumber, texts } from './texts.ts';

export interface BlockingDeps extends Pick<Stores, 'audit' | 'links'> {
  readonly autoResponses: Pick<Stores['autoResponses'], 'decided'>;
  readonly gateways: Gateways;
  readonly tables: Tables;
}

const LISTED = 8;
const NUMBERS_UNITS = 2500;
const KINDS = ['added', 'already', 'worded', 'unknown', 'not_added'] as const;

type Preview = Pick<ParsedRecipients, 'recipients'> & Partial<ParsedRecipients>;

/** The question before numbers are blocked, the calls, and what is known of each number afterwards. */
export function createBlocking({ autoResponses, gateways, links, audit, tables }: BlockingDeps): {
  readonly ask: (ctx: RequestContext, line: string, numbers: Preview) => Promise<void>;
  readonly action: Action;
} {
  const buttonFor = async (ctx: RequestContext, order: BlockOrder) => {
    const question = await openQuestion(links, ctx, 'blacklist');
    return (label: string, choice: 'block' | 'other_line' | 'cancel'): ActionButton =>
      blacklistActions.block.button(label, { ...question, ...order, choice }, { personId: ctx.person.id });
  };

  const ask = async (ctx: RequestContext, line: string, found: Preview): Promise<void> => {
    const t = texts(ctx.locale);
    const { recipients: numbers, repeated = [], invalid = [] } = found;
    const { number, count } = ctx.format;
    const button = await buttonFor(ctx, { line, numbers });
    const listed = fitBlocks(
      numbers.map((each) => shownNumber(ctx, each, numbers.length)),
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
    await ctx.say(content, {
      buttons: [
        [{ ...button(t.block(number(numbers.length)), 'block'), style: 'danger' }],
        [button(t.otherLine, 'other_line'), button(t.cancel, 'cancel')],
      ],
    });
  };

  const run = async (ctx: RequestContext, order: BlockOrder): Promise<void> => {
    const t = texts(ctx.locale);
    const isRepeat = order.doubtful !== undefined;
    const blacklist = (await accountGateway(gateways, ctx)).use('blacklist');
    // What the message of a repeat's button says of other numbers must stay readable.
    if (!isRepeat) await ctx.rewrite(t.blocking(order.line, ctx.format.number(order.numbers.length)));
    else if (ctx.pressedMessageId !== null) await ctx.disarm(ctx.pressedMessageId);
    const outcome = await block(blacklist, order);
    if (outcome.failure !== null) ctx.log.warn({ err: outcome.failure.error }, 'blocking ended early');
    const tried = outcome.verdicts.filter(({ verdict }) => verdict !== 'not_added');
    try {
      await autoResponses.decided({
        bindingId: linkedAccount(ctx).id,
        what: 'out',
        line: order.line,
        numbers: tried.map(({ number }) => number),
      });
      await audit.add({
        ...chatDoerOf(ctx),
        action: 'blacklist_added',
        details: { line: order.line, ...countsOf(outcome.verdicts) },
      });
    } finally {
      await sayLong(isRepeat ? ctx : rewriting(ctx), await answerOf(ctx, order, outcome), tables);
    }
  };

  const answerOf = async (
    ctx: RequestContext,
    order: BlockOrder,
    outcome: BlockOutcome,
  ): Promise<LongAnswer> => {
    const t = texts(ctx.locale);
    const { verdicts, failure } = outcome;
    const counts = countsOf(verdicts);
    const open = (kind: BlockVerdict['verdict']) =>
      verdicts.filter(({ verdict }) => verdict === kind).map(({ number }) => number);
    const doubtful = open('unknown');
    const left = [...doubtful, ...open('not_added')];
    const button =
      left.length === 0 ? null : await buttonFor(ctx, { line: order.line, numbers: left, doubtful });
    const tail = [
      failure !== null && failureLine(ctx, failure),
      doubtful.length > 0 && t.mayBeAdded,
      left.length > 0 && t.againHelps,
    ].filter((line) => line !== false);
    return {
      head: t.blockHead(
        order.line,
        ctx.person.name,
        KINDS.filter((kind) => counts[kind] > 0)
          .map((kind) => t.counts[kind](ctx.format.number(counts[kind])))
          .join(' · '),
      ),
      rows: verdicts.map((each) =>
        t.blocked(each.verdict, shownNumber(ctx, each.number, verdicts.length), each.raw),
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
    action: blacklistActions.block.does(async (ctx, pressed) => {
      const { line, numbers, doubtful } = pressed;
      await decide(links, ctx, pressed, { what: 'block', numbers: numbers.join(' ') }, async () => {
        await run(ctx, { line, numbers, ...(doubtful === undefined ? {} : { doubtful }) });
      });
    }),
  };
}

function countsOf(verdicts: readonly BlockVerdict[]): Record<BlockVerdict['verdict'], number> {
  const counts = { added: 0, already: 0, worded: 0, unknown: 0, not_added: 0 };
  for (const { verdict } of verdicts) counts[verdict] += 1;
  return counts;
}

/** The request, answering in the message whose button was pressed. */
function rewriting(ctx: RequestContext): RequestContext {
  return {
    ...ctx,
    say: async (content, options = {}) => {
      await ctx.rewrite(content, { buttons: options.buttons });
      return ctx.pressedMessageId ?? 0;
    },
  };
}
