import { AppError } from '../../domain/errors.ts';
import type { ReceivedMessage } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { AccountStore, InboundStore } from '../../ports/inbound.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { AuditStore, LinkStore } from '../../ports/stores.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Action } from '../../telegram/action.ts';
import type { ActionButton, Buttons } from '../../telegram/buttons.ts';
import { lines, type Html } from '../../telegram/html.ts';
import { sayLong } from '../../telegram/long-answer.ts';
import { refusalText } from '../../telegram/refusal-texts.ts';
import type { Turn } from '../../telegram/turn.ts';
import { inboxActions } from './actions.ts';
import { toInbound } from './new-inbound.ts';
import { renderWhole, tableOf } from './page-card.ts';
import { receive, RECEIVE_LIMIT, unrepeatable, type Received } from './receiver.ts';
import { texts } from './texts.ts';

export interface ReceivingDeps {
  readonly gateways: Gateways;
  readonly links: LinkStore;
  readonly audit: AuditStore;
  readonly tables: Tables;
  readonly clock: Clock;
  readonly accounts: Pick<AccountStore, 'ofBinding'>;
  readonly inbound: Pick<InboundStore, 'keep'>;
}

const DAY_SECONDS = 86_400;

/** Asking before unread messages are fetched and marked read, and what is told of it afterwards. */
export function createReceiving(deps: ReceivingDeps): {
  readonly ask: (turn: Turn, line: string | null) => Promise<void>;
  readonly action: Action;
} {
  const { gateways, links, audit, tables, clock, accounts, inbound } = deps;

  const buttonFor = async (turn: Turn, line: string | null) => {
    if (turn.binding === null) throw new AppError('not_connected', 'the binding has ended');
    const permit = await links.mint({
      purpose: 'receive',
      chatId: turn.chat.id,
      personId: turn.person.id,
      ttlSeconds: DAY_SECONDS,
    });
    const bindingId = turn.binding.id;
    return (label: string, choice: 'fetch' | 'fetch_more' | 'all_lines' | 'cancel'): ActionButton =>
      inboxActions.receive.button(label, { permit, bindingId, line, choice }, { personId: turn.person.id });
  };

  const ask = async (turn: Turn, line: string | null, as: 'say' | 'rewrite' = 'say'): Promise<void> => {
    const t = texts(turn.locale);
    const button = await buttonFor(turn, line);
    await turn[as](t.askReceive(line, turn.person.name), {
      buttons: [
        [{ ...button(t.fetch, 'fetch'), style: 'success' }],
        [line !== null && button(t.toAllLines, 'all_lines'), button(t.cancel, 'cancel')],
      ],
    });
  };

  const fetch = async (turn: Turn, line: string | null, as: 'say' | 'rewrite'): Promise<void> => {
    const t = texts(turn.locale);
    const inbox = (await gateways.of(turn.binding?.id ?? '')).use('inbox');
    if (as === 'say' && turn.pressedMessageId !== null) await turn.disarm(turn.pressedMessageId);
    // Before the call: should nothing come through afterwards, this says where the messages are.
    await turn[as](t.fetching(line), { buttons: lookAtAll(turn, line) });
    const received = await receive(inbox, line);
    if (received.kind === 'failed') {
      turn.log.warn({ err: received.error, mayHaveActed: received.mayHaveActed }, 'receive failed');
      if (received.mayHaveActed) await note(turn, { line, outcome: 'unknown' });
      await turn[as](failureText(turn, received), { buttons: lookAtAll(turn, line) });
      return;
    }
    const { messages } = received;
    if (messages.length === 0) {
      await turn[as](t.fetchedNone(line));
      return;
    }
    await store(turn, messages);
    try {
      await note(turn, { line, count: messages.length });
    } finally {
      await deliver(turn, line, messages);
      if (as === 'rewrite') {
        const count = turn.format.count(messages.length, t.messages);
        const time = turn.format.time(clock.now());
        await turn.rewrite(t.fetched(count, line, turn.person.name, time));
      }
    }
  };

  /** What was fetched is told wherever received messages are; where that fails, it is captured all the same. */
  const store = async (turn: Turn, messages: readonly ReceivedMessage[]): Promise<void> => {
    try {
      const accountId = await accounts.ofBinding(turn.binding?.id ?? '');
      if (accountId !== null) await inbound.keep(accountId, toInbound(messages), { quiet: false });
    } catch (error) {
      turn.log.warn({ err: error }, 'fetched messages were not stored; the next look at the inbox does it');
    }
  };

  const deliver = async (
    turn: Turn,
    line: string | null,
    messages: readonly ReceivedMessage[],
  ): Promise<void> => {
    const t = texts(turn.locale);
    const isFull = messages.length >= RECEIVE_LIMIT;
    const button = isFull ? await buttonFor(turn, line) : null;
    const answer = {
      head: t.received(turn.format.count(messages.length, t.messages)),
      rows: renderWhole(turn, messages, clock.now()),
      tail: isFull ? t.maybeMore : undefined,
      buttons: [[button?.(t.next, 'fetch_more')]],
      file: { name: 'messages', table: tableOf(turn, messages) },
    };
    await sayLong(turn, answer, tables);
  };

  const note = async (turn: Turn, details: Readonly<Record<string, unknown>>): Promise<void> => {
    const { chat, person, updateId } = turn;
    await audit.add({ chatId: chat.id, personId: person.id, updateId, action: 'inbox_received', details });
  };

  return {
    ask: async (turn, line) => await ask(turn, line),
    action: inboxActions.receive.does(async (turn, { permit, bindingId, line, choice }) => {
      const t = texts(turn.locale);
      if (turn.binding?.id !== bindingId)
        throw new AppError(turn.binding === null ? 'not_connected' : 'stale', 'the account has changed');
      const isCall = choice === 'fetch' || choice === 'fetch_more';
      const claimed = await links.claim(permit, turn.person.id, isCall ? unrepeatable() : turn.updateId);
      if (claimed === null) {
        await turn.say(t.decided, { buttons: lookAtAll(turn, line) });
      } else if (choice === 'cancel') {
        await turn.rewrite(t.cancelled);
      } else if (choice === 'all_lines') {
        await ask(turn, null, 'rewrite');
      } else {
        // The messages fetched before stand in the message of this button: it stays as it is.
        await fetch(turn, line, choice === 'fetch' ? 'rewrite' : 'say');
      }
    }),
  };
}

function lookAtAll(turn: Turn, line: string | null): Buttons {
  const label = texts(turn.locale).showAll;
  return [[inboxActions.page.button(label, { view: 'all', line, page: 1, apart: true })]];
}

function failureText(turn: Turn, failed: Extract<Received, { kind: 'failed' }>): Html {
  const t = texts(turn.locale);
  const why = {
    refused: () => t.refused(refusalText(turn.locale, failed.name)),
    no_answer: () => t.noAnswer,
    unreadable: () => t.unreadable,
  };
  return lines(why[failed.why](), failed.mayHaveActed ? t.mayBeMarked : t.nothingMarked);
}
