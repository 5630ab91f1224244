import { expect, test } from 'vitest';
import { readProjectFile } from '../../test/support/project-files.ts';
import { ATTEMPT_MOVES, ATTEMPT_STATES } from './attempt.ts';
import { DATE_SEND_MOVES, DATE_SEND_STATES } from './date-send.ts';
import { DRAFT_MOVES, DRAFT_STATES } from './draft.ts';
import { JOB_MOVES, JOB_STATES } from './job.ts';
import type { Moves } from './machine.ts';

test.each([
  ['a draft', drawMoves(DRAFT_MOVES, { states: DRAFT_STATES, initial: ['open'] })],
  ['a job', drawMoves(JOB_MOVES, { states: JOB_STATES, initial: ['holding', 'scheduled'] })],
  ['a send by dates', drawMoves(DATE_SEND_MOVES, { states: DATE_SEND_STATES, initial: ['proposed'] })],
  ['an attempt', drawMoves(ATTEMPT_MOVES, { states: ATTEMPT_STATES, initial: ['planned'] })],
])('the moves are drawn as they are in the documents: those of %s', (_name, drawn) => {
  expect(readProjectFile('docs/architecture.md')).toContain(['```mermaid', drawn, '```'].join('\n'));
});

/** Draws the moves as a Mermaid state diagram, in the order of the states; `initial` are those that a row begins in. */
function drawMoves<State extends string>(
  moves: Moves<State>,
  { states, initial }: { readonly states: readonly State[]; readonly initial: readonly State[] },
): string {
  const events = new Map<string, string[]>();
  for (const from of states)
    for (const [event, leads] of Object.entries(moves)) {
      const to = leads[from];
      if (to === undefined) continue;
      const way = `${from} --> ${to}`;
      events.set(way, [...(events.get(way) ?? []), event]);
    }
  return [
    'stateDiagram-v2',
    ...initial.map((state) => `  [*] --> ${state}`),
    ...events.entries().map(([way, names]) => `  ${way}: ${names.join(', ')}`),
  ].join('\n');
}
