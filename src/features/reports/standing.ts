import { FAILURE_REASONS, type FailureReason } from '../../domain/delivery-codes.ts';
import { failureReason } from '../../domain/failure-reason.ts';
import type { JobState } from '../../domain/job.ts';
import type { RecipientRecord, RecipientTally, ReportedJob } from '../../ports/reports.ts';

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

/** It is proved that these got nothing, though they were asked for. */
const MISSED: ReadonlySet<Standing> = new Set(['failed', 'blocked', 'refused', 'absent']);

export function standingOf(
  { call, delivery }: Pick<RecipientRecord, 'call' | 'delivery'>,
  job: JobState,
): Standing {
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
    case 'unknown':
    case 'asked':
    case 'closed':
      // Whatever is not proved is not known.
      return 'in_doubt';
  }
}

export function isMissed(standing: Standing): boolean {
  return MISSED.has(standing);
}

export interface JobSummary {
  readonly recipients: number;
  /** Taken by the gateway, whatever became of them. */
  readonly accepted: number;
  /** Who got nothing, for certain. */
  readonly missed: number;
  /** In the order of {@link STANDINGS}, without those that nobody has; the shares add up to 1. */
  readonly standings: readonly {
    readonly standing: Standing;
    readonly recipients: number;
    readonly share: number;
  }[];
  /** Why those that were taken did not arrive; together as many as failed or are blocked. */
  readonly reasons: readonly { readonly reason: FailureReason; readonly recipients: number }[];
  /** The gateway's words for those whose reason is another, most frequent first. */
  readonly words: readonly { readonly word: string; readonly recipients: number }[];
}

/** A job's recipients by where they stand. */
export function summarize({ tallies, state }: Pick<ReportedJob, 'tallies' | 'state'>): JobSummary {
  return summarizeAll(tallies.map((tally) => ({ ...tally, job: state })));
}

/** The same of several jobs. */
export function summarizeAll(tallies: readonly (RecipientTally & { readonly job: JobState })[]): JobSummary {
  const found = new Map<Standing, number>();
  const reasons = new Map<FailureReason, number>();
  const words = new Map<string, number>();
  let recipients = 0;
  for (const tally of tallies) {
    const standing = standingOf(tally, tally.job);
    recipients += tally.recipients;
    add(found, standing, tally.recipients);
    if (standing !== 'failed' && standing !== 'blocked') continue;
    const reason = failureReason({ kind: standing, raw: tally.rawState, text: tally.word });
    add(reasons, reason, tally.recipients);
    if (reason === 'other' && tally.word !== '') add(words, tally.word, tally.recipients);
  }
  const standings = STANDINGS.flatMap((standing) => {
    const count = found.get(standing) ?? 0;
    return count === 0 ? [] : [{ standing, recipients: count, share: count / recipients }];
  });
  const sumOf = (of: (standing: Standing) => boolean): number =>
    standings.reduce((sum, each) => sum + (of(each.standing) ? each.recipients : 0), 0);
  return {
    recipients,
    accepted: sumOf((standing) => ACCEPTED.has(standing)),
    missed: sumOf(isMissed),
    standings,
    reasons: FAILURE_REASONS.flatMap((reason) => {
      const count = reasons.get(reason) ?? 0;
      return count === 0 ? [] : [{ reason, recipients: count }];
    }),
    words: [...words]
      .map(([word, count]) => ({ word, recipients: count }))
      .toSorted((left, right) => right.recipients - left.recipients || left.word.localeCompare(right.word)),
  };
}

function add<K>(sums: Map<K, number>, key: K, count: number): void {
  sums.set(key, (sums.get(key) ?? 0) + count);
}
