import { readProjectFile } from '../support/project-files.ts';
import { isTemplate, readSource, type Template } from '../support/statements.ts';
import { type Changed, readChanged } from './changed.ts';
import { playWoven, type Tried, type Woven } from './sources.ts';
import { placesOf } from './sql-places.ts';

/** What reserves a call, fences it and settles it. */
export const STATEMENTS: readonly string[] = [
  'call-writes',
  'take-calls',
  'take-back',
  'server-start',
  'reserve-in',
  'call-store',
  'record-late',
].map((name) => `src/storage/${name}.ts`);
/** Those that are soon through go first; the others play random orders. */
const TESTS = [
  ['call-store', 'same-message', 'take-back'],
  ['continuity', 'job-control', 'reconcile-store'],
  ['job-store', 'send-model'],
].map((names) => names.map((name) => `src/storage/${name}.test.ts`));
const TRIED: Tried = { dir: 'src/storage', fresh: ['src/storage', 'test'], hasDatabase: true };

/** Changes the statements at every place, one after the other; each is tried on Postgres by the tests of the stores. */
export function mutateStatements(files: readonly string[]): Changed[] {
  let last = 0;
  const woven = files.map((file): Woven => {
    const text = readProjectFile(file);
    const templates = [...readSource(file, text).parents.keys()]
      .filter(isTemplate)
      .toSorted((one, other) => one.start - other.start);
    const changes = templates.flatMap((template) =>
      placesOf(wordsOf(text, template)).map(({ at: [from, to], put }) => ({
        id: String((last += 1)),
        template,
        at: [template.quasi.start + 1 + from, template.quasi.start + 1 + to] as const,
        put,
      })),
    );
    /** A piece of the source in which each statement looks which of its changes it is to have. */
    const weave = (start: number, end: number): string => {
      let [out, at] = ['', start];
      for (const each of templates) {
        // One that stands in another is woven with it.
        if (each.start < at || each.end > end) continue;
        out += text.slice(at, each.start) + weaveOne(each);
        at = each.end;
      }
      return out + text.slice(at, end);
    };
    const weaveOne = (template: Template): string => {
      const own = changes.filter((each) => each.template === template);
      const ids = own.map(({ id }) => `'${id}'`).join(', ');
      const { start, end, quasi } = template;
      const plain = text.slice(start, quasi.start) + weave(quasi.start, end);
      if (own.length === 0) return plain;
      const ways = own.map(
        ({ id, at, put }) =>
          `globalThis.__stryker__?.is('${id}') ? ${text.slice(start, at[0])}${put}${text.slice(at[1], end)} : `,
      );
      return `(${ways.join('')}(globalThis.__stryker__?.pass(${ids}), ${plain}))`;
    };
    return {
      file,
      text: weave(0, text.length),
      changes: changes.map(({ id, at, put }) => ({
        id,
        line: text.slice(0, at[0]).split('\n').length,
        reads: readChanged(text, at, put),
      })),
    };
  });
  return playWoven(
    TRIED,
    woven,
    TESTS.map((tests) => ({ tests, most: 1_000_000 })),
  );
}

/** What is put in between is one word. */
function wordsOf(text: string, { quasi }: Template): string {
  let words = text.slice(quasi.start + 1, quasi.end - 1);
  for (const { start, end } of quasi.expressions) {
    const [from, to] = [start - quasi.start - 3, end - quasi.start];
    words = `${words.slice(0, from)}${'¤'.repeat(to - from)}${words.slice(to)}`;
  }
  return words;
}
