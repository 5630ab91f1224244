import { ROWS_OF_A_NUMBER } from '../../domain/interface-limits.ts';
import { stripBidi } from '../../i18n/format.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Tables } from '../../ports/tables.ts';
import { sayLong } from '../../telegram/long-answer.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { accountGateway } from '../shared/account.ts';
import { reportActions } from './actions.ts';
import { outboxTable, typedDay } from './file-texts.ts';
import { recipientText, rowText } from './row-card.ts';
import { newestFirst } from './outbox-totals.ts';
import { outboxTexts } from './outbox-texts.ts';
import { texts } from './texts.ts';

const DAY_MS = 86_400_000;

/** Says what was sent to one number since a time, newest first. */
export async function sayTrack(
  ctx: RequestContext,
  query: { readonly recipient: string; readonly since: Date },
  deps: { readonly gateways: Gateways; readonly tables: Tables; readonly clock: Clock },
): Promise<void> {
  const t = outboxTexts(ctx.locale);
  const { recipient, since } = query;
  const { format } = ctx;
  const shown = recipientText(format, recipient);
  const outbox = (await accountGateway(deps.gateways, ctx)).use('outbox');
  const found = await outbox.byNumber({ recipient, since: Math.floor(since.getTime() / 1000) });
  const rows = found.toSorted(newestFirst);
  const daysBack = (deps.clock.now().getTime() - since.getTime()) / DAY_MS;
  const button = (time: keyof typeof t.trackSince) =>
    reportActions.track.button(t.trackSince[time], { number: recipient, since: time });
  if (rows.length === 0) {
    const buttons = [[daysBack < 89 && button('90d')]];
    await ctx.say(t.trackNothing(shown, format.dateTime(since)), { buttons });
    return;
  }
  const oldest = rows.findLast(({ date }) => date !== undefined)?.date;
  const day = typedDay(format, oldest === undefined ? since : new Date(oldest * 1000));
  const isFull = rows.length >= ROWS_OF_A_NUMBER;
  await sayLong(
    ctx,
    {
      head: t.track(shown, format.dateTime(since), format.count(rows.length, texts(ctx.locale).messages)),
      rows: rows.map((row) => rowText(ctx, row, { withNumber: false, withLine: false })),
      tail: isFull ? t.trackFull(`/outbox ${day}`) : undefined,
      buttons: [[isFull && daysBack > 2 && button('24h')]],
      file: { name: `track-${stripBidi(format.phone(recipient))}`, table: outboxTable(format, rows) },
    },
    deps.tables,
  );
}
