import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** What one process of tests leaves for the next, and for the run, by the ids of changes and the names of tests. */
const Note = z.union([
  z.object({ noticed: z.string() }),
  z.object({ passed: z.string(), by: z.string() }),
  /** A change that this test noticed left behind what makes it red without any. */
  z.object({ spoilt: z.string() }),
  /** It is red before anything is changed. */
  z.object({ red: z.string() }),
]);
type Note = z.infer<typeof Note>;

export interface Notes {
  readonly noticed: ReadonlySet<string>;
  /** The changes that each test did not notice, by its name. */
  readonly passed: ReadonlyMap<string, ReadonlySet<string>>;
  readonly spoilt: ReadonlySet<string>;
  readonly red: readonly string[];
  add(note: Note): void;
}

/** Opens a file of them, which need not be there yet. */
export function openNotes(path: string): Notes {
  const noticed = new Set<string>();
  const passed = new Map<string, Set<string>>();
  const spoilt = new Set<string>();
  const red: string[] = [];
  const take = (note: Note): void => {
    if ('noticed' in note) noticed.add(note.noticed);
    else if ('passed' in note) passed.set(note.by, (passed.get(note.by) ?? new Set()).add(note.passed));
    else if ('spoilt' in note) spoilt.add(note.spoilt);
    else red.push(note.red);
  };
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  for (const line of lines) take(Note.parse(JSON.parse(line)));
  return {
    noticed,
    passed,
    spoilt,
    red,
    add(note) {
      take(note);
      appendFileSync(path, `${JSON.stringify(note)}\n`);
    },
  };
}
