import type { z } from 'zod';
import { parseLine } from '../../domain/phone.ts';
import { DAY_SECONDS, soFar, type TimeSpan } from '../../domain/time-range.ts';
import type { DeliveryState, SentMessage } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Tables } from '../../ports/tables.ts';
import { EMPTY, html, lines, type Html } from '../../telegram/html.ts';
import { defineList, pageOf } from '../../telegram/list.ts';
import { FILE_LABELS } from '../../telegram/table-file.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { accountGateway } from '../shared/account.ts';
import { countLabel } from '../shared/count-words.ts';
import { spanText } from '../shared/range-argument.ts';
import type { outboxOf } from './actions.ts';
import { reportActions } from './actions.ts';
import { fileSpan, outboxTable } from './file-texts.ts';
import { incomplete } from './gap-texts.ts';
import { readNewest, readOutbox, type OutboxReading } from './outbox-reading.ts';
import { outboxTexts } from './outbox-texts.ts';
import type { OutboxTotals } from './outbox-totals.ts';
import { reportTexts } from './report-texts.ts';
import { rowText } from './row-card.ts';
import { texts } from './texts.ts';

/** What a list or a file is of, as a button remembers it: the same time at every press. */
export type OutboxOf = z.output<typeof outboxOf>;

const PAGE_ROWS = 10;
const MAX_DAYS = 31;

export type OutboxCard = ReturnType<typeof createOutboxCard>;

/** The list of sent messages, page by page, and the file with all of them. Each look reads the gateway anew. */
export function createOutboxCard({
  gateways,
  tables,
  clock,
}: {
  readonly gateways: Gateways;
  readonly tables: Tables;
  readonly clock: Clock;
}) {
  const titleOf = (ctx: RequestContext, what: OutboxOf): Html => {
    const t = outboxTexts(ctx.locale);
    if ('latest' in what) return t.latestHead;
    const title = t.head(spanText(ctx.format, soFar(what, clock.now())));
    return what.line === undefined ? title : html`${title} · ${reportTexts(ctx.locale).ofLine(what.line)}`;
  };

  const read = async (ctx: RequestContext, what: OutboxOf): Promise<OutboxReading> => {
    const outbox = (await accountGateway(gateways, ctx)).use('outbox');
    if ('latest' in what) return await readNewest(outbox);
    const { line } = what;
    return await readOutbox(outbox, what, line === undefined ? undefined : (row) => isOfLine(row, line));
  };

  return {
    read,

    list: defineList({
      pages: reportActions.page,
      source: async (ctx, wanted) => {
        const reading = await read(ctx, wanted);
        return { reading, ...pageOf(reading.rows, wanted.page, PAGE_ROWS) };
      },
      card: (ctx, { reading, rows }, wanted) => {
        const { totals } = reading;
        return {
          content: lines(
            headOf(ctx, wanted, titleOf(ctx, wanted), reading),
            totals.messages > 0 && totalText(ctx, totals),
            totals.messages > 0 && kindsText(ctx, totals),
            totals.messages > 0 && EMPTY,
            ...rows.map((row) => rowText(ctx, row, { withNumber: true, withLine: totals.lines.length > 1 })),
            ...incomplete(ctx, reading),
          ),
          buttons:
            rows.length > 0
              ? [[reportActions.file.button(FILE_LABELS.csv, { ...wanted, format: 'csv' })]]
              : [],
        };
      },
      export: {
        action: reportActions.file,
        tables,
        file: async (ctx, { format, ...what }) => {
          const reading = await read(ctx, what);
          if (reading.rows.length === 0) {
            await ctx.say(lines(headOf(ctx, what, titleOf(ctx, what), reading), ...incomplete(ctx, reading)));
            return null;
          }
          const count = ctx.format.count(reading.rows.length, texts(ctx.locale).messages);
          return {
            name: 'latest' in what ? 'outbox-latest' : `outbox-${fileSpan(ctx.format, what)}`,
            table: outboxTable(ctx.format, reading.rows),
            format,
            caption: lines(html`${titleOf(ctx, what)} · ${count}`, ...incomplete(ctx, reading)),
          };
        },
      },
    }),
  };
}

/** A row without a line is of none in particular. */
function isOfLine(row: SentMessage, line: string): boolean {
  return row.line !== undefined && (parseLine(row.line) ?? row.line) === line;
}

/** Why a time is too long to be read, or null. A day of a zone's clock change has 25 hours. */
export function tooLong(ctx: RequestContext, { from, to }: TimeSpan): Html | null {
  if (to - from <= MAX_DAYS * DAY_SECONDS + 3600) return null;
  const { format } = ctx;
  const { days } = texts(ctx.locale);
  const count = Math.ceil((to - from) / DAY_SECONDS);
  return outboxTexts(ctx.locale).tooLong(format.count(MAX_DAYS, days), format.count(count, days));
}

export function totalText({ locale, format }: RequestContext, totals: OutboxTotals): Html {
  const t = texts(locale);
  return outboxTexts(locale).total(
    format.count(totals.messages, t.messages),
    format.count(totals.recipients, t.numbers),
  );
}

/** How many are in which state, in the order of the states' importance. */
export function kindsOf(
  totals: OutboxTotals,
): { readonly kind: DeliveryState['kind']; readonly count: number }[] {
  const order = ['delivered', 'sent', 'waiting', 'failed', 'blocked', 'unknown'] as const;
  return order.map((kind) => ({ kind, count: totals.kinds[kind] })).filter(({ count }) => count > 0);
}

function headOf(
  { locale }: RequestContext,
  what: OutboxOf,
  title: Html,
  { totals, unread }: OutboxReading,
): Html {
  if (totals.messages > 0) return title;
  const t = outboxTexts(locale);
  const nothing = 'latest' in what ? texts(locale).none : t.nothing;
  return lines(title, unread.length === 0 ? nothing : t.nothingRead);
}

function kindsText({ locale, format }: RequestContext, totals: OutboxTotals): Html {
  return html`${kindsOf(totals)
    .map(({ kind, count }) => `${countLabel(kind, locale)} ${format.number(count)}`)
    .join(' · ')}`;
}
