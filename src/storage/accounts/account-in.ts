import type { TransactionSql } from 'postgres';
import { FIRST_KINDS } from '../../domain/alerts.ts';
import { enqueueRenotice } from '../enqueue.ts';
import { isToldOne } from './gateway-user.ts';
import type { Row } from '../row.ts';

/**
 * Has the account of a binding that has just become live looked after: the row that the same account had in this chat
 * before, or a new one; every other account of the chat sleeps. A chat without any place for its alerts becomes one.
 */
export async function wakeAccountIn(tx: TransactionSql, bindingId: string): Promise<void> {
  const [account] = await tx<{ id: string; chat_id: string }[]>`
    with live as (
      select id, chat_id, prints, user_marks, coalesce(nullif(account_name, ''), id::text) as name
      from binding where id = ${bindingId}
    ), known as (
      select a.id from live join account a on a.chat_id = live.chat_id join binding b on b.id = a.binding_id
      where ${isToldOne(tx, 'b', 'live')} or a.name = live.name
      order by ${isToldOne(tx, 'b', 'live')} desc, a.created_at limit 1
    ), woken as (
      update account a set binding_id = live.id, due_at = now(), inbox_due_at = now(), credit_due_at = now(),
        details_due_at = now(), inbox_total = null, lease_owner = null, lease_until = null
      from live, known where a.id = known.id returning a.id, a.chat_id
    ), made as (
      insert into account (chat_id, name, binding_id)
      select live.chat_id, live.name, live.id from live where not exists (select from known)
      returning id, chat_id
    )
    select * from woken union all select * from made`;
  if (account === undefined) return;
  await sleepIn(tx, account.chat_id, account.id);
  await tx`
    insert into sink (chat_id, kinds, created_by)
    select b.chat_id, ${[...FIRST_KINDS]}::text[], b.created_by from binding b
    where b.id = ${bindingId} and not exists (select from sink s where s.chat_id = b.chat_id)
    on conflict do nothing`;
}

/** Nobody asks for the accounts of a chat any more, save one that is left out; what stood about them is over. */
export async function sleepIn(
  tx: TransactionSql,
  chatId: string,
  except: string | null = null,
): Promise<void> {
  const over = await tx<Row<'alarm', 'id'>[]>`
    with asleep as (
      update account set due_at = null, lease_owner = null, lease_until = null
      where chat_id = ${chatId} and id is distinct from ${except}::uuid returning id
    )
    update alarm set ended_at = now() where account_id in (select id from asleep) and ended_at is null returning id`;
  for (const { id: alarmId } of over) await enqueueRenotice(tx, { alarmId });
}

/** What is scheduled has changed: whether the credit does for it is looked at now, and what is said of it shown anew. */
export async function reviewCreditIn(tx: TransactionSql, chatId: string): Promise<void> {
  await tx`
    update account set credit_due_at = now(), due_at = least(due_at, now())
    where chat_id = ${chatId} and due_at is not null`;
  const open = await tx<Row<'alarm', 'id'>[]>`
    select id from alarm where chat_id = ${chatId} and kind = 'credit' and ended_at is null`;
  for (const { id: alarmId } of open) await enqueueRenotice(tx, { alarmId });
}
