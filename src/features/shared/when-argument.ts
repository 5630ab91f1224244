import { z } from 'zod';
import { splitNumbersAndText } from '../../domain/phone.ts';
import type { Moment, MomentContext } from '../../i18n/moment.ts';
import type { Argument } from '../../telegram/feature.ts';

type Reads = (input: string, context: MomentContext) => Moment | null;

/** Which zone is meant shows when it is used; whether it is a time at all shows anywhere. */
const anywhere = () => ({ now: new Date(), timeZone: 'UTC' });

const MAX_WORDS_OF_TIME = 8;

/** Whether all of a text is a time. */
export function isWhen(typed: string, read: Reads): boolean {
  return read(typed.trim(), anywhere())?.taken === typed.trim().length;
}

/**
 * A time at the front of a line, before numbers. It stays a text until it is used: a form that waits over midnight must
 * not mean another day.
 */
export function whenArgument(read: Reads) {
  return {
    schema: z.string().refine((typed) => isWhen(typed, read)),
    take: (input: string) => {
      const end = read(input, anywhere())?.taken ?? beforeNumbers(input);
      return { value: input.slice(0, end).trim(), rest: input.slice(end) };
    },
  } satisfies Partial<Argument>;
}

/** Where the first number begins, so that a time in a form that nobody knows keeps its words together; else the first word's end. */
function beforeNumbers(input: string): number {
  const words = [...input.matchAll(/\S+\s*/gu)].slice(0, MAX_WORDS_OF_TIME);
  const numbers = words.find(
    ({ index }, at) => at > 0 && splitNumbersAndText(input.slice(index)).numbers !== '',
  );
  const [first] = words;
  return numbers?.index ?? (first === undefined ? input.length : first.index + first[0].length);
}
