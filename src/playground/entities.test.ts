import { array, assert, constantFrom, oneof, pre, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectEntities } from './text/entities-detect.ts';
import { MarkupError, parseHtml } from './text/entities-html.ts';
import { parseMarkdownV2 } from './text/entities-markdown.ts';
import { messageText } from './text/formatting.ts';
import { createWorld } from './world.ts';

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const escapeMarkdown = (text: string): string =>
  text.replaceAll(/[\\_*[\]()~`>#+\-=|{}.!]/g, String.raw`\$&`);
const fragments = oneof(
  constantFrom('<b>', '</b>', '<i>', '</i>', '<code>', '</code>', '<a href="', '">', '</a>', '</', '<', '>'),
  constantFrom('&amp;', '&#x1F600;', '&', '<pre><code class="language-x">', '</code></pre>', '😀', 'سلام'),
  constantFrom('*', '_', '__', '||', '`', '```', '[', '](', ')', '![', '\\', '>', '\n', '**>', '.', '!'),
  string(),
);
const anyMarkup = array(fragments, { maxLength: 30 }).map((parts) => parts.join(''));
const wellFormed = string({ unit: 'grapheme' });

function tryParse(parse: (text: string) => { text: string }, source: string): boolean {
  try {
    parse(source);
    return true;
  } catch (error) {
    if (error instanceof MarkupError) return false;
    throw error;
  }
}

describe('HTML', () => {
  it('gives any escaped text back without entities', () => {
    assert(
      property(wellFormed, (text) => {
        expect(parseHtml(escapeHtml(text))).toEqual({ text, entities: [] });
      }),
    );
  });

  it('wraps any escaped text in exactly one entity of its UTF-16 length', () => {
    assert(
      property(wellFormed, wellFormed, (before, text) => {
        pre(text !== '');
        const { entities } = parseHtml(`${escapeHtml(before)}<b>${escapeHtml(text)}</b>`);
        expect(entities).toEqual([{ type: 'bold', offset: before.length, length: text.length }]);
      }),
    );
  });

  it('never fails in another way than with a markup error, and entities stay inside the text', () => {
    assert(
      property(anyMarkup, (source) => {
        if (!tryParse(parseHtml, source)) return;
        const { text, entities } = parseHtml(source);
        for (const { offset, length } of entities) {
          expect(offset >= 0 && length > 0 && offset + length <= text.length).toBe(true);
        }
      }),
    );
  });

  it('counts offsets in UTF-16 units', () => {
    expect(parseHtml('😀 سلام <b>x😀</b>').entities).toEqual([{ type: 'bold', offset: 8, length: 3 }]);
  });

  it('reads every supported tag', () => {
    const source =
      '<b>1</b><strong>2</strong><i>3</i><em>4</em><u>5</u><ins>6</ins><s>7</s><strike>8</strike><del>9</del>' +
      '<span class="tg-spoiler">a</span><tg-spoiler>b</tg-spoiler><code>c</code><pre>d</pre>' +
      '<pre><code class="language-js">e</code></pre><a href="http://a.com/">f</a>' +
      '<blockquote>g</blockquote><blockquote expandable>h</blockquote>' +
      '<tg-time unix="1795250000" format="Dt">i</tg-time><tg-emoji emoji-id="5368324170671202286">j</tg-emoji>';
    expect(parseHtml(source).entities.map(({ type }) => type)).toEqual([
      'bold',
      'bold',
      'italic',
      'italic',
      'underline',
      'underline',
      'strikethrough',
      'strikethrough',
      'strikethrough',
      'spoiler',
      'spoiler',
      'code',
      'pre',
      'pre',
      'text_link',
      'blockquote',
      'expandable_blockquote',
      'date_time',
      'custom_emoji',
    ]);
    expect(parseHtml('<pre><code class="language-js">e</code></pre>').entities[0]).toMatchObject({
      language: 'js',
    });
  });

  it.each([
    ['ab<foo>', 'Unsupported start tag "foo" at byte offset 2'],
    ['س<br/>', 'Unsupported start tag "br/" at byte offset 2'],
    ['<b>x', 'Can\'t find end tag corresponding to start tag "b"'],
    ['<b>x</i>', 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'],
    ['x</b>', 'Unexpected end tag at byte offset 1'],
    ['<b', 'Unclosed start tag at byte offset 0'],
    ['<a href', 'Unclosed start tag "a" at byte offset 0'],
    ['<b>x</b', 'Unclosed end tag at byte offset 4'],
    ['<span>x</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
    ['<a ="x">y</a>', 'Empty attribute name in the tag "a" at byte offset 0'],
    ['<a href=a/b>y</a>', 'Unexpected end of name token at byte offset 8'],
    ['1 < 2', 'Unsupported start tag "" at byte offset 2'],
  ])('refuses %s', (source, message) => {
    expect(() => parseHtml(source)).toThrow(new MarkupError(message));
  });
});

describe('MarkdownV2', () => {
  it('gives any escaped text back without entities', () => {
    assert(
      property(wellFormed, (text) => {
        expect(parseMarkdownV2(escapeMarkdown(text))).toEqual({ text, entities: [] });
      }),
    );
  });

  it('never fails in another way than with a markup error, and entities stay inside the text', () => {
    assert(
      property(anyMarkup, (source) => {
        if (!tryParse(parseMarkdownV2, source)) return;
        const { text, entities } = parseMarkdownV2(source);
        for (const { offset, length } of entities) {
          expect(offset >= 0 && length > 0 && offset + length <= text.length).toBe(true);
        }
      }),
    );
  });

  it('reads every kind of entity', () => {
    const source =
      '*1* _2_ __3__ ~4~ ||5|| `6` [7](http://a.com/) ![8](tg://emoji?id=5368324170671202286)\n' +
      '```js\n9```\n>quote\n>more\nplain\n>hidden||';
    const { text, entities } = parseMarkdownV2(source);
    expect(text).toBe('1 2 3 4 5 6 7 8\n9\nquote\nmore\nplain\nhidden');
    expect(entities.map(({ type, offset }) => [type, offset])).toEqual([
      ['bold', 0],
      ['italic', 2],
      ['underline', 4],
      ['strikethrough', 6],
      ['spoiler', 8],
      ['code', 10],
      ['text_link', 12],
      ['custom_emoji', 14],
      ['pre', 16],
      ['blockquote', 18],
      ['expandable_blockquote', 35],
    ]);
  });

  it.each([
    ['a.b', "Character '.' is reserved and must be escaped with the preceding '\\'"],
    ['1-2', "Character '-' is reserved and must be escaped with the preceding '\\'"],
    ['a|b', "Character '|' is reserved and must be escaped with the preceding '\\'"],
    ['سس*x', "Can't find end of Bold entity at byte offset 4"],
    ['_x', "Can't find end of Italic entity at byte offset 0"],
    ['`x', "Can't find end of Code entity at byte offset 0"],
    ['[x](http://a', "Can't find end of a URL at byte offset 4"],
    ['![x]', 'The entity must contain a tg://emoji or tg://time URL'],
  ])('refuses %s', (source, message) => {
    expect(() => parseMarkdownV2(source)).toThrow(new MarkupError(message));
  });
});

function html(text: string): unknown {
  return messageText(createWorld(), { text, parseMode: 'HTML', entities: undefined });
}

describe('finished texts', () => {
  it('loses the white space around it, and entities move along', () => {
    expect(html('  a <b>b  </b>\n')).toEqual({
      text: 'a b',
      entities: [{ type: 'bold', offset: 2, length: 1 }],
    });
  });

  it('gets commands, mentions and links marked, but not inside code', () => {
    expect(html('/send @nik_shop <code>/no @one_x</code>')).toMatchObject({
      entities: [
        { type: 'bot_command', offset: 0, length: 5 },
        { type: 'mention', offset: 6, length: 9 },
        { type: 'code', offset: 16, length: 10 },
      ],
    });
  });

  it('keeps styles out of code and joins repeated ones', () => {
    expect(html('<b>a<code>b</code>c</b>')).toMatchObject({
      entities: [
        { type: 'bold', offset: 0, length: 1 },
        { type: 'code', offset: 1, length: 1 },
        { type: 'bold', offset: 2, length: 1 },
      ],
    });
    expect(html('<b>a<b>b</b></b>')).toEqual({
      text: 'ab',
      entities: [{ type: 'bold', offset: 0, length: 2 }],
    });
  });

  it('finds what Telegram finds and nothing in the middle of words', () => {
    const found = detectEntities('a/b /send@PeykBot x@y.ir http://a.ir/x. #سلام +989123456789 1/2');
    expect(found.map(({ type, offset, length }) => [type, offset, length])).toEqual([
      ['url', 25, 13],
      ['email', 18, 6],
      ['bot_command', 4, 13],
      ['hashtag', 40, 5],
      ['phone_number', 46, 13],
    ]);
  });
});
