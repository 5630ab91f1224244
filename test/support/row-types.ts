import { dirname, join } from 'node:path';
import { nameOf, type Node, type Source, type Statement } from './statements.ts';

/** A column as the row type of a statement declares it. */
export interface Declared {
  /** Where the schema has it; null: its type is written by hand. */
  readonly from: { readonly table: string; readonly column: string } | null;
  readonly type: Node | null;
  readonly source: Source;
}

type Columns = ReadonlyMap<string, Declared>;
interface Typed {
  readonly source: Source;
  readonly type: Node;
}

/** Reads the columns that a statement's row type declares; null: it declares none, or not so that they can be told. */
export function declaredRow({ source, template }: Statement, sources: readonly Source[]): Columns | null {
  const list = template.typeArguments?.params[0];
  if (list === undefined || list.type !== 'TSArrayType') return null;
  const byPath = new Map(sources.map((each) => [each.path, each]));
  return columnsOf({ source, type: list.elementType });

  function columnsOf({ source: file, type }: Typed): Columns | null {
    const go = (each: Node): Columns | null => columnsOf({ source: file, type: each });
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- what is of another kind declares no columns
    switch (type.type) {
      case 'TSParenthesizedType':
        return go(type.typeAnnotation);
      case 'TSIntersectionType':
        return merged(type.types.map(go));
      case 'TSTypeLiteral':
      case 'TSInterfaceBody': {
        const members = type.type === 'TSTypeLiteral' ? type.members : type.body;
        return new Map(
          members.flatMap((each): [string, Declared][] =>
            each.type === 'TSPropertySignature'
              ? [
                  [
                    nameOf(each.key),
                    { from: null, type: each.typeAnnotation?.typeAnnotation ?? null, source: file },
                  ],
                ]
              : [],
          ),
        );
      }
      case 'TSTypeReference': {
        const name = nameOf(type.typeName);
        const [first, second] = type.typeArguments?.params ?? [];
        if (name === 'Row' && first !== undefined && second !== undefined) return rowOf(file, first, second);
        if ((name === 'Maybe' || name === 'Readonly') && first !== undefined) return go(first);
        if ((name === 'Pick' || name === 'Omit') && first !== undefined && second !== undefined) {
          const names = new Set(wordsOf(second));
          const all = go(first);
          return all && new Map([...all].filter(([key]) => names.has(key) === (name === 'Pick')));
        }
        return declaration(file, name);
      }
      default:
        return null;
    }
  }

  function declaration(file: Source, name: string): Columns | null {
    for (const each of file.program.body) {
      const node = each.type === 'ExportNamedDeclaration' ? each.declaration : each;
      if (node?.type === 'TSTypeAliasDeclaration' && node.id.name === name)
        return columnsOf({ source: file, type: node.typeAnnotation });
      if (node?.type === 'TSInterfaceDeclaration' && node.id.name === name)
        return merged([
          ...node.extends.map((base) => declaration(file, nameOf(base.expression))),
          columnsOf({ source: file, type: node.body }),
        ]);
      if (node?.type !== 'ImportDeclaration') continue;
      const specifier = node.specifiers.find(({ local }) => local.name === name);
      const other = byPath.get(join(dirname(file.path), node.source.value));
      if (specifier?.type === 'ImportSpecifier' && other !== undefined)
        return declaration(other, nameOf(specifier.imported));
    }
    return null;
  }
}

function rowOf(source: Source, table: Node, columns: Node): Columns {
  const [name = ''] = wordsOf(table);
  return new Map(
    wordsOf(columns).map((each) => {
      const [column = '', alias = column] = each.split(' as ');
      return [alias, { from: { table: name, column }, type: null, source }];
    }),
  );
}

function merged(all: readonly (Columns | null)[]): Columns | null {
  const entries: [string, Declared][] = [];
  for (const each of all) {
    if (each === null) return null;
    entries.push(...each);
  }
  return new Map(entries);
}

/** The words of a type: `'a' | 'b'`. */
function wordsOf(type: Node): string[] {
  if (type.type === 'TSUnionType') return type.types.flatMap(wordsOf);
  return type.type === 'TSLiteralType' ? [nameOf(type.literal)] : [];
}
