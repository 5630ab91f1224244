import { describe, expect, expectTypeOf, it } from 'vitest';

import { defineTexts } from './define.ts';

interface Rich {
  readonly html: string;
}

const rich = (html: string): Rich => ({ html });

const texts = defineTexts({
  en: {
    title: 'Send',
    greeting: (params: { name: string }) => `Hi ${params.name}`,
    card: (params: { name: string; parts: number }) => rich(`<b>${params.name}</b> ${params.parts}`),
    footer: rich('<i>end</i>'),
  },
  fa: {
    title: 'ارسال',
    greeting: ({ name }) => `سلام ${name}`,
    card: ({ name }) => rich(`<b>${name}</b>`),
    footer: rich('<i>پایان</i>'),
  },
});

describe('texts in two languages', () => {
  it('gives the texts of the language asked for', () => {
    expect(texts('en').title).toBe('Send');
    expect(texts('fa').title).toBe('ارسال');
    expect(texts('en').greeting({ name: 'Sara' })).toBe('Hi Sara');
    expect(texts('fa').greeting({ name: 'سارا' })).toBe('سلام سارا');
  });

  it('gives back whatever kind of value the entries make', () => {
    expectTypeOf(texts('fa').card({ name: 'x', parts: 2 })).toEqualTypeOf<Rich>();
    expectTypeOf(texts('fa').title).toEqualTypeOf<string>();
    expect(texts('en').card({ name: 'x', parts: 2 })).toEqual(rich('<b>x</b> 2'));
    expect(texts('fa').footer).toEqual(rich('<i>پایان</i>'));
  });

  it('does not compile when Persian lacks a key, has one too many, or makes another kind of value', () => {
    interface English {
      title: string;
      card: (params: { name: string }) => Rich;
    }
    type Tables = Parameters<typeof defineTexts<Pick<English, keyof English>>>[0];
    type Persian = Tables['fa'];
    expectTypeOf<{ title: string; card: () => Rich }>().toExtend<Persian>();
    expectTypeOf<{ title: string }>().not.toExtend<Persian>();
    expectTypeOf<{ title: string; card: (params: { name: string }) => string }>().not.toExtend<Persian>();
    expectTypeOf<{ title: string; card: (params: { other: number }) => Rich }>().not.toExtend<Persian>();
    expectTypeOf<keyof Persian>().toEqualTypeOf<'title' | 'card'>();
  });
});
