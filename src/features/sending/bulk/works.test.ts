import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SourceRow } from '../../../domain/bulk.ts';
import { withoutNumber } from '../../../domain/number-spellings.ts';
import { readRows, rowsText, type FileFound, type FileWorks, type PlanSpec } from '../../../ports/bulk.ts';
import { createTables } from '../../../tables/tables.ts';
import { createFileWorks, joinCalls } from './works.ts';

const works = createFileWorks(createTables());
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peyk-works-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** What a file of these lines comes to, and the rows as they are kept. */
async function read(lines: readonly (readonly string[])[]): Promise<{ found: FileFound; kept: string[] }> {
  const path = join(folder, 'people.csv');
  await writeFile(path, lines.map((cells) => `${cells.join(',')}\n`).join(''));
  await using reading = works.begin('read', { name: 'people.csv', path });
  const kept: string[] = [];
  for (;;) {
    const part = await reading.next(null);
    if ('found' in part) return { found: part.found, kept };
    kept.push(part.rows);
  }
}

async function plan(bulk: PlanSpec['bulk'], kept: readonly string[]): Promise<FileWorks['plan']['output'][]> {
  const spec = { bulk, text: 'Hello {2}', line: '3000123456', blocked: null, inAddress: false, rule: null };
  await using planning = works.begin('plan', spec);
  const parts = [];
  for (const text of [...kept, null]) parts.push(await planning.next(text));
  return parts;
}

const number = fc.oneof(
  fc.nat(8).map((digit) => `091200000${digit}0`),
  fc.constantFrom('۰۹۱۲۰۰۰۰۰۱۰', '912 000 0020', '0912', 'nobody'),
);
const line = fc.tuple(number, fc.oneof(number, fc.constantFrom('Sara', 'رضا', ' ', '.')));
const lines = fc.array(line, { minLength: 2, maxLength: 60 });

it('plans by what was decided when the file was read as if all were decided anew, whichever column and header are chosen', async () => {
  let [decided, others] = [0, 0];
  await fc.assert(
    fc.asyncProperty(lines, fc.nat(3), fc.nat(1), fc.boolean(), async (rows, header, phone, asFound) => {
      const { found, kept } = await read([['mobile', 'other'], ...rows]);
      const bulk = { ...found, onMissing: { way: 'skip' }, ...(asFound ? {} : { header, phone }) } as const;
      const plain = kept.map((text) =>
        rowsText(readRows<SourceRow>(text).map(([at, cells]): SourceRow => [at, cells])),
      );
      if (found.decided?.phone === bulk.phone && found.decided.header === bulk.header) decided += 1;
      else others += 1;
      expect(await plan(bulk, kept)).toEqual(await plan({ ...bulk, decided: null }, plain));
    }),
    { numRuns: 80 },
  );
  expect(Math.min(decided, others)).toBeGreaterThan(10);
});

it('keeps with each row what its number is, and counts that', async () => {
  const { found, kept } = await read([
    ['mobile', 'name'],
    ['0912 000 0001', 'Sara'],
    ['nobody', 'Ali'],
    ['۰۹۱۲۰۰۰۰۰۰۱', 'Reza'],
    ['+989120000002', 'Mina'],
  ]);
  expect(kept.flatMap(readRows)).toEqual([
    [1, ['mobile', 'name']],
    [2, ['0912 000 0001', 'Sara'], '989120000001'],
    [3, ['nobody', 'Ali'], null, 'not_a_number'],
    [4, ['۰۹۱۲۰۰۰۰۰۰۱', 'Reza'], '989120000001', 'repeated'],
    [5, ['+989120000002', 'Mina'], '989120000002'],
  ]);
  expect(found).toMatchObject({
    rows: 5,
    header: 1,
    phone: 0,
    numbers: { good: 2, repeated: 1, invalid: 1 },
    decided: { phone: 0, header: 1 },
  });

  // Counted anew, by another column: nothing of what was kept is taken for its numbers.
  await using tally = works.begin('tally', { bulk: { phone: 1, header: 1, rows: 5 }, listed: true });
  const counted = { count: 5, found: { good: 0, repeated: 0, invalid: 4 }, fresh: [] };
  expect(await tally.next(kept[0] ?? '')).toEqual(counted);
  await using again = works.begin('tally', { bulk: { phone: 0, header: 1, rows: 5 }, listed: true });
  expect(await again.next(kept[0] ?? '')).toMatchObject({ fresh: ['989120000001', '989120000002'] });
  await using unlisted = works.begin('tally', { bulk: { phone: 0, header: 1, rows: 5 }, listed: false });
  expect(await unlisted.next(kept[0] ?? '')).toMatchObject({ fresh: [] });
});

it('keeps rows as they are where nobody knows which column has the numbers, and gives no names that no row has', async () => {
  const { found, kept } = await read([
    ['Sara', 'x'],
    ['Ali', 'y', 'z'],
  ]);
  expect(kept.flatMap(readRows)).toEqual([
    [1, ['Sara', 'x']],
    [2, ['Ali', 'y', 'z']],
  ]);
  expect(found).toMatchObject({
    header: 0,
    phone: null,
    numbers: null,
    decided: null,
    columns: ['', '', ''],
  });
});

it('reads six files at once; the next begins when one of them is through or given up', async () => {
  let begun = 0;
  const some = createFileWorks({
    stream: async () => {
      begun += 1;
      const rows = [{ number: 1, cells: ['09120000001'] }];
      const blocks = (async function* () {
        yield await Promise.resolve(rows);
      })();
      return await Promise.resolve({ format: 'csv', sheet: null, blocks });
    },
  });
  const turn = async () => await new Promise(setImmediate);
  for (const before of [0, 9]) {
    const readings = Array.from({ length: 9 }, () => some.begin('read', { name: 'x', path: 'x' }));
    const firsts = readings.map(async (each) => await each.next(null));
    await turn();
    expect(begun - before).toBe(6);
    expect(await readings[0]?.next(null)).toHaveProperty('found');
    expect(begun - before).toBe(6);
    for (const [at, each] of readings.entries()) {
      await each[Symbol.asyncDispose]();
      await turn();
      expect(begun - before).toBe(Math.min(9, 7 + at));
    }
    await Promise.all(firsts);
  }
});

it('joins the texts of calls by what none of them holds', () => {
  const text = fc.array(fc.constantFrom('\u001e', '0', '1', 'a')).map((signs) => signs.join(''));
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 1 })), (all) => {
      const { texts, mark } = joinCalls(
        all.map((own, chunk) => ({
          chunk,
          recipients: [],
          texts: own,
          rowNumbers: [],
          payloadSha256: new Uint8Array(32),
        })),
      );
      expect(texts.map((each) => each?.split(mark))).toEqual(all);
    }),
  );
});

it('sends nothing to what stands in the place of a number that was forgotten since', async () => {
  const { found, kept } = await read([
    ['mobile', 'name'],
    ['09120000001', ''],
    ['09120000002', 'Sara'],
  ]);
  const forgotten = kept.map((text) => withoutNumber(text, '989120000001', 'forgotten-a1b2c3'));
  for (const onMissing of [{ way: 'skip' }, { way: 'default', value: 'x' }] as const) {
    const [part, last] = await plan({ ...found, onMissing }, forgotten);
    expect(readRows(part?.skipped ?? '[]')).toEqual([[2, 'forgotten-a1b2c3', 'not_a_number']]);
    expect(last?.calls.recipients).toEqual(['989120000002']);
    expect([last?.skipped, part?.summary]).toEqual([null, null]);
  }
});
