import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProjectFile, ROOT } from './support/project-files.ts';
import { leadToTest, titlePatterns, type TitlePatterns } from './support/test-titles.ts';

const DOCUMENT = 'docs/security.md';
/** From here on the page tells what nothing shows. */
const UNSHOWN = '## Not shown yet';

describe('the page on security', () => {
  const text = readProjectFile(DOCUMENT);
  const named = namedTests(text);

  it('names only tests that exist', () => {
    expect(named.filter((each) => !isTest(each))).toEqual([]);
    const rows = shownRows(text).length;
    process.stdout.write(`${DOCUMENT}: ${rows} rows, ${new Set(named).size} tests\n`);
    expect(new Set(named).size).toBeGreaterThan(100);
  });

  it('names a test in every row that claims something', () => {
    expect(text).toContain(UNSHOWN);
    expect(shownRows(text).filter((row) => namedTests(row).length === 0)).toEqual([]);
    expect(shownRows(text).length).toBeGreaterThan(40);
  });

  it('is seen through by this test', () => {
    const own = 'test/docs-security.test.ts › names only tests that exist';
    expect(namedTests(`| a | b | \`${own}\`, \`src/app.ts\` |`)).toEqual([own]);
    expect(isTest(own)).toBe(true);
    expect(isTest('test/docs-security.test.ts › the page on security › names only tests that exist')).toBe(
      true,
    );
    expect(isTest('test/docs-security.test.ts › names only tests')).toBe(false);
    expect(isTest('test/docs-security.test.ts › another page › names only tests that exist')).toBe(false);
    expect(isTest('test/absent.test.ts › names only tests that exist')).toBe(false);
    // A table of cases whose title is nothing but the case has every title.
    expect(isTest('src/domain/inbox-rules.test.ts › no such title')).toBe(false);
  });
});

/** What stands in backticks as `path › title` or `path › group › title`; `…` stands for anything. */
function namedTests(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+ › [^`\n]+)`/g)].map(([, name = '']) => name);
}

function isTest(named: string): boolean {
  const [path = '', ...titles] = named.split(' › ');
  if (!existsSync(join(ROOT, path))) return false;
  return leadToTest(telling(titlePatterns(path, readProjectFile(path))), titles);
}

function telling({ groups, tests }: TitlePatterns): TitlePatterns {
  const tells = (pattern: RegExp) => !pattern.test('\0');
  return { groups: groups.filter(tells), tests: tests.filter(tells) };
}

/** The rows of the tables above what is not shown, without their heads. */
function shownRows(text: string): string[] {
  const [claims = ''] = text.split(UNSHOWN);
  const lines = claims.split('\n');
  return lines.filter(
    (line, at) => line.startsWith('|') && !line.startsWith('| -') && !(lines[at + 1] ?? '').startsWith('| -'),
  );
}
