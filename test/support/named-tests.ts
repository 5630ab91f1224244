import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readProjectFile, ROOT } from './project-files.ts';
import { leadToTest, titlePatterns, type TitlePatterns } from './test-titles.ts';

/** How long a page may be that a person reads to the end. */
export const MAX_BYTES = 15 * 1024;

/** A promise of a page, and the heading under which its list has what shows it. */
export interface Claim {
  readonly anchor: string;
  readonly words: string;
}

/** Reads the promises of a page: what is bold and leads into a list of `docs/shown`. */
export function claimsOf(page: string): Claim[] {
  return [...page.matchAll(/\*\*\[([^\]]+)\]\(shown\/[\w-]+\.md#([\w-]+)\)\*\*/gu)].map(
    ([, words = '', anchor = '']) => ({ anchor, words: words.replaceAll(/\s+/gu, ' ') }),
  );
}

/** Reads a list of `docs/shown`: by heading, the promise in the words of its page, and what shows it, one on a line. */
export function shownIn(list: string): (Claim & { readonly by: readonly string[] })[] {
  return list
    .split(/^### /mu)
    .slice(1)
    .map((entry) => {
      const [anchor = '', , words = ''] = entry.split('\n');
      return { anchor, words, by: linesInBackticks(entry) };
    });
}

/** Reads the items of a Markdown list that are nothing but a name in backticks. */
export function linesInBackticks(text: string): string[] {
  return [...text.matchAll(/^ *- `([^`\n]+)`$/gmu)].map(([, name = '']) => name);
}

/** What stands in backticks in a document as `path › title` or `path › group › title`; `…` stands for anything. */
export function namedTests(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+ › [^`\n]+)`/g)].map(([, name = '']) => name);
}

/** Whether there is a test of that name, told by more than by the cases of a table. */
export function namesTest(named: string): boolean {
  const [path = '', ...titles] = named.split(' › ');
  if (titles.length === 0 || !existsSync(join(ROOT, path))) return false;
  return leadToTest(tellingOf(path), titles);
}

/** A file is read once, however many of its tests are named. */
const READ = new Map<string, TitlePatterns>();

function tellingOf(path: string): TitlePatterns {
  const patterns = READ.get(path) ?? telling(titlePatterns(path, readProjectFile(path)));
  READ.set(path, patterns);
  return patterns;
}

function telling({ groups, tests }: TitlePatterns): TitlePatterns {
  const tells = (pattern: RegExp) => !pattern.test('\0');
  return { groups: groups.filter(tells), tests: tests.filter(tells) };
}
