import { parseSync, Visitor } from 'rolldown/utils';

/** Patterns of the titles in a test file; what a table of cases puts into one may be anything. */
export interface TitlePatterns {
  readonly groups: readonly RegExp[];
  readonly tests: readonly RegExp[];
}

/** Reads the titles of a test file without running it. */
export function titlePatterns(path: string, text: string): TitlePatterns {
  const groups: RegExp[] = [];
  const tests: RegExp[] = [];
  const visits: NonNullable<ConstructorParameters<typeof Visitor>[0]> = {
    CallExpression: (node) => {
      const root = rootOf(node.callee);
      const [title] = node.arguments;
      const pattern = title === undefined ? null : patternOf(title);
      if (pattern === null) return;
      if (root === 'describe') groups.push(pattern);
      if (root === 'test' || root === 'it') tests.push(pattern);
    },
  };
  new Visitor(visits).visit(parseSync(path, text).program);
  return { groups, tests };
}

/** Whether a file with these titles has a test that these titles lead to. */
export function leadToTest({ groups, tests }: TitlePatterns, titles: readonly string[]): boolean {
  return titles.every((title, index) =>
    (index === titles.length - 1 ? tests : groups).some((pattern) => pattern.test(title)),
  );
}

interface Node {
  readonly type: string;
}

/** `test` of `test`, `test.each(rows)` and `test.concurrent`. */
function rootOf(node: Node): string | null {
  if (node.type === 'Identifier' && 'name' in node) return String(node.name);
  const next =
    'object' in node ? node.object : 'callee' in node ? node.callee : 'tag' in node ? node.tag : null;
  return isNode(next) ? rootOf(next) : null;
}

function patternOf(node: Node): RegExp | null {
  if (node.type === 'Literal' && 'value' in node && typeof node.value === 'string')
    return matching(node.value);
  if (node.type !== 'TemplateLiteral' || !('quasis' in node) || !Array.isArray(node.quasis)) return null;
  const pieces = node.quasis as { value: { cooked: string | null } }[];
  return matching(pieces.map(({ value }) => value.cooked ?? '').join('%s'));
}

/** `%s`, `%i` and `$title` stand for anything. */
function matching(title: string): RegExp {
  const pieces = title.split(/%[a-zA-Z#$%]|\$[\w.]+/).map((piece) => RegExp.escape(piece));
  return new RegExp(`^${pieces.join('.*')}$`, 's');
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
