import { parseSync, Visitor } from 'rolldown/utils';

/** What one source file reaches for. */
export interface Reach {
  /** Every name that is imported or exported from, by whatever syntax; null for one computed at run time. */
  readonly imports: readonly (string | null)[];
  /** Those of them that something runs for: all but what is imported or exported as types alone. */
  readonly runs: ReadonlySet<string | null>;
  /** It reads `process.env`, by whatever spelling. */
  readonly readsEnv: boolean;
}

type Visits = NonNullable<ConstructorParameters<typeof Visitor>[0]>;

/**
 * Reads a TypeScript file's imports: static, type-only, re-exporting, dynamic, `import('x').T` and
 * `import x = require('x')`. Strings and comments that look like imports are not taken.
 * @throws Error when the text cannot be parsed
 */
export function readReach(path: string, text: string): Reach {
  const { program, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const imports: (string | null)[] = [];
  const runs = new Set<string | null>();
  const add = (name: string | null, kind: 'type' | 'value' = 'value'): void => {
    imports.push(name);
    if (kind === 'value') runs.add(name);
  };
  let readsEnv = false;
  const visits: Visits = {
    ImportDeclaration: (node) => {
      add(node.source.value, node.importKind);
      if (/^(node:)?process$/.test(node.source.value)) readsEnv = true;
    },
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) add(node.source.value, node.exportKind);
    },
    ExportAllDeclaration: (node) => add(node.source.value, node.exportKind),
    ImportExpression: (node) => add(literal(node.source)),
    TSImportType: (node) => add(node.source.value, 'type'),
    TSExternalModuleReference: (node) => add(node.expression.value),
    MemberExpression: (node) => {
      if (nameOf(node.object) === 'process' && propertyOf(node) === 'env') readsEnv = true;
    },
    VariableDeclarator: (node) => {
      if (node.init === null || nameOf(node.init) !== 'process' || node.id.type !== 'ObjectPattern') return;
      readsEnv ||= node.id.properties.some(
        (each) => each.type === 'RestElement' || (each.key.type === 'Identifier' && each.key.name === 'env'),
      );
    },
  };
  new Visitor(visits).visit(program);
  return { imports, runs, readsEnv };
}

interface Expression {
  readonly type: string;
}

/** The last name of an expression: `process`, `globalThis.process` and `globalThis['process']` are one. */
function nameOf(node: Expression): string | undefined {
  if ('name' in node && typeof node.name === 'string') return node.name;
  return node.type === 'MemberExpression' ? propertyOf(node) : undefined;
}

function propertyOf(node: Expression): string | undefined {
  if (!('property' in node) || !isExpression(node.property)) return undefined;
  const { property } = node;
  if (property.type === 'Identifier' && 'name' in property && 'computed' in node && node.computed === false) {
    return String(property.name);
  }
  return literal(property) ?? undefined;
}

function literal(node: Expression): string | null {
  return node.type === 'Literal' && 'value' in node && typeof node.value === 'string' ? node.value : null;
}

function isExpression(value: unknown): value is Expression {
  return typeof value === 'object' && value !== null && 'type' in value;
}
