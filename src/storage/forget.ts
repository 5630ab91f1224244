import { randomBytes } from 'node:crypto';
import type { Fragment, Sql, TransactionSql } from 'postgres';
import { UNPROVEN } from '../domain/attempt.ts';
import { FORGOTTEN, withoutNumber, WRITTEN_WITHIN } from '../domain/number-spellings.ts';
import { writeAudit } from './audit.ts';
import type { Queryable } from './database/database.ts';
import { emptyJobsIn } from './purge/send-steps.ts';
import { jsonText } from './json.ts';
import { canBeDecided, listed } from './move.ts';
import type { Row } from './row.ts';
import { forgetTailIn } from './reports/sent-numbers.ts';

/** Something that would send to the number, or say it, if it were not taken out of it by people first. */
export interface Holder {
  readonly chat: string;
  readonly what: 'send' | 'draft' | 'template' | 'rule' | 'date_send' | 'account' | 'phonebook';
  /** Its code, name or title. */
  readonly name: string;
}

export type Forgotten =
  | { readonly result: 'held'; readonly by: readonly Holder[] }
  | { readonly result: 'forgotten'; readonly rows: number };

/** Rows that are read at a time. */
const PAGE = 200;
/** What comes in while others are gone through is found by the next look. */
const LOOKS = 3;

interface Column {
  readonly name: string;
  readonly type: 'text' | '_text' | 'jsonb';
}
interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
}

/**
 * Takes a mobile number out of every text, list and JSON of every table, in every way it can be written. A mark that is
 * the same everywhere stands in its place, so that counts stay what they are; what is of no use without it goes as a
 * whole. Nothing is changed while something open holds it. Each page of rows is a transaction of its own; ended in the
 * middle, it is gone on with by the next run.
 * @param number in its canonical form
 * @param by who has it done, for the audit: neither there nor anywhere else stands which number it was
 */
export async function forgetNumber(sql: Sql, number: string, by: string): Promise<Forgotten> {
  const held = await holdersOf(sql, number);
  if (held.length > 0) return { result: 'held', by: held };
  const mark = `${FORGOTTEN}${randomBytes(3).toString('hex')}`;
  let rows = await sql.begin(
    async (tx) => (await dropWholeIn(tx, number)) + (await emptyRestsIn(tx, number)),
  );
  for (let look = 0; look < LOOKS; look += 1) {
    let found = 0;
    for (const table of await tablesIn(sql)) found += await forgetInTable(sql, table, { number, mark });
    rows += found;
    if (found === 0) break;
  }
  await sql.begin(async (tx) => await forgetTailIn(tx, number));
  await writeAudit(sql, {
    chatId: null,
    personId: null,
    updateId: null,
    action: 'number_forgotten',
    details: { rows, by },
  });
  return { result: 'forgotten', rows };
}

/** What is open and has the number. */
async function holdersOf(sql: Sql, number: string): Promise<readonly Holder[]> {
  const may = (row: Fragment) => mayHold(sql, row, number);
  const isOpen = sql`(j.ended_at is null or exists (
    select from attempt u where u.job_id = j.id and u.state in ${listed(sql, UNPROVEN)}))`;
  const found = await sql<
    (Row<'chat', 'title as chat'> & Pick<Holder, 'what' | 'name'> & { row: unknown })[]
  >`
    select c.title as chat, x.what, x.name, x.row from (
      select d.chat_id, 'send' as what, d.code as name, to_jsonb(d) as row from job j join draft d on d.id = j.draft_id
      where ${isOpen} and ${may(sql`d`)}
      union all
      select j.chat_id, 'send', d.code, to_jsonb(a) from attempt a join job j on j.id = a.job_id join draft d on d.id = j.draft_id
      where (a.state in ${listed(sql, UNPROVEN)}
        or (a.state = 'planned' and j.ended_at is null)) and ${may(sql`a`)}
      union all
      select d.chat_id, case when j.id is null then 'draft' else 'send' end, d.code, to_jsonb(b)
      from bulk_call b join draft d on d.id = b.draft_id left join job j on j.draft_id = d.id
      where case when j.id is null then ${canBeDecided(sql, 'd')} else ${isOpen} end and ${may(sql`b`)}
      union all
      select d.chat_id, 'draft', d.code, to_jsonb(d) from draft d
      where ${canBeDecided(sql, 'd')} and ${may(sql`d`)}
      union all
      select d.chat_id, 'draft', d.code, to_jsonb(s) from draft d join bulk_source s on s.draft_id = d.id
      where ${canBeDecided(sql, 'd')} and ${may(sql`s`)}
      union all
      select t.chat_id, 'template', t.name, to_jsonb(t) from template t where ${may(sql`t`)}
      union all
      select r.chat_id, 'rule', r.words, to_jsonb(r) from inbox_rule r where ${may(sql`r`)}
      union all
      select o.chat_id, 'date_send', o.field || ' #' || o.tag, to_jsonb(o) from date_send o
      where o.state <> 'ended' and ${may(sql`o`)}
      union all
      select b.chat_id, 'account', b.account_name, to_jsonb(b) from binding b where b.state = 'live' and ${may(sql`b`)}
      union all
      select k.chat_id, 'phonebook', k.title, to_jsonb(k) from book_change k where k.state = 'running' and ${may(sql`k`)}
    ) as x join chat c on c.id = x.chat_id order by 1, 2, 3`;
  const holding = found.filter(({ row }) => replaced(row, number, '').changed);
  return [
    ...new Map(
      holding.map(({ chat, what, name }) => [`${what} ${chat} ${name}`, { chat, what, name }]),
    ).values(),
  ];
}

/** What waits for nobody and could be taken up again, and what is sealed: open questions of forms, all of them. */
async function dropWholeIn(tx: TransactionSql, number: string): Promise<number> {
  await tx`select set_config('statement_timeout', '0', true)`;
  const may = (row: Fragment) => mayHold(tx, row, number);
  await tx`delete from form`;
  const drafts = await tx<Row<'draft', 'id'>[]>`
    select d.id from draft d where d.state <> 'confirmed' and not exists (select from job j where j.draft_id = d.id)
      and (${may(tx`d`)} or exists (select from bulk_source s where s.draft_id = d.id and ${may(tx`s`)})
        or exists (select from bulk_call c where c.draft_id = d.id and ${may(tx`c`)})
        or exists (select from bulk_skipped k where k.draft_id = d.id and ${may(tx`k`)}))
    for update of d`;
  const ids = drafts.map(({ id }) => id);
  await tx`delete from notice where draft_id = any(${ids}::uuid[])`;
  await tx`delete from draft where id = any(${ids}::uuid[])`;
  return ids.length;
}

/** Sends that were stopped with something left: that rest could still be sent, or say it, so all of them goes as when its time is over. */
async function emptyRestsIn(tx: TransactionSql, number: string): Promise<number> {
  const found = await tx<(Row<'attempt', 'job_id'> & { row: unknown })[]>`
    select a.job_id, rest.row from attempt a join job j on j.id = a.job_id join draft d on d.id = j.draft_id
    left join bulk_call b on b.draft_id = d.id and b.chunk = a.chunk
    cross join lateral (select jsonb_build_array(a, b.texts, d.text, d.details -> 'variables') as row) as rest
    where j.state = 'stopped' and j.kept = 'all' and a.state in ('planned', 'rejected') and ${mayHold(tx, tx`rest.row`, number)}`;
  const holding = found.filter(({ row }) => replaced(row, number, '').changed);
  const jobIds = [...new Set(holding.map(({ job_id: jobId }) => jobId))];
  await emptyJobsIn(tx, jobIds);
  return jobIds.length;
}

/** Every table with the columns that a number can stand in. */
async function tablesIn(sql: Sql): Promise<readonly Table[]> {
  const rows = await sql<{ table: string; name: string; type: Column['type'] }[]>`
    select c.table_name as table, c.column_name as name, c.udt_name as type
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.udt_name in ('text', '_text', 'jsonb')
      and c.is_generated = 'NEVER'
    order by 1, 2`;
  const tables = Map.groupBy(rows, ({ table }) => table);
  return [...tables].map(([name, columns]) => ({ name, columns }));
}

/** Tables whose rows go as a whole, wherever in them the number stands, or by the column that it stands in: who is kept by it, and what would act on it. */
const WHOLE: Readonly<Record<string, string | null>> = { contact: 'number', button: null, deep_link: null };
const OF_CALL = "payload_sha256 = '\\x00', text_sha256 = '', message_keys = '{}'";
/** Hashes from which the number could be found by trying, since all else that they are over stands beside them. */
const HASHES: Readonly<Record<string, string>> = {
  attempt: OF_CALL,
  bulk_call: "payload_sha256 = ''",
  // By its id alone the gateway's message is known again, and not taken in anew.
  inbound: "content_sha256 = '', key = case when key ~ '^[0-9]+$' then key else 'forgotten ' || id end",
};

interface Taking {
  readonly number: string;
  readonly mark: string;
}

/** @returns how many rows had it */
async function forgetInTable(sql: Sql, table: Table, taking: Taking): Promise<number> {
  let after = '(0,0)';
  for (let rows = 0; ;) {
    const page = await sql.begin(async (tx) => await forgetPageIn(tx, table, { ...taking, after }));
    if (page === null) return rows;
    after = page.last;
    rows += page.rows;
  }
}

/* The columns are those that the catalogue names; values are bound. */
async function forgetPageIn(
  tx: TransactionSql,
  { name, columns }: Table,
  { number, mark, after }: Taking & { readonly after: string },
): Promise<{ readonly last: string; readonly rows: number } | null> {
  await tx`select set_config('statement_timeout', '0', true)`;
  const texts = columns.map((column) => `coalesce("${column.name}"::text, '')`).join(" || ' ' || ");
  const found = await tx.unsafe<{ place: string; row: Readonly<Record<string, unknown>> }[]>(
    `select ctid::text as place, to_jsonb(t) as row from "${name}" t
     where ctid > $1::tid and translate(${texts}, $2, $3) like $4 order by ctid limit ${PAGE} for update`,
    [after, WRITTEN, READ, like(number)],
  );
  let rows = 0;
  for (const { place, row } of found) {
    const changes = columns.flatMap((column) => {
      const { value, changed } = replaced(row[column.name], number, mark);
      return changed ? [{ ...column, value }] : [];
    });
    if (changes.length === 0) continue;
    rows += 1;
    const by = WHOLE[name];
    if (by !== undefined && (by === null || changes.some((change) => change.name === by))) {
      await tx.unsafe(`delete from "${name}" where ctid = $1::tid`, [place]);
      continue;
    }
    // What stands in the row is no longer what its link vouches for: the trigger asks for it to be said first.
    if (name === 'audit')
      await tx`
        update audit_link set salt = null, forgotten_at = coalesce(forgotten_at, now()) where audit_id = ${Number(row['id'])}`;
    const sets = changes.map(
      (change, index) => `"${change.name}" = ${READERS[change.type](`$${index + 2}::text::jsonb`)}`,
    );
    await tx.unsafe(
      `update "${name}" set ${[...sets, ...(HASHES[name] === undefined ? [] : [HASHES[name]])].join(', ')} where ctid = $1::tid`,
      [place, ...changes.map(({ value }) => jsonText(value))],
    );
    await forgetHashesIn(tx, name, row);
  }
  return found.length === 0 ? null : { last: found.at(-1)?.place ?? '', rows };
}

const READERS: Readonly<Record<Column['type'], (json: string) => string>> = {
  text: (json) => `${json} #>> '{}'`,
  _text: (json) =>
    `(select coalesce(array_agg(e.value order by e.place), '{}') from jsonb_array_elements_text(${json}) with ordinality as e(value, place))`,
  jsonb: (json) => json,
};

/** By which column of a row its job is found. */
const JOB_BY: Readonly<Record<string, readonly [of: 'id' | 'draft_id', column: string]>> = {
  attempt: ['id', 'job_id'],
  draft: ['draft_id', 'id'],
  bulk_call: ['draft_id', 'draft_id'],
};

/** The same of the send as a whole; and of its calls, where what they are over stands beside them all. None of them is open then. */
async function forgetHashesIn(
  tx: TransactionSql,
  name: string,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  const by = JOB_BY[name];
  if (by === undefined) return;
  const of = tx`${tx(by[0])} = ${String(row[by[1]])}`;
  await tx`update job set payload_sha256 = '' where ${of}`;
  if (name !== 'attempt')
    await tx`
      update attempt set ${tx.unsafe(OF_CALL)}
      where job_id in (select id from job where ${of}) and payload_sha256 not in ('', '\\x00')`;
  await tx`
    update draft set details = jsonb_set(details, '{summary,digest}', '""')
    where id in (select draft_id from job where ${of}) and details -> 'summary' ? 'digest'`;
}

/** A value of JSON with the mark in place of the number, in JSON within its texts too. */
function replaced(
  value: unknown,
  number: string,
  mark: string,
): { readonly value: unknown; readonly changed: boolean } {
  let changed = false;
  const walk = (each: unknown): unknown => {
    if (typeof each === 'string') {
      const rows = each.startsWith('[[') ? parsed(each) : null;
      const text = rows === null ? withoutNumber(each, number, mark) : jsonText(walk(rows));
      if (rows === null && text !== each) changed = true;
      return text;
    }
    if (Array.isArray(each)) return each.map(walk);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([key, inner]) => [walk(key), walk(inner)]));
  };
  return { value: walk(value), changed };
}

/** Null where it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What may stand in a number, and what it comes to when only digits are looked at; what has nothing there is left out. */
const WRITTEN = `۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩${WRITTEN_WITHIN}"\\+＋﹢:`;
const READ = '01234567890123456789';

/** Whether a row may hold the number: a look that is cheap, and that lets some through which do not. */
function mayHold(sql: Queryable, row: Fragment, number: string) {
  return sql`translate(${row}::text, ${WRITTEN}, ${READ}) like ${like(number)}`;
}

function like(number: string): string {
  return `%${number.slice(2)}%`;
}
