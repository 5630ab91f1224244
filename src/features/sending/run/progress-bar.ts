import type { JobView } from '../../../ports/stores.ts';

/** How far a job has come. */
export interface Progress {
  /** Ten cells, full ones first. */
  readonly bar: string;
  /** Recipients whose call has ended, however. */
  readonly done: number;
  readonly all: number;
  /** Whole hundredths from 0 to 1, and 1 only when all is done. */
  readonly share: number;
  /** At the pace since it last began; null while that says too little. */
  readonly leftMs: number | null;
}

const CELLS = 10;
const LEAST_SHARE = 0.05;
const LEAST_MS = 10_000;

/** Of a job that runs: what is behind it, and how long the rest will take. */
export function progressOf(
  job: Pick<JobView, 'counts' | 'resent' | 'said' | 'startedAt' | 'leftSinceStart'>,
  now: Date,
): Progress {
  const { all, ahead } = sizeOf(job);
  const done = all - ahead;
  const share = all === 0 ? 1 : Math.floor((done * 100) / all) / 100;
  const full = all === 0 ? CELLS : Math.floor((done * CELLS) / all);
  return {
    bar: '▓'.repeat(full) + '░'.repeat(CELLS - full),
    done,
    all,
    share,
    leftMs: leftMs(job, now, ahead, share),
  };
}

/** Where all recipients of a job stand, each of them once. */
export interface Tally {
  readonly sent: number;
  readonly not: number;
  readonly unknown: number;
  /** Asked of the gateway, and no answer yet. */
  readonly out: number;
}

/** What an interrupted job says of itself: the four add up to all of its recipients. */
export function tallyOf({ counts, resent, said }: Pick<JobView, 'counts' | 'resent' | 'said'>): Tally {
  return {
    sent: counts.accepted + counts.delivered + counts.failed + counts.barred + said,
    not: counts.planned + counts.rejected + counts.blocked,
    // That they were sent again tells nothing of the first time.
    unknown: counts.unknown + resent,
    out: counts.onWire,
  };
}

function sizeOf(job: Pick<JobView, 'counts' | 'resent' | 'said'>): { all: number; ahead: number } {
  const { sent, not, unknown, out } = tallyOf(job);
  return { all: sent + not + unknown + out, ahead: job.counts.planned + out };
}

function leftMs(
  { startedAt, leftSinceStart }: Pick<JobView, 'startedAt' | 'leftSinceStart'>,
  now: Date,
  ahead: number,
  share: number,
): number | null {
  const elapsed = startedAt === null ? 0 : now.getTime() - startedAt.getTime();
  if (elapsed < LEAST_MS || share < LEAST_SHARE || leftSinceStart === 0) return null;
  return Math.round((elapsed * ahead) / leftSinceStart);
}
