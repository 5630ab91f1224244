import { AppError } from '../domain/errors.ts';
import type { ErrorParams } from '../domain/errors.ts';
import type { GatewayVersion } from '../ports/gateway.ts';
import { lookUpCode } from './codes.ts';

const TEXT_LIMIT = 200;

/** The three errors of a call that is no send. `extra` joins the params; texts are scrubbed and cut. */
export function createFailures(version: GatewayVersion, scrub: (text: string) => string) {
  return {
    noAnswer: (operation: string, reason: string, extra: ErrorParams = {}) =>
      new AppError('gateway_no_answer', `version ${version} ${operation}: no answer (${reason})`, {
        params: { operation, version, reason, ...extra },
      }),

    unreadable: (operation: string, reason: string, httpStatus: number, extra: ErrorParams = {}) =>
      new AppError('gateway_unreadable', `version ${version} ${operation}: unreadable answer (${reason})`, {
        params: { operation, version, reason, httpStatus, ...extra },
      }),

    refused(
      operation: string,
      refusal: { readonly code: number; readonly text: string },
      extra: ErrorParams = {},
    ) {
      const { code } = refusal;
      const { table, name } = lookUpCode(version, code);
      const text = scrub(refusal.text).slice(0, TEXT_LIMIT);
      return new AppError(
        'gateway_refused',
        `version ${version} ${operation}: refused with ${code} (${name})`,
        {
          params: { operation, version, code, table, name, text, ...extra },
        },
      );
    },
  };
}
