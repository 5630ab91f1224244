import { setTimeout as sleep } from 'node:timers/promises';
import { Secret } from '../src/domain/secret.ts';
import { createBindingStore } from '../src/storage/accounts/binding-store.ts';
import { createSealer } from '../src/storage/keys/crypto.ts';
import { createFingerprint } from '../src/storage/keys/fingerprint.ts';
import { linkOwner, type Owner } from './people.ts';
import type { Stage } from './stage.ts';

/** Accounts in a private chat each, whose Telegram ids follow one another. */
export interface Group {
  readonly firstId: number;
  readonly count: number;
}

/** Over how many seconds from now what is due of a group is spread evenly; absent: it is not due for hours. */
export interface Spread {
  readonly inbox?: number;
  readonly credit?: number;
  readonly details?: number;
  /** Since the last message of each: how often an inbox is read follows from it. */
  readonly sinceInbound: number;
}

const FAR_SECONDS = 10 * 3600;
const BATCH = 500;
const PATIENCE_MS = 60_000;

/** Links an account as a person would, and waits until everything of it has been read once; it then sleeps. */
export async function linkTemplate(stage: Stage, id: number, gatewayAccount: string): Promise<Owner> {
  const { sql } = stage.database;
  const owner = await linkOwner(stage, id, gatewayAccount);
  await until('the first account was not read', async () => {
    const [row] = await sql<{ done: boolean }[]>`
      select inbox_ok_at is not null and audited_on is not null and first_credit_rial is not null
        and expires_at is not null and lease_owner is null as done
      from account where binding_id = ${owner.bindingId}`;
    return row?.done === true;
  });
  await sleepAll(stage);
  return owner;
}

/**
 * Adds asleep accounts that are as the first one was left, each with its own chat, owner, credentials and rows; `inbox`
 * copies also what it had received. Their keys are those of the given gateway accounts, in turn.
 */
export async function addAccounts(
  { database, masterKey }: Stage,
  template: Owner,
  { firstId, count }: Group,
  { keys, inbox }: { readonly keys: readonly string[]; readonly inbox: boolean },
): Promise<void> {
  const { sql } = database;
  const bindings = createBindingStore(database, createSealer([masterKey]), createFingerprint([masterKey]), {
    gateway: '',
    timeZone: 'UTC',
  });
  for (let from = firstId; from < firstId + count; from += BATCH) {
    const to = Math.min(from + BATCH, firstId + count) - 1;
    await sql`
      insert into person (telegram_id, name) select id, 'P' || id from generate_series(${from}::bigint, ${to}) as id`;
    const chats = await sql<{ id: string; telegram_id: number }[]>`
      insert into chat (telegram_id, type) select id, 'private' from generate_series(${from}::bigint, ${to}) as id
      returning id, telegram_id`;
    await Promise.all(
      chats.map(async ({ id: chatId, telegram_id: telegramId }) => {
        const key = keys[(telegramId - firstId) % keys.length] ?? '';
        return await bindings.savePending({
          chatId,
          personId: telegramId,
          credentials: { apiKey: new Secret(`bench-key-${key}`) },
          keyTail: '0000',
          accountName: key,
        });
      }),
    );
    await sql`
      with live as (
        update binding b set state = 'live', line = t.line
        from chat c, binding t where c.id = b.chat_id and c.telegram_id between ${from} and ${to} and t.id = ${template.bindingId}
        returning b.id, b.chat_id, b.created_by, b.account_name
      ), members as (
        insert into member (chat_id, person_id, role, granted_by) select chat_id, created_by, 'owner', created_by from live
      ), lines as (
        insert into line (binding_id, number)
        select live.id, l.number from live, line l where l.binding_id = ${template.bindingId}
      ), gauges as (
        insert into account_gauge (binding_id, credit_rial, credit_at)
        select live.id, g.credit_rial, now() from live, account_gauge g where g.binding_id = ${template.bindingId}
      ), sinks as (
        insert into sink (chat_id, kinds, created_by)
        select live.chat_id, s.kinds, live.created_by from live, sink s where s.chat_id = ${template.chatId}
      )
      insert into account (chat_id, name, binding_id, due_at, inbox_due_at, credit_due_at, details_due_at, inbox_read_at,
        inbox_total, newest_first, first_credit_rial, status, expires_at)
      select live.chat_id, live.account_name, live.id, null, null, null, null, now(),
        case when ${inbox} then a.inbox_total else 0 end, case when ${inbox} then a.newest_first end, a.first_credit_rial, a.status, a.expires_at
      from live, account a where a.binding_id = ${template.bindingId}`;
    if (!inbox) continue;
    await sql`
      with copies as (
        select a.id from account a join chat c on c.id = a.chat_id where c.telegram_id between ${from} and ${to}
      ), talks as (
        insert into talk (account_id, line, number)
        select copies.id, t.line, t.number from copies, talk t join account a on a.id = t.account_id
        where a.binding_id = ${template.bindingId} returning id, account_id, line, number
      )
      insert into inbound (account_id, talk_id, key, content_sha256, message_id, line, sender, text, sent_at, captured_at, folded)
      select t.account_id, t.id, i.key, i.content_sha256, i.message_id, i.line, i.sender, i.text, i.sent_at, i.captured_at, i.folded
      from talks t join inbound i on i.line = t.line and i.sender = t.number
      join account a on a.id = i.account_id where a.binding_id = ${template.bindingId}`;
  }
  await sql`vacuum analyze`;
}

/** Wakes a group. Counts are compared on the day on which they would be anyway. */
export async function wake({ database }: Stage, group: Group, spread: Spread): Promise<void> {
  const { firstId, count } = group;
  const at = (seconds: number | undefined): number => seconds ?? FAR_SECONDS;
  await database.sql`
    with spread as (
      select a.id, (c.telegram_id - ${firstId} + 0.5)::float8 / ${count} as inbox,
        ((c.telegram_id - ${firstId}) * 0.6180339887)::float8 as credit, ((c.telegram_id - ${firstId}) * 0.7548776662)::float8 as details,
        now() at time zone 'Asia/Tehran' as here, ('x' || left(a.id::text, 4))::bit(16)::int % 1380 as own
      from account a join chat c on c.id = a.chat_id where c.telegram_id between ${firstId} and ${firstId + count - 1}
    ), due as (
      select id, here::date - (extract(hour from here) * 60 + extract(minute from here) < own)::int as day,
        now() + inbox * ${at(spread.inbox)}::float8 * interval '1 second' as inbox,
        now() + (credit - floor(credit)) * ${at(spread.credit)}::float8 * interval '1 second' as credit,
        now() + (details - floor(details)) * ${at(spread.details)}::float8 * interval '1 second' as details
      from spread
    )
    update account a set inbox_due_at = due.inbox, credit_due_at = due.credit, details_due_at = due.details,
      due_at = least(due.inbox, due.credit, due.details), inbox_ok_at = now(), audited_on = due.day::text,
      last_inbound_at = now() - ${spread.sinceInbound}::float8 * interval '1 second'
    from due where a.id = due.id`;
}

/** Has the counts of one of a group compared when it is read next. */
export async function forgetAudit({ database }: Stage, { firstId, count }: Group): Promise<void> {
  await database.sql`
    update account set audited_on = null
    where chat_id = (select id from chat where telegram_id = ${firstId + Math.floor(count / 2)})`;
}

/** Nobody asks for any account any more; resolves when nobody does. */
export async function sleepAll({ database: { sql } }: Stage): Promise<void> {
  await until('accounts do not come to rest', async () => {
    await sql`
      update account set due_at = null, inbox_due_at = null, credit_due_at = null, details_due_at = null
      where lease_owner is null and due_at is not null`;
    const busy = await sql`select 1 from account where due_at is not null limit 1`;
    return busy.length === 0;
  });
}

async function until(failure: string, isDone: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error(failure);
    await sleep(100);
  }
}
