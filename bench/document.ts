import { markdownTable, toldFigure } from './benchmark.ts';
import { GOALS, isReached, toldGoal, type Goal } from './goals.ts';
import { wasBusy, type Result } from './result.ts';

type Read = (benchmark: string) => Result | null;

const BLOCKS: Readonly<Record<string, (read: Read) => string>> = {
  goals: (read) => goals(read, Object.entries(GOALS)),
  brief,
  beside,
  runs,
  sizes: (read) => pivot(read('scaling'), (what) => /^\d/u.test(what)),
  walls: (read) => pivot(read('scaling'), (what) => what.startsWith('one process')),
  check: (read) => pivot(read('scaling'), (what) => !/^\d|^one process/u.test(what)),
  units: (read) => pivot(read('costs'), () => true),
};

/**
 * Writes what the last runs found into a text: between two comments that name them, every goal with its figure, what
 * stands beside the goals, and the runs. What has not been run has no figure.
 */
export function fillFigures(text: string, read: Read): string {
  return text.replaceAll(
    /(<!-- bench: (\w+) -->\n)[^]*?(<!-- end -->)/gu,
    (_, begin: string, name: string, end: string) => {
      const block = BLOCKS[name];
      if (block === undefined) throw new Error(`nothing is called ${name}`);
      return `${begin}\n${block(read)}\n\n${end}`;
    },
  );
}

function goals(read: Read, chosen: readonly (readonly [string, Goal])[]): string {
  const rows = chosen.map(([name, goal]) => {
    const result = read(goal.benchmark);
    const figure = figureOf(result, name);
    return [
      `\`${goal.benchmark}\``,
      goal.measure,
      goal.peer === undefined ? '' : `÷ ${goal.peer}`,
      toldGoal(goal),
      told(goal, figure, result),
      figure === null ? '' : isReached(goal, figure) ? 'yes' : 'no',
      figure === null || result === null ? '' : runOf(result),
    ];
  });
  return markdownTable(['benchmark', 'measure', 'peer', 'goal', 'figure', 'met', 'run'], rows);
}

/** What somebody who reads about Peyk for the first time may ask. */
const IN_BRIEF = new Set(['bulk', 'memory', 'import', 'confirm', 'credit', 'intake']);

function brief(read: Read): string {
  const rows = Object.entries<Goal>(GOALS)
    .filter(([, { benchmark }]) => IN_BRIEF.has(benchmark))
    .map(([name, goal]) => {
      const result = read(goal.benchmark);
      const peer = goal.peer === undefined ? '' : ` ÷ ${goal.peer}`;
      return [`${goal.measure}${peer}`, toldGoal(goal), told(goal, figureOf(result, name), result)];
    });
  return markdownTable(['what', 'goal', 'figure'], rows);
}

function figureOf(result: Result | null, name: string): number | null {
  return result?.figures.find((figure) => figure.goal === name)?.figure ?? null;
}

function told(goal: Goal, figure: number | null, result: Result | null): string {
  if (figure === null || result === null) return 'not run';
  return `${toldFigure({ ...goal, figure })}${mark(result)}`;
}

function runOf({ at, commit, cores }: Result): string {
  return `${at.slice(0, 10)}, ${commit ?? 'unknown'}, ${cores} cores`;
}

function beside(read: Read): string {
  const rows = benchmarks().flatMap((name) => {
    const result = read(name);
    // What one of everything costs stands in docs/scaling.md.
    if (result === null || name === 'costs') return [];
    return result.figures
      .filter((figure) => figure.isTold === true)
      .map((figure) => [`\`${name}\``, figure.what, figure.measure, `${toldOrNot(figure)}${mark(result)}`]);
  });
  return markdownTable(['benchmark', 'what', 'measure', 'figure'], rows);
}

function runs(read: Read): string {
  const rows = benchmarks().map((name) => {
    const result = read(name);
    if (result === null) return [`\`npm run bench -- ${name}\``, 'not run'];
    const { at, commit, seconds, node, cores, cpu, othersCores } = result;
    return [
      `\`npm run bench -- ${name}\``,
      at.slice(0, 10),
      commit ?? 'unknown',
      `${seconds} s`,
      `${cores} × ${cpu}`,
      node.slice(1),
      `${othersCores.toFixed(2)}${mark(result)}`,
    ];
  });
  return markdownTable(
    ['command', 'date', 'commit', 'took', 'cores', 'Node', 'cores that others used'],
    rows,
  );
}

/** A column for each thing, a row for each measure of it. */
function pivot(result: Result | null, isColumn: (what: string) => boolean): string {
  if (result === null) return 'Not run.';
  const figures = result.figures.filter(({ what }) => isColumn(what));
  const columns = [...new Set(figures.map(({ what }) => what))];
  const rows = [...new Set(figures.map(({ measure }) => measure))].map((measure) => [
    measure,
    ...columns.map((what) => {
      const found = figures.find((figure) => figure.what === what && figure.measure === measure);
      return found === undefined ? '' : toldOrNot(found);
    }),
  ]);
  const { at, commit } = result;
  const head = `${at.slice(0, 10)}, commit ${commit ?? 'unknown'}${mark(result)}.`;
  return `${head}\n\n${markdownTable(['', ...columns], rows)}`;
}

function toldOrNot({ figure, digits, unit }: Result['figures'][number]): string {
  if (figure === null) return 'nothing to measure';
  return toldFigure({
    figure,
    ...(digits === undefined ? {} : { digits }),
    ...(unit === undefined ? {} : { unit }),
  });
}

function benchmarks(): readonly string[] {
  return [...new Set(Object.values(GOALS).map(({ benchmark }) => benchmark)), 'costs'];
}

/** A figure of a machine that others used is told as one. */
function mark(result: Result): string {
  return wasBusy(result) ? ', busy' : '';
}
