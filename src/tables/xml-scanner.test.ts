import * as fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { expect, it } from 'vitest';
import { createXmlScanner } from './xml-scanner.ts';

/** What a reader makes of a document; null where it refuses it. */
type Parts = readonly (readonly [what: 'open' | 'text' | 'close', ...values: readonly unknown[]])[] | null;

function ours(pieces: readonly string[]): Parts {
  const parts = collect();
  const refusal = new Error('refused');
  const scanner = createXmlScanner(
    {
      ...parts,
      mark: () => undefined,
      open: (name, attributes) =>
        parts.open(
          name,
          Object.fromEntries(attributes.names().map((key) => [key, attributes.get(key) ?? ''])),
        ),
    },
    64,
    () => refusal,
  );
  try {
    for (const piece of pieces) scanner.push(piece);
    scanner.end();
    return parts.all();
  } catch (error) {
    if (error !== refusal) throw error;
    return null;
  }
}

function theirs(text: string): Parts {
  const parts = collect();
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false });
  let isWrong = false;
  parser.on('error', () => {
    isWrong = true;
  });
  parser.on('doctype', () => {
    isWrong = true;
  });
  parser.on('opentag', (tag) => parts.open(tag.name, tag.attributes));
  parser.on('text', (content) => parts.text(content));
  parser.on('cdata', (content) => parts.text(content));
  parser.on('closetag', () => parts.close());
  parser.write(text).close();
  return isWrong ? null : parts.all();
}

/** Texts that follow each other are one; one outside of the document's element is none. */
function collect() {
  const all: ['open' | 'text' | 'close', ...unknown[]][] = [];
  let depth = 0;
  return {
    open(name: string, attributes: Readonly<Record<string, string>>): void {
      depth += 1;
      all.push(['open', name, { ...attributes }]);
    },
    text(content: string): void {
      const last = all.at(-1);
      if (depth === 0 || content === '') return;
      if (last?.[0] === 'text') last[1] = String(last[1]) + content;
      else all.push(['text', content]);
    },
    close(): void {
      depth -= 1;
      all.push(['close']);
    },
    all: () => all,
  };
}

const words = (...some: string[]) => fc.constantFrom(...some);
const name = words('a', 'c', 'row', 'x:v', 'é', '_b.1', 'constructor', 'a-b', '\u{10400}');
const space = words('', ' ', '\n', '\r\n\t');
const chars = words(
  '1',
  'گچ',
  '😀',
  '&amp;',
  '&#x41;',
  '&#1776;',
  '&lt;',
  "'",
  '>',
  '\r\n',
  '\r',
  '\t',
  ']]',
  '\u0085',
);
const content = fc.array(chars, { maxLength: 4 }).map((each) => each.join(''));
const attribute = fc
  .tuple(name, space, space, content, fc.boolean())
  .map(([key, before, after, value, isDouble]) => {
    const quote = isDouble ? '"' : "'";
    return ` ${key}${before}=${after}${quote}${value.replaceAll(quote, '')}${quote}`;
  });
const { element } = fc.letrec<{ element: string; inner: string }>((tie) => ({
  element: fc
    .tuple(name, fc.uniqueArray(attribute, { maxLength: 3 }), space, fc.array(tie('inner'), { maxLength: 4 }))
    .map(([own, attributes, end, inner]) =>
      inner.length === 0
        ? `<${own}${attributes.join('')}${end}/>`
        : `<${own}${attributes.join('')}${end}>${inner.join('')}</${own}${end}>`,
    ),
  inner: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    content,
    words('<!-- a - b -->', '<!---->', '<![CDATA[<a>&]] >]]>', '<?go on?>', '<?a b??>', '<?a?>'),
    tie('element'),
  ),
}));
const written = fc
  .tuple(
    words(
      '',
      '<?xml version="1.0"?>',
      "<?xml version='1.0' encoding='UTF-8' standalone=\"yes\" ?>\r\n",
      '<!-- a -->\n',
    ),
    element,
    words('', '\n', '<!-- b -->', '<?c d?>'),
  )
  .map((parts) => parts.join(''));
/** What makes another document of one, or none. */
const BREAKS = [
  '<',
  '>',
  '/',
  '"',
  "'",
  '=',
  '&',
  ';',
  '!',
  '?',
  '-',
  '--',
  ']]>',
  ' ',
  'a',
  '\u0000',
  '\ufffe',
  '&#0;',
  '&#xD800;',
  '&x;',
  '&;',
  '<!DOCTYPE a>',
  '<?xml version="1.0"?>',
  '<![CDATA[',
];
const broken = fc
  .tuple(written, fc.array(fc.tuple(fc.nat(), fc.nat(3), words('', ...BREAKS)), { maxLength: 2 }))
  .map(([text, changes]) =>
    changes
      .reduce((changed, [place, length, instead]) => {
        const at = place % (changed.length + 1);
        return changed.slice(0, at) + instead + changed.slice(at + length);
      }, text)
      // A decoder never gives half a character.
      .toWellFormed(),
  );

function cutInto(text: string, cuts: readonly number[]): string[] {
  const places = cuts
    .map((cut) => cut % (text.length + 1))
    .filter((at) => !/[\udc00-\udfff]/.test(text.charAt(at)))
    .toSorted((left, right) => left - right);
  return [...places, text.length].map((at, index) => text.slice(index === 0 ? 0 : places[index - 1], at));
}

it('reads XML, whole or broken, as saxes does, wherever it is cut', () => {
  let [read, refused] = [0, 0];
  fc.assert(
    fc.property(broken, fc.array(fc.nat(), { maxLength: 5 }), (text, cuts) => {
      const parts = ours(cutInto(text, cuts));
      expect(parts).toEqual(theirs(text));
      if (parts === null) refused += 1;
      else read += 1;
    }),
    { numRuns: 4000 },
  );
  expect(Math.min(read, refused)).toBeGreaterThan(300);
});

it('refuses more attributes of an element than it was told, also of one that does not end', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => ` a${at}=""`).join('');
  expect(ours([`<a${many(64)}/>`])).toHaveLength(2);
  expect(ours([`<a${many(65)}`, ' '])).toBeNull();
});
