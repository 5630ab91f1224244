import type { Fragment } from 'postgres';
import type { Queryable } from '../database/database.ts';

/*
 * What the gateway reported, as statements read it: of `call_report`, and of the rows in `delivery` that an earlier release
 * has left and that are not moved yet. `calls` selects attempts whole.
 */

/** What was said of how many recipients of each call: `attempt_id`, `kind`, `raw`, `text`, `at` (epoch seconds), `n`. */
export function reportWords(sql: Queryable, calls: Fragment): Fragment {
  return sql`(
    select a.id as attempt_id, w.kind, w.raw, w.text, w.at, w.n
    from (${calls}) a join call_report c on c.attempt_id = a.id
    cross join lateral jsonb_to_recordset(c.words) as w(kind text, raw text, text text, at float8, n int)
    union all
    select d.attempt_id, d.kind, d.raw_state, d.raw_text, extract(epoch from d.checked_at)::float8, 1
    from (${calls}) a join delivery d on d.attempt_id = a.id)`;
}

/**
 * Each recipient of calls with its `place` (from 1), `number`, `message_id`, and what was said of it: `kind`, `raw`, `text`,
 * `at`. Of whom there is no report these are null.
 */
export function reportRows(sql: Queryable, calls: Fragment): Fragment {
  return sql`(
    select a.id as attempt_id, r.place, r.number, coalesce(nullif(r.id, ''), d.message_id) as message_id,
      coalesce(w.kind, d.kind) as kind, coalesce(w.raw, d.raw_state, '') as raw, coalesce(w.text, d.raw_text, '') as text,
      coalesce(w.at, extract(epoch from d.checked_at)::float8) as at
    from (${calls}) a left join call_report c on c.attempt_id = a.id
    cross join lateral unnest(a.recipients, coalesce(a.message_ids, string_to_array(c.ids, ',')), string_to_array(c.marks, null))
      with ordinality as r(number, id, mark, place)
    left join lateral jsonb_to_recordset(c.words) as w(mark text, kind text, raw text, text text, at float8) on w.mark = r.mark
    left join delivery d on d.attempt_id = a.id and d.recipient = r.number)`;
}
