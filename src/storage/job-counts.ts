import type { Sql } from 'postgres';
import type { JobView, RecipientCounts } from '../ports/stores.ts';

interface CountRow {
  state: string;
  kind: string | null;
  outcome: string | null;
  recipients: number;
}

/** Where the recipients of a job stand. `open` counts those whose report can still change. */
export async function readCounts(
  sql: Sql,
  jobId: string,
): Promise<Pick<JobView, 'counts' | 'refusals' | 'asked' | 'resent' | 'said'> & { readonly open: number }> {
  const rows = await sql<CountRow[]>`
    select a.state, d.kind, a.outcome, count(*)::int as recipients
    from attempt a
    cross join lateral unnest(a.recipients) as r(number)
    left join delivery d on d.attempt_id = a.id and d.recipient = r.number
    where a.job_id = ${jobId}
    group by 1, 2, 3`;
  const counts = { planned: 0, onWire: 0, accepted: 0, rejected: 0, unknown: 0, delivered: 0, failed: 0 };
  const refusals: { name: string; recipients: number }[] = [];
  let [open, asked, resent, said] = [0, 0, 0, 0];
  for (const row of rows) {
    if (row.state === 'closed') {
      resent += row.recipients;
      continue;
    }
    // What the lists show has an id, by which reports are asked for; a person's word has none.
    if (row.state === 'sent' && row.kind === null) {
      said += row.recipients;
      continue;
    }
    if (row.state === 'asked') asked += row.recipients;
    const place = placeOf(row);
    counts[place] += row.recipients;
    if (place === 'accepted') open += row.recipients;
    if (row.state === 'rejected') {
      refusals.push({ name: row.outcome ?? '', recipients: row.recipients });
    }
  }
  return { counts, refusals, open, asked, resent, said };
}

function placeOf({ state, kind }: CountRow): keyof RecipientCounts {
  switch (state) {
    case 'planned':
    case 'reserved':
      return 'planned';
    case 'on_wire':
      return 'onWire';
    case 'rejected':
    case 'not_sent':
      return 'rejected';
    case 'accepted':
    case 'sent':
      if (kind === 'delivered') return 'delivered';
      return kind === 'failed' || kind === 'blocked' ? 'failed' : 'accepted';
    default:
      // Whatever is not proved is not known.
      return 'unknown';
  }
}
