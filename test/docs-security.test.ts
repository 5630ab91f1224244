import { describe, expect, it } from 'vitest';
import { claimsOf, MAX_BYTES, namedTests, namesTest, shownIn } from './support/named-tests.ts';
import { readProjectFile } from './support/project-files.ts';

const DOCUMENT = 'docs/security.md';
/** From here on the page tells what nothing shows. */
const UNSHOWN = '## Not shown yet';

describe('the page on security', () => {
  const page = readProjectFile(DOCUMENT);
  const list = readProjectFile('docs/shown/security.md');
  const shown = shownIn(list);
  const named = new Set(namedTests(page + list));

  it('names only tests that exist', () => {
    expect([...named].filter((each) => !namesTest(each))).toEqual([]);
    process.stdout.write(`${DOCUMENT}: ${shown.length} promises, ${named.size} tests\n`);
    expect(named.size).toBeGreaterThan(200);
  });

  it('has a test for everything that it claims, listed under the words of the page', () => {
    expect(shown.map(({ anchor, words }) => ({ anchor, words }))).toEqual(claimsOf(page));
    expect(shown.filter(({ by }) => by.length === 0)).toEqual([]);
    expect(shown.length).toBeGreaterThan(40);
    const [claims = '', unshown] = page.split(UNSHOWN);
    expect(unshown).toBeDefined();
    const items = claims.match(/^- .+$/gmu) ?? [];
    expect(items.filter((item) => !item.startsWith('- **['))).toEqual([]);
    expect(items).toHaveLength(shown.length);
  });

  it('is read in ten minutes', () => {
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('is seen through by this test', () => {
    const own = 'test/docs-security.test.ts › names only tests that exist';
    expect(namedTests(`A \`${own}\`, \`src/app/app.ts\`.`)).toEqual([own]);
    expect(shownIn(`## A\n\n### b\n\nC.\n\n- \`${own}\`\n- \`d\` e\n`)).toEqual([
      { anchor: 'b', words: 'C.', by: [own] },
    ]);
    expect(claimsOf('- **[It\n  is.](shown/a.md#b)** So. **No.** [c](shown/a.md#d)')).toEqual([
      { anchor: 'b', words: 'It is.' },
    ]);
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
