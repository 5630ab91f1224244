import { setTimeout as sleep } from 'node:timers/promises';
import { startFailure } from '../../app/start-failure.ts';
import { isAppError } from '../../domain/errors.ts';
import { settingMistakes } from '../../process/config.ts';
import { EXIT } from '../../process/exit-codes.ts';
import { UnusableDatabase } from '../../storage/database/session-check.ts';

/** One thing that was looked at. */
export interface Finding {
  /** ✓ well; ! Peyk runs, and somebody should look; ✗ Peyk does not get to run. */
  readonly mark: '✓' | '!' | '✗';
  readonly what: string;
  /** What was seen, and what to do about it. */
  readonly seen: string;
  /** With which the start would end: of ✗. */
  readonly exitCode?: number;
}

/** How far this machine's clock is ahead of another one. */
export interface ClockSeen {
  readonly of: string;
  readonly aheadMs: number;
}

export interface Examined {
  readonly findings: readonly Finding[];
  readonly clocks?: readonly ClockSeen[];
}

/** The longest that one question may take, in milliseconds. */
export const PATIENCE_MS = 6000;

export const well = (what: string, seen: string): Finding => ({ mark: '✓', what, seen });
export const look = (what: string, seen: string): Finding => ({ mark: '!', what, seen });
export const bad = (what: string, seen: string, exitCode: number): Finding => ({
  mark: '✗',
  what,
  seen,
  exitCode,
});

/** What the start would refuse, as it would say it. */
export function refusal(what: string, error: unknown): readonly Finding[] {
  const exitCode = startFailure(error)?.exitCode ?? EXIT.wrong;
  if (isAppError(error)) {
    const mistakes = settingMistakes(error);
    return (mistakes.length === 0 ? [error.message] : mistakes).map((seen) => bad(what, seen, exitCode));
  }
  if (error instanceof UnusableDatabase)
    return [bad(what, `${error.message}. Start it, or mend DATABASE_URL`, exitCode)];
  return [bad(what, `it could not be looked at (${codeOf(error)})`, exitCode)];
}

/** Rejects where an answer takes too long; what would have come of it is nobody's any more. */
export async function inTime<T>(answer: Promise<T>, ms = PATIENCE_MS): Promise<T> {
  const enough = new AbortController();
  const late = sleep(ms, undefined, { signal: enough.signal }).then(() => {
    throw Object.assign(new Error('no answer in time'), { code: 'CONNECT_TIMEOUT' });
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    enough.abort();
    late.catch(() => undefined);
    answer.catch(() => undefined);
  }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z0-9_]{1,40}$/u.test(code) ? code : 'unforeseen';
}
