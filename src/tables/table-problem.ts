import { AppError } from '../domain/errors.ts';

type TableProblem = 'not_a_table' | 'too_many_rows' | 'too_wide' | 'too_large' | 'damaged';

/** `bad_input` with params `field` = `file`, `reason` and, where there is one, `limit`: what reading a file throws. */
export function tableProblem(
  reason: TableProblem,
  { limit, cause }: { limit?: number; cause?: unknown } = {},
): AppError {
  return new AppError('bad_input', `a file of rows: ${reason}`, {
    params: { field: 'file', reason, ...(limit === undefined ? {} : { limit }) },
    cause,
  });
}
