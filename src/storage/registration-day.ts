import type { RegistrationDay } from '../ports/registrations.ts';
import type { Queryable } from './database.ts';
import { isToldOne } from './gateway-user.ts';

/**
 * What was registered today under the account of a binding, in other chats too. Iran keeps one offset all year, which a
 * server's time-zone data may not know yet.
 */
export async function readRegistrationDay(db: Queryable, bindingId: string): Promise<RegistrationDay> {
  const [row] = await db<{ used: number; unknown: number; resets_ms: number }[]>`
    with day as (
      select (date_trunc('day', now() at time zone 'UTC' + interval '3:30') - interval '3:30') at time zone 'UTC' as since
    ), same as (
      select o.id from binding b join binding o on ${isToldOne(db, 'o', 'b')} where b.id = ${bindingId}
    ), called as (
      select r.state from registration r join day on r.called_at >= day.since
      where r.binding_id in (select id from same) and r.state in ('on_wire', 'registered', 'unknown')
    )
    select (select count(*)::int from called) as used,
      (select count(*)::int from called where state = 'unknown') as unknown,
      (extract(epoch from since + interval '1 day') * 1000)::float8 as resets_ms
    from day`;
  if (row === undefined) throw new Error('a count without a row');
  return { used: row.used, unknown: row.unknown, resetsAt: new Date(row.resets_ms) };
}
