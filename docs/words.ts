import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

/*
 * Makes test-output/words.html: every text that people read, in both languages side by side, as the tests of the texts
 * render them.
 */

const ROOT = join(import.meta.dirname, '..');
const FILE = join(ROOT, 'test-output/words.html');

const tableSchema = z.object({
  name: z.string(),
  rows: z.array(z.object({ path: z.string(), en: z.string(), fa: z.string() })),
});

const folder = mkdtempSync(join(tmpdir(), 'peyk-words-'));
try {
  const { status } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      'vitest.fast.config.ts',
      'test/language',
    ],
    { cwd: ROOT, env: { ...process.env, WORDS_DIR: folder }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (status !== 0)
    process.stdout.write('Some texts do not pass their tests: npm test -- test/language says which.\n');
  const tables = readdirSync(folder)
    .toSorted()
    .map((name) => tableSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))));
  mkdirSync(join(ROOT, 'test-output'), { recursive: true });
  writeFileSync(FILE, page(tables));
  const count = tables.reduce((sum, { rows }) => sum + rows.length, 0);
  process.stdout.write(`${count} texts of ${tables.length} tables are in test-output/words.html\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function page(tables: readonly z.infer<typeof tableSchema>[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The words of Peyk</title>
<style>
  body { font: 15px/1.6 system-ui, sans-serif; margin: 1rem auto; max-width: 80rem; padding: 0 1rem; }
  table { border-collapse: collapse; table-layout: fixed; width: 100%; }
  td { border-top: 1px solid #ccc; overflow-wrap: anywhere; padding: 0.3rem 0.6rem; vertical-align: top; white-space: pre-wrap; }
  td:first-child { color: #777; font-size: 12px; width: 16%; }
</style>
<h1>The words of Peyk</h1>
${tables.map(({ name, rows }) => `<h2>${escaped(name)}</h2>\n<table>\n${rows.map(row).join('')}</table>\n`).join('')}</html>
`;
}

function row({ path, en, fa }: { readonly path: string; readonly en: string; readonly fa: string }): string {
  return `<tr><td>${escaped(path)}</td><td dir="ltr">${escaped(en)}</td><td dir="rtl" lang="fa">${escaped(fa)}</td></tr>\n`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
