import { markdownTable, toldFigure, toldLoops, toldPairs } from './benchmark.ts';
import { GOALS, isReached, toldGoal, type Goal } from './goals.ts';
import { wasBusy, type Result } from './result.ts';

type Read = (benchmark: string) => Result | null;

/** What a block says: what was not run says what it says `before`. */
const BLOCKS: Readonly<Record<string, (read: Read, before: string) => string>> = {
  goals,
  brief,
  beside,
  runs,
  sizes: (read, before) => pivot(before, read('scaling'), (what) => /^\d/u.test(what)),
  walls: (read, before) => pivot(before, read('scaling'), (what) => what.startsWith('one process')),
  check: (read, before) => pivot(before, read('scaling'), (what) => !/^\d|^one process/u.test(what)),
  units: (read, before) => pivot(before, read('costs'), () => true),
};

/**
 * Writes what the last runs found into a text: between two comments that name them, every goal with its figure, what
 * stands beside the goals, and the runs. What has not been run here stays as it stands there, or has no figure.
 */
export function fillFigures(text: string, read: Read): string {
  return text.replaceAll(
    /(<!-- bench: (\w+) -->\n)([^]*?)(<!-- end -->)/gu,
    (_, begin: string, name: string, before: string, end: string) => {
      const block = BLOCKS[name];
      if (block === undefined) throw new Error(`nothing is called ${name}`);
      return `${begin}\n${block(read, before)}\n\n${end}`;
    },
  );
}

/** The rows of a block that begin with some cells. */
function standing(before: string, ...begin: readonly string[]): string[][] {
  const rows = before.split('\n').filter((line) => line.startsWith('|'));
  return rows
    .map((row) => row.split('|').slice(1, -1))
    .map((row) => row.map((cell) => cell.trim()))
    .filter((row) => begin.every((cell, at) => row[at] === cell));
}

function goals(read: Read, before: string): string {
  const rows = Object.entries<Goal>(GOALS).map(([name, goal]) => {
    const result = read(goal.benchmark);
    const found = foundFor(result, name);
    const begin = [`\`${goal.benchmark}\``, toldMeasure(goal), toldGoal(goal)];
    if (result === null) return standing(before, ...begin)[0] ?? [...begin, 'not run'];
    if (found === null) return [...begin, 'not run'];
    const { figure, pairs, note } = found;
    const verdict = isReached(goal, figure) ? 'yes' : 'no';
    return [
      ...begin,
      `${toldFigure({ ...goal, figure })}${toldLoops({ figure, ...goal }, result.loop)}`,
      toldPairs({ ...goal, pairs }),
      `${wasBusy(result) && goal.isCounted !== true ? 'needs a quiet machine' : verdict}${note === undefined ? '' : `; ${note}`}`,
    ];
  });
  return markdownTable(['benchmark', 'what', 'goal', 'figure', 'pairs', 'met'], rows);
}

/** What somebody who reads about Peyk for the first time may ask. */
const IN_BRIEF = new Set(['bulk', 'memory', 'import', 'confirm', 'credit', 'intake']);

function brief(read: Read, before: string): string {
  const rows = Object.entries<Goal>(GOALS)
    .filter(([, { benchmark }]) => IN_BRIEF.has(benchmark))
    .map(([name, goal]) => {
      const result = read(goal.benchmark);
      const found = foundFor(result, name);
      const begin = [toldMeasure(goal), toldGoal(goal)];
      if (result === null) return standing(before, ...begin)[0] ?? [...begin, 'not run'];
      return [...begin, found === null ? 'not run' : `${toldFigure({ ...goal, ...found })}${mark(result)}`];
    });
  return markdownTable(['what', 'goal', 'figure'], rows);
}

function toldMeasure({ measure, peer }: Goal): string {
  return `${measure}${peer === undefined ? '' : ` ÷ ${peer}`}`;
}

type Found = Result['figures'][number] & { readonly figure: number };

/** What was found for a goal; null: it was not measured, or there was nothing to measure. */
function foundFor(result: Result | null, name: string): Found | null {
  const found = result?.figures.find(({ goal }) => goal === name);
  return found === undefined || found.figure === null ? null : { ...found, figure: found.figure };
}

function beside(read: Read, before: string): string {
  const rows = benchmarks().flatMap((name) => {
    const result = read(name);
    // What one of everything costs stands in docs/scaling.md.
    if (name === 'costs') return [];
    if (result === null) return standing(before, `\`${name}\``);
    return result.figures
      .filter((figure) => figure.isTold === true)
      .map((found) => [
        `\`${name}\``,
        `${found.what}: ${found.measure}`,
        `${toldOrNot(found)}${found.figure === null ? '' : toldLoops({ ...found, figure: found.figure }, result.loop)}${mark(result)}`,
      ]);
  });
  return markdownTable(['benchmark', 'what', 'figure'], rows);
}

function runs(read: Read, before: string): string {
  const rows = benchmarks().map((name) => {
    const result = read(name);
    if (result === null) return standing(before, `\`${name}\``)[0] ?? [`\`${name}\``, 'not run'];
    const { at, commit, seconds, node, cores, cpu, othersCores, loop } = result;
    return [
      `\`${name}\``,
      at.slice(0, 10),
      commit ?? 'unknown',
      `${seconds} s`,
      `${cores} × ${cpu}`,
      node.slice(1),
      `${loop.ms.toFixed(2)} ms (${loop.beforeMs.toFixed(2)}, ${loop.afterMs.toFixed(2)})`,
      `${othersCores?.toFixed(2) ?? 'unknown'}${mark(result)}`,
    ];
  });
  return markdownTable(
    ['benchmark', 'date', 'commit', 'took', 'cores', 'Node', 'loop (before, after)', 'cores of others'],
    rows,
  );
}

/** A column for each thing, a row for each measure of it. */
function pivot(before: string, result: Result | null, isColumn: (what: string) => boolean): string {
  if (result === null) return before.trim() || 'Not run.';
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
  return [...new Set(Object.values(GOALS).map(({ benchmark }) => benchmark))];
}

/** A figure of a machine that others used is told as one. */
function mark(result: Result): string {
  return wasBusy(result) ? ', busy' : '';
}
