import { expect, test } from 'vitest';
import { fillFigures } from './document.ts';

const CIRCUMSTANCES = {
  at: '2026-01-02T03:04:05.000Z',
  commit: 'abc',
  node: 'v26.1.0',
  machine: 'M',
  seconds: 90,
};
const TEXT = `before
<!-- figures of chaos.json -->
old
<!-- end -->
between
<!-- figures of chaos-controls.json -->
kept
<!-- end -->
after`;

test('figures come from the files of the last runs, and what was not run stays as it was', () => {
  const json = JSON.stringify({
    ...CIRCUMSTANCES,
    seed: '7',
    processes: 3,
    figures: { rounds: 2, lost: 0, sent: 12_345 },
  });
  const { text, taken } = fillFigures(TEXT, (file) => (file === 'chaos.json' ? json : null));
  expect(taken).toEqual(['chaos.json']);
  expect(text).toBe(`before
<!-- figures of chaos.json -->

\`npm run chaos -- --rounds 2 --seed 7\`, 2026-01-02, commit abc, 2 min, 3 processes, Node 26.1.0, M.

|        |        |
| ------ | -----: |
| rounds |      2 |
| lost   |      0 |
| sent   | 12,345 |

<!-- end -->
between
<!-- figures of chaos-controls.json -->
kept
<!-- end -->
after`);
  expect(fillFigures(text, (file) => (file === 'chaos.json' ? json : null)).text).toBe(text);
});

test('the command of a rolling run tells how many recipients there were, and from which commit it came', () => {
  const fill = (file: string, more: object): string =>
    fillFigures(`<!-- figures of ${file} -->\n<!-- end -->`, () =>
      JSON.stringify({ ...CIRCUMSTANCES, recipients: 100_000, figures: { lost: 0 }, ...more }),
    ).text;
  expect(fill('chaos-rolling.json', {})).toContain('\n`npm run chaos -- --rolling --recipients 100000`, ');
  expect(fill('chaos-upgrade.json', { from: 'abc1234' })).toContain(
    '\n`npm run chaos -- --rolling --from abc1234 --recipients 100000`, ',
  );
});

test('a control that was not caught is told as one', () => {
  const controls = [
    { name: 'one', about: 'this', caughtIn: 1, by: ['doubled'] },
    { name: 'two', about: 'that', caughtIn: null, by: [] },
  ];
  const { text } = fillFigures(TEXT, (file) =>
    file === 'chaos-controls.json' ? JSON.stringify({ ...CIRCUMSTANCES, controls }) : null,
  );
  expect(text).toContain('| one: this | caught (doubled) |');
  expect(text).toContain('| two: that |       not caught |');
});
