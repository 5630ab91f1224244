import type { TransactionSql } from 'postgres';
import type { NewInbound } from '../../ports/inbound.ts';
import { showTalkIn } from './answers-in.ts';
import type { Database, Queryable } from '../database/database.ts';
import { enqueueNotify } from '../enqueue.ts';
import { createInboundReads } from './inbound-reads.ts';
import {
  inboundDestinationsIn,
  destinationsFor,
  heedIn,
  type StoredInbound,
} from './inbound-destinations.ts';
import { jsonText } from '../json.ts';
import type { Row } from '../row.ts';
import { awake } from './talk-store.ts';

/** A backlog comes in pages: its one notification waits until they are likely to be all there. */
const BACKLOG_MS = 5000;
const DAY_MS = 86_400_000;

/**
 * Received messages, each stored once, and what is told of them at least once.
 * @param keptDays how long they are kept, and so how old they may be to be taken in; 0 for ever
 */
export function createInboundStore(database: Database, keptDays = 0) {
  const { sql } = database;
  return {
    ...createInboundReads(database),

    /**
     * Stores what is not stored yet and, in the same transaction, what is to be told of it in the chat's destinations. Of one
     * key with another content both are kept. `quiet`: they are told as one, by their number (the first reading).
     */
    async keep(
      accountId: string,
      messages: readonly NewInbound[],
      { quiet }: { readonly quiet: boolean },
    ): Promise<{ readonly stored: readonly number[]; readonly changed: number }> {
      const since = keptDays === 0 ? null : Date.now() - keptDays * DAY_MS;
      const young = messages.filter(({ sentAt }) => since === null || sentAt === null || +sentAt >= since);
      const rows = await unknownOf(sql, accountId, young.map(toRow));
      if (rows.length === 0) return { stored: [], changed: 0 };
      return await sql.begin(async (tx) => {
        // Of two who bring the same page, the second sees what the first has stored.
        await tx`select pg_advisory_xact_lock(hashtextextended(${`inbound ${accountId}`}, 0))`;
        // The binding before its lines: so does whoever sets a line.
        const [account] = await tx<Row<'account', 'chat_id' | 'binding_id'>[]>`
          select a.chat_id, a.binding_id from account a join binding b on b.id = a.binding_id
          where a.id = ${accountId} for key share of b`;
        const fresh = await unknownOf(tx, accountId, rows);
        if (account === undefined || fresh.length === 0) return { stored: [], changed: 0 };
        const { stored, changed } = await insertIn(tx, accountId, fresh);
        await wakeIn(tx, stored);
        await learnIn(tx, account.binding_id, fresh);
        if (quiet) await heedIn(tx, stored);
        const told = quiet
          ? await tellAsOneIn(tx, account.chat_id, accountId, stored.length)
          : await tellEachIn(tx, account.chat_id, stored);
        await tx`
          update account set last_inbound_at = greatest(last_inbound_at, ${quiet ? newestOf(fresh) : null}::timestamptz,
            case when ${!quiet} then now() end) where id = ${accountId}`;
        await enqueueNotify(tx, told);
        return { stored: stored.map(({ id }) => id), changed };
      });
    },
  };
}

interface NewRow {
  readonly key: string;
  readonly other_key: string | null;
  readonly content: string;
  readonly message_id: string | null;
  readonly line: string;
  readonly sender: string;
  readonly body: string;
  readonly sent_at: string | null;
  readonly folded: string;
}

function toRow(message: NewInbound): NewRow {
  return {
    key: storable(message.key),
    other_key: message.otherKey === undefined ? null : storable(message.otherKey),
    content: message.contentSha256.toString('hex'),
    message_id: message.messageId,
    line: storable(message.line),
    sender: storable(message.sender),
    body: storable(message.text),
    sent_at: message.sentAt?.toISOString() ?? null,
    folded: storable(message.folded),
  };
}

/** Those that are not stored yet, each once. Mostly none: a look at an index, and nothing is written. */
async function unknownOf(
  db: Queryable,
  accountId: string,
  rows: readonly NewRow[],
): Promise<readonly NewRow[]> {
  if (rows.length === 0) return [];
  const found = await db<{ place: number }[]>`
    select min(g.place)::int as place
    from unnest(${rows.map(({ key }) => key)}::text[], ${rows.map((row) => row.other_key)}::text[],
        ${rows.map(({ content }) => content)}::text[], ${rows.map((row) => row.sent_at)}::text[])
      with ordinality as g(key, other_key, content, sent_at, place)
    where not exists (
      select from inbound i
      where i.account_id = ${accountId}
        -- Nothing is hashed of one out of which a number was taken.
        and i.content_sha256 in (decode(g.content, 'hex'), ''::bytea)
        and (i.key = g.key or (i.key = g.other_key and i.sent_at is not distinct from g.sent_at::timestamptz)))
    group by g.key, g.content`;
  const places = new Set(found.map(({ place }) => place));
  return rows.filter((_, index) => places.has(index + 1));
}

/** Ids rise with the gateway's time, within what is stored at once. */
async function insertIn(
  tx: TransactionSql,
  accountId: string,
  rows: readonly NewRow[],
): Promise<{ readonly stored: readonly StoredInbound[]; readonly changed: number }> {
  const found = await tx<(Row<'inbound', 'id' | 'line' | 'text as body'> & { changed: boolean })[]>`
    with given as (
      select g.*, row_number() over () as place from json_to_recordset(${jsonText(rows)}::text::json) as g(key text,
        content text, message_id text, line text, sender text, body text, sent_at timestamptz, folded text)
    ), talks as (
      insert into talk (account_id, line, number)
      select distinct ${accountId}::uuid, line, sender from given
      on conflict (account_id, line, number) do update set last_in_at = now()
      returning id, line, number
    ), put as (
      insert into inbound (account_id, talk_id, key, content_sha256, message_id, line, sender, text, sent_at, folded)
      select ${accountId}, t.id, g.key, decode(g.content, 'hex'), g.message_id, g.line, g.sender, g.body, g.sent_at, g.folded
      from given g join talks t on t.line = g.line and t.number = g.sender
      order by g.sent_at nulls last, g.place desc
      on conflict (account_id, key, content_sha256) do nothing
      returning id, key, line, text
    )
    select p.id, p.line, p.text as body,
      exists (select from inbound i where i.account_id = ${accountId} and i.key = p.key) as changed
    from put p order by p.id`;
  return {
    stored: found.map(({ id, line, body }) => ({ id, line, text: body })),
    changed: found.filter(({ changed }) => changed).length,
  };
}

/** Whoever was put off and writes again is no longer. */
async function wakeIn(tx: TransactionSql, stored: readonly StoredInbound[]): Promise<void> {
  const rows = await tx<Row<'talk', 'id'>[]>`
    update talk set ${awake(tx)} where snoozed_by is not null
      and id in (select talk_id from inbound where id = any(${stored.map(({ id }) => id)}::bigint[])) returning id`;
  for (const { id } of rows) await showTalkIn(tx, id);
}

/** A line that receives messages is one of the account's. */
async function learnIn(tx: TransactionSql, bindingId: string, rows: readonly NewRow[]): Promise<void> {
  const lines = [...new Set(rows.map(({ line }) => line))].filter((line) => /^\d{5,14}$/.test(line));
  await tx`
    insert into line (binding_id, number) select ${bindingId}, unnest(${lines}::text[]) order by 2
    on conflict (binding_id, number) do update set seen_at = now()`;
}

async function tellEachIn(
  tx: TransactionSql,
  chatId: string,
  stored: readonly StoredInbound[],
): Promise<readonly string[]> {
  const tellings = await destinationsFor(tx, chatId, stored);
  if (tellings.length === 0) return [];
  await tx`
    insert into notice (sink_id, kind, inbound_id)
    select sink_id, 'inbound', inbound_id from unnest(
      ${tellings.map(({ destinationId }) => destinationId)}::uuid[], ${tellings.map(({ inboundId }) => inboundId)}::bigint[]
    ) with ordinality as t(sink_id, inbound_id, place) order by place`;
  return [...new Set(tellings.map(({ destinationId }) => destinationId))];
}

/** One notification in each place, which goes on counting until it has been said. */
async function tellAsOneIn(
  tx: TransactionSql,
  chatId: string,
  accountId: string,
  count: number,
): Promise<readonly string[]> {
  const destinations = await inboundDestinationsIn(tx, chatId);
  const facts = jsonText({ count, accountId });
  await tx`
    with sinks as (
      select unnest(${[...destinations]}::uuid[]) as id
    ), counted as (
      update notice n set facts = n.facts || jsonb_build_object('count', (n.facts ->> 'count')::int + ${count}::int)
      from sinks where n.sink_id = sinks.id and n.kind = 'inbound' and n.state = 'queued' and n.inbound_id is null
        and n.facts ->> 'accountId' = ${accountId}::text
      returning n.sink_id
    )
    insert into notice (sink_id, kind, facts, not_before)
    select id, 'inbound', ${facts}::text::jsonb, now() + ${BACKLOG_MS}::float8 * interval '1 millisecond'
    from sinks where id not in (select sink_id from counted)`;
  return destinations;
}

function newestOf(rows: readonly NewRow[]): string | null {
  const now = new Date().toISOString();
  return rows.reduce<string | null>(
    (newest, { sent_at: at }) => (at !== null && at < now && at > (newest ?? '') ? at : newest),
    null,
  );
}

/** As Postgres keeps a text: whole characters, no NUL. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '�');
}
