import type { JobState } from '../../domain/job.ts';
import type { RecipientRecord, RecipientTally, ReportedJob } from '../../ports/reports.ts';
import { add, createMisses, type Misses } from './misses.ts';

/** Where one recipient of a job stands, in the order of a report: what is best known first. */
export const RECIPIENT_STATUSES = [
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

export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

/** Under which word each is counted. */
export const STATUS_COUNTS = {
  delivered: 'delivered',
  sent: 'sent',
  waiting: 'awaited',
  failed: 'failed',
  blocked: 'blocked',
  unexplained: 'unexplained',
  in_doubt: 'unknown',
  on_wire: 'on_wire',
  to_leave: 'to_leave',
  refused: 'refused',
  absent: 'absent',
  left_out: 'stopped',
} as const satisfies Record<RecipientStatus, string>;

/** It is proved that these got nothing, though they were asked for. */
const MISSED: ReadonlySet<RecipientStatus> = new Set(['failed', 'blocked', 'refused', 'absent']);

export function recipientStatus(
  { call, delivery }: Pick<RecipientRecord, 'call' | 'delivery'>,
  job: JobState,
): RecipientStatus {
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

export function isMissed(status: RecipientStatus): boolean {
  return MISSED.has(status);
}

export interface JobSummary extends Misses {
  readonly recipients: number;
  /** Who got nothing, for certain. */
  readonly missed: number;
  /** In the order of {@link RECIPIENT_STATUSES}, without those that nobody has; the shares add up to 1. */
  readonly statuses: readonly {
    readonly status: RecipientStatus;
    readonly recipients: number;
    readonly share: number;
  }[];
}

/** A job's recipients by where they stand. */
export function summarize({ tallies, state }: Pick<ReportedJob, 'tallies' | 'state'>): JobSummary {
  return summarizeAll(tallies.map((tally) => ({ ...tally, job: state })));
}

/** The same of several jobs. */
export function summarizeAll(tallies: readonly (RecipientTally & { readonly job: JobState })[]): JobSummary {
  const found = new Map<RecipientStatus, number>();
  const misses = createMisses();
  let recipients = 0;
  for (const tally of tallies) {
    const status = recipientStatus(tally, tally.job);
    recipients += tally.recipients;
    add(found, status, tally.recipients);
    if (status === 'failed' || status === 'blocked')
      misses.add({ kind: status, raw: tally.rawState, text: tally.word }, tally.recipients);
  }
  const statuses = RECIPIENT_STATUSES.flatMap((status) => {
    const count = found.get(status) ?? 0;
    return count === 0 ? [] : [{ status, recipients: count, share: count / recipients }];
  });
  const sumOf = (of: (status: RecipientStatus) => boolean): number =>
    statuses.reduce((sum, each) => sum + (of(each.status) ? each.recipients : 0), 0);
  return {
    recipients,
    missed: sumOf(isMissed),
    statuses,
    ...misses.found(),
  };
}
