import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.close());

const HOSTILE = [
  '',
  ' ',
  'NULL',
  'null',
  '{}',
  '{a,b}',
  ',',
  '"',
  '\\',
  '\\"',
  '""',
  "'",
  '\n',
  '\t',
  'سلام',
  '😀',
];
const ID = '0190a0b0-0000-7000-8000-000000000001';

describe('an array in a statement', () => {
  test.each([
    ['text', ['a', null, ...HOSTILE]],
    ['varchar', ['a', null, ...HOSTILE]],
    ['uuid', [ID, null]],
    ['bigint', [9_007_199_254_740_991, -1, null]],
    ['smallint', [1, -2, null]],
    ['int', [0, 2_147_483_647, null]],
    ['real', [1.5, null]],
    ['float8', [0.1, -1e300, null]],
  ])('comes back as it went, of %s', async (type, values) => {
    const { sql } = database;
    const [row] = await sql<{ values: unknown }[]>`select ${values}::${sql.unsafe(type)}[] as values`;
    expect(row?.values).toEqual(values);
  });

  test.each(['text', 'uuid', 'bigint', 'int'])('may be empty, of %s', async (type) => {
    const { sql } = database;
    const [row] = await sql<{ values: unknown }[]>`
      select ${[]}::${sql.unsafe(type)}[] as values, cardinality(${[]}::${sql.unsafe(type)}[]) as size`;
    expect(row).toEqual({ values: [], size: 0 });
  });

  test('is the one of a column too, where nothing says its type', async () => {
    const { sql } = database;
    await sql`create table arrays (texts text[], ids uuid[], small int[], large bigint[])`;
    const written = {
      texts: ['a,b', '{"c"}', null],
      ids: [ID],
      small: [7, null],
      large: [1_234_567_890_123_456],
    };
    await sql`insert into arrays (texts, ids, small, large)
      values (${written.texts}, ${written.ids}, ${written.small}, ${written.large})`;
    expect(await sql`select * from arrays`).toEqual([written]);
    expect(
      await sql`select 1 as found from arrays where ${ID} = any(ids) and 'a,b' = any(texts)`,
    ).toHaveLength(1);
  });

  test('has every text in it, whatever the text is', async () => {
    const { sql } = database;
    const text = fc.oneof(
      fc.constantFrom(...HOSTILE),
      fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', ',', ' ', 'a', '\n') }),
      fc.string({ unit: 'binary' }).map((each) => each.replaceAll('\0', '')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text), { maxLength: 8 }), async (values) => {
        const [row] = await sql<{ values: unknown; size: number; first: unknown }[]>`
          select ${values}::text[] as values, cardinality(${values}::text[]) as size, (${values}::text[])[1] as first`;
        expect(row).toEqual({ values, size: values.length, first: values[0] ?? null });
      }),
      { numRuns: 300 },
    );
  });
});

describe('a bigint', () => {
  test.each(['0', '-1', '9007199254740991', '-9007199254740991'])('is a number: %s', async (text) => {
    const [row] = await database.sql`select ${text}::bigint as value, count(*) from (select 1) as one`;
    expect(row).toEqual({ value: Number(text), count: 1 });
  });

  test.each(['9007199254740993', '-9007199254740993'])(
    'is refused where it is not exact: %s',
    async (text) => {
      const { sql } = database;
      await expect(sql`select ${text}::bigint as value`).rejects.toThrow('not exact');
      await expect(sql`select ${[text]}::bigint[] as value`).rejects.toThrow('not exact');
      expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
    },
  );
});

test('a time is a date, both ways', async () => {
  const at = new Date('2031-02-03T04:05:06.789Z');
  expect(await database.sql`select ${at}::timestamptz as at, ${at} < now() as past`).toEqual([
    { at, past: false },
  ]);
});
