import type { Moves } from './machine.ts';

export const JOB_STATES = [
  /** Waits for its time. */
  'scheduled',
  /** That passed while nothing could leave, so a person is asked. */
  'missed',
  /** Can still be undone. */
  'holding',
  'running',
  /** Goes on when a person says so. */
  'paused',
  'done',
  'undone',
  /** Has ended before its end; what is left of it can still be sent. */
  'stopped',
] as const;

/** Where a confirmed send stands. The last three have ended. */
export type JobState = (typeof JOB_STATES)[number];

/** Its time is ahead, or passed without it. */
export const WAITING = ['scheduled', 'missed'] as const satisfies readonly JobState[];
/** Nothing of it has left. */
export const NOT_STARTED = [...WAITING, 'holding'] as const satisfies readonly JobState[];
/** It can still leave, or go on. */
export const NOT_ENDED = [...NOT_STARTED, 'running', 'paused'] as const satisfies readonly JobState[];
/** It goes on by itself when its time comes. */
export const SELF_STARTING = ['scheduled', 'holding', 'running'] as const satisfies readonly JobState[];

/** Reports are asked for so long, in seconds; they end sooner where there is no account any more to ask. */
export const REPORTS_SECONDS = 72 * 3600;

/**
 * Why a job has stopped, or is paused, before its end. `halted`: the chat's switch; `held`: the operator's; `restored`: it
 * stands so in a backup that was brought back, and what was left of it may have been sent since.
 */
export type StopReason =
  | 'credit'
  | 'account'
  | 'person'
  | 'halted'
  | 'held'
  | 'restored'
  | 'earlier_unknown'
  | 'not_connected'
  | 'unreachable';

/** Why one is paused: also for an answer that came late, as in `MissReason`. */
export type PauseReason = StopReason | 'answered';

/**
 * Why one that waited for its time did not leave: its turn came too `late`; at that time the `window` of the chat or that of its line is closed, the
 * day's `cap` is used up, or every send is `halted` by the chat or `held` by the operator; its account is gone; or, of a series or a standing order, who confirmed that has lost
 * the `role` for it, or it needs an `approval` by now, for its size or for the `words` that it says; or somebody has `paused` it; or its phone`book` holds others than those who were confirmed, or nobody (`book_empty`). `answered`: of what it sends again some had been accepted the first time after all. `restored`: it stands so in a backup that was brought back.
 */
export type MissReason =
  | 'late'
  | 'window'
  | 'line_window'
  | 'cap'
  | 'halted'
  | 'held'
  | 'restored'
  | 'not_connected'
  | 'role'
  | 'approval'
  | 'words'
  | 'paused'
  | 'book'
  | 'book_empty'
  | 'answered';

/** What can happen to a job. */
export const JOB_MOVES = {
  start: { scheduled: 'running', holding: 'running' },
  /** It cannot leave as it was confirmed, and nothing of it has. */
  miss: { scheduled: 'missed', holding: 'missed', running: 'missed' },
  undo: { holding: 'undone' },
  cancel: { scheduled: 'undone', missed: 'undone' },
  pause: { running: 'paused' },
  /** By the chat's switch or the operator's. */
  halt: { holding: 'paused', running: 'paused' },
  stop: { holding: 'stopped', running: 'stopped', paused: 'stopped' },
  resume: { paused: 'running', stopped: 'running' },
  /** Its hold, or the time it was to leave at, is still ahead. */
  resume_hold: { paused: 'holding', stopped: 'holding' },
  resume_wait: { paused: 'scheduled', stopped: 'scheduled' },
  finish: { running: 'done' },
  /** Nothing is left to go on with. */
  run_out: { paused: 'done' },
  /** A backup was brought back, and nobody knows what of it has left since. */
  give_up: { scheduled: 'done', missed: 'done', holding: 'done', running: 'done', paused: 'done' },
} as const satisfies Moves<JobState>;
