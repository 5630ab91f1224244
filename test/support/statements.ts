import { dirname, join } from 'node:path';
import { parseSync, type Visitor } from 'rolldown/utils';
import * as attempts from '../../src/domain/attempt.ts';
import * as dateSends from '../../src/domain/date-send.ts';
import * as drafts from '../../src/domain/draft.ts';
import * as jobs from '../../src/domain/job.ts';
import { listOf, type Moves } from '../../src/domain/machine.ts';

/*
 * Finds the SQL of the sources without running them: every template of the client, with the fragments put in that
 * stand in it. What is bound becomes a parameter.
 */

type Visits = NonNullable<ConstructorParameters<typeof Visitor>[0]>;
type Visited<K extends keyof Visits> = Parameters<NonNullable<Visits[K]>>[0];
export type Template = Visited<'TaggedTemplateExpression'>;
export type Node = { [K in keyof Visits]-?: Visited<K> }[keyof Visits] | Template['tag'];
type Fn = Visited<'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression'>;

/** A file, and for each node the one that it stands in. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly program: Visited<'Program'>;
  readonly parents: ReadonlyMap<Node, Node>;
}

export interface Statement {
  readonly source: Source;
  readonly template: Template;
  /** Path and line. */
  readonly at: string;
  /** Each way in which it may be written, by its conditions. */
  readonly texts: readonly string[];
}

/** What an expression is in a statement: SQL, words of the program, something with members; or it is bound. */
type Value =
  | { readonly sql: readonly string[] }
  | { readonly words: readonly string[] }
  | { readonly list: readonly Value[] }
  | { readonly members: ReadonlyMap<string, Value> }
  | null;
type Env = ReadonlyMap<Node, Value>;

interface Found {
  readonly source: Source;
  readonly node: Node;
}

const BOUND = '\0';
const CLIENTS = new Set(['sql', 'tx', 'db', 'query']);
const MACHINES = new Map<string, Moves<string>>([
  ['attempt', attempts.ATTEMPT_MOVES],
  ['date_send', dateSends.DATE_SEND_MOVES],
  ['draft', drafts.DRAFT_MOVES],
  ['job', jobs.JOB_MOVES],
]);
const BEGINS = /^\s*(?:select|insert|update|delete|with|values|create|drop|truncate|lock|listen|notify)\b/iu;
const MAX_WAYS = 24;
/** Where a set of states is put together as the program runs. */
const ANY_STATE = ['cancelled'];

export function readSource(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const parents = new Map<Node, Node>();
  const walk = (node: Node): void => {
    for (const child of childrenOf(node)) {
      parents.set(child, node);
      walk(child);
    }
  };
  walk(program);
  return { path, text, program, parents };
}

/**
 * Reads every statement of some files.
 * @returns statements, and where templates stand that are part of none
 */
export function readStatements(sources: readonly Source[]): {
  readonly statements: readonly Statement[];
  readonly strays: readonly string[];
} {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const calls = sources.flatMap((source) =>
    [...source.parents.keys()].flatMap((node) => (node.type === 'CallExpression' ? [{ source, node }] : [])),
  );
  const templates = sources.flatMap((source) =>
    [...source.parents.keys()].flatMap((node) => (isTemplate(node) ? [{ source, node }] : [])),
  );
  const inlined = new Set<Node>();
  const callsTo = Map.groupBy(calls, ({ source, node }) => calledFn(source, node.callee)?.node);

  const all = templates.map(({ source, node }) => ({ source, node, texts: waysOf(source, node) }));
  const statements: Statement[] = [];
  const strays: string[] = [];
  for (const { source, node, texts } of all) {
    if (inlined.has(node)) continue;
    const at = `${source.path}:${lineOf(source, node)}`;
    if (texts.every((text) => BEGINS.test(text)))
      statements.push({ source, template: node, at, texts: texts.map(numbered) });
    else strays.push(at);
  }
  return { statements, strays };

  function waysOf(source: Source, node: Template): string[] {
    const missing = new Set<Fn>();
    const plain = expand(source, node, new Map(), missing, 0);
    const ways = [...missing].flatMap((fn) => envsOf(source, fn, 0));
    const given = ways.flatMap((env) => expand(source, node, env, new Set(), 0));
    return [...new Set(given.length > 0 ? given : plain)].slice(0, MAX_WAYS);
  }

  /** What the calls of a function give it, where some of that is not bound. */
  function envsOf(source: Source, fn: Fn, depth: number): Env[] {
    if (depth > 3) return [];
    const envs: Env[] = [];
    for (const call of callsTo.get(fn) ?? []) {
      const missing = new Set<Fn>();
      const env = argumentsOf({ source, node: fn }, call.source, call.node, new Map(), missing, 0);
      const outer = [...missing].flatMap((each) => envsOf(call.source, each, depth + 1));
      if (outer.length === 0) envs.push(env);
      for (const each of outer)
        envs.push(argumentsOf({ source, node: fn }, call.source, call.node, each, new Set(), 0));
    }
    return envs.filter((env) => [...env.values()].some((value) => value !== null));
  }

  function expand(source: Source, node: Template, env: Env, missing: Set<Fn>, depth: number): string[] {
    const { quasis, expressions } = node.quasi;
    const parts = expressions.map((each) => resolve(source, each, env, missing, depth + 1));
    const columns = parts.map((part) => (part !== null && 'sql' in part ? part.sql : [BOUND]));
    const ways = Math.min(MAX_WAYS, Math.max(1, ...columns.map((each) => each.length)));
    return Array.from({ length: ways }, (_, way) =>
      quasis.map((quasi, i) => quasi.value.cooked + (columns[i]?.[way % columns[i].length] ?? '')).join(''),
    );
  }

  function resolve(source: Source, node: Node, env: Env, missing: Set<Fn>, depth: number): Value {
    if (depth > 40) return null;
    const go = (each: Node): Value => resolve(source, each, env, missing, depth + 1);
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- what is of another kind is bound
    switch (node.type) {
      case 'TaggedTemplateExpression': {
        if (!isTemplate(node)) return null;
        inlined.add(node);
        return { sql: expand(source, node, env, missing, depth) };
      }
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'ParenthesizedExpression':
      case 'SpreadElement':
        return go('argument' in node ? node.argument : node.expression);
      case 'ConditionalExpression':
        return either([go(node.consequent), go(node.alternate)]);
      case 'LogicalExpression':
        return either([go(node.left), go(node.right)]);
      case 'Literal':
        return typeof node.value === 'string' ? { words: [node.value] } : null;
      case 'TemplateLiteral':
        return node.expressions.length === 0 ? { words: [node.quasis[0]?.value.cooked ?? ''] } : null;
      case 'ArrayExpression':
        return { list: node.elements.map((each) => (each === null ? null : go(each))) };
      case 'ObjectExpression':
        return {
          members: new Map(
            node.properties.flatMap((each) =>
              each.type === 'Property' ? [[nameOf(each.key), go(each.value)] as const] : [],
            ),
          ),
        };
      case 'MemberExpression': {
        const object = go(node.object);
        if (object === null || !('members' in object)) return null;
        if (!node.computed) return object.members.get(nameOf(node.property)) ?? null;
        return either([...object.members.values()]);
      }
      case 'Identifier':
        return resolveName(source, node, env, missing, depth);
      case 'CallExpression':
        return resolveCall(source, node, env, missing, depth);
      default:
        return null;
    }
  }

  function resolveName(source: Source, node: Node, env: Env, missing: Set<Fn>, depth: number): Value {
    const found = lookUp(source, nameOf(node), node);
    if (found === null) return null;
    const known = env.get(found.node);
    if (known !== undefined) return known;
    const parent = found.source.parents.get(found.node);
    if (parent?.type === 'VariableDeclarator' && parent.init !== null)
      return resolve(found.source, parent.init, env, missing, depth + 1);
    const pattern = patternOf(found);
    if (pattern.declarator?.init) {
      const object = resolve(found.source, pattern.declarator.init, env, missing, depth + 1);
      return object !== null && 'members' in object ? (object.members.get(pattern.key) ?? null) : null;
    }
    if (pattern.fn !== null) missing.add(pattern.fn);
    return null;
  }

  function resolveCall(source: Source, node: Node, env: Env, missing: Set<Fn>, depth: number): Value {
    if (node.type !== 'CallExpression') return null;
    const go = (each: Node | undefined): Value =>
      each === undefined ? null : resolve(source, each, env, missing, depth + 1);
    const { callee } = node;
    if (callee.type === 'MemberExpression') {
      if (nameOf(callee.property) !== 'unsafe') return null;
      const text = go(node.arguments[0]);
      return text !== null && 'words' in text ? { sql: text.words } : null;
    }
    if (callee.type !== 'Identifier') return null;
    if (CLIENTS.has(callee.name)) return helped(go(node.arguments[0]));
    if (callee.name === 'move')
      return moved(go(node.arguments[1]), go(node.arguments[2]), go(node.arguments[3]));
    if (callee.name === 'listed') return { sql: [listOf(wordsIn(go(node.arguments[1])))] };
    if (callee.name === 'moveBy') {
      const how = go(node.arguments[2]);
      return moved(
        go(node.arguments[1]),
        null,
        how && 'members' in how ? (how.members.get('as') ?? null) : null,
      );
    }
    const fn = calledFn(source, callee);
    if (fn === null || !isFn(fn.node)) return null;
    const inner = argumentsOf(fn, source, node, env, missing, depth);
    const returned = returnsOf(fn.node).map((each) => resolve(fn.source, each, inner, missing, depth + 1));
    return either(returned.filter((each) => each !== null));
  }

  function argumentsOf(fn: Found, from: Source, call: Node, env: Env, missing: Set<Fn>, depth: number): Env {
    if (!isFn(fn.node) || call.type !== 'CallExpression') return env;
    const inner = new Map(env);
    for (const [i, param] of fn.node.params.entries()) {
      const given = call.arguments[i];
      const value = given === undefined ? null : resolve(from, given, env, missing, depth + 1);
      if (param.type === 'Identifier') inner.set(param, value);
      if (param.type === 'AssignmentPattern')
        inner.set(
          param.left,
          given === undefined ? resolve(fn.source, param.right, inner, missing, depth + 1) : value,
        );
      if (param.type !== 'ObjectPattern') continue;
      for (const each of param.properties) {
        if (each.type !== 'Property') continue;
        const key = nameOf(each.key);
        const member = value !== null && 'members' in value ? (value.members.get(key) ?? null) : null;
        inner.set(each.value.type === 'AssignmentPattern' ? each.value.left : each.value, member);
      }
    }
    return inner;
  }

  function calledFn(source: Source, callee: Node): Found | null {
    const found = lookUp(source, nameOf(callee), callee);
    if (found === null) return null;
    const parent = found.source.parents.get(found.node);
    if (
      parent !== undefined &&
      isFn(parent) &&
      parent.type === 'FunctionDeclaration' &&
      parent.id === found.node
    )
      return { source: found.source, node: parent };
    const init = parent?.type === 'VariableDeclarator' ? parent.init : null;
    return init !== null && init !== undefined && isFn(init) ? { source: found.source, node: init } : null;
  }

  /** The identifier that declares a name where it is used, also in another file. */
  function lookUp(source: Source, name: string, from: Node): Found | null {
    for (let node = source.parents.get(from); node !== undefined; node = source.parents.get(node)) {
      const declared = declarations(node).get(name);
      if (declared === undefined) continue;
      const specifier = source.parents.get(declared);
      if (specifier?.type !== 'ImportSpecifier') return { source, node: declared };
      const declaration = source.parents.get(specifier);
      if (declaration?.type !== 'ImportDeclaration') return null;
      const other = byPath.get(join(dirname(source.path), declaration.source.value));
      const found = other && declarations(other.program).get(nameOf(specifier.imported));
      return other === undefined || found === undefined ? null : { source: other, node: found };
    }
    return null;
  }
}

const cache = new WeakMap<Node, ReadonlyMap<string, Node>>();

/** Names that a scope declares. */
function declarations(node: Node): ReadonlyMap<string, Node> {
  const known = cache.get(node) ?? new Map(declaredIn(node).map((each) => [nameOf(each), each]));
  cache.set(node, known);
  return known;
}

function declaredIn(node: Node): Node[] {
  if (isFn(node)) return node.params.flatMap((each) => namesIn(each));
  const body: Node[] = [];
  if (node.type === 'BlockStatement' || node.type === 'Program') body.push(...node.body);
  if (node.type === 'ForOfStatement' && node.left.type === 'VariableDeclaration') body.push(node.left);
  return body.flatMap((each) => {
    const inner = each.type === 'ExportNamedDeclaration' ? each.declaration : each;
    if (inner === null) return [];
    if (inner.type === 'ImportDeclaration') return inner.specifiers.map(({ local }) => local);
    if (inner.type === 'FunctionDeclaration') return inner.id === null ? [] : [inner.id];
    return inner.type === 'VariableDeclaration' ? inner.declarations.flatMap(({ id }) => namesIn(id)) : [];
  });
}

function namesIn(pattern: Node): Node[] {
  if (pattern.type === 'Identifier') return [pattern];
  if (pattern.type === 'AssignmentPattern') return namesIn(pattern.left);
  if (pattern.type === 'ArrayPattern')
    return pattern.elements.flatMap((each) => (each === null ? [] : namesIn(each)));
  if (pattern.type !== 'ObjectPattern') return [];
  return pattern.properties.flatMap((each) => (each.type === 'Property' ? namesIn(each.value) : []));
}

/** Whose pattern a name stands in: `const { to } = …`, or a function's parameter. */
function patternOf({ source, node }: Found) {
  let key = '';
  for (let each = source.parents.get(node); each !== undefined; each = source.parents.get(each)) {
    if (each.type === 'Property') key = nameOf(each.key);
    if (each.type === 'VariableDeclarator') return { key, declarator: each, fn: null };
    if (isFn(each)) return { key, declarator: null, fn: each };
  }
  return { key, declarator: null, fn: null };
}

function returnsOf(fn: Fn): Node[] {
  if (fn.body === null) return [];
  if (fn.body.type !== 'BlockStatement') return [fn.body];
  const found: Node[] = [];
  const walk = (node: Node): void => {
    if (isFn(node)) return;
    if (node.type === 'ReturnStatement' && node.argument !== null) found.push(node.argument);
    childrenOf(node).forEach(walk);
  };
  walk(fn.body);
  return found;
}

/** What the client makes of `sql(value)`: names, a list of values, or columns with their values. */
function helped(value: Value): Value {
  if (value === null) return null;
  if ('words' in value) return { sql: value.words.map((word) => `"${word}"`) };
  if ('list' in value) return { sql: [`(${value.list.map(() => BOUND).join(', ')})`] };
  if (!('members' in value)) return null;
  const keys = [...value.members.keys()];
  return {
    sql: [`(${keys.map((key) => `"${key}"`).join(', ')}) values (${keys.map(() => BOUND).join(', ')})`],
  };
}

/** The states of a set, as they stand in the sources. */
function wordsIn(value: Value): readonly string[] {
  if (value === null) return ANY_STATE;
  if ('words' in value) return value.words;
  return 'list' in value ? value.list.flatMap(wordsIn) : ANY_STATE;
}

/** The parts of a move. Which state it leads to is the same to a statement. */
function moved(table: Value, name: Value, alias: Value): Value {
  if (table === null || !('words' in table)) return null;
  const [of = ''] = table.words;
  const machine = MACHINES.get(of);
  if (machine === undefined) return null;
  const [as = of] = alias !== null && 'words' in alias ? alias.words : [];
  const known = name !== null && 'words' in name ? name.words : [];
  const unknown = known.find((each) => !(each in machine));
  if (unknown !== undefined) throw new Error(`no move of ${of} is called ${unknown}`);
  const from = known.length === 0 ? [ANY_STATE] : known.map((each) => Object.keys(machine[each] ?? {}));
  return {
    members: new Map([
      ['to', { sql: [`'cancelled'`] }],
      ['may', { sql: from.map((states) => `${as}.state in ${listOf(states)}`) }],
    ]),
  };
}

function either(values: readonly Value[]): Value {
  const sql = values.flatMap((each) => (each !== null && 'sql' in each ? each.sql : []));
  if (sql.length > 0) return { sql: values.some((each) => each === null) ? [...sql, BOUND] : sql };
  const words = values.flatMap((each) => (each !== null && 'words' in each ? each.words : []));
  if (words.length > 0) return { words };
  return values.find((each) => each !== null) ?? null;
}

function numbered(text: string): string {
  let n = 0;
  return text.replaceAll(BOUND, () => `$${(n += 1)}`);
}

function lineOf({ text }: Source, { start }: Node): number {
  return text.slice(0, start).split('\n').length;
}

export function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'Literal' ? String(node.value) : '';
}

export function isTemplate(node: Node): node is Template {
  return (
    node.type === 'TaggedTemplateExpression' &&
    CLIENTS.has(nameOf(node.tag.type === 'MemberExpression' ? node.tag.property : node.tag))
  );
}

function isFn(node: Node): node is Fn {
  return /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/u.test(node.type);
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
