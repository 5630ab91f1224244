import type { TransactionSql } from 'postgres';
import { showTalkIn } from './answers-in.ts';
import { enqueueNotify } from './enqueue.ts';
import { jsonText } from './json.ts';
import type { Maybe, Row } from './row.ts';

const AT_ONCE = 100;

/**
 * Tells once more of those whose time has come until which somebody had put them off, wherever their newest message was told.
 * Each is taken by one sweep alone.
 */
export async function snoozesOverIn(tx: TransactionSql): Promise<number> {
  const due = await tx<(Row<'talk', 'id' | 'snoozed_by as by'> & Maybe<Row<'person', 'name'>>)[]>`
    update talk t set snoozed_by = null
    from (select id, snoozed_by from talk where snoozed_by is not null and snoozed_until <= now()
      order by snoozed_until for update skip locked limit ${AT_ONCE}) d
    left join person p on p.telegram_id = d.snoozed_by
    where t.id = d.id returning t.id, d.snoozed_by as by, p.name`;
  const told: string[] = [];
  for (const { id, by, name } of due) {
    const back = jsonText({ back: { id: by, name: name ?? '' } });
    const rows = await tx<Row<'notice', 'sink_id'>[]>`
      insert into notice (sink_id, kind, inbound_id, draft_id, facts)
      select distinct on (n.sink_id) n.sink_id, 'inbound', n.inbound_id, n.draft_id, n.facts || ${back}::text::jsonb
      from notice n where n.kind = 'inbound' and n.inbound_id = (select max(i.id) from inbound i where i.talk_id = ${id})
      order by n.sink_id, n.id returning sink_id`;
    told.push(...rows.map((row) => row.sink_id));
    await showTalkIn(tx, id);
  }
  await enqueueNotify(tx, [...new Set(told)]);
  return due.length;
}
