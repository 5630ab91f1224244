import { BATCH, rowsOf, type Step } from './step.ts';

/** What is needed for days at most: updates, hashes of messages, tokens, links and forms past use, and credentials that nobody confirmed. */
export function passingSteps(): readonly Step[] {
  return [
    rowsOf(
      'updates',
      (tx) => tx`
        delete from update where (bot_id, update_id) in (
          select bot_id, update_id from update
          where received_at < now() - interval '8 days' and done_at is not null
          order by received_at limit ${BATCH} for update skip locked)
        returning 1`,
    ),
    // What is in doubt is left to a person by then, who may have it looked for anew: beside it they stay.
    rowsOf(
      'hashes of messages',
      (tx) => tx`
        update attempt set message_keys = '{}'
        where id in (
          select a.id from attempt a
          where a.message_keys <> '{}' and a.ended_at < now() - interval '30 days'
            and a.state in ('accepted', 'sent') and not exists (
              select from attempt d where d.state in ('unknown', 'asked')
                and d.on_wire_at between a.on_wire_at - interval '1 day' and a.ended_at + interval '1 day')
          order by a.ended_at limit ${BATCH} for update of a skip locked)
        returning 1`,
    ),
    rowsOf(
      'buttons',
      (tx) => tx`
        delete from button where token_hash in (
          select token_hash from button where expires_at < now() - interval '7 days'
          order by expires_at limit ${BATCH} for update skip locked)
        returning 1`,
    ),
    rowsOf(
      'links',
      (tx) => tx`
        delete from deep_link where token_hash in (
          select token_hash from deep_link where expires_at < now() - interval '7 days'
          limit ${BATCH} for update skip locked)
        returning 1`,
    ),
    rowsOf(
      'forms',
      (tx) => tx`
        delete from form where key in (
          select key from form where updated_at < now() - interval '1 day'
          limit ${BATCH} for update skip locked)
        returning 1`,
    ),
    // A credential that nobody confirmed: its buttons are dead by now.
    rowsOf(
      'credentials',
      (tx) => tx`
        update binding set state = 'gone', credentials = null, ended_at = now()
        where id in (
          select id from binding where state = 'pending' and created_at < now() - interval '1 day'
          limit ${BATCH} for update skip locked)
        returning 1`,
    ),
  ];
}
