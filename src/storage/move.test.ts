import { afterAll, expect, test } from 'vitest';
import { ATTEMPT_MOVES, ATTEMPT_STATES } from '../domain/attempt.ts';
import { DRAFT_MOVES, DRAFT_STATES } from '../domain/draft.ts';
import { JOB_MOVES, JOB_STATES } from '../domain/job.ts';
import type { Moves } from '../domain/machine.ts';
import { move, moveBy } from './move.ts';
import { openTestStorage } from './testing.ts';

const storage = await openTestStorage();
afterAll(async () => await storage.close());
const { sql } = storage;

const MACHINES = [
  ['attempt', ATTEMPT_MOVES, ATTEMPT_STATES],
  ['draft', DRAFT_MOVES, DRAFT_STATES],
  ['job', JOB_MOVES, JOB_STATES],
] as const;

test('what a statement may do, and where it leads, is what the table of its machine says', async () => {
  for (const [table, moves, states] of MACHINES) {
    const all: Moves<string> = moves;
    for (const [name, leads] of Object.entries(all)) {
      const { to, may } = move(sql, table, name as never, 'x');
      const rows = await sql<{ state: string; to: string }[]>`
        select x.state, ${to} as "to" from unnest(${[...states]}::text[]) as x(state) where ${may}`;
      expect(Object.fromEntries(rows.map((row) => [row.state, row.to])), `${table} ${name}`).toEqual(leads);
    }
  }
});

test('rows of one statement make each their own move', async () => {
  const names = ['reserve', 'lose_owner', 'late_not_sent'] as const;
  const { to, may } = moveBy(sql, 'attempt', { names, by: 'g.move', as: 'x' });
  const rows = await sql<{ move: string; state: string; to: string }[]>`
    select g.move, x.state, ${to} as "to"
    from unnest(${['belie_rejected', ...names]}::text[]) as g(move), unnest(${[...ATTEMPT_STATES]}::text[]) as x(state)
    where ${may}`;
  const made = names.map((name) => [
    name,
    Object.fromEntries(rows.filter((row) => row.move === name).map((row) => [row.state, row.to])),
  ]);
  expect(Object.fromEntries(made)).toEqual(
    Object.fromEntries(names.map((name) => [name, ATTEMPT_MOVES[name]])),
  );
  expect(rows.filter(({ move: name }) => name === 'belie_rejected')).toEqual([]);
});
