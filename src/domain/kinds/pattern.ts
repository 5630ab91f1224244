import { RECIPIENTS_PER_CALL } from '../interface-limits.ts';
import { chunked, sorted, toRecipients, type SendKind } from './kind.ts';

/** A text that the gateway keeps, filled with values. */
export interface PatternSend {
  readonly kind: 'pattern';
  readonly patternId: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Recipients that one call takes. */
  readonly perCall: number;
}

export const pattern: SendKind<PatternSend> = {
  ...toRecipients(),
  hasText: false,
  // What the lists show is the text that was made from it, which nobody here knows.
  isListed: false,
  calls: ({ outgoing, recipients }) => chunked(recipients, Math.min(outgoing.perCall, RECIPIENTS_PER_CALL)),
  lengths: () => null,
  // The gateway keeps the rest of the text.
  says: ({ outgoing, line }) => [
    { line, text: Object.values(outgoing.variables).join('\n'), isWhole: false },
  ],
  identity: ({ patternId, variables }) => `pattern ${JSON.stringify(sorted({ id: patternId, variables }))}`,
};
