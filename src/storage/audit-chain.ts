import { createHash } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import type { Maybe, Row } from './row.ts';

/** How a chain ends. Kept elsewhere, it shows later whether the chain still goes through here. */
export interface ChainHead {
  /** Null: the chain of what belongs to no chat. */
  readonly chatId: string | null;
  /** With those that were past their time and are gone. */
  readonly rows: number;
  /** 64 hexadecimal digits. */
  readonly hash: string;
  /** The newest time of a row in it; null: written down without one. */
  readonly at: Date | null;
}

/**
 * `changed`: the row, or one before it, is not what was chained; `gone`: the link's row is missing; `loose`: the row
 * stands in no chain; `head`: the chain does not go through a head that was written down, or ends before it, or begins
 * after it and is younger than what may be gone.
 */
export interface BrokenChain {
  readonly chatId: string | null;
  readonly why: 'changed' | 'gone' | 'loose' | 'head';
  readonly auditId: number | null;
  readonly at: Date | null;
}

export interface ChainReport {
  /** That are there. */
  readonly rows: number;
  /** That were past their time. */
  readonly gone: number;
  /** Of those that are there, the ones out of which something was taken; their chain holds, and nobody vouches for the rest of them. */
  readonly forgotten: number;
  /** Of the heads that were given, those that lie in what is gone: nothing can be said of them any more. */
  readonly past: number;
  readonly heads: readonly ChainHead[];
  /** The first fault of each chain that has one. */
  readonly broken: readonly BrokenChain[];
}

type LinkRow = Row<'audit_link', 'chat_id' | 'audit_id'> &
  Maybe<Row<'audit', 'at'>> & {
    readonly hash: string;
    readonly salt: string;
    readonly forgotten: boolean;
    readonly content: string | null;
  };
type Base = Row<'audit_base', 'chat_id' | 'rows' | 'until'> & { readonly hash: string };

const PAGE = 2000;

/**
 * Computes the chains of the audit anew from its rows, and finds the first row of each that is not as it was chained. That
 * rows were cut off at the end of a chain shows only against a head that was kept elsewhere.
 * @param known heads from before
 */
export async function verifyAudit(sql: Sql, known: readonly ChainHead[] = []): Promise<ChainReport> {
  return await sql.begin('isolation level repeatable read read only', async (tx) => {
    const bases = new Map((await basesIn(tx)).map((head) => [nameOf(head.chatId), head]));
    const heads = new Map(bases);
    const broken = new Map<string, BrokenChain>();
    const wanted = Map.groupBy(known, ({ chatId }) => nameOf(chatId));
    const met = new Set<ChainHead>();
    let forgotten = 0;
    const fault = (found: BrokenChain): void => {
      const name = nameOf(found.chatId);
      if (!broken.has(name)) broken.set(name, found);
    };
    const pass = (head: ChainHead): void => {
      heads.set(nameOf(head.chatId), head);
      for (const each of wanted.get(nameOf(head.chatId)) ?? []) {
        if (each.rows === head.rows && each.hash === head.hash) met.add(each);
      }
    };
    for (const base of bases.values()) pass(base);
    for await (const page of linksOf(tx)) {
      for (const { chat_id: chatId, audit_id: auditId, hash, content, at, ...link } of page) {
        const before = heads.get(nameOf(chatId));
        if (link.forgotten) forgotten += 1;
        if (content === null) fault({ chatId, why: 'gone', auditId, at });
        else if (!link.forgotten && linkHash([before?.hash ?? '', link.salt], content) !== hash)
          fault({ chatId, why: 'changed', auditId, at });
        pass({ chatId, rows: (before?.rows ?? 0) + 1, hash, at: newer(before?.at ?? null, at) });
      }
    }
    for (const found of await looseIn(tx)) fault(found);
    const past = new Set(known.filter((each) => isPast(each, bases.get(nameOf(each.chatId)))));
    for (const each of known) {
      if (!met.has(each) && !past.has(each))
        fault({ chatId: each.chatId, why: 'head', auditId: null, at: null });
    }
    const gone = sumOf(bases);
    return {
      rows: sumOf(heads) - gone,
      gone,
      forgotten,
      past: past.size,
      heads: [...heads.values()],
      broken: [...broken.values()],
    };
  });
}

/** Whether a head lies in what is gone of its chain, by its number and, where it has one, by its time. */
function isPast(head: ChainHead, base: ChainHead | undefined): boolean {
  if (base === undefined || head.rows >= base.rows) return false;
  return head.at === null || base.at === null || head.at <= base.at;
}

function sumOf(heads: ReadonlyMap<string, ChainHead>): number {
  return [...heads.values()].reduce((sum, { rows }) => sum + rows, 0);
}

function newer(one: Date | null, other: Date | null): Date | null {
  return one === null || (other !== null && other > one) ? other : one;
}

/** Where chains begin whose first rows are gone. */
async function basesIn(tx: TransactionSql): Promise<readonly ChainHead[]> {
  const rows = await tx<Base[]>`
    select chat_id, rows, encode(hash, 'hex') as hash, until from audit_base order by chat_id nulls first`;
  return rows.map(({ chat_id: chatId, rows: count, hash, until }) => ({
    chatId,
    rows: count,
    hash,
    at: until,
  }));
}

/** What a link's hash is over is spelled out here, not asked of a function of the database, which could be another by now. */
function linksOf(tx: TransactionSql) {
  return tx<LinkRow[]>`
    select l.chat_id, l.audit_id, encode(l.hash, 'hex') as hash, coalesce(encode(l.salt, 'hex'), '') as salt,
      l.forgotten_at is not null as forgotten, a.at,
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

function linkHash([before, salt]: readonly [string, string], content: string): string {
  return createHash('sha256').update(before, 'hex').update(salt, 'hex').update(content, 'utf8').digest('hex');
}

function nameOf(chatId: string | null): string {
  return chatId ?? '';
}
