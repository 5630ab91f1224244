import { describe, expect, test } from 'vitest';
import { newBulk, type BulkSummary } from './bulk.ts';
import type { Outgoing } from './kinds/index.ts';
import {
  createLook,
  createMergedLook,
  hasLetters,
  heldToLines,
  isHeldTo,
  OPT_OUT_PHRASE,
} from './line-rules.ts';
import { NOTHING_FOUND, type LineRule } from './limits.ts';

const LINE = '3000123456';
const rule = (of: Partial<LineRule>): LineRule => ({
  line: LINE,
  purpose: null,
  window: null,
  required: null,
  words: [],
  ...of,
});
const sayingOf = (words: readonly string[], text: string) => createLook(rule({ words }))(text).words;
const lacks = (required: string, text: string) => createLook(rule({ required }))(text).lacks;

describe('a word that is not sent', () => {
  test.each([
    ['وام', 'وام فوری'],
    ['وام', 'فقط «وام»!'],
    ['وام', 'وام‌ها'],
    ['«وام»', 'وام فوری'],
    ['وام', 'وَام'],
    ['وام', 'وـام'],
    ['جایزه', 'جايزه ببرید'],
    ['کد 10', 'کد ۱۰ را بزنید'],
    ['می‌خواهم', 'میخواهم'],
    ['میخواهم', 'می‌خواهم'],
    ['کلاه برداری', 'کلاه‌برداری'],
    ['کلاه‌برداری', 'کلاه  برداری'],
    ['Free', 'get it FREE.'],
  ])('%s is found in %s, however it is written', (word, text) => {
    expect(sayingOf([word], text)).toEqual([word]);
  });

  test.each([
    ['وام', 'بادوام و مداوم'],
    ['free', 'freedom'],
    ['کد 10', 'کد 100'],
    ['کلاه برداری', 'کلاه را برداری'],
  ])('%s is not found in %s, where it is no word of its own', (word, text) => {
    expect(sayingOf([word], text)).toEqual([]);
  });
});

test.each([
  ['لغو۱۱', 'حراج لغو11', false],
  ['لغو۱۱', 'حراج\nلغو ۱۱', false],
  ['لغو11', 'حراج لغو=۱۱', false],
  [OPT_OUT_PHRASE, 'حراج لغو', true],
  ['لغو۱۱', '', true],
])('what a text has to say: %s in %j', (phrase, text, isLacking) => {
  expect(lacks(phrase, text)).toBe(isLacking);
});

test('a line that asks for nothing is content with any text', () => {
  expect(createLook(rule({}))('وام')).toEqual({ words: [], lacks: false });
});

test('messages that were made from a text are held anew to a rule that asks for more than they were held to', () => {
  const look = createMergedLook(rule({ words: ['sale', 'win'], required: 'Nik' }));
  for (const text of ['sale at Nik', 'bye']) look.take(text);
  const found = look.found();
  expect(found).toEqual({ required: 'Nik', lacking: 1, words: ['sale'], lookedFor: ['sale', 'win'] });
  const held = (given: typeof found | undefined, of: Partial<LineRule>) => isHeldTo(given, rule(of));
  expect(held(found, { words: ['win'], required: 'Nik' })).toBe(true);
  expect(held(found, {})).toBe(true);
  expect(held(undefined, {})).toBe(true);
  expect(held(found, { words: ['win', 'free'] })).toBe(false);
  expect(held(found, { required: 'Peyk' })).toBe(false);
  expect(held(undefined, { required: 'Nik' })).toBe(false);
  // By a program of the release before.
  expect(held({ required: null, lacking: 0, words: [] }, { words: ['win'] })).toBe(false);
});

test('a phrase of signs alone could never be found', () => {
  expect(['لغو۱۱', '11', '!', '\u200c', '🎁'].map(hasLetters)).toEqual([true, true, false, false, false]);
});

describe('a send', () => {
  const payload = (outgoing: Outgoing, text = '') => ({
    outgoing,
    line: LINE,
    text,
    flash: false,
    recipients: ['09121234567'],
  });
  const rules = [
    rule({ required: 'لغو۱۱', words: ['وام', 'free'], window: { from: 540, to: 1260 } }),
    rule({ line: '5000', words: ['gold'] }),
  ];

  test('is held to the rule of the line that it leaves from, and to no other', () => {
    expect(heldToLines(rules, payload({ kind: 'text' }, 'وام و gold'))).toEqual({
      windows: [{ line: LINE, from: 540, to: 1260 }],
      words: ['وام'],
      lacks: { line: LINE, phrase: 'لغو۱۱' },
    });
    expect(heldToLines([], payload({ kind: 'text' }, 'وام'))).toBe(NOTHING_FOUND);
    expect(heldToLines(rules, { ...payload({ kind: 'text' }, 'وام'), line: '7000' })).toEqual(NOTHING_FOUND);
  });

  test('of several messages is held to the rule of each message’s own line', () => {
    const row = (line: string, text: string) => ({ line, recipient: '09121234567', text, flash: false });
    const outgoing: Outgoing = { kind: 'multi', rows: [row(LINE, 'free لغو۱۱'), row('5000', 'free gold')] };
    expect(heldToLines(rules, payload(outgoing))).toMatchObject({
      windows: [{ line: LINE }],
      words: ['free', 'gold'],
      lacks: null,
    });
  });

  test('by a pattern says the values that are known, and nobody knows what the gateway’s text lacks', () => {
    const outgoing: Outgoing = {
      kind: 'pattern',
      patternId: '1',
      variables: { name: 'وام' },
      perCall: 1,
    };
    expect(heldToLines(rules, payload(outgoing))).toMatchObject({ words: ['وام'], lacks: null });
  });

  test('of a file says what its text says, and what was found in the messages that were made of it', () => {
    const summary = { personal: true } as BulkSummary;
    const begun = { ...newBulk({ name: 'a.csv', reference: 'r' }), columns: ['وام', 'name'] };
    const held = (text: string, found?: BulkSummary['found']) =>
      heldToLines(
        rules,
        payload({ ...begun, summary: found === undefined ? null : { ...summary, found } }, text),
      );
    // The name of a field is not what leaves.
    expect(held('{وام} {name}')).toMatchObject({ words: [], lacks: null });
    expect(held('free {name}')).toMatchObject({ words: ['free'], lacks: null });
    expect(held('free')).toMatchObject({ words: ['free'], lacks: { phrase: 'لغو۱۱' } });
    const found = { required: 'لغو۱۱', lacking: 0, words: ['وام', 'gone from the list'] };
    expect(held('{name}', found)).toMatchObject({ words: ['وام'], lacks: null });
    expect(held('{name} لغو۱۱', { ...found, lacking: 1 }).lacks).toEqual({ line: LINE, phrase: 'لغو۱۱' });
    // What was looked for then is not what is asked for now.
    expect(held('{name} لغو۱۱', { ...found, required: 'x', lacking: 3 }).lacks).toBeNull();
    expect(held('{name}', { ...found, required: null }).lacks).toEqual({ line: LINE, phrase: 'لغو۱۱' });
  });
});
