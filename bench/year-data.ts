import type { Sql } from 'postgres';
import type { Owner } from './people.ts';

/** How much of everything a chat has. Each large send goes to the same people. */
export interface Year {
  /** Sends of one call to three people. */
  readonly small: number;
  /** Sends of five calls to 200 people each. */
  readonly large: number;
  readonly received: number;
  readonly correspondents: number;
  readonly entries: number;
  readonly told: number;
  readonly lapsed: number;
  readonly updates: number;
}

/** A year of 1,000 sends a day to 1,000 people each, and what comes with it, times `share` above 0. */
export function shareOfYear(share: number): Year {
  const of = (count: number): number => Math.max(1, Math.round(count * share));
  return {
    small: of(50_000),
    large: of(365_000),
    received: of(500_000),
    correspondents: of(60_000),
    entries: of(500_000),
    told: of(1_000_000),
    lapsed: of(100_000),
    updates: of(100_000),
  };
}

const RECIPIENTS = { small: 3, large: 200 } as const;

/**
 * Fills a database, by a client of one connection, with what a chat did in the last 390 days: everything ended, was
 * reported and was told, nothing of it is past its time. Rows are written as the stores write them; their ids are the same in
 * each run, so that plans are.
 */
export async function fillYear(sql: Sql, owner: Owner, year: Year): Promise<void> {
  // A whole year takes longer than a statement of the bot may.
  await sql`set statement_timeout = 0`;
  const { small, large, received, correspondents, entries, told, lapsed, updates } = year;
  await fillSends(sql, owner, { from: 1000, sends: small, calls: 1, recipients: RECIPIENTS.small });
  await fillSends(sql, owner, { from: 1000 + small, sends: large, calls: 5, recipients: RECIPIENTS.large });
  const { chatId, bindingId, id } = owner;
  await sql`
    insert into draft (id, chat_id, binding_id, code, bot_id, author_id, state, text, recipients, repeated, invalid, line, lang,
      expires_at, created_at)
    select md5('lapsed ' || n)::uuid, ${chatId}, ${bindingId}, 'L' || n, 1, ${id}, 'open', 'Hello', '{989120000001}', '[]', '[]', '3000123456', 'en',
      now() - n * interval '80 days' / ${lapsed}, now() - interval '80 days'
    from generate_series(1, ${lapsed}::int) as n`;
  const [account] = await sql<{ id: string }[]>`select id from account where chat_id = ${chatId}`;
  const accountId = account?.id ?? '';
  await sql`
    insert into talk (id, account_id, line, number, last_in_at, answered_at, done_at)
    select md5('talk ' || n)::uuid, ${accountId}, '3000123456', '98913' || lpad(n::text, 7, '0'), now() - interval '1 hour', now(), now()
    from generate_series(1, ${correspondents}::int) as n`;
  await sql`
    with talks as (
      select array_agg(id order by id) as ids, array_agg(number order by id) as numbers from talk where account_id = ${accountId}
    )
    insert into inbound (account_id, talk_id, key, content_sha256, message_id, line, sender, text, sent_at, captured_at, folded)
    select ${accountId}, ids[1 + n % cardinality(ids)], n::text, sha256(n::text::bytea), n::text, '3000123456',
      numbers[1 + n % cardinality(ids)], 'Thank you ' || n, at, at, 'thank you ' || n
    from talks, generate_series(1, ${received}::int) as n,
      lateral (select now() - interval '390 days' + n * interval '390 days' / ${received} as at) as t order by n`;
  await sql`
    with sends as (select array_agg(id) as ids from draft where chat_id = ${chatId} and state = 'confirmed')
    insert into notice (sink_id, kind, draft_id, state, created_at, sent_at, message_id)
    select s.id, case n % 2 when 0 then 'job' else 'inbound' end, ids[1 + n % cardinality(ids)], 'sent',
      now() - n * interval '80 days' / ${told}, now() - n * interval '80 days' / ${told}, n
    from sink s, sends, generate_series(1, ${told}::int) as n where s.chat_id = ${chatId}`;
  await sql`
    insert into audit (chat_id, person_id, update_id, action, details, at)
    select ${chatId}, ${id}, n, 'send_confirmed', '{"code":"A1","recipients":3}', now() - interval '390 days' + n * interval '390 days' / ${entries}
    from generate_series(1, ${entries}::int) as n`;
  await sql`
    insert into update (bot_id, update_id, done_at)
    select 1, n, now() from generate_series(1, ${updates}::int) as n`;
  await sql.unsafe('vacuum analyze');
}

interface Sends {
  /** The number of the first of them. */
  readonly from: number;
  readonly sends: number;
  readonly calls: number;
  readonly recipients: number;
}

async function fillSends(
  sql: Sql,
  { chatId, bindingId, id }: Owner,
  { from, sends, calls, recipients }: Sends,
): Promise<void> {
  await sql`
    with made as (
      insert into draft (id, chat_id, binding_id, code, bot_id, author_id, state, text, recipients, repeated, invalid, line, lang,
        expires_at, created_at, tag, card_message_id)
      select md5('draft ' || n)::uuid, ${chatId}, ${bindingId}, 'Y' || n, 1, ${id}, 'confirmed', 'Hello to everybody', '{}', '[]', '[]', '3000123456',
        'en', at, at, 'month' || n % 12, n
      from generate_series(${from}::int, ${from + sends - 1}::int) as n,
        lateral (select now() - interval '2 days' - (n - ${from}::int) * interval '388 days' / ${Math.max(1, sends)} as at) as t
      returning id, created_at
    )
    insert into job (id, draft_id, chat_id, binding_id, state, payload_sha256, confirmed_by, parts, price_rial, confirmed_at, leaves_at,
      hold_until, started_at, ended_at)
    select md5('job ' || id)::uuid, id, ${chatId}, ${bindingId}, 'done', 'x', ${id}, ${calls * recipients}, 1000, created_at, created_at,
      created_at, created_at, created_at + interval '1 minute'
    from made`;
  await sql`
    insert into attempt (id, job_id, binding_id, chunk, state, epoch, payload_sha256, text_sha256, message_keys, line, recipients,
      on_wire_at, ended_at, raw)
    select md5('call ' || c || j.id)::uuid, j.id, ${bindingId}, c, 'accepted', 1, 'x', 'x',
      case when j.ended_at < now() - interval '30 days' then '{}' else array_fill('0123456789abcdef'::text, array[${recipients}::int]) end,
      '3000123456', (select array_agg('98912' || lpad(((c * ${recipients} + k) * 37 % 10000000)::text, 7, '0')) from generate_series(1, ${recipients}::int) as k),
      j.confirmed_at, j.ended_at, '{}'
    from job j, generate_series(0, ${calls - 1}::int) as c
    where j.chat_id = ${chatId} and j.parts = ${calls * recipients} and j.payload_sha256 = 'x'`;
  await sql`
    insert into call_report (attempt_id, job_id, chunk, ids, marks, words, open)
    select a.id, a.job_id, a.chunk, (select string_agg((1000000 + k)::text, ',') from generate_series(1, a.size) as k), repeat('a', a.size),
      jsonb_build_array(jsonb_build_object('mark', 'a', 'kind', 'delivered', 'raw', '10', 'text', 'delivered',
        'at', extract(epoch from a.ended_at)::bigint, 'n', a.size)), 0
    from attempt a where a.size = ${recipients} and not exists (select from call_report c where c.attempt_id = a.id)`;
  await sql`
    insert into sent_number (attempt_id, tails)
    select a.id, array(select right(r, 7)::int from unnest(a.recipients) as r) from attempt a where a.size = ${recipients} and not exists (select from sent_number n where n.attempt_id = a.id)`;
}
