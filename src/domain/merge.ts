import type { OnMissing } from './bulk.ts';
import { foldColumnName, nearestColumn } from './column-name.ts';
import { isBlank } from './message.ts';

/** A text with fields, read once for all rows. */
export interface Template {
  /** In order: a string is text as it will be sent, a number the index of the column whose value stands there. */
  readonly pieces: readonly (string | number)[];
  /** Indexes of the columns that are used, each once, in the order of their first use. */
  readonly fields: readonly number[];
  /** What stands in braces and is no column: such a text should not be sent. */
  readonly unknown: readonly UnknownField[];
}

export interface UnknownField {
  /** As it was typed, without the spaces around it. */
  readonly name: string;
  /** The column that was probably meant. */
  readonly nearest: string | null;
}

/** `missing` is an index of a column: the row cannot be rendered, and whether that row or all is left out is the caller's. */
export type RenderedRow =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly missing: number };

/**
 * Reads a text with fields such as `{name}`. `{{` and `}}` stand for the braces themselves; braces that match nothing,
 * or hold nothing, are text. Names are compared by {@link foldColumnName}; of two that are alike the first is
 * meant. A column without a name is `{3}`, `{column 3}` or `{ستون ۳}`, counted from 1. Total: accepts any string.
 */
export function readTemplate(text: string, columns: readonly string[]): Template {
  const indexOf = columnIndex(columns);
  const pieces: (string | number)[] = [];
  const fields = new Set<number>();
  const unknown = new Map<string, UnknownField>();
  let literal = '';
  for (const [token] of text.matchAll(TOKEN)) {
    const name = token.startsWith('{') ? token.slice(1, -1) : '';
    const folded = foldColumnName(name);
    const column = indexOf(folded);
    if (column === null) {
      literal += token === '{{' || token === '}}' ? token.charAt(0) : token;
      if (folded === '' || unknown.has(folded)) continue;
      const nearest = unknown.size < MAX_SUGGESTIONS ? nearestColumn(folded, columns) : null;
      unknown.set(folded, { name: name.trim(), nearest });
      continue;
    }
    if (literal !== '') pieces.push(literal);
    literal = '';
    pieces.push(column);
    fields.add(column);
  }
  if (literal !== '') pieces.push(literal);
  return { pieces, fields: [...fields], unknown: [...unknown.values()] };
}

/** The text with the columns that were probably meant; null where it names one that comes near none. */
export function withNearest(text: string, columns: readonly string[]): string | null {
  const { unknown } = readTemplate(text, columns);
  const nearest = new Map(unknown.map((each) => [foldColumnName(each.name), each.nearest]));
  if (unknown.length === 0 || [...nearest.values()].includes(null)) return null;
  return text.replaceAll(TOKEN, (token) => {
    const column = token.startsWith('{') ? nearest.get(foldColumnName(token)) : undefined;
    return column === undefined ? token : `{${column}}`;
  });
}

/** A text that somebody puts together: what comes next gets a space before it where a word or a field needs one. */
export function continued(text: string, next: string): string {
  const joins = text === '' || /[\s\u200c([«“]$/u.test(text) || /^[\s\u200c.,،:;؛!?؟…%)\]»”’']/u.test(next);
  return joins ? text + next : `${text} ${next}`;
}

/**
 * The text of one row. A value stands as it is in its cell and is never looked through for fields; only controls that
 * print nothing are left out, because one of them would make a whole Latin text Unicode. A half character or a NUL
 * stays, so that `checkMessage` refuses the row as it refuses a typed text: every rendered text goes through it.
 * `missing` is the first column, in the order of the text, whose cell is blank or not there.
 */
export function renderRow(template: Template, cells: readonly string[], onMissing: OnMissing): RenderedRow {
  let text = '';
  for (const piece of template.pieces) {
    if (typeof piece === 'string') text += piece;
    else {
      const value = cells[piece];
      if (value !== undefined && !isBlank(value)) text += value.replaceAll(SILENT, '');
      else if (onMissing.way === 'default') text += onMissing.value;
      else return { ok: false, missing: piece };
    }
  }
  return { ok: true, text };
}

/** A text of nothing but unknown fields is no slip of the hand. */
const MAX_SUGGESTIONS = 20;

/** A doubled brace, a field up to the first brace that closes it, other text, or a brace by itself. */
const TOKEN = /\{\{|\}\}|\{[^{}]*\}|[^{}]+|[{}]/gu;

const SILENT = /[\p{Cc}--[\0\t\n\r]]/gv;

/** Finds a column by its folded name, or by its place where it has none. */
function columnIndex(columns: readonly string[]): (folded: string) => number | null {
  const byName = new Map<string, number>();
  for (const [index, column] of columns.entries()) {
    const folded = foldColumnName(column);
    if (folded !== '' && !byName.has(folded)) byName.set(folded, index);
  }
  return (folded) => {
    const named = byName.get(folded);
    if (named !== undefined) return named;
    const index = Number(/^(?:column|ستون)?([1-9]\d{0,4})$/u.exec(folded)?.[1]) - 1;
    const column = columns[index];
    return column !== undefined && foldColumnName(column) === '' ? index : null;
  };
}
