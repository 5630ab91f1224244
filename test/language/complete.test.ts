import { expect, test } from 'vitest';
import { projectFiles } from '../support/project-files.ts';

/** Tables that nobody else sees: they are read through the functions beside them, by the tests of their features. */
const INNER: readonly string[] = [
  'src/features/audit/entry-card.ts',
  'src/features/reports/file-texts.ts',
  'src/features/shared/range-argument.ts',
  'src/telegram/updates/database-away/degraded-reply.ts',
];

const TABLE = /^(export )?const \w+ = defineTexts\(/gmu;

test('every table of texts is rendered with samples', () => {
  const rendered: string[] = projectFiles('test/language/*.test.ts').flatMap(({ text }) =>
    [...text.matchAll(/checkTexts\(\s*'([^']+)'/gu)].map(([, path = '']) => path),
  );
  const tables = projectFiles('src/**/*.ts').flatMap(({ path, text }) =>
    /\.test\.ts$|^src\/i18n\/define\.ts$/.test(path)
      ? []
      : [...text.matchAll(TABLE)].map(([, exported]) => ({ path, isInner: exported === undefined })),
  );
  process.stdout.write(`${tables.length} tables of texts, ${rendered.length} rendered one by one\n`);
  expect(tables.length).toBeGreaterThan(20);
  expect(tables.filter(({ isInner }) => !isInner).map(({ path }) => path)).toEqual(rendered.toSorted());
  expect(new Set(tables.filter(({ isInner }) => isInner).map(({ path }) => path))).toEqual(new Set(INNER));
});
