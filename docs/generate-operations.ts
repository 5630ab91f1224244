import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { startVitest, type TestCase, type Vitest } from 'vitest/node';
import type { Recorded } from '../test/support/operation-recorder.ts';
import {
  OPERATIONS,
  VERSIONS,
  withTables,
  type NamedTest,
  type OperationRow,
} from '../test/support/operations.ts';
import { whole } from '../test/support/suites.ts';

/*
 * Writes the tables of docs/shown/operations.md from a run of the tests: which of them made which operation of which version
 * run. Writes nothing when an operation has no test that passed: of the client, of the sandbox, of a command.
 */

const ROOT = join(import.meta.dirname, '..');
const DOCUMENT = join(ROOT, 'docs/shown/operations.md');
const CLIENT = 'test/contract/';
const SANDBOX = 'src/sandbox/';
const STORIES = 'test/scenario/';

type Seen = NamedTest & Recorded;

const vitest = await startVitest('test', [CLIENT, SANDBOX, STORIES], {
  ...whole,
  root: ROOT,
  config: false,
  watch: false,
  include: ['{src,test}/**/*.test.ts'],
  // The recorder stands in the doors of modules: each file loads its own.
  isolate: true,
  globalSetup: [join(ROOT, 'test/support/seed.ts'), join(ROOT, 'test/support/global-setup.ts')],
  setupFiles: [join(ROOT, 'test/support/operation-recorder.ts')],
});
const seen = testsOf(vitest);
await vitest.close();

const missing: string[] = [];
const rows = VERSIONS.flatMap((version) =>
  Object.entries(OPERATIONS[version]).flatMap(([operation, commands]): OperationRow[] => {
    const able = seen.filter(({ operations }) => operations.includes(`${version} ${operation}`));
    const client = best(able, CLIENT, version, operation);
    const sandbox = best(able, SANDBOX, version, operation);
    if (client === null) missing.push(`client, version ${version}: ${operation}`);
    if (sandbox === null) missing.push(`sandbox, version ${version}: ${operation}`);
    if (client === null || sandbox === null) return [];
    const told = commands.flatMap((name) => {
      const telling = able.filter((test) => test.commands.includes(name));
      const story = best(telling, STORIES, version, `/${name}`);
      if (story === null) missing.push(`chat, version ${version}: ${operation} by /${name}`);
      return story === null ? [] : [{ name, story }];
    });
    return [{ version, operation, client, sandbox, commands: told }];
  }),
);
if (missing.length > 0) throw new Error(`no test that passed:\n${missing.join('\n')}`);

await writeFile(DOCUMENT, withTables(await readFile(DOCUMENT, 'utf8'), rows));
await promisify(execFile)(join(ROOT, 'node_modules/.bin/oxfmt'), [DOCUMENT]);
const stories = rows.flatMap(({ commands }) => commands).length;
process.stdout.write(`${rows.length} operations, ${stories} ways to them from the chat\n`);

function testsOf({ state }: Vitest): readonly Seen[] {
  return state
    .getTestModules()
    .flatMap((module) => [...module.children.allTests('passed')])
    .map((test) => ({
      file: relative(ROOT, test.module.moduleId).replaceAll('\\', '/'),
      titles: titlesOf(test),
      ...(test.meta().recorded ?? { operations: [], commands: [], failures: 0 }),
    }));
}

function titlesOf(test: TestCase): readonly string[] {
  const titles = [test.name];
  for (let suite = test.parent; suite.type === 'suite'; suite = suite.parent) titles.unshift(suite.name);
  return titles;
}

/** The test that says most: its calls go well, it names version and subject, it does little else. */
function best(tests: readonly Seen[], folder: string, version: number, subject: string): NamedTest | null {
  const ranked = tests
    .filter(({ file }) => file.startsWith(folder))
    .map(({ file, titles, operations, failures }) => {
      const title = titles.join(' ');
      const names = (version: number): boolean => title.includes(`version ${version}`);
      const others = VERSIONS.filter((each) => each !== version).some(names);
      const named = Number(names(version)) - Number(others) + Number(title.includes(subject));
      return { file, titles, title, ranks: [failures, -named, operations.length] };
    })
    .toSorted((left, right) => {
      const place = left.ranks.findIndex((rank, index) => rank !== right.ranks[index]);
      const byRank = (left.ranks[place] ?? 0) - (right.ranks[place] ?? 0);
      return byRank || left.file.localeCompare(right.file) || left.title.localeCompare(right.title);
    });
  const [first] = ranked;
  return first === undefined ? null : { file: first.file, titles: first.titles };
}
