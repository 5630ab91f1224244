import { parseRecipients } from '../../domain/phone.ts';
import type { Stores } from '../../storage/stores.ts';
import { takeRest, type Argument } from '../../telegram/feature.ts';
import { BEFORE_LINE, lineArgument, numbersArgument, recipientArgument } from '../shared/shared-arguments.ts';
import { texts } from './texts.ts';

/** No number of a mobile begins so, also where a digit of it is missing. */
const LINE_AT_END = new RegExp(String.raw`^([\s\S]*?\S)\s+(${BEFORE_LINE}[1-8۱-۸]\p{Nd}{4,13})$`, 'iu');

/** What is no reason or courtesy behind a number: it has a digit, or says what it is. */
const MAY_BE_LINE = /\p{Nd}|^(?:on|from|از|روی)?\s*(?:line|خط)/iu;

/** Numbers, and what stands behind them is a line; where it cannot be one, or further numbers stand there, what lies between is no number, and a line may end it. */
export const someNumbers = {
  ...numbersArgument,
  take: (input: string) => {
    const taken = numbersArgument.take(input);
    const isMore = parseRecipients(taken.rest).recipients.length > 0;
    const isLine = taken.rest === '' || MAY_BE_LINE.test(lineArgument.take(taken.rest).value);
    if (taken.value !== '' && !isMore && isLine) return taken;
    const [, numbers, line] = LINE_AT_END.exec(input) ?? [];
    return numbers === undefined || line === undefined ? takeRest(input) : { value: numbers, rest: line };
  },
} satisfies Argument;

export const numbersToBlock = {
  ...someNumbers,
  ask: ({ locale }) => texts(locale).askBlock,
} satisfies Argument;

export const numberToUnblock = {
  ...recipientArgument,
  take: someNumbers.take,
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
