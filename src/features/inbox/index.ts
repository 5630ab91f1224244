import { AppError } from '../../domain/errors.ts';
import { parseLine } from '../../domain/phone.ts';
import type { Inbox } from '../../ports/gateway.ts';
import type { BindingStore } from '../../ports/stores.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import { lines } from '../../telegram/html.ts';
import { defineList } from '../../telegram/list.ts';
import { sayLong } from '../../telegram/long-answer.ts';
import { sendTable } from '../../telegram/table-file.ts';
import type { Turn } from '../../telegram/turn.ts';
import { inboxActions } from './actions.ts';
import { optionalLine, viewArgument } from './arguments.ts';
import { createFinding, type FindingDeps } from './find-card.ts';
import { createInboundActions, type InboundActionDeps } from './inbound-actions.ts';
import { renderPage, renderWhole, tableOf } from './page-card.ts';
import { findMessages, readInboxPage, readWholeInbox } from './reader.ts';
import { createReceiving, type ReceivingDeps } from './receive-card.ts';
import { texts } from './texts.ts';

export type InboxDeps = ReceivingDeps &
  FindingDeps &
  InboundActionDeps & { readonly bindings: Pick<BindingStore, 'lines' | 'learnLines'> };

const EXPORTED = 2000;

/** Received messages: looking at them, which changes nothing, and fetching them, which marks them read. */
export function createInboxFeature(deps: InboxDeps): Feature {
  const { gateways, bindings, tables, clock } = deps;
  const receiving = createReceiving(deps);
  const finding = createFinding(deps);
  const cards = createInboundActions(deps);

  const inboxOf = async (turn: Turn): Promise<Inbox> => {
    if (turn.binding === null) throw new AppError('not_connected', 'the binding has ended');
    return (await gateways.of(turn.binding.id)).use('inbox');
  };

  const list = defineList({
    pages: inboxActions.page,
    source: async (turn, { page, ...query }) => {
      const found = await readInboxPage(await inboxOf(turn), query, page);
      const seen = found.messages.map(({ line }) => parseLine(line)).filter((line) => line !== null);
      if (turn.binding !== null && seen.length > 0)
        await bindings.learnLines(turn.binding.id, [...new Set(seen)]);
      return found;
    },
    card: (turn, found, { view, line }) => renderPage(turn, { view, line }, found, clock.now()),
  });

  return {
    name: 'inbox',
    topic: 'inbox',
    commands: [
      defineCommand({
        name: 'inbox',
        permission: 'inbox.view',
        facet: 'inbox',
        about: (locale) => texts(locale).aboutInbox,
        example: () => '/inbox all 3000123456',
        args: { view: viewArgument, line: optionalLine(bindings, (locale) => texts(locale).badWord) },
        run: async (turn, { view = 'unread', line = turn.binding?.line ?? null }) =>
          await list.say(turn, { view, line, page: 1 }),
      }),
      defineCommand({
        name: 'receive',
        permission: 'inbox.receive',
        facet: 'inbox',
        about: (locale) => texts(locale).aboutReceive,
        example: () => '/receive 3000123456',
        args: { line: optionalLine(bindings, (locale) => texts(locale).badLine) },
        run: async (turn, { line = turn.binding?.line ?? null }) => await receiving.ask(turn, line),
      }),
      finding.command,
      ...cards.commands,
    ],
    actions: [
      inboxActions.page.does(
        async (turn, { apart, ...wanted }) => await list[apart === true ? 'say' : 'show'](turn, wanted),
      ),
      inboxActions.texts.does(async (turn, { page, keys, ...wanted }) => {
        const t = texts(turn.locale);
        const messages = await findMessages(await inboxOf(turn), wanted, { page, keys });
        const gone = keys.length - messages.length;
        const tail = gone > 0 ? t.wholeMissing(turn.format.count(gone, t.messages)) : undefined;
        const answer = {
          head: t.wholeHead(turn.format.count(messages.length, t.messages)),
          rows: renderWhole(turn, messages, clock.now()),
          tail,
          file: { name: 'messages', table: tableOf(turn, messages) },
        };
        await sayLong(turn, answer, tables);
      }),
      inboxActions.export.does(async (turn, wanted) => {
        const t = texts(turn.locale);
        const { messages, total } = await readWholeInbox(await inboxOf(turn), wanted, EXPORTED);
        const count = (value: number) => turn.format.count(value, t.messages);
        const file = {
          name: `inbox-${wanted.view}`,
          table: tableOf(turn, messages),
          caption: lines(
            t.head(wanted.view, wanted.line, count(messages.length)),
            total > messages.length &&
              t.exportedPart(turn.format.number(messages.length), turn.format.number(total)),
          ),
        };
        await sendTable(turn, file, tables);
      }),
      inboxActions.askReceive.does(async (turn, { line }) => await receiving.ask(turn, line)),
      receiving.action,
      ...finding.actions,
      ...cards.actions,
    ],
    replied: cards.replied,
  };
}
