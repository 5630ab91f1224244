import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readProjectFile, ROOT } from './project-files.ts';
import { leadToTest, titlePatterns, type TitlePatterns } from './test-titles.ts';

/** What stands in backticks in a document as `path › title` or `path › group › title`; `…` stands for anything. */
export function namedTests(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+ › [^`\n]+)`/g)].map(([, name = '']) => name);
}

/** Whether there is a test of that name, told by more than by the cases of a table. */
export function namesTest(named: string): boolean {
  const [path = '', ...titles] = named.split(' › ');
  if (titles.length === 0 || !existsSync(join(ROOT, path))) return false;
  return leadToTest(telling(titlePatterns(path, readProjectFile(path))), titles);
}

function telling({ groups, tests }: TitlePatterns): TitlePatterns {
  const tells = (pattern: RegExp) => !pattern.test('\0');
  return { groups: groups.filter(tells), tests: tests.filter(tells) };
}
