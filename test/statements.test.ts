import { afterAll, beforeAll, expect, test } from 'vitest';
import * as attempts from '../src/domain/attempt.ts';
import * as dateSends from '../src/domain/date-send.ts';
import * as drafts from '../src/domain/draft.ts';
import * as jobs from '../src/domain/job.ts';
import { listOf } from '../src/domain/machine.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { projectFiles } from './support/project-files.ts';
import { declaredRow } from './support/row-types.ts';
import { readSource, readStatements, type Statement } from './support/statements.ts';

/** What is put together only when it runs, by how it begins. */
const MADE_AT_RUN_TIME: readonly (readonly [path: string, begins: RegExp, why: string])[] = [
  ['src/storage/database/copy-rows.ts', /^insert into \S+ \(\$\d\)/u, 'the columns are those of the table'],
  ['src/storage/sending/draft-copies.ts', /^update draft set \(\$1\)/u, 'the columns are those of the table'],
  ['src/storage/database/leader.ts', /^listen /u, 'the channel is a name'],
];
/** Fragments that a loop puts together. */
const FOLDED = new Map([
  ['src/storage/database/copy-rows.ts', 2],
  ['src/storage/inbox/inbound-reads.ts', 3],
]);

const sources = projectFiles('src/**/*.ts')
  .filter(({ path }) => !/\.test\.ts$|\/schema\.ts$/u.test(path))
  .map(({ path, text }) => readSource(path, text));
const { statements, strays } = readStatements(sources);
const fixed = statements.filter(
  ({ source, texts }) =>
    !MADE_AT_RUN_TIME.some(
      ([path, begins]) => path === source.path && texts.every((text) => begins.test(text.trim())),
    ),
);

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.close());

test('every statement is one that Postgres can prepare, and gives the columns that its row type declares', async () => {
  const faults: string[] = [];
  for (const statement of fixed) {
    for (const text of statement.texts) {
      const given = await describe(text);
      if (typeof given === 'string') faults.push(`${statement.at} ${given}\n${text}`);
      else faults.push(...(await rowFaults(statement, given)));
    }
  }
  expect(faults).toEqual([]);
});

test('every template is part of a statement', () => {
  const found = Map.groupBy(strays, (at) => at.replace(/:\d+$/u, ''));
  expect(new Map([...found].map(([path, list]) => [path, list.length]))).toEqual(FOLDED);
  expect(fixed.length).toBe(statements.length - MADE_AT_RUN_TIME.length);
  expect(fixed.length).toBeGreaterThan(400);
});

interface Given {
  readonly name: string;
  readonly table: number;
  readonly number: number;
}

/** The columns that a statement gives, or why it cannot be prepared. */
async function describe(text: string): Promise<readonly Given[] | string> {
  try {
    const { columns } = await database.sql.unsafe(text).describe();
    return columns.map((each) => ({
      name: each.name,
      table: Reflect.get(each, 'table'),
      number: Reflect.get(each, 'number'),
    }));
  } catch (error) {
    return String(error);
  }
}

async function rowFaults(statement: Statement, given: readonly Given[]): Promise<string[]> {
  const declared = declaredRow(statement, sources);
  if (declared === null) return [];
  const names = await columnNames();
  return [...declared].flatMap(([name, { from }]) => {
    const column = given.find((each) => each.name === name);
    if (column === undefined) return [`${statement.at} does not give ${name}`];
    const real = names.get(`${column.table}.${column.number}`);
    if (from === null || real === undefined || real === `${from.table}.${from.column}`) return [];
    return [`${statement.at} gives ${real} as ${name}, not ${from.table}.${from.column}`];
  });
}

let read: Promise<ReadonlyMap<string, string>> | undefined;

/** The columns of the database, by the numbers that the server tells them by. */
async function columnNames(): Promise<ReadonlyMap<string, string>> {
  read ??= database.sql<{ at: string; name: string }[]>`
    select a.attrelid::oid || '.' || a.attnum as at, c.relname || '.' || a.attname as name
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attnum > 0 and c.relnamespace = 'public'::regnamespace`.then(
    (rows) => new Map(rows.map(({ at, name }) => [at, name])),
  );
  return await read;
}

test('no statement writes out a set of states that has a name', () => {
  const named = [attempts, jobs, drafts, dateSends].flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) =>
      Array.isArray(value) && !name.endsWith('_STATES') ? [listOf(value.map(String))] : [],
    ),
  );
  expect(named).toContain("('accepted', 'sent')");
  const again = sources.filter(({ text }) => named.some((set) => text.includes(`state in ${set}`)));
  expect(again.map(({ path }) => path)).toEqual([]);
});
