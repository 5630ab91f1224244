import { parseSync, Visitor } from 'rolldown/utils';
import { expect, test } from 'vitest';
import { projectFiles } from '../support/project-files.ts';
import { GLOSSARY, neverWord } from './glossary.ts';

/* The words of the sources and documents themselves: what no table of texts holds is held against the glossary too. */

const PERSIAN = /[\u0600-\u06ff]/u;
const BLOT = '\ufffc';

test('no text of the sources has a word of the never column', () => {
  const files = projectFiles('src/**/*.{ts,js}').filter(
    ({ path }) => !/\.test\.ts$|^src\/sandbox\/|\/testing[/.]/u.test(path),
  );
  const words = files.flatMap(({ path, text }) =>
    wordsIn(path, text).flatMap((each) => (isTyped(path, each) ? [] : [{ path, each }])),
  );
  process.stdout.write(`${words.length} texts of ${files.length} sources\n`);
  expect(words.length).toBeGreaterThan(3000);
  expect(words.flatMap(({ path, each }) => found(path, each))).toEqual([]);
});

test('no document has a word of the never column', () => {
  const documents = projectFiles('README.md', 'docs/**/*.md').filter(
    ({ path }) => !path.startsWith('docs/shown/'),
  );
  const wrong = documents.flatMap(({ path, text }) =>
    text
      .replaceAll(/```[\s\S]*?```|`[^`\n]*`/gu, BLOT)
      .split('\n')
      .flatMap((line) => found(path, line, true)),
  );
  expect(wrong).toEqual([]);
});

test('the glossary names each thing once, and forbids no word that it gives', () => {
  expect(new Set(GLOSSARY.map(({ thing }) => thing)).size).toBe(GLOSSARY.length);
  expect(
    GLOSSARY.flatMap(({ en, fa }) => [neverWord('en', en), neverWord('fa', fa)]).filter(
      (each) => each !== null,
    ),
  ).toEqual([]);
});

function found(path: string, text: string, isDocument = false): string[] {
  const never = neverWord(PERSIAN.test(text) ? 'fa' : 'en', text, isDocument);
  return never === null ? [] : [`${path}: ${never}: ${text.trim().slice(0, 120)}`];
}

/** A word that people may type, whatever it is called in what they read. */
function isTyped(path: string, text: string): boolean {
  return path.endsWith('/arguments.ts') && !text.includes(' ');
}

/** What stands in quotation marks and reads like words. */
function wordsIn(path: string, text: string): string[] {
  const { program } = parseSync(path, text);
  const words: string[] = [];
  const add = (each: string): void => {
    if (PERSIAN.test(each) || /[a-z\ufffc] [a-z]/iu.test(each)) words.push(each);
  };
  new Visitor({
    Literal: ({ value }) => {
      if (typeof value === 'string') add(value);
    },
    TemplateLiteral: ({ quasis }) => add(quasis.map(({ value }) => value.cooked ?? '').join(BLOT)),
  }).visit(program);
  return words;
}
