import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeSource } from './old-source.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'old-source-'));
  git('init', '--quiet');
  for (const folder of ['src', 'drizzle', 'node_modules']) mkdirSync(join(root, folder));
  writeFileSync(join(root, '.gitignore'), 'node_modules\n');
  writeFileSync(join(root, 'package.json'), '{}');
  writeFileSync(join(root, 'drizzle/0000.sql'), 'select 1');
  write('old');
});

afterEach(() => rmSync(root, { recursive: true }));

function git(...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args], { cwd: root });
}

function write(text: string): void {
  writeFileSync(join(root, 'src/main.ts'), text);
  git('add', '.');
  git('-c', 'commit.gpgsign=false', 'commit', '--quiet', '--message', text);
}

test('the code of an older commit is taken, and the packages are those of today', () => {
  write('new');
  const { source, remove } = takeSource(root, 'HEAD~1');
  expect(readFileSync(join(source, 'src/main.ts'), 'utf8')).toBe('old');
  expect(readFileSync(join(root, 'src/main.ts'), 'utf8')).toBe('new');
  expect(existsSync(join(source, 'drizzle/0000.sql'))).toBe(true);
  writeFileSync(join(root, 'node_modules/package'), '');
  expect(existsSync(join(source, 'node_modules/package'))).toBe(true);
  remove();
  expect(existsSync(source)).toBe(false);
  expect(existsSync(join(root, 'node_modules/package'))).toBe(true);
});

test('a commit that there is not is refused, and no folder is left', () => {
  expect(() => takeSource(root, 'nothing')).toThrow('git rev-parse');
  expect(() => takeSource(root, '--output=x')).toThrow();
});
