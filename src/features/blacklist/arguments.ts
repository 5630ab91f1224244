import { parseRecipients } from '../../domain/phone.ts';
import type { Stores } from '../../storage/stores.ts';
import { takeRest, type Argument } from '../../telegram/feature.ts';
import { lineArgument, numbersArgument, recipientArgument } from '../shared/shared-arguments.ts';
import { texts } from './texts.ts';

/** Numbers, and what stands behind them is a line; where further numbers stand there, what lies between is none. */
export const someNumbers = {
  ...numbersArgument,
  take: (input: string) => {
    const taken = numbersArgument.take(input);
    const isMore = parseRecipients(taken.rest).recipients.length > 0;
    return taken.value === '' || isMore ? takeRest(input) : taken;
  },
} satisfies Argument;

export const numbersToBlock = {
  ...someNumbers,
  ask: ({ locale }) => texts(locale).askBlock,
} satisfies Argument;

export const numberToUnblock = {
  ...recipientArgument,
  ask: ({ locale }) => texts(locale).askUnblock,
} satisfies Argument;

/** The line whose blacklist is meant; asked for where neither the command nor the chat names one. */
export const blacklistLine = (bindings: Pick<Stores['bindings'], 'lines'>) =>
  ({
    ...lineArgument,
    ask: ({ locale }) => texts(locale).askLine,
    optional: true,
    askWhen: ({ binding }) => (binding?.line ?? null) === null,
    choices: async ({ binding }) => {
      const lines = binding === null ? [] : await bindings.lines(binding.id);
      return lines.map((line) => ({ label: line, value: line }));
    },
  }) satisfies Argument;
