import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineAction } from './action.ts';
import { defineCommand, readLine, takeRest, type Argument } from './feature.ts';
import { html } from './html.ts';
import type { RequestContext } from './request-context.ts';

const word: Argument = {
  schema: z.string(),
  usage: () => 'word',
  ask: () => html`?`,
  problem: () => html`!`,
};
const TURN = {} as RequestContext;

function command(args: Readonly<Record<string, Argument>>) {
  return defineCommand({
    name: 'x',
    permission: null,
    about: () => 'x',
    args,
    run: () => Promise.resolve(),
  });
}

describe('reading a line', () => {
  const { numbers, text, last } = {
    numbers: {
      ...word,
      take: (input: string) => ({
        value: /^[0-9, ]*/.exec(input)?.[0].trim() ?? '',
        rest: input.replace(/^[0-9, ]*/, ''),
      }),
    },
    text: { ...word, take: takeRest },
    last: word,
  };

  test.each<[string, Readonly<Record<string, Argument>>, string, Record<string, string>]>([
    ['nothing', { a: word }, '   ', {}],
    ['one word each, in order', { a: word, b: word }, ' one  two\nthree', { a: 'one', b: 'two' }],
    [
      'a rest with its own spaces and lines',
      { a: word, text },
      'one  two\n  three ',
      { a: 'one', text: 'two\n  three' },
    ],
    [
      'what an argument takes by its own rule',
      { numbers, text },
      '0912, 0935 hello',
      { numbers: '0912, 0935', text: 'hello' },
    ],
    ['a part that is not there leaves its place empty', { numbers, text }, 'hello', { text: 'hello' }],
    [
      'nothing for what the form alone asks',
      { key: { ...word, take: null }, last },
      'secret',
      { last: 'secret' },
    ],
    ['less than there is to know', { a: word, b: word, c: word }, 'one two', { a: 'one', b: 'two' }],
    ['Persian words', { a: word, text }, 'سلام  دنیا', { a: 'سلام', text: 'دنیا' }],
  ])('%s', (_what, args, input, wanted) => {
    expect(readLine(command(args), input)).toEqual(wanted);
  });

  describe('below a received message', () => {
    const shown = { message: 'in12', number: '09121234567' };
    const theirs = { of: 'number', isNamedBy: (typed: string) => /\d/u.test(typed) } as const;
    const whom = { ...numbers, shown: theirs };
    const line = { ...word, optional: true };

    test.each<[string, Readonly<Record<string, Argument>>, string, Record<string, string>]>([
      ['is about its sender', { whom, line }, '', { whom: '09121234567' }],
      ['says the rest to them', { whom, text }, 'hello you', { whom: '09121234567', text: 'hello you' }],
      ['is about whom it names', { whom, text }, '0935 hello', { whom: '0935', text: 'hello' }],
      [
        'needs no words in the place of the number',
        { whom: { ...text, shown: theirs }, line },
        'please',
        { whom: '09121234567' },
      ],
      [
        'has a text where something else would have stood',
        { whom: { ...text, shown: theirs }, text },
        'thank you',
        { whom: '09121234567', text: 'thank you' },
      ],
    ])('%s', (_what, args, input, wanted) => {
      expect(readLine(command(args), input, { shown })).toEqual(wanted);
    });

    test('asks for a number where its sender has none', () => {
      const unknown = { ...shown, number: null };
      expect(readLine(command({ whom, text }), 'hello', { shown: unknown })).toEqual({ text: 'hello' });
    });
  });
});

describe('a declared command', () => {
  test('gives its handler what the schemas make of the texts; what is left out is undefined', async () => {
    const got: unknown[] = [];
    const declared = defineCommand({
      name: 'x',
      permission: null,
      about: () => 'x',
      args: {
        count: { ...word, schema: z.string().transform((text) => text.length) },
        note: { ...word, optional: true },
      },
      run: (_request, values) => {
        got.push(values);
        return Promise.resolve();
      },
    });
    expect(declared.place).toBe('anywhere');
    await declared.run(TURN, { count: 'four', note: 'n', other: 'dropped' });
    await declared.run(TURN, { count: 'four' });
    expect(got).toEqual([
      { count: 4, note: 'n' },
      { count: 4, note: undefined },
    ]);
  });

  test('does not run with a text that its schema refuses', async () => {
    let ran = false;
    const declared = defineCommand({
      name: 'x',
      permission: null,
      about: () => 'x',
      args: { digits: { ...word, schema: z.string().regex(/^[0-9]+$/) } },
      run: () => {
        ran = true;
        return Promise.resolve();
      },
    });
    await expect(declared.run(TURN, { digits: 'x' })).rejects.toThrow();
    expect(ran).toBe(false);
  });
});

test('a declared action does not run with a payload of another shape', async () => {
  const got: number[] = [];
  const declared = defineAction({
    name: 'x',
    permission: 'send.stop',
    payload: z.object({ n: z.number() }),
  }).does((_request, { n }) => {
    got.push(n);
    return Promise.resolve();
  });
  await declared.run(TURN, { n: 1, more: 2 });
  for (const payload of [{}, { n: '1' }, null, undefined, 'x']) {
    await expect(declared.run(TURN, payload)).rejects.toThrow();
  }
  expect(got).toEqual([1]);
  expect(declared.permission).toBe('send.stop');
});
