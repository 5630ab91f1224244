import { z } from 'zod';
import type { BindingStore } from '../../ports/stores.ts';
import type { Argument } from '../../telegram/feature.ts';
import { lineArgument } from '../../telegram/shared-arguments.ts';
import type { InboxView } from './reader.ts';
import { texts } from './texts.ts';

/** One of the words, wherever it stands: nobody should have to know whether the line comes first. */
const WORD = /(?<=^|\s)(?:unread|new|all|نخوانده|خوانده[\s\u200c]*نشده|همه)(?=\s|$)/iu;
const ALL: ReadonlySet<string> = new Set(['all', 'همه']);

export const viewArgument = {
  schema: z.string().transform((typed): InboxView => (ALL.has(typed.toLowerCase()) ? 'all' : 'unread')),
  take: (input: string) => {
    const found = WORD.exec(input);
    if (found === null) return { value: '', rest: input };
    const rest = `${input.slice(0, found.index)} ${input.slice(found.index + found[0].length)}`;
    return { value: found[0], rest: rest.trim() };
  },
  usage: (locale) => texts(locale).usageView,
  ask: ({ locale }) => texts(locale).badWord,
  problem: (locale) => texts(locale).badWord,
  optional: true,
} satisfies Argument;

/** Left out, it is the line of the chat. */
export const optionalLine = (bindings: Pick<BindingStore, 'lines'>, problem: Argument['problem']) =>
  ({
    ...lineArgument,
    problem,
    optional: true,
    choices: async (turn) => {
      const lines = turn.binding === null ? [] : await bindings.lines(turn.binding.id);
      return lines.map((line) => ({ label: line, value: line }));
    },
  }) satisfies Argument;
