import { isAppError } from '../../domain/errors.ts';

/** A call that did not end well, as far as it matters to people. */
export interface Failure {
  readonly why: 'refused' | 'no_answer' | 'unreadable';
  /** The RefusalName of a refusal, else ''. */
  readonly name: string;
  /** The gateway's code of a refusal. */
  readonly code: number | null;
  /** The change may have been made all the same. */
  readonly mayHaveActed: boolean;
  readonly error: unknown;
}

/** Null for what is no failure of a call: that is for the caller to throw on. */
export function failureOf(error: unknown): Failure | null {
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

const WHY: ReadonlyMap<string, Failure['why']> = new Map([
  ['gateway_refused', 'refused'],
  ['gateway_no_answer', 'no_answer'],
  ['gateway_unreadable', 'unreadable'],
] as const);
