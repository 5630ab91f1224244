import * as fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Html } from './html.ts';
import {
  b,
  clip,
  code,
  EMPTY,
  fitBlocks,
  html,
  joinHtml,
  lines,
  link,
  MESSAGE_BUDGET,
  plainText,
  quote,
  visibleLength,
} from './html.ts';

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", '/', 'b', 'a', ';', 'amp', 'lt', '=', ' ') }),
  fc.constantFrom(
    '</b><a href="tg://user?id=1">x</a>',
    '&lt;b&gt;',
    '&amp;lt;',
    '&#60;',
    '<!-- -->',
    '"><script>',
    ']]>',
    '\u202e<b>',
    '\ud800',
    '\0',
  ),
);

interface Parsed {
  readonly text: string;
  readonly entities: readonly { readonly type: string; readonly text: string }[];
}

/** A reader of its own, written after Telegram's rules: it throws where Telegram would refuse. */
function parse(markup: string): Parsed {
  const open: { type: string; start: number }[] = [];
  const entities: { type: string; text: string }[] = [];
  let text = '';
  let rest = markup;
  while (rest !== '') {
    const tag = /^<(\/?)([a-z-]+)(?: href="([^"<>]*)"| expandable)?>/u.exec(rest);
    const reference = /^&(lt|gt|amp|quot);/u.exec(rest);
    if (tag) {
      if (tag[1] === '') open.push({ type: tag[2] ?? '', start: text.length });
      else {
        const last = open.pop();
        if (last === undefined || last.type !== tag[2]) throw new Error(`unmatched end tag ${tag[0]}`);
        entities.push({ type: last.type, text: text.slice(last.start) });
      }
      rest = rest.slice(tag[0].length);
    } else if (reference) {
      text += new Map([
        ['lt', '<'],
        ['gt', '>'],
        ['amp', '&'],
        ['quot', '"'],
      ]).get(reference[1] ?? '');
      rest = rest.slice(reference[0].length);
    } else {
      if (/^[<>&]/u.test(rest)) throw new Error(`bare character at ${rest.slice(0, 10)}`);
      text += rest.slice(0, 1);
      rest = rest.slice(1);
    }
  }
  if (open.length > 0) throw new Error('tag left open');
  return { text, entities };
}

const tree: fc.Memo<{ html: Html; depth: number; text: string }> = fc.memo((depth) =>
  depth <= 1
    ? hostile.map((text) => ({ html: html`${text}`, depth: 0, text: text.toWellFormed() }))
    : fc
        .tuple(tree(), hostile, fc.constantFrom('b', 'quote', 'link', 'template', 'array', 'lines', 'code'))
        .map(([inner, text, kind]) => {
          const clean = text.toWellFormed();
          const depthNow = inner.depth + 1;
          if (kind === 'b') return { html: b(inner.html), depth: depthNow, text: inner.text };
          if (kind === 'quote')
            return { html: quote(inner.html, { expandable: true }), depth: depthNow, text: inner.text };
          if (kind === 'link')
            return {
              html: link(inner.html, `https://example.test/?q=${encodeURIComponent(clean)}&r="<>`),
              depth: depthNow,
              text: inner.text,
            };
          if (kind === 'array')
            return { html: html`${[inner.html, text]}`, depth: inner.depth, text: inner.text + clean };
          if (kind === 'lines')
            return {
              html: lines(b(inner.html), false, code(text)),
              depth: depthNow,
              text: `${inner.text}\n${clean}`,
            };
          if (kind === 'code')
            return { html: html`${inner.html}${code(text)}`, depth: depthNow, text: inner.text + clean };
          return {
            html: html`<b>${text}</b> &amp; ${inner.html}`,
            depth: depthNow,
            text: `${clean} & ${inner.text}`,
          };
        }),
);

describe('escaping', () => {
  it('gives back any text after parsing, with no entity made by the text itself', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const content = html`${text}`;
        expect(parse(content.markup)).toEqual({ text: text.toWellFormed(), entities: [] });
        expect(plainText(content)).toBe(text.toWellFormed());
      }),
      { numRuns: 1000 },
    );
  });

  it('stays well formed however builders are nested', () => {
    fc.assert(
      fc.property(tree(4), (node) => {
        const parsed = parse(node.html.markup);
        expect(parsed.text).toBe(node.text);
        expect(plainText(node.html)).toBe(node.text);
        expect(visibleLength(node.html)).toBe(node.text.length);
        expect(parsed.entities.length).toBeGreaterThanOrEqual(node.depth);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps hostile text inside the one entity that the builder made', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(parse(code(text).markup).entities).toEqual([{ type: 'code', text: text.toWellFormed() }]);
      }),
    );
  });

  it('does not take a plain string, or an object that only looks alike, for markup', () => {
    expectTypeOf<string>().not.toExtend<Html>();
    expectTypeOf<{ markup: string }>().not.toExtend<Html>();
    const forged: unknown = JSON.parse('{"markup":"<b>x</b>"}');
    expect(() => Reflect.apply(b, undefined, [forged])).toThrow(TypeError);
    expect(() => Reflect.apply(b, undefined, [undefined])).toThrow(TypeError);
  });
});

describe('templates', () => {
  it('keep the sign of what is copied at its beginning between Persian words, by marks that are not copied', () => {
    expect(html`با ${code('/limits توقف')} و ${code('@nik')}`.markup).toBe(
      'با \u2068<code>/limits توقف</code>\u2069 و \u2068<code>@nik</code>\u2069',
    );
    expect(html`با ${code('تأیید')} ${code(500)} ${html`${code('/a')} یا ${code('/b')}`}`.markup).toBe(
      'با <code>تأیید</code> <code>500</code> \u2068<code>/a</code>\u2069 یا \u2068<code>/b</code>\u2069',
    );
    expect(html`by ${code('/limits')}`.markup).toBe('by <code>/limits</code>');
  });

  it('escapes values and inserts markup as it is', () => {
    const name = '<Ali & "co">';
    expect(html`Hi ${b(name)}, ${name}: ${5} of ${7n}`.markup).toBe(
      'Hi <b>&lt;Ali &amp; &quot;co&quot;&gt;</b>, &lt;Ali &amp; &quot;co&quot;&gt;: 5 of 7',
    );
  });

  it.each([
    [
      'an unknown tag',
      () =>
        html`<ul>
          ${'x'}
        </ul>`,
    ],
    ['a tag left open', () => html`<b>${'x'}`],
    ['a wrong end tag', () => html`<b><i>${'x'}</b></i>`],
    ['a value inside a tag', () => html`<a href="${'x'}">y</a>`],
    ['a bare ampersand', () => html`R&D ${'x'}`],
    ['a bare angle bracket', () => html`1 < 2 ${'x'}`],
  ])('refuses %s in the literal text', (_title, make) => {
    expect(make).toThrow(TypeError);
  });
});

describe('link', () => {
  it('escapes the address as an attribute', () => {
    expect(link('x', 'https://example.test/?a=1&b=%22').markup).toBe(
      '<a href="https://example.test/?a=1&amp;b=%22">x</a>',
    );
    expect(link('me', 'tg://user?id=7').markup).toBe('<a href="tg://user?id=7">me</a>');
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'mailto:a@b.test',
    '/relative',
    '',
  ])('refuses the address %j', (url) => {
    expect(() => link('x', url)).toThrow(TypeError);
  });
});

describe('lines and joins', () => {
  it('drops what is absent and keeps zero', () => {
    expect(lines('a', false, null, undefined, '', 0, b('c')).markup).toBe('a\n0\n<b>c</b>');
    expect(lines(false)).toEqual(EMPTY);
  });

  it('escapes the separator too', () => {
    expect(joinHtml(['a', 'b'], ' & ').markup).toBe('a &amp; b');
  });
});

describe('fitBlocks', () => {
  it('never exceeds the budget, cuts between blocks only and takes as many as fit', () => {
    const block = fc.tuple(hostile, fc.boolean()).map(([text, bold]) => (bold ? b(text) : html`${text}`));
    fc.assert(
      fc.property(
        fc.array(block),
        fc.nat(60),
        fc.constantFrom('\n', '\n\n', ' & '),
        (blocks, budget, separator) => {
          const { shown, dropped } = fitBlocks(blocks, budget, separator);
          const kept = blocks.length - dropped;
          expect(visibleLength(shown)).toBeLessThanOrEqual(budget);
          expect(shown.markup).toBe(joinHtml(blocks.slice(0, kept), separator).markup);
          const oneMore = visibleLength(joinHtml(blocks.slice(0, kept + 1), separator));
          expect(dropped === 0 || oneMore > budget).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps a message of escaped characters whole, as the reader sees each of them once', () => {
    const block = html`${'<'.repeat(MESSAGE_BUDGET)}`;
    expect(fitBlocks([block])).toEqual({ shown: block, dropped: 0 });
    expect(fitBlocks([block, html`x`])).toEqual({ shown: block, dropped: 1 });
    expect(fitBlocks([html`${'x'.repeat(MESSAGE_BUDGET + 1)}`])).toEqual({ shown: EMPTY, dropped: 1 });
  });
});

describe('clip', () => {
  it('stays within its length and ends at the border of a character', () => {
    const segmenter = new Intl.Segmenter();
    const unit = fc.constantFrom('a', 'س', '👩‍👩‍👧‍👦', '🇮🇷', 'e\u0301\u0302', '\r\n', '😀', '\u200c', '👍🏽', 'क्षि');
    fc.assert(
      fc.property(fc.string({ unit }), fc.nat(30), (text, units) => {
        const out = clip(text, units);
        expect(out.length).toBeLessThanOrEqual(units);
        const borders = [0, ...[...segmenter.segment(text)].map((part) => part.index + part.segment.length)];
        const kept = text.slice(0, Math.max(...borders.filter((border) => border <= units - 1), 0));
        expect(out).toBe(text.length <= units ? text : units === 0 ? '' : `${kept}…`);
      }),
      { numRuns: 1000 },
    );
  });
});
