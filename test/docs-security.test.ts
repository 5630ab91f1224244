import { describe, expect, it } from 'vitest';
import { namedTests, namesTest } from './support/named-tests.ts';
import { readProjectFile } from './support/project-files.ts';

const DOCUMENT = 'docs/security.md';
/** From here on the page tells what nothing shows. */
const UNSHOWN = '## Not shown yet';

describe('the page on security', () => {
  const text = readProjectFile(DOCUMENT);
  const named = namedTests(text);

  it('names only tests that exist', () => {
    expect(named.filter((each) => !namesTest(each))).toEqual([]);
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
    expect(namedTests(`| a | b | \`${own}\`, \`src/app/app.ts\` |`)).toEqual([own]);
    expect(namesTest(own)).toBe(true);
    expect(namesTest('test/docs-security.test.ts › the page on security › names only tests that exist')).toBe(
      true,
    );
    expect(namesTest('test/docs-security.test.ts › names only tests')).toBe(false);
    expect(namesTest('test/docs-security.test.ts › another page › names only tests that exist')).toBe(false);
    expect(namesTest('test/absent.test.ts › names only tests that exist')).toBe(false);
    // A table of cases whose title is nothing but the case has every title.
    expect(namesTest('src/domain/inbox-rules.test.ts › no such title')).toBe(false);
  });
});

/** The rows of the tables above what is not shown, without their heads. */
function shownRows(text: string): string[] {
  const [claims = ''] = text.split(UNSHOWN);
  const lines = claims.split('\n');
  return lines.filter(
    (line, at) => line.startsWith('|') && !line.startsWith('| -') && !(lines[at + 1] ?? '').startsWith('| -'),
  );
}
