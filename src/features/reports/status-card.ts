import type { Gateways } from '../../ports/gateways.ts';
import type { Tables } from '../../ports/tables.ts';
import { clip, html, type Html } from '../../telegram/html.ts';
import { sayLong } from '../../telegram/long-answer.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { accountGateway } from '../shared/account.ts';
import { reportActions, MAX_DETAILS } from './actions.ts';
import { outboxTable, statusTable } from './file-texts.ts';
import { newestFirst } from './outbox-totals.ts';
import { recipientText } from './row-card.ts';
import { stateText, texts } from './texts.ts';

interface StatusDeps {
  readonly gateways: Gateways;
  readonly tables: Tables;
}

/** What the status operation answers for an id that it does not know. */
const NO_SUCH_ID = 14;
/** How many messages are shown in detail at once. */
const LISTED = 10;
const TEXT_UNITS = 300;

/** Says the state of each message, and of which the gateway said nothing. */
export async function sayStatus(
  ctx: RequestContext,
  ids: readonly string[],
  deps: StatusDeps,
): Promise<void> {
  const t = texts(ctx.locale);
  const { format } = ctx;
  const entries = await (await accountGateway(deps.gateways, ctx)).use('reports').status(ids);
  if (entries.length === 0) {
    await ctx.say(t.noAnswer);
    return;
  }
  const answered = new Set(entries.map((entry) => entry.id));
  const missing = ids.filter((id) => !answered.has(id));
  const details = reportActions.details.button(
    t.details(ids.length > MAX_DETAILS ? format.number(MAX_DETAILS) : null),
    { ids: ids.slice(0, MAX_DETAILS) },
  );
  await sayLong(
    ctx,
    {
      head: html`📬 ${format.count(entries.length, t.messages)}`,
      rows: entries.map((entry) =>
        t.entry(
          entry.id,
          entry.recipient === undefined || entry.recipient === '' ? '' : format.phone(entry.recipient),
          entry.state.raw === NO_SUCH_ID ? html`${t.noSuchId}` : stateText(ctx.locale, entry.state),
        ),
      ),
      tail:
        missing.length === 0
          ? undefined
          : t.missing(
              format.count(missing.length, t.messages),
              missing.slice(0, LISTED),
              missing.length > LISTED,
            ),
      buttons: ctx.capabilities.has('details') ? [[details]] : [],
      file: { name: 'status', table: statusTable(format, entries, missing) },
    },
    deps.tables,
  );
}

/** Says text, recipient and date of some messages. */
export async function sayDetails(
  ctx: RequestContext,
  ids: readonly string[],
  deps: StatusDeps,
): Promise<void> {
  const t = texts(ctx.locale);
  const { format } = ctx;
  const found = await (await accountGateway(deps.gateways, ctx)).use('details').byIds(ids);
  if (found.length === 0) {
    await ctx.say(t.noAnswer);
    return;
  }
  const rows = found.toSorted(newestFirst);
  await sayLong(
    ctx,
    {
      head: t.detailsHead(format.count(rows.length, t.messages)),
      rows: rows.map((row): Html =>
        t.detail(
          row.id,
          row.recipient === undefined ? null : recipientText(format, row.recipient),
          stateText(ctx.locale, row.state),
          row.date === undefined ? null : format.dateTime(new Date(row.date * 1000)),
          clip(row.text, TEXT_UNITS),
        ),
      ),
      file: { name: 'details', table: outboxTable(format, rows) },
    },
    deps.tables,
  );
}
