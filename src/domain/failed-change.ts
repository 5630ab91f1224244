import { isAppError, type AppError } from './errors.ts';

/** A call that was to change something at the gateway and did not end well, as far as it matters to people. */
export interface FailedChange {
  readonly why: 'refused' | 'no_answer' | 'unreadable';
  /** The RefusalName of a refusal, else ''. */
  readonly name: string;
  /** The gateway's code of a refusal. */
  readonly code: number | null;
  /** The change may have been made all the same: so it is unless the client says that it was not. */
  readonly mayHaveActed: boolean;
  readonly error: AppError;
}

/** Reads what was thrown by a call; null for what is no failure of one, which is for the caller to throw on. */
export function failedChange(error: unknown): FailedChange | null {
  if (!isAppError(error)) return null;
  const why = WHY.get(error.code);
  if (why === undefined) return null;
  const { name, code, mayHaveActed } = error.params;
  return {
    why,
    name: String(name ?? ''),
    code: typeof code === 'number' ? code : null,
    mayHaveActed: mayHaveActed !== false,
    error,
  };
}

const WHY: ReadonlyMap<string, FailedChange['why']> = new Map([
  ['gateway_refused', 'refused'],
  ['gateway_no_answer', 'no_answer'],
  ['gateway_unreadable', 'unreadable'],
] as const);
