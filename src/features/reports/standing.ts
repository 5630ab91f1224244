import type { RecipientRecord, ReportedJob } from '../../ports/reports.ts';
import type { JobState } from '../../ports/jobs.ts';

/** Where one recipient of a job stands, in the order of a report: what is best known first. */
export const STANDINGS = [
  'delivered',
  'sent',
  'waiting',
  'failed',
  'blocked',
  'unexplained',
  'in_doubt',
  'on_wire',
  'to_leave',
  'refused',
  'absent',
  'left_out',
] as const;

export type Standing = (typeof STANDINGS)[number];

/** The gateway has taken the message of these. */
const ACCEPTED: ReadonlySet<Standing> = new Set([
  'delivered',
  'sent',
  'waiting',
  'failed',
  'blocked',
  'unexplained',
]);

export function standingOf({ call, delivery }: RecipientRecord, job: JobState): Standing {
  switch (call) {
    case 'planned':
    case 'reserved':
      return job === 'stopped' || job === 'undone' ? 'left_out' : 'to_leave';
    case 'on_wire':
      return 'on_wire';
    case 'rejected':
      return 'refused';
    case 'not_sent':
      return 'absent';
    case 'accepted':
    case 'sent':
      if (delivery === null) return 'waiting';
      return delivery === 'unknown' ? 'unexplained' : delivery;
    default:
      // Whatever is not proved is not known.
      return 'in_doubt';
  }
}

export interface JobSummary {
  readonly recipients: number;
  /** Taken by the gateway, whatever became of them. */
  readonly accepted: number;
  /** In the order of {@link STANDINGS}, without those that nobody has; the shares add up to 1. */
  readonly standings: readonly {
    readonly standing: Standing;
    readonly recipients: number;
    readonly share: number;
  }[];
  /** The gateway's words for those that did not arrive, most frequent first. */
  readonly words: readonly { readonly word: string; readonly recipients: number }[];
}

/** A job's recipients by where they stand. */
export function summarize({ tallies, state }: Pick<ReportedJob, 'tallies' | 'state'>): JobSummary {
  const found = new Map<Standing, number>();
  const words = new Map<string, number>();
  let recipients = 0;
  for (const tally of tallies) {
    const standing = standingOf(tally, state);
    recipients += tally.recipients;
    found.set(standing, (found.get(standing) ?? 0) + tally.recipients);
    if ((standing === 'failed' || standing === 'blocked') && tally.word !== '')
      words.set(tally.word, (words.get(tally.word) ?? 0) + tally.recipients);
  }
  const standings = STANDINGS.flatMap((standing) => {
    const count = found.get(standing) ?? 0;
    return count === 0 ? [] : [{ standing, recipients: count, share: count / recipients }];
  });
  return {
    recipients,
    accepted: standings.reduce((sum, each) => sum + (ACCEPTED.has(each.standing) ? each.recipients : 0), 0),
    standings,
    words: [...words]
      .map(([word, count]) => ({ word, recipients: count }))
      .toSorted((left, right) => right.recipients - left.recipients || left.word.localeCompare(right.word)),
  };
}
