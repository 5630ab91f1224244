import type { GatewayVersion } from '../../src/ports/gateway.ts';

/** A test by its file, from the project's root, and the titles that lead to it. */
export interface NamedTest {
  readonly file: string;
  readonly titles: readonly string[];
}

export interface OperationRow {
  readonly version: GatewayVersion;
  readonly operation: string;
  /** Through the client, against the sandbox. */
  readonly client: NamedTest;
  /** Without the client. */
  readonly sandbox: NamedTest;
  /** Each with a story through the whole application, in which it was said and the operation served. */
  readonly commands: readonly { readonly name: string; readonly story: NamedTest }[];
}

const SHARED: Readonly<Record<string, readonly string[]>> = {
  send: ['send'],
  multi: ['multi'],
  status: ['status'],
  select: ['status'],
  selectoutbox: ['outbox', 'report'],
  latest: ['latest'],
  latestoutbox: ['outbox'],
  countoutbox: ['count', 'report', 'credit'],
  countinbox: ['count'],
  inbox: ['inbox'],
  inboxpaged: ['inbox'],
  receive: ['receive'],
  statusbynumber: ['track'],
  credit: ['credit'],
  details: ['account'],
  register: ['register'],
  'phonebook-list': ['books'],
  'phonebook-numbers': ['book'],
  'blacklist-list': ['blocked'],
  'blacklist-add': ['block'],
  'blacklist-remove': ['unblock'],
  'blacklist-exists': ['isblocked'],
};

const WRITING: Readonly<Record<string, readonly string[]>> = {
  'phonebook-create': ['book_new'],
  'phonebook-delete': ['book_delete'],
  'phonebook-add': ['book_add'],
  'phonebook-remove': ['book_remove'],
  'pattern-send': ['pattern'],
};

const VERSION_1 = ['credit', 'details', 'register', 'send', 'multi', 'latest', 'status'];

/**
 * Every operation of every version, by the name under which the sandbox notes it, with the commands that lead to
 * it. Pattern send of version 3 is the one that the interface does not have.
 */
export const OPERATIONS: Readonly<Record<GatewayVersion, Readonly<Record<string, readonly string[]>>>> = {
  4: SHARED,
  3: { ...SHARED, ...WRITING, send: ['send', 'schedule'], multi: ['multi', 'bulk'] },
  1: {
    ...Object.fromEntries(Object.entries(SHARED).filter(([name]) => VERSION_1.includes(name))),
    'future-send': ['future'],
    'phonebook-send': ['booksend'],
    'phonebook-list': ['books'],
    'phonebook-by-name': ['book'],
    'phonebook-numbers': ['book'],
    ...WRITING,
  },
};

export const VERSIONS = [4, 3, 1] as const satisfies readonly GatewayVersion[];

const BEGIN = '<!-- operations: `npm run docs:operations` writes what follows -->';
const END = '<!-- operations: end -->';
const STEP = ' › ';

/** The document with the tables of these rows between its marks. Throws when it has no marks. */
export function withTables(document: string, rows: readonly OperationRow[]): string {
  const [before, , after] = parts(document);
  const tables = VERSIONS.map((version) => {
    const lines = rows.filter((row) => row.version === version).map(line);
    return `## Version ${version}\n\n| operation | client | sandbox | command |\n| --- | --- | --- | --- |\n${lines.join('\n')}\n`;
  });
  return `${before}${BEGIN}\n\n${tables.join('\n')}\n${END}${after}`;
}

/** The rows of a document, as `withTables` wrote them. */
export function readTables(document: string): OperationRow[] {
  const [, tables] = parts(document);
  return tables.split(/^## Version /m).flatMap((section) => {
    const version = VERSIONS.find((each) => section.startsWith(`${each}\n`));
    if (version === undefined) return [];
    const lines = section.split('\n').filter((each) => each.startsWith('| `'));
    return lines.map((each) => rowOf(version, each));
  });
}

function parts(document: string): [before: string, between: string, after: string] {
  const [before, rest] = document.split(BEGIN);
  const [between, after] = rest?.split(END) ?? [];
  if (before === undefined || between === undefined || after === undefined) throw new Error('no marks');
  return [before, between, after];
}

function line({ operation, client, sandbox, commands }: OperationRow): string {
  const told = commands.map(({ name, story }) => `\`/${name}\`: ${shown(story)}`);
  return `| \`${operation}\` | ${shown(client)} | ${shown(sandbox)} | ${told.join('<br>')} |`;
}

function shown({ file, titles }: NamedTest): string {
  const name = file.replace(/^.*\//, '').replace('.test.ts', '');
  return `[${name}](../../${file}) ${titles.map(escaped).join(STEP)}`;
}

function rowOf(version: GatewayVersion, text: string): OperationRow {
  const [operation = '', client = '', sandbox = '', told = ''] = text
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
  const commands = told.split('<br>').map((each) => {
    const [, name = '', story = ''] = /^`\/(\w+)`: (.+)$/.exec(each) ?? [];
    return { name, story: testOf(story) };
  });
  return {
    version,
    operation: operation.slice(1, -1),
    client: testOf(client),
    sandbox: testOf(sandbox),
    commands,
  };
}

function testOf(cell: string): NamedTest {
  const [, file = '', titles = ''] = /^\[[^\]]*\]\((?:\.\.\/){2}([^)]+)\) (.+)$/.exec(cell) ?? [];
  return { file, titles: titles.split(STEP).map(plain) };
}

/** What Markdown, or its formatter, would take for more than a letter. */
function escaped(title: string): string {
  return title.replaceAll(/[\\|<>*_`[\]]/g, '\\$&');
}

function plain(cell: string): string {
  return cell.replaceAll(/\\([\\|<>*_`[\]])/g, '$1');
}
