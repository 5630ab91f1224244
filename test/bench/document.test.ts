import { expect, test } from 'vitest';
import { fillFigures } from '../../bench/document.ts';
import { GOALS, GOAL_NAMES } from '../../bench/goals.ts';
import { readResult, Result } from '../../bench/result.ts';
import { readProjectFile } from '../support/project-files.ts';

const RUN = {
  at: '2026-01-02T03:04:05.000Z',
  commit: 'abc',
  node: 'v26.1.0',
  cores: 2,
  cpu: 'C',
  seconds: 90,
  othersCores: 0.01,
  loop: { ms: 2, beforeMs: 1.9, afterMs: 2.1 },
};
const TEXT = `before
<!-- bench: goals -->
old
<!-- end -->
after`;

/** As a benchmark's file is read. */
function resultOf(figures: readonly object[], more: object = {}): Result {
  return Result.parse(JSON.parse(JSON.stringify({ ...RUN, ...more, figures })));
}

function rowsOf(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const pairs = { count: 5, lowest: 1.2, highest: 1.5 };
const credit = { what: '/credit', measure: 'own p50 ÷ its parts', figure: 1.304, pairs, goal: 'credit' };

test('every goal has its row, in the order of the goals, and one that was not run says so', () => {
  const rows = rowsOf(fillFigures(TEXT, () => null));
  expect(rows).toHaveLength(GOAL_NAMES.length);
  expect(rows.map(([benchmark]) => benchmark)).toEqual(
    Object.values(GOALS).map(({ benchmark }) => `\`${benchmark}\``),
  );
  expect(new Set(rows.map((row) => row.slice(3).join('|')))).toEqual(new Set(['not run||']));
});

test('a figure stands beside its goal, with its digits and its pairs, and says whether it is met', () => {
  const read = (name: string): Result | null => (name === 'credit' ? resultOf([credit]) : null);
  const row = rowsOf(fillFigures(TEXT, read)).find(([benchmark]) => benchmark === '`credit`');
  expect(row).toEqual([
    '`credit`',
    `${GOALS.credit.measure} ÷ ${GOALS.credit.peer}`,
    '≤ 2',
    '1.30',
    '5, 1.20 to 1.50',
    'yes',
  ]);
  const slow = (name: string): Result | null =>
    name === 'credit' ? resultOf([{ ...credit, figure: 2.01, note: 'on a ship' }]) : null;
  expect(rowsOf(fillFigures(TEXT, slow)).find(([name]) => name === '`credit`')?.[5]).toBe('no; on a ship');
  // What was filled is filled again, and not added to.
  expect(fillFigures(fillFigures(TEXT, read), read)).toBe(fillFigures(TEXT, read));
  expect(fillFigures(TEXT, read)).toMatch(/^before\n[^]*\nafter$/);
});

test('what was not run here stays as it stands', () => {
  const all = ['goals', 'beside', 'runs', 'brief', 'units'].map(
    (name) => `<!-- bench: ${name} -->\n<!-- end -->`,
  );
  const told = { what: 'a send', measure: 'calls', figure: 3, isTold: true };
  const run = (name: string): Result | null => (name === 'bulk' ? null : resultOf([credit, told]));
  const filled = fillFigures(all.join('\n'), run);
  expect(filled).toContain('1.30');
  expect(fillFigures(filled, () => null)).toBe(filled);
  // Where the goal is another by now, what was found says nothing of it.
  const other = filled.replaceAll('≤ 2 ', '≤ 3 ');
  expect(fillFigures(other, () => null)).not.toContain('5, 1.20 to 1.50');
});

test('a figure of a machine that others used is not judged, and one that could not be measured is none', () => {
  const busy = (name: string): Result | null =>
    name === 'credit' ? resultOf([credit], { othersCores: 1.5 }) : null;
  expect(
    rowsOf(fillFigures(TEXT, busy))
      .find(([name]) => name === '`credit`')
      ?.slice(3),
  ).toEqual(['1.30', '5, 1.20 to 1.50', 'needs a quiet machine']);
  // What is counted is so wherever it is counted.
  const counted = (name: string): Result | null =>
    name === 'costs'
      ? resultOf([{ what: 'a send', measure: 'statements', figure: 61, goal: 'send-statements' }], {
          othersCores: 1.5,
        })
      : null;
  expect(
    rowsOf(fillFigures(TEXT, counted))
      .find(([name]) => name === '`costs`')
      ?.slice(3),
  ).toEqual(['61', '', 'no']);
  // Not a number becomes null in JSON.
  const none = (name: string): Result | null =>
    name === 'credit' ? resultOf([{ ...credit, figure: Number.NaN }]) : null;
  expect(
    rowsOf(fillFigures(TEXT, none))
      .find(([name]) => name === '`credit`')
      ?.slice(3),
  ).toEqual(['not run', '', '']);
});

test('what stands beside the goals is what was marked for it', () => {
  const text = '<!-- bench: beside -->\n<!-- end -->';
  const told = { what: 'all of it', measure: 'peak', figure: 81.6, digits: 0, unit: 'MB', isTold: true };
  const read = (name: string): Result | null =>
    name === 'intake' ? resultOf([told, { ...told, measure: 'hidden', isTold: false }]) : null;
  expect(rowsOf(fillFigures(text, read))).toEqual([['`intake`', 'all of it: peak', '82 MB']]);
  const inMs = (name: string): Result | null =>
    name === 'intake' ? resultOf([{ ...told, measure: 'CPU', figure: 12, unit: 'µs/update' }]) : null;
  expect(rowsOf(fillFigures(text, inMs))).toEqual([
    ['`intake`', 'all of it: CPU', '12 µs/update = 0.006 loops'],
  ]);
});

test('each run is told with its date, commit, duration, cores, and what the loop took', () => {
  const text = '<!-- bench: runs -->\n<!-- end -->';
  const rows = rowsOf(fillFigures(text, (name) => (name === 'start' ? resultOf([]) : null)));
  expect(rows.find(([name]) => name === '`start`')).toEqual([
    '`start`',
    '2026-01-02',
    'abc',
    '90 s',
    '2 × C',
    '26.1.0',
    '2.00 ms (1.90, 2.10)',
    '0.01',
  ]);
  expect(rows.find(([name]) => name === '`bulk`')?.[1]).toBe('not run');
});

test('a goal that nobody knows, or a figure that is none, is not taken for a result', () => {
  const parse = (figure: object) => Result.safeParse({ ...RUN, figures: [figure] }).success;
  expect(parse(credit)).toBe(true);
  expect(parse({ ...credit, goal: 'fast' })).toBe(false);
  expect(parse({ ...credit, figure: '1.3' })).toBe(false);
  expect(readResult('there-is-no-such-benchmark')).toBeNull();
});

test('a block that nobody fills is a mistake', () => {
  expect(() => fillFigures('<!-- bench: gaols -->\n<!-- end -->', () => null)).toThrow('gaols');
});

test('the documents have the blocks, and their goals are those of today', () => {
  const performance = readProjectFile('docs/performance.md');
  const blocks = (text: string): string[] =>
    [...text.matchAll(/<!-- bench: (\w+) -->/g)].map(([, name = '']) => name);
  expect(blocks(performance)).toEqual(['goals', 'beside', 'runs']);
  expect(blocks(readProjectFile('docs/scaling.md'))).toEqual(['units', 'sizes', 'check', 'walls']);
  const [, block = ''] = /<!-- bench: goals -->([^]*?)<!-- end -->/.exec(performance) ?? [];
  const now = fillFigures(TEXT, () => null);
  const goalsOf = (text: string): string[][] => rowsOf(text).map((row) => row.slice(0, 3));
  expect(goalsOf(block)).toEqual(goalsOf(now));
});
