import { isAppError } from '../domain/errors.ts';

/** What may be said of a failure without telling what was worked on. */
export interface Failure {
  readonly name: string;
  readonly code?: string;
  readonly message?: string;
  readonly at?: string;
  readonly cause?: Failure;
}

const DEPTH = 4;
const FRAMES = 6;

/**
 * Describes what a task threw, for the log. Kept are the name, the code, the place and the causes.
 * A message is kept only where it cannot hold a payload: those of {@link AppError}, which are
 * written for the log, and those the runtime writes about our own mistakes. Messages of a database
 * driver hold the parameters of the statement, those of a parser what it could not read.
 */
export function describeFailure(error: unknown, depth = DEPTH): Failure {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = isAppError(error)
    ? error.code
    : 'code' in error && typeof error.code === 'string'
      ? error.code
      : undefined;
  const frames = framesOf(error);
  return {
    name: error.name,
    ...(code === undefined ? {} : { code }),
    ...(isAppError(error) || error instanceof TypeError || error instanceof ReferenceError
      ? { message: error.message }
      : {}),
    ...(frames === '' ? {} : { at: frames }),
    ...(error.cause === undefined || depth <= 1 ? {} : { cause: describeFailure(error.cause, depth - 1) }),
  };
}

/** The same in one line, for the row of the job. */
export function summarize(failure: Failure): string {
  const own = [failure.name, failure.code, failure.message].filter((part) => part !== undefined).join(' ');
  return failure.cause === undefined ? own : `${own} < ${summarize(failure.cause)}`;
}

function framesOf(error: Error): string {
  return (error.stack ?? '')
    .split('\n')
    .map(
      (line) =>
        /^ +at (?<frame>[\w<>[\].# ]*\(?(?:file:|node:|\/)\S+:\d+:\d+\)?)$/.exec(line)?.groups?.['frame'] ??
        '',
    )
    .filter((frame) => frame !== '')
    .slice(0, FRAMES)
    .join(' < ');
}
