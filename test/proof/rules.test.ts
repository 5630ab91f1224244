import { expect, test } from 'vitest';
import { ATTEMPT_MOVES, ATTEMPT_STATES } from '../../src/domain/attempt.ts';
import { DRAFT_MOVES, DRAFT_STATES } from '../../src/domain/draft.ts';
import { JOB_MOVES, JOB_STATES } from '../../src/domain/job.ts';
import type { Moves } from '../../src/domain/machine.ts';
import { projectFiles, readProjectFile } from '../support/project-files.ts';
import { BROKEN, whileBroken } from './broken.ts';
import { GUARDS, MOVES, SPARE } from './guards.ts';
import { search } from './search.ts';
import { LIMITS, WORLDS } from './worlds.ts';

/* The rules of sends, exhausted: docs/proof/README.md says what that proves. */

const MACHINES: readonly (readonly [name: string, moves: Moves<string>, states: readonly string[]])[] = [
  ['attempt', ATTEMPT_MOVES, ATTEMPT_STATES],
  ['job', JOB_MOVES, JOB_STATES],
  ['draft', DRAFT_MOVES, DRAFT_STATES],
];
/** What waits for its time is neither paused nor stopped, so that none of it goes on to wait. */
const NOT_GONE = ['job resume_wait: paused → scheduled', 'job resume_wait: stopped → scheduled'];

const print = (line: string) => process.stdout.write(`${line}\n`);

test('whatever happens in whatever order, every state that can be reached keeps the promises', () => {
  const ways = new Set<string>();
  let states = 0;
  for (const [name, world] of Object.entries(WORLDS)) {
    const found = search(world, { ways });
    expect(found.wrong, name).toBeNull();
    print(`${name}: ${found.states} states by ${found.steps} steps, the farthest after ${found.depth}`);
    states += found.states;
  }
  print(`${states} states`);
  expect(states).toBeGreaterThan(1_000_000);
  // What is not gone is not shown to be safe.
  const left = MACHINES.flatMap(([machine, moves, all]) =>
    Object.entries(moves).flatMap(([move, leads]) =>
      Object.entries(leads)
        .filter(([from, to]) => from !== to)
        .filter(([from, to]) => !ways.has(`${machine} ${all.indexOf(from) + 1} ${all.indexOf(to ?? '') + 1}`))
        .map(([from, to]) => `${machine} ${move}: ${from} → ${to}`),
    ),
  );
  expect(left).toEqual(NOT_GONE);
});

test('each rule that is broken is found, by the shortest way to what is wrong', () => {
  expect(BROKEN.length).toBeGreaterThanOrEqual(20);
  const missed: string[] = [];
  for (const broken of BROKEN) {
    const { wrong } = whileBroken(broken, (without) => search(WORLDS[broken.world], { without }));
    if (wrong === null) missed.push(broken.name);
    else print(`${broken.name}:\n  ${wrong.history.join('\n  ')}\n  = ${wrong.promise}`);
  }
  expect(missed).toEqual([]);
  // And none of them is broken any more.
  expect(search(WORLDS['a second send']).wrong).toBeNull();
});

test('guards that others stand behind can be left out one at a time', () => {
  const { 'one call and every trouble': call, 'a draft and what comes of it': draft } = WORLDS;
  for (const guard of SPARE) {
    const world = guard === 'switch at the start' ? draft : call;
    expect(search(world, { without: new Set([guard]) }).wrong, guard).toBeNull();
  }
});

test('what is said to be out of reach still is', () => {
  for (const [name, world] of Object.entries(LIMITS)) {
    const { wrong } = search(world, { about: '1. at most once' });
    expect(wrong?.history.length, name).toBeGreaterThan(5);
  }
});

test('each guard of the model stands in the product where it is said to, and is left out by a broken rule or can be spared', () => {
  const lost = Object.entries(GUARDS).flatMap(([guard, { at, asks }]) => {
    const [path = '', name = ''] = at.split(' › ');
    const text = functionOf(readProjectFile(path), name);
    return [...(text === '' ? [at] : []), ...asks.filter((ask) => !text.includes(ask))].map(
      (ask) => `${guard}: ${ask}`,
    );
  });
  expect(lost).toEqual([]);
  const leftOut = new Set([...SPARE, ...BROKEN.flatMap(({ without = [] }) => without)]);
  expect(Object.keys(GUARDS).filter((guard) => !leftOut.has(guard as never))).toEqual([]);
});

test('each statement that makes a move is one that the model knows', () => {
  const calls = /\bmove(?:By)?\(\s*(?:tx|sql),\s*'(attempt|draft|job)',\s*([^;]*?)\)[;.,}\s]/gu;
  const found = projectFiles('src/storage/**/*.ts')
    .filter(({ path }) => !/(\.test|\/testing|\/move)\.ts$/u.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(calls)].map(([, machine = '', which = '']) => ({ path, machine, which, text })),
    );
  const made = new Map<string, Set<string>>();
  for (const { path, machine, which, text } of found) {
    // Where a name is not written out in the call, it is one of those of its machine that the file has.
    const moves = Object.keys(MACHINES.find(([name]) => name === machine)?.[1] ?? {});
    const named = [...which.matchAll(/'(\w+)'/gu)]
      .map(([, name = '']) => name)
      .filter((name) => moves.includes(name));
    const meant = named.length > 0 ? named : moves.filter((move) => text.includes(`'${move}'`));
    const list = made.get(path) ?? new Set();
    for (const move of meant) list.add(`${machine}.${move}`);
    made.set(path, list);
  }
  expect(Object.fromEntries([...made].map(([path, list]) => [path, [...list].toSorted()]))).toEqual(
    Object.fromEntries(Object.entries(MOVES).map(([path, list]) => [path, list.split(' ').toSorted()])),
  );
});

/** The text of a function, from its name to the line that ends it; '': there is none. */
function functionOf(text: string, name: string): string {
  const begins =
    new RegExp(`^( *)(?:export )?(?:async )?function ${name}\\b`, 'mu').exec(text) ??
    new RegExp(`^( *)(?:async )?${name}\\([^)]*\\) \\{$`, 'mu').exec(text);
  if (begins === null) return '';
  const end = text.indexOf(`\n${begins[1] ?? ''}}`, begins.index);
  return text.slice(begins.index, end);
}
