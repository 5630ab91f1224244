import { UNSENT } from '../../domain/attempt.ts';
import type { CardView } from '../../ports/stores.ts';
import type { Queryable } from '../database/database.ts';
import { canBeDecided, listed } from '../move.ts';

/** As the statement gives it. */
export interface TwinRow {
  readonly twin: { readonly code: string; readonly at: string | null } | null;
  readonly template: string | null;
}

/**
 * The send, or else the open draft before it, that has the same text for the same people as the draft `d`: within an hour of
 * now, or still to come; not what surely reached nobody. What sends again by itself says so, and has none.
 * Beside it, the template that is called what the text says.
 */
export function twinColumns(sql: Queryable) {
  const same = sql`o.chat_id = d.chat_id and o.id <> d.id and o.text = d.text and o.recipients = d.recipients
    and coalesce(o.details #>> '{summary,digest}', '') = coalesce(d.details #>> '{summary,digest}', '')`;
  return sql`(select json_build_object('code', twin.code, 'at', twin.at) from (
      select o.code, e.leaves_at as at from job e join draft o on o.id = e.draft_id
      where e.chat_id = d.chat_id and e.leaves_at > now() - interval '1 hour'
        and (e.ended_at is null and e.state <> 'missed' or exists (
          select from attempt a where a.job_id = e.id and a.state not in ${listed(sql, UNSENT)})) and ${same}
      union all
      select o.code, null from draft o where ${canBeDecided(sql, 'o')} and o.created_at < d.created_at and ${same}) twin
    where ${canBeDecided(sql, 'd')} and d.text <> '' and not d.details ?| array['resends', 'resendOf', 'replaces']
      and (cardinality(d.recipients) > 0 or d.details #>> '{summary,digest}' <> '')
    order by twin.at nulls last limit 1) as twin,
    (select t.name from template t
      where t.chat_id = d.chat_id and lower(t.name) = lower(d.text) and ${canBeDecided(sql, 'd')}) as template`;
}

export function readTwin({ twin, template }: TwinRow): Pick<CardView, 'twin' | 'template'> {
  const at = twin === null || twin.at === null ? null : new Date(twin.at);
  return { twin: twin && { ...twin, at }, template };
}
