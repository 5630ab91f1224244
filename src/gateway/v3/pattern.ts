import type { Facets } from '../../ports/gateway.ts';
import type { Calls } from '../calls.ts';
import { refuse } from '../checks.ts';
import { wireNumber } from '../number.ts';
import { checkPattern } from '../pattern-checks.ts';
import { observeRestSend } from '../rest-send.ts';
import { restCall } from './wire.ts';

/** Clients of this extension name one recipient; what becomes of more of them is not known. */
const RECIPIENTS_LIMIT = 1;

/**
 * Send by pattern in version 3: an extension that the interface does not list and gateways have. It names
 * the pattern `pattern_id` and has no type, so a flash message is refused. The text is made at the gateway, so no echo of it is compared.
 */
export function createV3Pattern(calls: Calls, headers: Readonly<Record<string, string>>) {
  return {
    recipientsLimit: RECIPIENTS_LIMIT,
    async sendPattern(request, hooks) {
      checkPattern(request, RECIPIENTS_LIMIT);
      if (request.flash) refuse('flash', 'needs_version_1');
      const { line, recipients, variables, patternId } = request;
      const call = restCall(headers, '/sms/pattern-send', {
        from: line,
        recipients: recipients.map(wireNumber),
        message: variables,
        pattern_id: BigInt(patternId),
      });
      return await calls.send('pattern', call, observeRestSend({ line }), hooks);
    },
  } satisfies Facets['pattern'];
}
