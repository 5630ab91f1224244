import * as fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { NAUGHTY } from '../../test/naughty/strings.ts';
import { picture, text, widthOf, type TextStyle } from './svg.ts';

const style: TextStyle = {
  x: 1,
  y: 2,
  size: 10,
  anchor: 'start',
  fill: '#000',
  direction: 'rtl',
};

/** Elements and characters of a document, by a parser that takes no liberties. */
function read(markup: string) {
  const parser = new SaxesParser();
  const elements: string[] = [];
  let words = '';
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => elements.push(name));
  parser.on('text', (more) => (words += more));
  parser.write(markup).close();
  return { elements, words };
}

const drawn = (content: string, more: Partial<TextStyle> = {}) =>
  read(picture(100, 100, 'Vazirmatn', [text(content, { ...style, ...more })]));

describe('a text in a picture', () => {
  it('is a text and nothing else, whatever it holds', () => {
    const strings = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...NAUGHTY),
      fc.constantFrom(
        '</text><script>x</script>',
        '"/><image href="file:///etc/passwd"/>',
        '&#x0;&x;',
        ']]>',
        '\0',
      ),
    );
    fc.assert(
      fc.property(strings, (content) => {
        expect(drawn(content).elements).toEqual(['svg', 'text']);
      }),
    );
  });

  it('comes back as it was, within what isolates its direction', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (content) => {
        expect(drawn(content).words).toBe(`\u2067${content.replaceAll(/\p{Cc}/gu, '\uFFFD')}\u2069`);
        expect(drawn(content, { direction: 'ltr' }).words.startsWith('\u2066')).toBe(true);
      }),
    );
  });

  it('is cut where it would be wider than its place, and only there', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 20, max: 300 }), (content, width) => {
        const { words } = drawn(content, { width });
        expect(widthOf(words) * style.size).toBeLessThanOrEqual(width + 1e-6);
        if (widthOf(content) * style.size > width) expect(words.endsWith('…\u2069')).toBe(true);
      }),
    );
  });
});
