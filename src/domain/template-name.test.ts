import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTemplateCall, readTemplateName } from './template-name.ts';

describe('the name of a template', () => {
  test.each<[string, string]>([
    ['welcome', 'welcome'],
    ['#welcome', 'welcome'],
    [' ＃Welcome ', 'Welcome'],
    ['خوش\u200cآمد', 'خوش\u200cآمد'],
    ['پيك', 'پیک'],
    ['yalda_1405-b', 'yalda_1405-b'],
    ['طرح٣', 'طرح۳'],
    ['e\u0301te', '\u00e9te'],
    ['_', '_'],
    ['a'.repeat(32), 'a'.repeat(32)],
    ['constructor', 'constructor'],
  ])('%j is %j', (typed, name) => {
    expect(readTemplateName(typed)).toBe(name);
  });

  test.each([
    '',
    '#',
    '##a',
    '# a',
    'two words',
    'a#b',
    '-a',
    'a.b',
    'a/b',
    '{a}',
    'a'.repeat(33),
    '😀',
    'a\0',
    '\u200ca',
  ])('%j is none', (typed) => {
    expect(readTemplateName(typed)).toBeNull();
  });

  test('is read from itself, and called by itself', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[#a-zآ-ي٠-٩_-]{1,34}$/u)),
        (typed) => {
          const name = readTemplateName(typed);
          if (name === null) return;
          expect(readTemplateName(name)).toBe(name);
          expect(readTemplateCall(`#${name}`)).toBe(name);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('is called by itself with a space before it', () => {
    expect(readTemplateCall(' #welcome')).toBe('welcome');
  });

  test.each([
    'welcome',
    'see #welcome',
    'see#welcome',
    '#welcome now',
    '#welcome\nmore',
    '# welcome',
    '',
    '#',
  ])('is not called by the text %j', (text) => {
    expect(readTemplateCall(text)).toBeNull();
  });
});
