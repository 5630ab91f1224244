import type { Sql, TransactionSql } from 'postgres';
import { writeAudit } from '../audit.ts';
import type { Queryable } from '../database/database.ts';
import type { Row } from '../row.ts';
import { BATCH, type Step } from './steps.ts';

/**
 * The beginning of each chain whose first row is past its time, once a day. Where it begins from then on is written down
 * first, with what it hashed to up to there: the triggers let go of nothing else, and what is left can still be proved. That
 * it was done stands in the chain of no chat.
 */
export async function auditSteps(sql: Sql, days: number): Promise<readonly Step[]> {
  if (days === 0) return [];
  const chains = await sql<Row<'audit_link', 'chat_id'>[]>`
    select l.chat_id from chat c cross join lateral (
      select chat_id, audit_id from audit_link where chat_id = c.id order by id limit 1) as l
    join audit a on a.id = l.audit_id where a.at < ${horizon(sql, days)}
    union all
    select l.chat_id from (select chat_id, audit_id from audit_link where chat_id is null order by id limit 1) as l
    join audit a on a.id = l.audit_id where a.at < ${horizon(sql, days)}`;
  if (chains.length === 0) return [];
  let entries = 0;
  const cuts = chains.map(({ chat_id: chatId }) => ({
    name: 'audit',
    batch: async (tx: TransactionSql) => {
      const removed = await cutIn(tx, chatId, days);
      entries += removed;
      return { removed, more: removed === BATCH };
    },
  }));
  const record: Step = {
    name: 'audit',
    batch: async (tx) => {
      const details = { entries };
      if (entries > 0)
        await writeAudit(tx, {
          chatId: null,
          personId: null,
          updateId: null,
          action: 'audit_purged',
          details,
        });
      return { removed: 0, more: false };
    },
  };
  return [...cuts, record];
}

/** @returns how many rows went */
async function cutIn(tx: TransactionSql, chatId: string | null, days: number): Promise<number> {
  const ofChain = chatId === null ? tx`chat_id is null` : tx`chat_id = ${chatId}`;
  // Links stand in the order of commits, times in that of beginnings: it is the beginning of the chain that goes, no more.
  const [base] = await tx<Row<'audit_base', 'link_id'>[]>`
    with first as (
      select id, audit_id, hash from audit_link where ${ofChain} order by id limit ${BATCH}
    ), judged as (
      select f.id, f.hash, a.at, bool_and(a.at < ${horizon(tx, days)}) over (order by f.id) as is_past
      from first f join audit a on a.id = f.audit_id
    )
    insert into audit_base as b (chat_id, rows, link_id, hash, until)
    select ${chatId}::uuid, count(*), max(id), (array_agg(hash order by id desc))[1], max(at)
    from judged where is_past having count(*) > 0
    on conflict (coalesce(chat_id, '00000000-0000-0000-0000-000000000000')) do update set
      rows = b.rows + excluded.rows, link_id = excluded.link_id, hash = excluded.hash, until = excluded.until
    returning link_id`;
  if (base === undefined) return 0;
  const links = await tx<Row<'audit_link', 'audit_id'>[]>`
    delete from audit_link where ${ofChain} and id <= ${base.link_id} returning audit_id`;
  await tx`delete from audit where id = any(${links.map((each) => each.audit_id)}::bigint[])`;
  return links.length;
}

function horizon(sql: Queryable, days: number) {
  return sql`date_trunc('day', now()) - ${days} * interval '1 day'`;
}
