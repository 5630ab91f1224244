import type { PatternRequest } from '../ports/gateway.ts';
import { checkLine, checkRecipients, refuse } from './checks.ts';

/** Throws `bad_input` (field, reason, limit) for a pattern send that cannot travel as it is meant. */
export function checkPattern(request: PatternRequest, recipientsLimit: number): void {
  checkLine(request.line);
  checkRecipients('recipients', request.recipients, recipientsLimit);
  if (!/^[0-9]{1,18}$/.test(request.patternId)) refuse('patternId', 'not_digits');
  for (const [name, value] of Object.entries(request.variables)) {
    if (name.trim() === '') refuse('variables', 'name_empty');
    if (!name.isWellFormed() || !value.isWellFormed()) refuse('variables', 'not_well_formed');
  }
}
