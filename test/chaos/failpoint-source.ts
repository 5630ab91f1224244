import { basename } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { z } from 'zod';

/** Functions of a file, by the names of their declarations, constants or members; what is within belongs to them. */
export interface Target {
  readonly file: string;
  readonly functions: readonly string[];
}

/** One await, with a failpoint before and one after it. */
export interface Point {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  /** What is awaited. */
  readonly code: string;
  /** The lines on which that stands. */
  readonly lines: string;
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly argument: { readonly start: number; readonly end: number };
  readonly within: string;
  readonly depth: number;
}

const Node = z.looseObject({ type: z.string(), start: z.number(), end: z.number() });

/**
 * Puts a call before and after every await of some functions. Nothing else changes: the calls are made at once, and
 * cost no turn of the event loop. Throws for a function that is not there or awaits nothing.
 */
export function insertFailpoints(
  text: string,
  { file, functions }: Target,
): { text: string; points: Point[] } {
  const found = awaitsIn(text, functions);
  for (const name of functions) {
    if (!found.some(({ within }) => within === name))
      throw new Error(`no await within ${name} of ${file}: the code has changed, and the failpoints with it`);
  }
  const numbers = new Map<string, number>();
  const inserts: { at: number; rank: number; text: string }[] = [];
  const points = found.map(({ start, end, argument, within, depth }): Point => {
    if (!text.startsWith('await', start)) throw new Error(`the parser and ${file} do not agree about places`);
    const number = (numbers.get(within) ?? 0) + 1;
    numbers.set(within, number);
    const id = `${basename(file, '.ts')}:${within}:${number}`;
    const quoted = JSON.stringify(id);
    inserts.push(
      { at: start, rank: depth * 2, text: `globalThis.failpoint.after(${quoted}, ` },
      { at: argument.start, rank: depth * 2 + 1, text: `(globalThis.failpoint.before(${quoted}), ` },
      { at: argument.end, rank: -depth * 2 - 1, text: ')' },
      { at: end, rank: -depth * 2, text: ')' },
    );
    const lines = text.slice(text.lastIndexOf('\n', start) + 1, endOfLine(text, end));
    const code = text.slice(argument.start, argument.end).replaceAll(/\s+/gu, ' ');
    return { id, file, line: text.slice(0, start).split('\n').length, code, lines };
  });
  let changed = text;
  for (const insert of inserts.toSorted((one, other) => other.at - one.at || other.rank - one.rank))
    changed = changed.slice(0, insert.at) + insert.text + changed.slice(insert.at);
  return { text: changed, points };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** Every await within the named functions, in the order of the text. */
function awaitsIn(text: string, functions: readonly string[]): Found[] {
  const found: Found[] = [];
  const walk = (value: unknown, within: string | null, depth: number): void => {
    if (Array.isArray(value)) {
      for (const each of value) walk(each, within, depth);
      return;
    }
    const read = Node.safeParse(value);
    if (!read.success) return;
    const node = read.data;
    const name = NAMING.has(node.type) ? (nameOf(node['id']) ?? nameOf(node['key'])) : null;
    const inside = within ?? (name !== null && functions.includes(name) ? name : null);
    if (node.type === 'AwaitExpression' && inside !== null) {
      const argument = Node.parse(node['argument']);
      found.push({ start: node.start, end: node.end, argument, within: inside, depth });
    }
    for (const child of Object.values(node)) walk(child, inside, depth + 1);
  };
  walk(parseAst(text, { lang: 'ts' }), null, 1);
  return found.toSorted((one, other) => one.start - other.start);
}

/** What gives a function its name: its own declaration, a constant, or a member. */
const NAMING: ReadonlySet<string> = new Set(['FunctionDeclaration', 'VariableDeclarator', 'Property']);

function nameOf(value: unknown): string | null {
  const read = z.looseObject({ name: z.string() }).safeParse(value);
  return read.success ? read.data.name : null;
}
