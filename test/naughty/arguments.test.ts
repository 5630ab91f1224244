import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { MarkupError, parseHtml } from '../../src/playground/text/entities-html.ts';
import { commandIn } from '../../src/telegram/dispatch/command-in.ts';
import { readLine, type Argument, type Command } from '../../src/telegram/feature.ts';
import type { Html } from '../../src/telegram/html.ts';
import { unsafe } from '../language/checks.ts';
import { declaredFeatures, quietRequest } from '../support/features.ts';
import { NAUGHTY, naughty } from './strings.ts';

/*
 * Every argument of every command meets what should not be typed: as a line, as an answer to its question, and in
 * the sentence that refuses it. Nothing may be thrown, and whatever is said is whole, escaped and fits.
 */

const RUNS = 500;
const LOCALES = ['en', 'fa'] as const;
const commands = declaredFeatures().flatMap((feature) => feature.commands);
const rows = commands.flatMap((command) =>
  Object.entries(command.args).map(([name, argument]) => ({
    title: `/${command.name} ${name}`,
    command,
    name,
    argument,
  })),
);
let inputs = 0;

afterAll(() => {
  process.stdout.write(`${rows.length} arguments of ${commands.length} commands, ${inputs} inputs\n`);
});

describe('an argument takes or refuses whatever is typed', () => {
  test.each(rows)('$title', ({ command, name, argument }) => {
    const check = (typed: string): void => {
      inputs += 1;
      // A line: what stands behind the command, cut into its arguments.
      const line = commandIn({ text: `/${command.name} ${typed}` }, 'PeykBot');
      const read = readLine(command, line?.input ?? typed);
      for (const text of Object.values(read)) expect(typeof text).toBe('string');
      if (read[name] !== undefined) judge(command, name, argument, read[name]);
      // An answer to the question.
      judge(command, name, argument, typed);
    };
    for (const typed of NAUGHTY) check(typed);
    fc.assert(fc.property(naughty, check), { numRuns: RUNS - NAUGHTY.length, endOnFailure: true });
  });
});

function judge(command: Command, name: string, argument: Argument, text: string): void {
  const result = argument.schema.safeParse(text);
  // What a form carries from its start was never typed, and is short.
  const known = Object.fromEntries(
    Object.entries(command.args).map(([key, each]) => [
      key,
      each.usage('en') === '' ? text.slice(0, 200) : text,
    ]),
  );
  for (const locale of LOCALES) {
    if (!result.success)
      expect(
        problemsOf(argument.problem(locale, argument.secret === true ? '' : text)),
        `${name}: ${text}`,
      ).toEqual([]);
    // The next question may repeat what was answered before, which its own argument has taken.
    const taken = Object.entries(command.args).every(
      ([key, each]) => key === name || each.schema.safeParse(known[key]).success,
    );
    if (taken)
      expect(problemsOf(argument.ask(quietRequest(locale), known)), `${name} asked after ${text}`).toEqual(
        [],
      );
  }
}

function problemsOf(content: Html): string[] {
  try {
    return unsafe('message', parseHtml(content.markup));
  } catch (error) {
    if (error instanceof MarkupError) return [error.message];
    throw error;
  }
}
