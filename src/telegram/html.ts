// A symbol cannot come from JSON or from a chat, so nobody else can make a value that carries it.
const brand: unique symbol = Symbol('html');

/**
 * Markup that may be shown with `parse_mode: 'HTML'`. Only this file can make one, so a plain
 * string never reaches a chat unescaped: `markup` is what goes to Telegram.
 */
export interface Html {
  readonly [brand]: true;
  readonly markup: string;
}

/** What may stand inside markup: plain values are escaped, {@link Html} is inserted as it is. */
export type HtmlPart = string | number | bigint | Html | readonly HtmlPart[];

/** A line that may be left out. */
export type Line = HtmlPart | false | null | undefined;

type PlainPart = string | number | bigint;

/** UTF-16 units that a message may hold: below Telegram's 4096 however Telegram counts them. */
export const MESSAGE_BUDGET = 3900;

export const EMPTY: Html = seal('');

/**
 * Markup from a template. The literal text is checked once: only the tags that Telegram knows,
 * closed in order, and no value inside a tag. Values between tags are escaped. Between Persian words
 * a command to copy keeps its slash at its beginning; the marks for that are not copied with it.
 * @throws {TypeError} when the literal text is not well formed
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlPart[]): Html {
  checkTemplate(strings);
  const isPersian = strings.some((literal) => PERSIAN.test(literal));
  let markup = strings[0] ?? '';
  for (const [index, value] of values.entries()) {
    const part = render(value);
    markup +=
      (isPersian && SIGNED_CODE.test(part) ? `\u2068${part}\u2069` : part) + (strings[index + 1] ?? '');
  }
  return seal(markup);
}

export function b(part: HtmlPart): Html {
  return seal(`<b>${render(part)}</b>`);
}

/** Text that a tap copies. Telegram finds no links, mentions or commands inside it. */
export function code(text: PlainPart): Html {
  return seal(`<code>${escapeText(String(text))}</code>`);
}

/**
 * A link to an https, http or tg address.
 * @throws {TypeError} when the address is not absolute or of another scheme
 */
export function link(part: HtmlPart, url: string | URL): Html {
  const parsed = URL.parse(String(url));
  if (parsed === null || !LINK_SCHEMES.has(parsed.protocol)) {
    throw new TypeError('a link needs an absolute https, http or tg address');
  }
  return seal(`<a href="${escapeText(parsed.href)}">${render(part)}</a>`);
}

/** A block quotation; an expandable one shows its first lines until it is tapped. */
export function quote(part: HtmlPart, options: { readonly expandable?: boolean } = {}): Html {
  return seal(`<blockquote${options.expandable === true ? ' expandable' : ''}>${render(part)}</blockquote>`);
}

/** One line per item. `false`, `null`, `undefined` and '' are dropped, so that a line can depend on a condition. */
export function lines(...items: readonly Line[]): Html {
  return joinHtml(items.filter(isShown));
}

/** Items with a separator between them, a newline unless told otherwise. */
export function joinHtml(items: readonly HtmlPart[], separator: HtmlPart = '\n'): Html {
  return seal(items.map(render).join(render(separator)));
}

/** The text as a reader sees it: tags removed, character references decoded. */
export function plainText(content: Html): string {
  return content.markup.replace(TAG, '').replace(REFERENCE, (whole, name: string) => NAMED[name] ?? whole);
}

/** Length in UTF-16 units as Telegram counts it, after the markup is parsed. */
export function visibleLength(content: Html): number {
  return plainText(content).length;
}

/**
 * The longest run of blocks from the start that stays within `budget` UTF-16 units, with
 * `separator` between them. A block is never cut; `dropped` says how many were left out.
 */
export function fitBlocks(
  blocks: readonly Html[],
  budget: number = MESSAGE_BUDGET,
  separator: HtmlPart = '\n',
): { shown: Html; dropped: number } {
  const gap = visibleLength(seal(render(separator)));
  let used = 0;
  let count = 0;
  for (const block of blocks) {
    used += visibleLength(block) + (count > 0 ? gap : 0);
    if (used > budget) break;
    count += 1;
  }
  return { shown: joinHtml(blocks.slice(0, count), separator), dropped: blocks.length - count };
}

/**
 * Plain text of at most `units` UTF-16 units. What is cut ends in `…`; neither a surrogate pair
 * nor a character that a reader sees as one is split.
 */
export function clip(text: string, units: number): string {
  if (text.length <= units) return text;
  if (units < 1) return '';
  const room = units - 1;
  let end = 0;
  // A boundary depends on the code point after it, so two units beyond the limit are enough to see.
  for (const { index, segment } of SEGMENTER.segment(text.slice(0, units + 2))) {
    if (index + segment.length > room) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end)}…`;
}

/** The same of a text of several lines, in one. */
export function clipLine(text: string, units: number): string {
  return clip(text.replaceAll(/\s+/gu, ' ').trim(), units);
}

const LINK_SCHEMES: ReadonlySet<string> = new Set(['https:', 'http:', 'tg:']);
const TAG = /<[^<>]*>/gu;
const PERSIAN = /\p{Script=Arabic}/u;
/** What is in code by itself and begins with a sign: `/limits`, `#vip`, `@nik`. */
const SIGNED_CODE = /^<code>[^\p{L}\p{N}][^<]*<\/code>$/u;
const REFERENCE = /&(lt|gt|amp|quot);/gu;
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };
const SEGMENTER = new Intl.Segmenter();

function seal(markup: string): Html {
  return Object.freeze({ [brand]: true as const, markup });
}

function isShown(item: Line): item is HtmlPart {
  return item !== false && item !== null && item !== undefined && item !== '';
}

function isHtml(part: object): part is Html {
  return brand in part;
}

function render(part: HtmlPart): string {
  if (typeof part === 'string') return escapeText(part);
  if (typeof part === 'number' || typeof part === 'bigint') return String(part);
  if (Array.isArray(part)) return part.map(render).join('');
  if (typeof part === 'object' && part !== null && isHtml(part)) return part.markup;
  throw new TypeError('only text, numbers and Html can stand in markup');
}

/** A lone surrogate cannot be sent as UTF-8 and Telegram would refuse the whole message. */
function escapeText(text: string): string {
  return text.toWellFormed().replace(/[<>&"]/gu, (char) => ESCAPES[char] ?? char);
}

const KNOWN_TAG =
  /^<(?:(?<open>b|i|u|s|code|pre|blockquote|tg-spoiler)(?<expandable> expandable)?|\/(?<close>b|i|u|s|code|pre|blockquote|tg-spoiler))>$/u;
const checked = new WeakSet<TemplateStringsArray>();

function checkTemplate(strings: TemplateStringsArray): void {
  if (checked.has(strings)) return;
  const open: string[] = [];
  for (const literal of strings) {
    const rest = literal.replace(TAG, (tag) => {
      const groups = KNOWN_TAG.exec(tag)?.groups;
      const closing = groups?.['close'];
      if (groups?.['open'] !== undefined) open.push(groups['open']);
      else if (closing === undefined || open.pop() !== closing) throw malformed(tag);
      return '';
    });
    if (/[<>]|&(?!(?:lt|gt|amp|quot);)/u.test(rest)) throw malformed(rest);
  }
  if (open.length > 0) throw malformed(`<${open.join('><')}> left open`);
  checked.add(strings);
}

function malformed(where: string): TypeError {
  return new TypeError(`markup in a template is not well formed: ${where}`);
}
