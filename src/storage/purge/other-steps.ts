import type { Row } from '../row.ts';
import { BATCH, rowsOf, upTo, type Step } from './step.ts';

/** For a year of people's, a month and more before or after its day; nobody is written to twice. */
const WRITTEN_DAYS = 730;
/** By then the buttons of its card are dead. */
const PROPOSED_DAYS = 7;

/** What else ends: drafts that were not confirmed, alerts, and what was asked of phonebooks and of new users. */
export function otherSteps(days: number): readonly Step[] {
  if (days === 0) return [];
  return [
    {
      name: 'drafts',
      batch: async (tx) => {
        const held = await tx<Row<'draft', 'id'>[]>`
          select d.id from draft d where d.state <> 'confirmed' and d.expires_at < now() - ${days} * interval '1 day'
            and not exists (select from job j where j.draft_id = d.id)
          order by d.expires_at limit ${BATCH} for update of d skip locked`;
        const past = held.map(({ id }) => id);
        await tx`delete from notice where draft_id = any(${past}::uuid[])`;
        return upTo(BATCH, await tx`delete from draft where id = any(${past}::uuid[]) returning 1`);
      },
    },
    // What was told of a received message goes with that.
    rowsOf(
      'notifications',
      (tx) => tx`
        delete from notice where id in (
          select id from notice where inbound_id is null and created_at < now() - ${days} * interval '1 day'
            and state in ('sent', 'folded', 'dropped')
          order by created_at limit ${BATCH} for update skip locked)
        returning 1`,
    ),
    rowsOf(
      'alarms',
      (tx) => tx`
        delete from alarm where id in (
          select a.id from alarm a where a.ended_at < now() - ${days} * interval '1 day'
            and not exists (select from notice n where n.alarm_id = a.id)
          limit ${BATCH} for update of a skip locked)
        returning 1`,
    ),
    rowsOf(
      'whom sends by dates have written to',
      (tx) => tx`
        delete from date_sent where ctid in (
          select s.ctid from date_sent s join date_run r on r.id = s.run_id join date_send o on o.id = s.order_id
          where r.made_at < now() - ${WRITTEN_DAYS} * interval '1 day'
            or (o.state = 'ended' and o.ended_at < now() - ${days} * interval '1 day')
          limit ${BATCH} for update of s skip locked)
        returning 1`,
    ),
    rowsOf(
      'sends by dates',
      (tx) => tx`
        delete from date_send where id in (
          select o.id from date_send o
          where ((o.state = 'ended' and o.ended_at < now() - ${days} * interval '1 day')
              or (o.state = 'proposed' and o.created_at < now() - ${PROPOSED_DAYS} * interval '1 day'))
            and not exists (select from date_sent s where s.order_id = o.id)
          limit ${BATCH} for update of o skip locked)
        returning 1`,
    ),
    rowsOf(
      'changes of phonebooks',
      (tx) => tx`
        delete from book_change where id in (
          select id from book_change where created_at < now() - ${days} * interval '1 day' and state <> 'running'
          limit ${BATCH} for update skip locked)
        returning 1`,
    ),
    rowsOf(
      'registrations',
      (tx) => tx`
        delete from registration where id in (
          select id from registration where created_at < now() - ${days} * interval '1 day' and state <> 'on_wire'
          limit ${BATCH} for update skip locked)
        returning 1`,
    ),
  ];
}
