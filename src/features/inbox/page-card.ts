import { jalaliDayOf } from '../../domain/calendar.ts';
import { displayRecipient, parseLine } from '../../domain/phone.ts';
import type { Format } from '../../i18n/format.ts';
import type { ReceivedMessage } from '../../ports/gateway.ts';
import type { Table } from '../../ports/tables.ts';
import type { Buttons } from '../../telegram/buttons.ts';
import {
  clip,
  code,
  fitBlocks,
  lines,
  MESSAGE_BUDGET,
  visibleLength,
  type Html,
} from '../../telegram/html.ts';
import type { ListCard } from '../../telegram/list.ts';
import { refusalText } from '../../telegram/refusal-texts.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { FILE_LABELS } from '../../telegram/table-file.ts';
import { inboxActions } from './actions.ts';
import { deskButtons } from './desk-card.ts';
import { receivedText } from './inbound-card.ts';
import { keyOf, type InboxPage, type InboxQuery } from './reader.ts';
import { texts } from './texts.ts';

/** What the marks of a cut text and the line ends may take. */
const CUT_UNITS = 60;
/** Less of a text would say nothing. Only a gateway that gives longer pages than it was asked for comes so far. */
const LEAST_UNITS = 80;

/** One page of the inbox: every message with as much of its text as fits, and a way to the rest. */
export function renderPage(ctx: RequestContext, query: InboxQuery, found: InboxPage, now: Date): ListCard {
  const t = texts(ctx.locale);
  const { messages, first, page, total, insteadOf } = found;
  const head =
    insteadOf === undefined
      ? lines(
          t.head(query.view, query.line, ctx.format.count(total ?? messages.length, t.messages)),
          t.marksNothing,
        )
      : t.plainList(refusalText(ctx.locale, insteadOf));
  const heads = messages.map((message, index) => headOf(ctx, message, first + index, now));
  const taken = [head, ...heads].reduce((sum, each) => sum + visibleLength(each) + 2, 0);
  const room = MESSAGE_BUDGET - taken - messages.length * CUT_UNITS;
  const share = Math.max(
    LEAST_UNITS,
    fairShare(
      messages.map(({ text }) => text.length),
      room,
    ),
  );
  const cut = messages.filter(({ text }) => text.length > share);
  const { shown, dropped } = fitBlocks(
    messages.map((message, index) => lines(heads[index], receivedText(message.text, share, ctx.format))),
    MESSAGE_BUDGET - visibleLength(head) - CUT_UNITS,
  );
  const nothing = page > 1 ? t.emptyPage : t.empty(query.view, query.line);
  const more = dropped > 0 && t.moreOnPage(ctx.format.count(dropped, t.messages));
  const isEmpty = messages.length === 0;
  return {
    content: lines((!isEmpty || insteadOf !== undefined) && head, isEmpty ? nothing : shown, more),
    buttons: buttonsOf(ctx, query, found, cut.map(keyOf)),
  };
}

/** Messages with their texts in full. */
export function renderWhole(ctx: RequestContext, messages: readonly ReceivedMessage[], now: Date): Html[] {
  return messages.map((message, index) =>
    lines(
      headOf(ctx, message, index + 1, now),
      receivedText(message.text, Number.POSITIVE_INFINITY, ctx.format),
    ),
  );
}

/** The same as a table. */
export function tableOf(
  { locale, format }: Pick<RequestContext, 'locale' | 'format'>,
  messages: readonly ReceivedMessage[],
): Table {
  return {
    header: texts(locale).columns,
    rows: messages.map(({ id = '', sender, line, date, text }) => {
      const at = momentOf(date);
      return [id, displayRecipient(sender), lineOf(line), at === null ? '' : stamp(format, at), text];
    }),
  };
}

/** The digits of a line that the gateway wrote with or without the country's. */
function lineOf(written: string): string {
  return parseLine(written) ?? written;
}

function headOf(
  ctx: RequestContext,
  { sender, line, date }: ReceivedMessage,
  number: number,
  now: Date,
): Html {
  const t = texts(ctx.locale);
  const { format } = ctx;
  const at = momentOf(date);
  return lines(
    t.entry(format.number(number), code(format.phone(sender)), clip(lineOf(line), 40)),
    at === null ? t.noTime : t.when(format.relative(at, now), format.dateTime(at)),
  );
}

function buttonsOf(
  ctx: RequestContext,
  query: InboxQuery,
  found: InboxPage,
  cut: readonly string[],
): Buttons {
  const t = texts(ctx.locale);
  const { view, line } = query;
  const { page } = found;
  const own = ctx.binding?.line ?? null;
  const open = (label: string, to: InboxQuery) => inboxActions.page.button(label, { ...to, page: 1 });
  return [
    [
      cut.length > 0 &&
        inboxActions.texts.button(t.wholeTexts(ctx.format.number(cut.length)), {
          ...query,
          page,
          keys: [...cut],
        }),
    ],
    [
      view === 'unread' ? open(t.toAll, { view: 'all', line }) : open(t.toUnread, { view: 'unread', line }),
      line !== null && open(t.toAllLines, { view, line: null }),
      line === null && own !== null && open(t.toLine(own), { view, line: own }),
    ],
    deskButtons(ctx, line),
    found.messages.length > 0 && found.insteadOf === undefined
      ? [
          inboxActions.export.button(FILE_LABELS.csv, { ...query }),
          view === 'unread' &&
            ctx.can('inbox.receive') &&
            inboxActions.askReceive.button(t.markRead, { line }),
        ]
      : [],
  ];
}

/** Null for none, and for one that is no date. */
function momentOf(date: number | undefined): Date | null {
  const at = new Date((date ?? Number.NaN) * 1000);
  return Number.isNaN(at.getTime()) ? null : at;
}

/** To the second, so that a spreadsheet sorts it; the calendar is the reader's. */
function stamp({ locale, timeZone }: Format, at: Date): string {
  const [day = '', time = ''] = at.toLocaleString('sv-SE', { timeZone }).split(' ');
  if (locale === 'en') return `${day} ${time}`;
  const jalali = jalaliDayOf(at, timeZone);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${jalali.year}/${two(jalali.month)}/${two(jalali.day)} ${time}`;
}

/**
 * The most that one text may take so that all of them fit into `room` (same unit as the lengths): short ones stay
 * whole, long ones share alike what those leave. Infinity when nothing has to be cut.
 */
export function fairShare(lengths: readonly number[], room: number): number {
  let left = Math.max(0, room);
  const rising = lengths.toSorted((a, b) => a - b);
  for (const [index, length] of rising.entries()) {
    const share = Math.floor(left / (rising.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}
