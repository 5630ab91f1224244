import { expect, test } from 'vitest';
import { readProjectFile } from '../../test/support/project-files.ts';
import { ATTEMPT_MOVES, ATTEMPT_STATES } from './attempt.ts';
import { DATE_SEND_MOVES, DATE_SEND_STATES } from './date-send.ts';
import { DRAFT_MOVES, DRAFT_STATES } from './draft.ts';
import { JOB_MOVES, JOB_STATES } from './job.ts';
import { drawMoves } from './machine.ts';

test.each([
  ['a draft', drawMoves(DRAFT_MOVES, { states: DRAFT_STATES, initial: ['open'] })],
  ['a job', drawMoves(JOB_MOVES, { states: JOB_STATES, initial: ['holding', 'scheduled'] })],
  ['a send by dates', drawMoves(DATE_SEND_MOVES, { states: DATE_SEND_STATES, initial: ['proposed'] })],
  ['an attempt', drawMoves(ATTEMPT_MOVES, { states: ATTEMPT_STATES, initial: ['planned'] })],
])('the moves are drawn as they are in the documents: those of %s', (_name, drawn) => {
  expect(readProjectFile('docs/architecture.md')).toContain(['```mermaid', drawn, '```'].join('\n'));
});
