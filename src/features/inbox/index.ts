import { parseLine } from '../../domain/phone.ts';
import type { Inbox } from '../../ports/gateway.ts';
import type { Stores } from '../../storage/stores.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import { lines } from '../../telegram/html.ts';
import { defineList } from '../../telegram/list.ts';
import { sayLong } from '../../telegram/long-answer.ts';
import { sendTable } from '../../telegram/table-file.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { accountGateway } from '../shared/account.ts';
import { readSpan } from '../shared/range-argument.ts';
import { inboxActions } from './actions.ts';
import { optionalLine, shownArgument, viewArgument } from './arguments.ts';
import { createBringing } from './bring-card.ts';
import { createDeskActions, type DeskActionDeps } from './desk-actions.ts';
import { deskList, type DeskDeps } from './desk-card.ts';
import { createFinding, type FindingDeps } from './find-card.ts';
import { createInboundActions, type InboundActionDeps } from './inbound-actions.ts';
import { renderPage, renderWhole, tableOf } from './page-card.ts';
import { findMessages, readInboxPage, readWholeInbox } from './reader.ts';
import { createReceiving, type ReceivingDeps } from './receive-card.ts';
import { texts } from './texts.ts';

export type InboxDeps = ReceivingDeps &
  FindingDeps &
  DeskDeps &
  InboundActionDeps &
  DeskActionDeps & { readonly bindings: Pick<Stores['bindings'], 'lines' | 'learnLines'> };

const EXPORTED = 2000;

/** Received messages: looking at them, which changes nothing, and fetching them, which marks them read. */
export function createInboxFeature(deps: InboxDeps): Feature {
  const { gateways, bindings, tables, clock } = deps;
  const receiving = createReceiving(deps);
  const finding = createFinding(deps);
  const cards = createInboundActions(deps);
  const desk = deskList(deps);
  const deskActions = createDeskActions(deps);

  const inboxOf = async (ctx: RequestContext): Promise<Inbox> =>
    (await accountGateway(gateways, ctx)).use('inbox');

  const list = defineList({
    pages: inboxActions.page,
    source: async (ctx, { page, ...query }) => {
      const found = await readInboxPage(await inboxOf(ctx), query, page);
      const seen = found.messages.map(({ line }) => parseLine(line)).filter((line) => line !== null);
      if (ctx.binding !== null && seen.length > 0)
        await bindings.learnLines(ctx.binding.id, [...new Set(seen)]);
      return found;
    },
    card: (ctx, found, { view, line }) => renderPage(ctx, { view, line }, found, clock.now()),
  });

  return {
    name: 'inbox',
    topic: 'inbox',
    commands: [
      defineCommand({
        name: 'inbox',
        alsoCalled: [
          'unread',
          'desk',
          'replies',
          'whoreplied',
          'whoanswered',
          'صندوق',
          'دریافتی',
          'جوابها',
          'کیجوابداده',
          'messages',
          'newmessages',
          'whowrote',
          'پیامها',
          'پیامهایجدید',
          'پیامجدید',
          'کیپیامداده',
          'کینوشته',
          'جوابا',
          'جوابمشتری',
          'جوابمشتریها',
          'پیامهایمشتریها',
        ],
        everyday: true,
        permission: 'inbox.view',
        facet: 'inbox',
        about: (locale) => texts(locale).aboutInbox,
        example: () => '/inbox all 3000123456',
        args: { view: viewArgument, of: shownArgument },
        run: async (ctx, { view = 'unread', of }) => {
          if (of !== undefined && 'query' in of) return await finding.say(ctx, of);
          if (of !== undefined && 'time' in of)
            return await finding.say(ctx, { query: '', time: readSpan(ctx, clock, of.time) });
          const line = of?.line;
          // Who waits, waits on whichever line.
          if (view === 'mine' || view === 'unanswered')
            await desk.say(ctx, { view, line: line ?? null, page: 1 });
          else await list.say(ctx, { view, line: line ?? ctx.binding?.line ?? null, page: 1 });
        },
      }),
      defineCommand({
        name: 'receive',
        permission: 'inbox.receive',
        facet: 'inbox',
        about: (locale) => texts(locale).aboutReceive,
        example: () => '/receive 3000123456',
        args: { line: optionalLine(bindings) },
        run: async (ctx, { line = ctx.binding?.line ?? null }) => await receiving.ask(ctx, line),
      }),
      finding.command,
      createBringing(deps),
      deskActions.command,
      ...cards.commands,
    ],
    actions: [
      inboxActions.page.does(
        async (ctx, { apart, ...wanted }) => await list[apart === true ? 'say' : 'show'](ctx, wanted),
      ),
      ...desk.actions,
      ...deskActions.actions,
      inboxActions.texts.does(async (ctx, { page, keys, ...wanted }) => {
        const t = texts(ctx.locale);
        const messages = await findMessages(await inboxOf(ctx), wanted, { page, keys });
        const gone = keys.length - messages.length;
        const tail = gone > 0 ? t.wholeMissing(ctx.format.count(gone, t.messages)) : undefined;
        const answer = {
          head: t.wholeHead(ctx.format.count(messages.length, t.messages)),
          rows: renderWhole(ctx, messages, clock.now()),
          tail,
          file: { name: 'messages', table: tableOf(ctx, messages) },
        };
        await sayLong(ctx, answer, tables);
      }),
      inboxActions.export.does(async (ctx, wanted) => {
        const t = texts(ctx.locale);
        const { messages, total } = await readWholeInbox(await inboxOf(ctx), wanted, EXPORTED);
        const count = (value: number) => ctx.format.count(value, t.messages);
        const file = {
          name: `inbox-${wanted.view}`,
          table: tableOf(ctx, messages),
          caption: lines(
            t.head(wanted.view, wanted.line, count(messages.length)),
            total > messages.length &&
              t.exportedPart(ctx.format.number(messages.length), ctx.format.number(total)),
          ),
        };
        await sendTable(ctx, file, tables);
      }),
      inboxActions.askReceive.does(async (ctx, { line }) => await receiving.ask(ctx, line)),
      receiving.action,
      ...finding.actions,
      ...cards.actions,
    ],
    replied: cards.replied,
    shownBy: cards.shownBy,
    reacted: cards.reacted,
  };
}
