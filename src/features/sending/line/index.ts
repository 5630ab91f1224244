import type { BindingStore } from '../../../ports/stores.ts';
import { defineCommand, type Feature } from '../../../telegram/feature.ts';
import { lineSchema } from '../../shared/line-argument.ts';
import { texts } from './texts.ts';

/** The sender line that messages of this chat leave from. The interface lists no lines: they are learned and typed. */
export function createLineFeature({ bindings }: { readonly bindings: BindingStore }): Feature {
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
            ask: (turn) => texts(turn.locale).ask(turn.binding?.line ?? null),
            problem: (locale) => texts(locale).bad,
            // Left out, it is asked for: the question shows the present one.
            optional: true,
            askWhen: () => true,
            choices: async (turn) => {
              const lines = turn.binding === null ? [] : await bindings.lines(turn.binding.id);
              return lines.map((line) => ({
                label: line === turn.binding?.line ? `✓ ${line}` : line,
                value: line,
              }));
            },
          },
        },
        run: async (turn, { line }) => {
          if (turn.binding === null || line === undefined) return;
          await bindings.setLine({
            bindingId: turn.binding.id,
            line,
            threadId: turn.threadId,
            personId: turn.person.id,
            updateId: turn.updateId,
          });
          await turn.say(texts(turn.locale).set(line));
        },
      }),
    ],
  };
}
