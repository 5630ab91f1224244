import { AppError } from '../domain/errors.ts';
import type { TableProblem } from '../ports/tables.ts';

/**
 * `bad_input` with params `field` = `file`, `reason` and, where there are any, `limit` and the `row` of the file,
 * from 1: what reading a file throws.
 */
export function tableProblem(
  reason: TableProblem,
  { limit, row, cause }: { limit?: number; row?: number; cause?: unknown } = {},
): AppError {
  return new AppError('bad_input', `a file of rows: ${reason}${row === undefined ? '' : `, row ${row}`}`, {
    params: {
      field: 'file',
      reason,
      ...(limit === undefined ? {} : { limit }),
      ...(row === undefined ? {} : { row }),
    },
    cause,
  });
}
