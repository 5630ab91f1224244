import { describe, expect, it } from 'vitest';
import { declaredFeatures } from './support/features.ts';
import { OPERATIONS, readTables, VERSIONS, withTables, type NamedTest } from './support/operations.ts';
import { projectFiles, readProjectFile } from './support/project-files.ts';
import { leadToTest, titlePatterns } from './support/test-titles.ts';

const document = readProjectFile('docs/shown/operations.md');
const rows = readTables(document);
const files = new Map(
  projectFiles('{src,test}/**/*.test.ts').map(({ path, text }) => [path, titlePatterns(path, text)]),
);

const isThere = ({ file, titles }: NamedTest): boolean => {
  const patterns = files.get(file);
  return patterns !== undefined && leadToTest(patterns, titles);
};

describe('the tables of operations in docs/shown/operations.md', () => {
  it('have every operation of every version', () => {
    const expected = VERSIONS.flatMap((version) =>
      Object.keys(OPERATIONS[version]).map((operation) => `${version} ${operation}`),
    );
    expect(rows.map(({ version, operation }) => `${version} ${operation}`)).toEqual(expected);
    expect(VERSIONS.map((version) => Object.keys(OPERATIONS[version]).length)).toEqual([22, 27, 17]);
  });

  it('name a test of the client, of the sandbox and of each command, which are there', () => {
    const named = rows.flatMap(({ client, sandbox, commands }) => [
      client,
      sandbox,
      ...commands.map(({ story }) => story),
    ]);
    expect(named.filter((each) => !isThere(each))).toEqual([]);
    expect(rows.filter(({ client }) => !client.file.startsWith('test/contract/'))).toEqual([]);
    expect(rows.filter(({ sandbox }) => !sandbox.file.startsWith('src/sandbox/'))).toEqual([]);
    const stories = rows.flatMap(({ commands }) => commands.map(({ story }) => story));
    expect(stories.filter(({ file }) => !file.startsWith('test/scenario/'))).toEqual([]);
    process.stdout.write(`${rows.length} operations, ${stories.length} ways to them from the chat\n`);
  });

  it('name a client test of that very version', () => {
    const elsewhere = rows.filter(
      ({ version, client }) => !client.titles.some((title) => title.includes(`version ${version}`)),
    );
    expect(elsewhere).toEqual([]);
  });

  it('name commands that there are, and leave out none that needs the gateway', () => {
    for (const { version, operation, commands } of rows) {
      expect(commands.map(({ name }) => name)).toEqual(OPERATIONS[version][operation]);
    }
    const real = declaredFeatures()
      .flatMap(({ commands }) => commands)
      .filter(({ about }) => about !== null);
    const told = new Set(rows.flatMap(({ commands }) => commands.map(({ name }) => name)));
    expect([...told].filter((name) => !real.some((command) => command.name === name))).toEqual([]);
    const needing = real.filter(({ facet }) => facet !== undefined).map(({ name }) => name);
    // They choose and file what others send and read, or when, and have a facet so that they are hidden where that cannot be.
    const around = new Set(['line', 'tag', 'reply', 'rule', 'rules', 'dates']);
    expect(needing.filter((name) => !told.has(name) && !around.has(name))).toEqual([]);
  });

  it('are written as they are read', () => {
    const blank = document.replace(/(?<=follows -->)[^]*(?=<!-- operations: end)/, '\n');
    const [first, ...others] = rows;
    if (first === undefined) throw new Error('no rows');
    const odd = {
      ...first,
      client: { file: 'test/contract/a.test.ts', titles: ['a | b', '`c` *d* _e_ <f> [g]'] },
    };
    expect(readTables(withTables(blank, [odd, ...others]))).toEqual([odd, ...others]);
    expect(() => withTables('no marks', rows)).toThrow('no marks');
  });
});

describe('the titles of a test file', () => {
  const source = `
    describe.each(ALL)('with $title', () => {
      test('is one', () => undefined);
      test.each([1])('is %i of %s', () => undefined);
      it.concurrent(\`has \${name}\`, () => undefined);
      other('is no test', () => undefined);
    });
    test('stands alone', () => undefined);
  `;
  const patterns = titlePatterns('a.test.ts', source);

  it.each([
    [['with version 3', 'is one']],
    [['with version 3', 'is 1 of x']],
    [['with version 3', 'has a name']],
    [['stands alone']],
  ])('lead to %j', (titles) => {
    expect(leadToTest(patterns, titles)).toBe(true);
  });

  it.each([
    [['without version 3', 'is one']],
    [['with version 3']],
    [['is no test']],
    [['with version 3', 'is one more']],
    [['stands alone', 'is one']],
  ])('do not lead to %j', (titles) => {
    expect(leadToTest(patterns, titles)).toBe(false);
  });
});
