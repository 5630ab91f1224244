// The tree that Rich HTML is, and the texts in it.

/** An element of Rich HTML, or a text in it. */
export interface Element {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: (Element | string)[];
}
export type Node = Element | string;
/** Rich text: a string, a list, or an object with a type. */
export type Text = unknown;

const VOID = new Set(['br', 'hr', 'img', 'input']);
/** Tags without an end, where they are written so. */
const TAG =
  /<(\/?)([a-z][a-z0-9-]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?)*)\s*(\/?)>|<!--[^]*?-->/giu;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/gu;
// prettier-ignore
const NAMED: Readonly<Record<string, string>> = {
  lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: '\u00A0', hellip: '…', mdash: '—', ndash: '–', lsquo: '‘',
  rsquo: '’', ldquo: '“', rdquo: '”',
};
/** The tree of elements. An end without a beginning is left out, and what is not ended ends with what it stands in. */
export function parse(source: string): Element {
  const root: Element = { name: '', attributes: new Map(), children: [] };
  const open: Element[] = [root];
  const here = (): Element => open.at(-1) ?? root;
  let at = 0;
  for (const match of source.matchAll(TAG)) {
    const [whole, slash, tag, attributes = '', selfClosing] = match;
    if (match.index > at) here().children.push(decoded(source.slice(at, match.index)));
    at = match.index + whole.length;
    const name = tag?.toLowerCase();
    if (name === undefined) continue;
    if (slash === '/') {
      const index = open.findLastIndex((element) => element.name === name);
      if (index > 0) open.length = index;
      continue;
    }
    const element: Element = { name, attributes: attributesOf(attributes), children: [] };
    here().children.push(element);
    if (selfClosing !== '/' && !VOID.has(name)) open.push(element);
  }
  if (at < source.length) here().children.push(decoded(source.slice(at)));
  return root;
}

function attributesOf(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      decoded(double ?? single ?? bare ?? ''),
    ]),
  );
}

function decoded(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[String(name)] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0 && code < 0x11_00_00 ? String.fromCodePoint(code) : whole;
  });
}

export function isElement(node: Node, name: string): node is Element {
  return typeof node !== 'string' && node.name === name;
}

export function all(root: Element, name: string): Element[] {
  return root.children.flatMap((child) => {
    if (typeof child === 'string') return [];
    return child.name === name ? [child] : all(child, name);
  });
}

/** The words within, as they are written. */
export function plain(nodes: readonly Node[]): string {
  return nodes
    .map((node) => (typeof node === 'string' ? node : node.name === 'br' ? '\n' : plain(node.children)))
    .join('');
}

/** Texts one after another: neighbours without looks become one. */
export function joined(texts: readonly Text[]): Text {
  const parts: Text[] = [];
  for (const part of texts.flat(Infinity)) {
    const last = parts.at(-1);
    if (part === '') continue;
    if (typeof part === 'string' && typeof last === 'string')
      parts[parts.length - 1] = (last + part).replaceAll(/ *\n */g, '\n');
    else parts.push(part);
  }
  return parts.length === 0 ? '' : parts.length === 1 ? parts[0] : parts;
}

/** Without the white space at both ends. */
export function trimmed(text: Text): Text {
  if (typeof text === 'string') return text.trim();
  if (!Array.isArray(text)) return text;
  const parts = text.map((part: unknown, index) => {
    if (typeof part !== 'string') return part;
    const begun = index === 0 ? part.trimStart() : part;
    return index === text.length - 1 ? begun.trimEnd() : begun;
  });
  return joined(parts);
}
