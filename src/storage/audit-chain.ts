import { createHash } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import type { Maybe, Row } from './row.ts';

/** How a chain ends. Kept elsewhere, it shows later whether the chain still goes through here. */
export interface ChainHead {
  /** Null: the chain of what belongs to no chat. */
  readonly chatId: string | null;
  readonly rows: number;
  /** 64 hexadecimal digits. */
  readonly hash: string;
}

/**
 * `changed`: the row, or one before it, is not what was chained; `gone`: the link's row is missing; `loose`: the row
 * stands in no chain; `head`: the chain does not go through a head that was written down, or ends before it.
 */
export interface BrokenChain {
  readonly chatId: string | null;
  readonly why: 'changed' | 'gone' | 'loose' | 'head';
  readonly auditId: number | null;
  readonly at: Date | null;
}

export interface ChainReport {
  readonly rows: number;
  readonly heads: readonly ChainHead[];
  /** The first fault of each chain that has one. */
  readonly broken: readonly BrokenChain[];
}

type LinkRow = Row<'audit_link', 'chat_id' | 'audit_id'> &
  Maybe<Row<'audit', 'at'>> & { readonly hash: string; readonly content: string | null };

const PAGE = 2000;

/**
 * Computes the chains of the audit anew from its rows, and finds the first row of each that is not as it was chained. That
 * rows were cut off at the end of a chain shows only against a head that was kept elsewhere.
 * @param known heads from before
 */
export async function verifyAudit(sql: Sql, known: readonly ChainHead[] = []): Promise<ChainReport> {
  return await sql.begin('isolation level repeatable read read only', async (tx) => {
    const heads: ChainHead[] = [];
    const broken = new Map<string, BrokenChain>();
    const wanted = Map.groupBy(known, ({ chatId }) => nameOf(chatId));
    const met = new Set<ChainHead>();
    const fault = (found: BrokenChain): void => {
      const name = nameOf(found.chatId);
      if (!broken.has(name)) broken.set(name, found);
    };
    let head: ChainHead | undefined;
    for await (const page of linksOf(tx)) {
      for (const { chat_id: chatId, audit_id: auditId, hash, content, at } of page) {
        const before = head?.chatId === chatId ? head : null;
        if (head !== undefined && before === null) heads.push(head);
        if (content === null) fault({ chatId, why: 'gone', auditId, at });
        else if (linkHash(before?.hash ?? '', content) !== hash)
          fault({ chatId, why: 'changed', auditId, at });
        head = { chatId, rows: (before?.rows ?? 0) + 1, hash };
        for (const each of wanted.get(nameOf(chatId)) ?? []) {
          if (each.rows === head.rows && each.hash === hash) met.add(each);
        }
      }
    }
    if (head !== undefined) heads.push(head);
    for (const found of await looseIn(tx)) fault(found);
    for (const each of known) {
      if (!met.has(each)) fault({ chatId: each.chatId, why: 'head', auditId: null, at: null });
    }
    return {
      rows: heads.reduce((sum, { rows }) => sum + rows, 0),
      heads,
      broken: [...broken.values()],
    };
  });
}

/** What a link's hash is over is spelled out here, not asked of a function of the database, which could be another by now. */
function linksOf(tx: TransactionSql) {
  return tx<LinkRow[]>`
    select l.chat_id, l.audit_id, encode(l.hash, 'hex') as hash, a.at,
      case when a.id is not null then jsonb_build_array(a.id, a.chat_id, a.person_id, a.update_id, a.action, a.details,
        (extract(epoch from a.at) * 1000000)::bigint)::text end as content
    from audit_link l left join audit a on a.id = l.audit_id order by l.chat_id nulls first, l.id`.cursor(
    PAGE,
  );
}

/** Rows that no link stands for. */
async function looseIn(tx: TransactionSql): Promise<BrokenChain[]> {
  const rows = await tx<Row<'audit', 'id' | 'chat_id' | 'at'>[]>`
    select a.id, a.chat_id, a.at from audit a
    where not exists (select 1 from audit_link l where l.audit_id = a.id) order by a.id`;
  return rows.map(({ id, chat_id: chatId, at }) => ({
    chatId,
    why: 'loose',
    auditId: id,
    at,
  }));
}

function linkHash(before: string, content: string): string {
  return createHash('sha256').update(before, 'hex').update(content, 'utf8').digest('hex');
}

function nameOf(chatId: string | null): string {
  return chatId ?? '';
}
