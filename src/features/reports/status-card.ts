import { maskRecipient } from '../../domain/phone.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { Tables } from '../../ports/tables.ts';
import { clip, html, type Html } from '../../telegram/html.ts';
import { sayLong } from '../../telegram/long-answer.ts';
import type { Turn } from '../../telegram/turn.ts';
import { accountGateway } from './account-gateway.ts';
import { reportActions, MOST_DETAILS } from './actions.ts';
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
export async function sayStatus(turn: Turn, ids: readonly string[], deps: StatusDeps): Promise<void> {
  const t = texts(turn.locale);
  const { format } = turn;
  const entries = await (await accountGateway(deps.gateways, turn.binding)).use('reports').status(ids);
  if (entries.length === 0) {
    await turn.say(t.noAnswer);
    return;
  }
  const answered = new Set(entries.map((entry) => entry.id));
  const missing = ids.filter((id) => !answered.has(id));
  const details = reportActions.details.button(
    t.details(ids.length > MOST_DETAILS ? format.number(MOST_DETAILS) : null),
    { ids: ids.slice(0, MOST_DETAILS) },
  );
  await sayLong(
    turn,
    {
      head: html`📬 ${format.count(entries.length, t.messages)}`,
      rows: entries.map((entry) =>
        t.entry(
          entry.id,
          entry.recipient === undefined || entry.recipient === '' ? '' : maskRecipient(entry.recipient),
          entry.state.raw === NO_SUCH_ID ? html`${t.noSuchId}` : stateText(turn.locale, entry.state),
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
      buttons: turn.capabilities.has('details') ? [[details]] : [],
      file: { name: 'status', table: statusTable(format, entries, missing) },
    },
    deps.tables,
  );
}

/** Says text, recipient and date of some messages. */
export async function sayDetails(turn: Turn, ids: readonly string[], deps: StatusDeps): Promise<void> {
  const t = texts(turn.locale);
  const { format } = turn;
  const found = await (await accountGateway(deps.gateways, turn.binding)).use('details').byIds(ids);
  if (found.length === 0) {
    await turn.say(t.noAnswer);
    return;
  }
  const rows = found.toSorted(newestFirst);
  await sayLong(
    turn,
    {
      head: t.detailsHead(format.count(rows.length, t.messages)),
      rows: rows.map((row): Html =>
        t.detail(
          row.id,
          row.recipient === undefined ? null : recipientText(row.recipient),
          stateText(turn.locale, row.state),
          row.date === undefined ? null : format.dateTime(new Date(row.date * 1000)),
          clip(row.text, TEXT_UNITS),
        ),
      ),
      file: { name: 'details', table: outboxTable(format, rows) },
    },
    deps.tables,
  );
}
