import { randomInt } from 'node:crypto';
import { failedChange, type FailedChange } from '../../domain/failed-change.ts';
import { UNREAD_ROWS } from '../../domain/interface-limits.ts';
import type { Inbox, ReceivedMessage } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Action } from '../../telegram/action.ts';
import type { ActionButton, Buttons } from '../../telegram/buttons.ts';
import { lines, type Html } from '../../telegram/html.ts';
import { sayLong } from '../../telegram/long-answer.ts';
import { refusalText } from '../../telegram/refusal-texts.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { accountGateway } from '../shared/account.ts';
import { answerQuestion, openQuestion } from '../shared/question.ts';
import { inboxActions } from './actions.ts';
import { toInbound } from './new-inbound.ts';
import { renderWhole, tableOf } from './page-card.ts';
import { texts } from './texts.ts';

export interface ReceivingDeps extends Pick<Stores, 'links' | 'audit'> {
  readonly gateways: Gateways;
  readonly tables: Tables;
  readonly clock: Clock;
  readonly accounts: Pick<Stores['accounts'], 'ofBinding'>;
  readonly inbound: Pick<Stores['inbound'], 'keep'>;
}

/** Asking before unread messages are fetched and marked read, and what is told of it afterwards. */
export function createReceiving(deps: ReceivingDeps): {
  readonly ask: (ctx: RequestContext, line: string | null) => Promise<void>;
  readonly action: Action;
} {
  const { gateways, links, audit, tables, clock, accounts, inbound } = deps;

  const buttonFor = async (ctx: RequestContext, line: string | null) => {
    const question = await openQuestion(links, ctx, 'receive');
    return (label: string, choice: 'fetch' | 'fetch_more' | 'all_lines' | 'cancel'): ActionButton =>
      inboxActions.receive.button(label, { ...question, line, choice }, { personId: ctx.person.id });
  };

  const ask = async (
    ctx: RequestContext,
    line: string | null,
    as: 'say' | 'rewrite' = 'say',
  ): Promise<void> => {
    const t = texts(ctx.locale);
    const button = await buttonFor(ctx, line);
    await ctx[as](t.askReceive(line, ctx.person.name), {
      buttons: [
        [{ ...button(t.fetch, 'fetch'), style: 'success' }],
        [line !== null && button(t.toAllLines, 'all_lines'), button(t.cancel, 'cancel')],
      ],
    });
  };

  const fetch = async (ctx: RequestContext, line: string | null, as: 'say' | 'rewrite'): Promise<void> => {
    const t = texts(ctx.locale);
    const inbox = (await accountGateway(gateways, ctx)).use('inbox');
    if (as === 'say' && ctx.pressedMessageId !== null) await ctx.disarm(ctx.pressedMessageId);
    // Before the call: should nothing come through afterwards, this says where the messages are.
    await ctx[as](t.fetching(line), { buttons: lookAtAll(ctx, line) });
    const received = await receive(inbox, line);
    if (received.kind === 'failed') {
      ctx.log.warn({ err: received.error, mayHaveActed: received.mayHaveActed }, 'receive failed');
      if (received.mayHaveActed) await note(ctx, { line, outcome: 'unknown' });
      await ctx[as](failureText(ctx, received), { buttons: lookAtAll(ctx, line) });
      return;
    }
    const { messages } = received;
    if (messages.length === 0) {
      await ctx[as](t.fetchedNone(line));
      return;
    }
    await store(ctx, messages);
    try {
      await note(ctx, { line, count: messages.length });
    } finally {
      await deliver(ctx, line, messages);
      if (as === 'rewrite') {
        const count = ctx.format.count(messages.length, t.messages);
        const time = ctx.format.time(clock.now());
        await ctx.rewrite(t.fetched(count, line, ctx.person.name, time));
      }
    }
  };

  /** What was fetched is told wherever received messages are; where that fails, it is captured all the same. */
  const store = async (ctx: RequestContext, messages: readonly ReceivedMessage[]): Promise<void> => {
    try {
      const accountId = await accounts.ofBinding(ctx.binding?.id ?? '');
      if (accountId !== null) await inbound.keep(accountId, toInbound(messages), { quiet: false });
    } catch (error) {
      ctx.log.warn({ err: error }, 'fetched messages were not stored; the next look at the inbox does it');
    }
  };

  const deliver = async (
    ctx: RequestContext,
    line: string | null,
    messages: readonly ReceivedMessage[],
  ): Promise<void> => {
    const t = texts(ctx.locale);
    const isFull = messages.length >= UNREAD_ROWS;
    const button = isFull ? await buttonFor(ctx, line) : null;
    const answer = {
      head: t.received(ctx.format.count(messages.length, t.messages)),
      rows: renderWhole(ctx, messages, clock.now()),
      tail: isFull ? t.maybeMore : undefined,
      buttons: [[button?.(t.next, 'fetch_more')]],
      file: { name: 'messages', table: tableOf(ctx, messages) },
    };
    await sayLong(ctx, answer, tables);
  };

  const note = async (ctx: RequestContext, details: Readonly<Record<string, unknown>>): Promise<void> => {
    const { chat, person, updateId } = ctx;
    await audit.add({ chatId: chat.id, personId: person.id, updateId, action: 'inbox_received', details });
  };

  return {
    ask: async (ctx, line) => await ask(ctx, line),
    action: inboxActions.receive.does(async (ctx, { line, choice, ...question }) => {
      const t = texts(ctx.locale);
      const isCall = choice === 'fetch' || choice === 'fetch_more';
      if (!(await answerQuestion(links, ctx, question, isCall ? unrepeatable() : undefined))) {
        await ctx.say(t.decided, { buttons: lookAtAll(ctx, line) });
      } else if (choice === 'cancel') {
        await ctx.rewrite(t.cancelled);
      } else if (choice === 'all_lines') {
        await ask(ctx, null, 'rewrite');
      } else {
        // The messages fetched before stand in the message of this button: it stays as it is.
        await fetch(ctx, line, choice === 'fetch' ? 'rewrite' : 'say');
      }
    }),
  };
}

function lookAtAll(ctx: RequestContext, line: string | null): Buttons {
  const label = texts(ctx.locale).showAll;
  return [[inboxActions.page.button(label, { view: 'all', line, page: 1, apart: true })]];
}

function failureText(ctx: RequestContext, failed: Extract<Received, { kind: 'failed' }>): Html {
  const t = texts(ctx.locale);
  const why = {
    refused: () => t.refused(refusalText(ctx.locale, failed.name)),
    no_answer: () => t.noAnswer,
    unreadable: () => t.unreadable,
  };
  return lines(why[failed.why](), failed.mayHaveActed ? t.mayBeMarked : t.nothingMarked);
}

/** What is known after one try; it is never made a second time by itself. */
type Received =
  | { readonly kind: 'received'; readonly messages: readonly ReceivedMessage[] }
  /** As many messages as the gateway gives at once may be marked read where it may have acted. */
  | ({ readonly kind: 'failed' } & FailedChange);

/** Fetches unread messages, which the gateway marks read. What is no failure of the call is thrown. */
async function receive(inbox: Inbox, line: string | null): Promise<Received> {
  try {
    const messages = await inbox.receive(line === null ? {} : { line });
    return { kind: 'received', messages: messages.toSorted((a, b) => (a.date ?? 0) - (b.date ?? 0)) };
  } catch (error) {
    const failed = failedChange(error);
    if (failed === null) throw error;
    return { kind: 'failed', ...failed };
  }
}

/**
 * A number under which a nonce is claimed, other than any update's: the store lets the same update claim
 * again after a crash, and a call that may have been made must not be made again even then.
 */
function unrepeatable(): number {
  return -randomInt(1, 2 ** 47);
}
