import { Marked, type TokenizerAndRendererExtension, type Tokens } from 'marked';

const SOUNDS = /\.(?:mp3|m4a|ogg|oga|opus)$/i;
const FILMS = /\.(?:mp4|mov|webm|gif)$/i;
const PICTURES = /\.(?:jpe?g|png|webp)$/i;

/** What stands between two signs and is read as Markdown again. */
function between(name: string, sign: string, pattern: RegExp, tag: string): TokenizerAndRendererExtension {
  return {
    name,
    level: 'inline',
    start: (source) => startOf(source, sign),
    tokenizer(source) {
      const [raw, inner] = pattern.exec(source) ?? [];
      if (raw === undefined || inner === undefined) return undefined;
      return { type: name, raw, tokens: this.lexer.inlineTokens(inner) };
    },
    renderer(token) {
      return `<${tag}>${this.parser.parseInline(token.tokens ?? [])}</${tag}>`;
    },
  };
}

/** What is taken as it stands. */
function verbatim(
  name: string,
  level: 'inline' | 'block',
  sign: string,
  pattern: RegExp,
  shown: (found: readonly string[]) => string,
): TokenizerAndRendererExtension {
  return {
    name,
    level,
    start: (source) => (level === 'block' ? lineStartOf : startOf)(source, sign),
    tokenizer(source) {
      const found = pattern.exec(source);
      return found === null ? undefined : { type: name, raw: found[0], text: shown(found) };
    },
    renderer: (token) => String(token['text']),
  };
}

const EXTENSIONS: TokenizerAndRendererExtension[] = [
  between('marked', '==', /^==(?=\S)([^]*?\S)==/, 'mark'),
  between('veiled', '||', /^\|\|(?=\S)([^]*?\S)\|\|/, 'tg-spoiler'),
  verbatim('formulaBlock', 'block', '$$', /^\$\$([^]+?)\$\$ *(?:\n|$)/, ([, formula]) =>
    formulaBlock(formula),
  ),
  verbatim(
    'formula',
    'inline',
    '$',
    /^\$(?=\S)([^$\n]*?\S)\$(?!\d)/,
    ([, formula]) => `<tg-math>${escaped(formula)}</tg-math>`,
  ),
  verbatim(
    'noteMark',
    'inline',
    '[^',
    /^\[\^([^\]\s]+)\](?!:)/,
    ([, name]) => `<a href="#${escaped(name)}">[${escaped(name)}]</a>`,
  ),
  {
    name: 'note',
    level: 'block',
    start: (source) => lineStartOf(source, '[^'),
    tokenizer(source) {
      const [raw, name, text] = /^\[\^([^\]\s]+)\]:[ \t]*([^\n]*)(?:\n|$)/.exec(source) ?? [];
      if (raw === undefined || text === undefined) return undefined;
      return { type: 'note', raw, name, tokens: this.lexer.inlineTokens(text) };
    },
    renderer(token) {
      const name = escaped(String(token['name']));
      return `<p><tg-reference name="${name}">${this.parser.parseInline(token.tokens ?? [])}</tg-reference></p>`;
    },
  },
  {
    // Telegram asks for no space after the signs, so that a line that begins with a hashtag is a heading.
    name: 'tightHeading',
    level: 'block',
    tokenizer(source) {
      const [raw, signs, text] = /^(#{1,6})([^\s#][^\n]*)(?:\n|$)/.exec(source) ?? [];
      if (raw === undefined || signs === undefined || text === undefined) return undefined;
      return { type: 'tightHeading', raw, depth: signs.length, tokens: this.lexer.inlineTokens(text) };
    },
    renderer(token) {
      const tag = `h${String(token['depth'])}`;
      return `<${tag}>${this.parser.parseInline(token.tokens ?? [])}</${tag}>`;
    },
  },
];

/** Rich Markdown as the Rich HTML that says the same. */
export function richMarkdown(source: string): string {
  const marked: Marked = new Marked({
    gfm: true,
    async: false,
    extensions: EXTENSIONS,
    // Addresses in a text are found afterwards, as everywhere.
    tokenizer: { url: () => undefined },
    renderer: {
      code({ text, lang }: Tokens.Code) {
        if (lang === 'math') return formulaBlock(text);
        const language = lang === undefined || lang === '' ? '' : ` class="language-${escaped(lang)}"`;
        return `<pre><code${language}>${escaped(text)}</code></pre>`;
      },
      // Markdown is read within tags, but for code.
      html(token: Tokens.HTML | Tokens.Tag): string {
        const { text } = token;
        const isRead = token.type === 'html' && token.block && !/^\s*<(?:pre|!--)/i.test(text);
        return isRead ? marked.parseInline(text, { async: false }) : text;
      },
      image({ href, title, text }: Tokens.Image) {
        return image(href, title ?? '', text);
      },
    },
  });
  return marked.parse(source, { async: false });
}

function image(address: string, title: string, text: string): string {
  const query = new URLSearchParams(address.slice(address.indexOf('?') + 1));
  const said = (name: string): string => escaped(query.get(name) ?? '');
  if (address.startsWith('tg://emoji?'))
    return `<tg-emoji emoji-id="${said('id')}">${escaped(text)}</tg-emoji>`;
  if (address.startsWith('tg://time?')) {
    return `<tg-time unix="${said('unix')}" format="${said('format')}">${escaped(text)}</tg-time>`;
  }
  const caption = title === '' ? '' : `<figcaption>${escaped(title)}</figcaption>`;
  return `<figure><${tagOf(address)} src="${escaped(address)}"/>${caption}</figure>`;
}

function tagOf(address: string): string {
  const named = /^tg:\/\/(photo|video|audio|document)\?/.exec(address)?.[1];
  const path = address.replace(/[?#].*$/, '');
  if (named === 'audio' || SOUNDS.test(path)) return 'audio';
  if (named === 'video' || FILMS.test(path)) return 'video';
  return named === 'photo' || PICTURES.test(path) || !/\/[^/]+\.\w+$/.test(path) ? 'img' : 'tg-document';
}

function formulaBlock(formula = ''): string {
  return `<tg-math-block>${escaped(formula.trim())}</tg-math-block>`;
}

function escaped(text = ''): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function startOf(source: string, sign: string): number | undefined {
  const at = source.indexOf(sign);
  return at === -1 ? undefined : at;
}

/** A block begins where a line does. */
function lineStartOf(source: string, sign: string): number | undefined {
  const at = source.startsWith(sign) ? 0 : source.indexOf(`\n${sign}`) + 1;
  return at === 0 && !source.startsWith(sign) ? undefined : at;
}
