/** Of the present element, as they are written: another's as soon as that one has come. */
export interface Attributes {
  get(name: string): string | undefined;
  names(): readonly string[];
}

/** Where the parts of a document go; names come as they are written. */
export interface XmlSink {
  /** An element, an attribute, a comment, an instruction or a CDATA section: each costs time. */
  mark(): void;
  open(name: string, attributes: Attributes): void;
  /** Characters of an element; several times where something stands between them. */
  text(content: string): void;
  close(): void;
}

export interface XmlScanner {
  /** The next piece of the document, cut anywhere. */
  push(piece: string): void;
  /** The document is over. */
  end(): void;
}

/**
 * Cuts XML 1.0 without a document type into its parts, wherever the pieces of it were cut. By hand, because a sheet of a million
 * cells has ten million marks. What is not whole is kept until the next piece.
 * @param most attributes of one element
 * @param refuse makes the error for what is not well-formed, or has a document type
 */
export function createXmlScanner(sink: XmlSink, most: number, refuse: () => Error): XmlScanner {
  /** The elements around, as they were opened. */
  const names: string[] = [];
  const keys: string[] = [];
  const values: string[] = [];
  let count = 0;
  const attributes: Attributes = {
    get(name) {
      for (let at = 0; at < count; at += 1) if (keys[at] === name) return values[at];
      return undefined;
    },
    names: () => keys.slice(0, count),
  };
  let rest = '';
  /** Nothing has come yet: only here an XML declaration may stand. */
  let isFirst = true;
  let hasRoot = false;

  const takeText = (text: string): void => {
    if (names.length === 0) {
      if (!isSpace(text)) throw refuse();
      return;
    }
    if (text.includes(']]>')) throw refuse();
    sink.text(plain(text, false));
  };

  const plain = (text: string, isAttribute: boolean): string => {
    const lines = text.includes('\r') ? text.replaceAll(/\r\n?/gu, '\n') : text;
    const spaced = isAttribute ? lines.replaceAll(/[\t\n]/gu, ' ') : lines;
    return spaced.includes('&') ? spaced.replaceAll(/&([^;&]*;?)/gu, reference) : spaced;
  };

  const reference = (_: string, name: string): string => {
    const known = ENTITIES.get(name);
    if (known !== undefined) return known;
    const [, hex, decimal = ''] = /^#(?:x([\da-f]+)|(\d+));$/iu.exec(name) ?? [];
    const code = hex === undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16);
    if (!(code <= 0x10_ffff) || !isWritable(String.fromCodePoint(code))) throw refuse();
    return String.fromCodePoint(code);
  };

  /** Ends where its name does; -1 where that has not come yet. */
  const endOfName = (text: string, from: number): number => {
    let isPlain = true;
    for (let at = from; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const kind = code < ASCII ? KINDS[code] : NAMING;
      if (code >= ASCII || (at === from && kind !== BEGINNING)) isPlain = false;
      if (kind !== ENDING) continue;
      if (at === from || (!isPlain && !NAME.test(text.slice(from, at)))) throw refuse();
      return at;
    }
    return -1;
  };

  /** Each of these gives where the next part begins, or -1 where this one is not whole yet. */
  const takeOpening = (text: string, from: number): number => {
    let at = endOfName(text, from + 1);
    if (at === -1) return -1;
    const name = text.slice(from + 1, at);
    count = 0;
    for (;;) {
      const before = at;
      at = pastSpace(text, at);
      const code = text.charCodeAt(at);
      if (code === GREATER) break;
      if (code === SLASH) {
        if (at + 1 === text.length) return -1;
        if (text.charCodeAt(at + 1) !== GREATER) throw refuse();
        break;
      }
      if (at === text.length) return -1;
      const key = at;
      at = endOfName(text, key);
      if (at === -1) return -1;
      if (before === key) throw refuse();
      const end = at;
      at = pastSpace(text, at);
      if (at === text.length) return -1;
      if (text.charCodeAt(at) !== EQUALS) throw refuse();
      at = pastSpace(text, at + 1);
      if (at === text.length) return -1;
      const quote = text.charAt(at);
      if (quote !== '"' && quote !== "'") throw refuse();
      const close = text.indexOf(quote, at + 1);
      if (close === -1) return -1;
      const value = text.slice(at + 1, close);
      if (value.includes('<')) throw refuse();
      const written = text.slice(key, end);
      if (attributes.get(written) !== undefined) throw refuse();
      keys[count] = written;
      values[count] = IN_VALUES.test(value) ? plain(value, true) : value;
      count += 1;
      if (count > most) throw refuse();
      at = close + 1;
    }
    if (names.length === 0) {
      if (hasRoot) throw refuse();
      hasRoot = true;
    }
    for (let mark = 0; mark <= count; mark += 1) sink.mark();
    sink.open(name, attributes);
    if (text.charCodeAt(at) === GREATER) {
      names.push(name);
      return at + 1;
    }
    sink.close();
    return at + 2;
  };

  const takeClosing = (text: string, from: number): number => {
    const name = names.at(-1) ?? '';
    const at = pastSpace(text, from + 2 + name.length);
    if (at >= text.length && text.indexOf('>', from) === -1) return -1;
    if (name === '' || !text.startsWith(name, from + 2) || text.charCodeAt(at) !== GREATER) throw refuse();
    names.pop();
    sink.close();
    return at + 1;
  };

  const takeComment = (text: string, from: number): number => {
    const end = text.indexOf('--', from + 4);
    if (end === -1 || end + 2 >= text.length) return -1;
    if (text.charCodeAt(end + 2) !== GREATER) throw refuse();
    sink.mark();
    return end + 3;
  };

  const takeSection = (text: string, from: number): number => {
    if (names.length === 0) throw refuse();
    const start = from + SECTION.length;
    const end = text.indexOf(']]>', start);
    if (end === -1) return -1;
    sink.mark();
    sink.text(text.slice(start, end).replaceAll(/\r\n?/gu, '\n'));
    return end + 3;
  };

  const takeInstruction = (text: string, from: number): number => {
    const end = text.indexOf('?>', from + 2);
    if (end === -1) return -1;
    const [target = ''] = text.slice(from + 2, end).split(/[ \t\r\n?]/u, 1);
    if (!NAME.test(target)) throw refuse();
    const isDeclaration = target.toLowerCase() === 'xml';
    if (isDeclaration && !(isFirst && DECLARATION.test(text.slice(from, end + 2)))) throw refuse();
    if (!isDeclaration) sink.mark();
    return end + 2;
  };

  const takeMarkup = (text: string, from: number): number => {
    switch (text.charCodeAt(from + 1)) {
      case SLASH:
        return takeClosing(text, from);
      case QUESTION:
        return takeInstruction(text, from);
      case BANG:
        if (text.startsWith('<!--', from)) return takeComment(text, from);
        if (text.startsWith(SECTION, from)) return takeSection(text, from);
        if (['<!--', SECTION].some((each) => each.startsWith(text.slice(from)))) return -1;
        throw refuse();
      default:
        return takeOpening(text, from);
    }
  };

  return {
    push(piece) {
      if (!isWritable(piece)) throw refuse();
      const text = rest + piece;
      let at = 0;
      while (at < text.length) {
        const isText = text.charCodeAt(at) !== LESS;
        const next = isText ? text.indexOf('<', at) : takeMarkup(text, at);
        if (next === -1) break;
        if (isText) takeText(text.slice(at, next));
        isFirst = false;
        at = next;
      }
      rest = text.slice(at);
    },
    end() {
      if (names.length > 0 || !hasRoot || !isSpace(rest)) throw refuse();
    },
  };
}

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const QUESTION = 0x3f;
const BANG = 0x21;
const SECTION = '<![CDATA[';

/** Of what no document may have; nor may it have half a character. */
const UNWRITABLE = /[[\p{Cc}\ufffe\uffff]--[\t\n\r\x7f-\x9f]]/v;
const DECLARATION =
  /^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.\d+"|'1\.\d+')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>$/;
const NAME =
  /^[:A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}][-.\d:A-Z_a-z\xb7\xc0-\xd6\xd8-\xf6\xf8-\u037d\u037f-\u1fff\u200c-\u200d\u203f\u2040\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}]*$/u;
/** What is written otherwise in a value than it stands for. */
const IN_VALUES = /[&\t\n\r]/;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt;', '<'],
  ['gt;', '>'],
  ['amp;', '&'],
  ['quot;', '"'],
  ['apos;', "'"],
]);

const ASCII = 0x80;
const ENDING = 0;
const NAMING = 1;
const BEGINNING = 2;
/** Of each character of ASCII, whether a name can have it, or begin with it. */
const KINDS = Uint8Array.from({ length: ASCII }, (_, code) => {
  const character = String.fromCharCode(code);
  return NAME.test(character) ? BEGINNING : /[-.\d]/.test(character) ? NAMING : ENDING;
});

function isWritable(text: string): boolean {
  return text.isWellFormed() && !UNWRITABLE.test(text);
}

function pastSpace(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return at;
}

function isSpace(text: string): boolean {
  return pastSpace(text, 0) === text.length;
}
