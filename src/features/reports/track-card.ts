import { ROWS_OF_A_NUMBER } from '../../domain/interface-limits.ts';
import { stripBidi } from '../../i18n/format.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { Tables } from '../../ports/tables.ts';
import { sayLong } from '../../telegram/long-answer.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { accountGateway } from '../shared/account.ts';
import { outboxTable, typedDay } from './file-texts.ts';
import { recipientText, rowText } from './row-card.ts';
import { newestFirst } from './outbox-totals.ts';
import { outboxTexts } from './outbox-texts.ts';
import { texts } from './texts.ts';

/** Says what was sent to one number since a time, newest first. */
export async function sayTrack(
  ctx: RequestContext,
  query: { readonly recipient: string; readonly since: Date },
  { gateways, tables }: { readonly gateways: Gateways; readonly tables: Tables },
): Promise<void> {
  const t = outboxTexts(ctx.locale);
  const { recipient, since } = query;
  const { format } = ctx;
  const shown = recipientText(format, recipient);
  // The person has typed it; others who look on see no more of it than elsewhere.
  const typed = stripBidi(format.phone(recipient));
  const outbox = (await accountGateway(gateways, ctx)).use('outbox');
  const found = await outbox.byNumber({ recipient, since: Math.floor(since.getTime() / 1000) });
  const rows = found.toSorted(newestFirst);
  if (rows.length === 0) {
    await ctx.say(t.trackNothing(shown, format.dateTime(since), `/track ${typed} 90d`));
    return;
  }
  const oldest = rows.findLast(({ date }) => date !== undefined)?.date;
  const day = typedDay(format, oldest === undefined ? since : new Date(oldest * 1000));
  await sayLong(
    ctx,
    {
      head: t.track(shown, format.dateTime(since), format.count(rows.length, texts(ctx.locale).messages)),
      rows: rows.map((row) => rowText(ctx, row, { withNumber: false, withLine: false })),
      tail: rows.length < ROWS_OF_A_NUMBER ? undefined : t.trackFull(`/track ${typed} 24h`, `/outbox ${day}`),
      file: { name: `track-${typed}`, table: outboxTable(format, rows) },
    },
    tables,
  );
}
