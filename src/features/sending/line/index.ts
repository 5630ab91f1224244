import type { Stores } from '../../../storage/stores.ts';
import { defineCommand, type Feature } from '../../../telegram/feature.ts';
import { lineSchema } from '../../shared/line-argument.ts';
import { texts } from './texts.ts';

/** The sender line that messages of this chat leave from. The interface lists no lines: they are learned and typed. */
export function createLineFeature({ bindings }: { readonly bindings: Stores['bindings'] }): Feature {
  return {
    name: 'line',
    topic: 'sending',
    commands: [
      defineCommand({
        name: 'line',
        permission: 'line.set',
        facet: 'sending',
        about: (locale) => texts(locale).about,
        example: () => '/line 3000123456',
        args: {
          line: {
            schema: lineSchema,
            usage: (locale) => texts(locale).usage,
            ask: (ctx) => texts(ctx.locale).ask(ctx.binding?.line ?? null),
            problem: (locale) => texts(locale).bad,
            // Left out, it is asked for: the question shows the present one.
            optional: true,
            askWhen: () => true,
            choices: async (ctx) => {
              const lines = ctx.binding === null ? [] : await bindings.lines(ctx.binding.id);
              return lines.map((line) => ({
                label: line === ctx.binding?.line ? `✓ ${line}` : line,
                value: line,
              }));
            },
          },
        },
        run: async (ctx, { line }) => {
          if (ctx.binding === null || line === undefined) return;
          await bindings.setLine({
            bindingId: ctx.binding.id,
            line,
            threadId: ctx.threadId,
            personId: ctx.person.id,
            updateId: ctx.updateId,
          });
          await ctx.say(texts(ctx.locale).set(line));
        },
      }),
    ],
  };
}
