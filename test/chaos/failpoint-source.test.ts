import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { insertFailpoints } from './failpoint-source.ts';
import { planFailpoints } from './failpoints.ts';
import { copySource } from './source-copy.ts';

const TEXT = `
export function createThing(deps: Deps) {
  const helper = async (n: number): Promise<number> => (await deps.get(n)) + (await deps.get(await deps.get(1)));
  return {
    async first(name: string) {
      // ’ and پیک stand before
      const rows = await deps.all<{ id: string }[]>(\`x \${await helper(2)}\`);
      return rows.map(async (row: unknown) => await deps.one(row));
    },
    async second() { await deps.other(); },
  };
}
`;

afterEach(() => vi.unstubAllGlobals());

test('every await of the named functions is found, and none of the others', () => {
  const { points } = insertFailpoints(TEXT, { file: 'src/a/thing.ts', functions: ['helper', 'first'] });
  expect(points.map(({ id, line }) => `${id} ${line}`)).toEqual([
    'thing:helper:1 3',
    'thing:helper:2 3',
    'thing:helper:3 3',
    'thing:first:1 7',
    'thing:first:2 7',
    'thing:first:3 8',
  ]);
  expect(points.at(2)?.code).toBe('deps.get(1)');
});

test('the code does what it did, with a call on either side of each await', async () => {
  const { text } = insertFailpoints(TEXT, { file: 'thing.ts', functions: ['helper'] });
  const hits: string[] = [];
  vi.stubGlobal('failpoint', {
    before: (id: string) => void hits.push(`> ${id}`),
    after: (id: string, value: unknown) => (hits.push(`< ${id}`), value),
  });
  const source = `${stripTypeScriptTypes(text)}\nexport const run = createThing({ get: async (n) => n * 10 });\nexport { helperOf };`;
  const probe = source
    .replace('return {', 'return { helper,')
    .replace('export { helperOf };', 'export const helper = run.helper;');
  const module: unknown = await import(`data:text/javascript,${encodeURIComponent(probe)}`);
  const { helper } = module as { helper: (n: number) => Promise<number> };
  await expect(helper(3)).resolves.toBe(30 + 100);
  expect(hits).toEqual([
    '> thing:helper:1',
    '< thing:helper:1',
    '> thing:helper:2',
    '> thing:helper:3',
    '< thing:helper:3',
    '< thing:helper:2',
  ]);
});

test('a function that is gone, or awaits nothing any more, is a mistake', () => {
  expect(() => insertFailpoints(TEXT, { file: 'thing.ts', functions: ['third'] })).toThrow(
    'no await within third',
  );
  expect(() => insertFailpoints(TEXT, { file: 'thing.ts', functions: ['createThing', 'helper'] })).toThrow(
    'no await within helper',
  );
});

test('every function of the send path that is named, and every await that is left out, is there', () => {
  const copy = copySource(join(import.meta.dirname, '../..'));
  try {
    expect(planFailpoints(copy).wanted.length).toBeGreaterThan(200);
  } finally {
    copy.remove();
  }
});
