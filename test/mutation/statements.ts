import { globSync } from 'node:fs';
import { readProjectFile, ROOT } from '../support/project-files.ts';
import { isTemplate, readSource, type Template } from '../support/statements.ts';
import { type Changed, readChanged } from './changed.ts';
import { playWoven, type Tried, type Woven } from './sources.ts';
import { placesOf } from './sql-places.ts';

const STORES = 'src/storage';
/** What decides about money. */
const PARTS: readonly {
  readonly stores: readonly string[];
  /** What plays them, those that are soon through first: tests of stores, where no other folder is named. */
  readonly tests: readonly (readonly string[])[];
  readonly dir?: string;
}[] = [
  {
    // What reserves a call, fences it and settles it.
    stores: [
      'call-writes',
      'take-calls',
      'take-back',
      'server-start',
      'reserve-in',
      'call-store',
      'record-late',
    ],
    tests: [
      ['call-store', 'same-message', 'take-back', 'pace-in'],
      ['continuity', 'job-control', 'reconcile-store'],
      ['job-store'],
    ],
  },
  {
    // What people and the clock do to whole jobs, and what those count.
    stores: ['job-control', 'job-resume', 'job-charge', 'held-up'],
    tests: [
      ['job-control', 'draft-back', 'limits-store', 'operator-halt'],
      ['schedule-store', 'unsent-store', 'take-back', 'call-store'],
      ['job-store', 'reconcile-store'],
    ],
  },
  {
    // A yes to a draft, and what chats allow themselves.
    stores: ['draft-press', 'draft-confirmation', 'draft-back', 'judge-in', 'limits-in', 'limits-store'],
    tests: [
      ['judge-in', 'draft-confirmation', 'draft-back', 'limits-store', 'line-rule'],
      ['draft-store', 'draft-copies', 'rule-store', 'schedule-store', 'job-control', 'operator-halt'],
      ['bulk-store', 'unsent-store', 'reconcile-store'],
    ],
  },
  {
    // Sends at a time of their own, their series, and the switch over all chats.
    stores: [
      'schedule-start',
      'schedule-change',
      'schedule-reopen',
      'schedule-store',
      'series',
      'operator-halt',
    ],
    tests: [
      ['schedule-store', 'operator-halt', 'limits-store'],
      ['draft-confirmation', 'job-control', 'draft-copies', 'restored-backup'],
      ['job-store', 'unsent-store'],
    ],
  },
  {
    // What is in doubt, and what sends it again.
    stores: ['reconcile-store', 'resent-in'],
    tests: [
      ['reconcile-store', 'unsent-store'],
      ['draft-confirmation', 'gateway-user', 'restored-backup', 'delivery-store'],
      ['schedule-store', 'forget'],
    ],
  },
  {
    // By stories whose clock goes on as they say.
    stores: ['date-send-store'],
    dir: 'src/features/sending/dates',
    tests: [['date-days']],
  },
  {
    stores: ['pace-in'],
    tests: [['pace-in']],
  },
];
export const STATEMENTS: readonly string[] = PARTS.flatMap(({ stores }) =>
  stores.map((store) => fileOf(store)),
);

/** Where a file of that name lies, in whichever room. */
function fileOf(name: string, dir: string = STORES): string {
  const [path, ...others] = globSync(`${dir}/**/${name}.ts`, { cwd: ROOT });
  if (path === undefined || others.length > 0) throw new Error(`${dir} has not one ${name}.ts`);
  return path;
}
/** By the clock, for one play of a test. */
const MOST_MS = [1500, 1_000_000] as const;
const TRIED = { fresh: [STORES, 'test'], hasDatabase: true };

/** Changes the statements at every place, one after the other; each is tried on Postgres by the tests of the stores. */
export function mutateStatements(files: readonly string[]): Changed[] {
  return PARTS.flatMap(({ stores, dir = STORES, tests }) => {
    const meant = stores.map((store) => fileOf(store)).filter((file) => files.includes(file));
    const rounds = tests.map((names) => names.map((name) => fileOf(`${name}.test`, dir)));
    return meant.length === 0 ? [] : mutatePart({ ...TRIED, dir }, meant, rounds);
  });
}

function mutatePart(
  tried: Tried,
  files: readonly string[],
  rounds: readonly (readonly string[])[],
): Changed[] {
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
    tried,
    woven,
    // Races of many rounds come last: most is noticed by less.
    MOST_MS.flatMap((most) => rounds.map((tests) => ({ tests, most }))),
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
