import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Finding } from './checks.ts';
import { insertFailpoints, type Point } from './failpoint-source.ts';
import { ELSEWHERE, type Exception, TARGETS } from './failpoint-targets.ts';
import { hasten } from './hasten.ts';
import { CALLS, SCENES, type Scene } from './scenes.ts';
import { copySource, type SourceCopy } from './source-copy.ts';
import { startTrials, type Trials } from './trial.ts';

export interface FailpointOptions {
  readonly root: string;
  readonly only: string | undefined;
  readonly keep: boolean;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** One side of one await, and what became of the send during which the process was killed there. */
export interface Strike {
  readonly place: string;
  readonly line: string;
  readonly scene: string;
  readonly accepted: number;
  readonly unknown: number;
  readonly findings: readonly Finding[];
}

export interface FailpointResult {
  /** Awaits that have failpoints. */
  readonly awaits: number;
  readonly strikes: readonly Strike[];
  /** Places that no scene comes to, or at which nobody was killed: the harness fails. */
  readonly missed: readonly string[];
  /** Places left out, with the reason. */
  readonly elsewhere: readonly string[];
}

const REACH_MS = 15_000;
const TRIES = 3;
/** Of what is awaited. */
const SHOWN = 60;

/** Kills a process before and after every await of the send path, one at a time, and holds what came of it against the oracles. */
export async function runFailpoints(options: FailpointOptions): Promise<FailpointResult> {
  const { say, signal } = options;
  const folder = mkdtempSync(join(tmpdir(), 'peyk-failpoints-'));
  const copy = copySource(options.root);
  const { points, elsewhere, wanted } = planFailpoints(copy);
  say(`${points.length} awaits, ${elsewhere.length} of them elsewhere: ${wanted.length} failpoints`);
  const trials = await startTrials({
    source: copy.source,
    processes: 2,
    env: { FAILPOINT_FOLDER: folder },
    signal,
    say,
  });
  const strikes: Strike[] = [];
  const missed: string[] = [];
  let clean = false;
  try {
    const sceneOf = await explore(trials, folder);
    for (const { place, point } of wanted)
      if (!sceneOf.has(place))
        say(`no scene comes to ${place}: ${point.file}:${point.line} ${point.code.slice(0, SHOWN)}`);
    const chosen = wanted.filter(({ place }) => options.only === undefined || place.includes(options.only));
    for (const { point, place } of chosen) {
      signal.throwIfAborted();
      const line = `${point.file}:${point.line} ${point.code.slice(0, SHOWN)}`;
      const scene = sceneOf.get(place);
      const strike = scene === undefined ? null : await strikeAt(trials, folder, place, scene);
      if (strike === null) {
        missed.push(`${place} (${line})`);
        say(`${place}: NEVER REACHED (${line})`);
        continue;
      }
      strikes.push({ place, line, scene: scene?.name ?? '', ...strike });
      say(
        `${strikes.length}/${chosen.length} ${place} in ${scene?.name}: ${strike.accepted} accepted, ${strike.unknown} unknown`,
      );
      for (const { kind, what } of strike.findings) say(`  ${kind}: ${what}`);
    }
    clean = missed.length === 0 && strikes.every(({ findings }) => findings.length === 0);
  } finally {
    await trials.close(options.keep || !clean);
    copy.remove();
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    awaits: points.length,
    strikes,
    missed,
    elsewhere: elsewhere.map(({ point, why }) => `${point.id}: ${why}`),
  };
}

/** Puts failpoints into a copy. Throws where a function, or an await that is left out, is there no more. */
export function planFailpoints(copy: SourceCopy) {
  const points = instrument(copy);
  const elsewhere = points.flatMap((point) => {
    const why = ELSEWHERE.find((each) => concerns(each, point))?.why;
    return why === undefined ? [] : [{ point, why }];
  });
  for (const each of ELSEWHERE)
    if (!points.some((point) => concerns(each, point)))
      throw new Error(`no await of ${each.file} is ${String(each.code ?? each.lines)} any more`);
  const wanted = points
    .filter((point) => !elsewhere.some((each) => each.point === point))
    .flatMap((point) => ['before', 'after'].map((side) => ({ point, place: `${side} ${point.id}` })));
  return { points, elsewhere, wanted };
}

function concerns({ file, code, lines }: Exception, point: Point): boolean {
  return file === point.file && (code?.test(point.code) ?? true) && (lines?.test(point.lines) ?? true);
}

function instrument(copy: SourceCopy): Point[] {
  hasten(copy);
  const points: Point[] = [];
  for (const target of TARGETS) {
    copy.rewrite(target.file, (text) => {
      const made = insertFailpoints(text, target);
      points.push(...made.points);
      return made.text;
    });
  }
  copyFileSync(
    fileURLToPath(new URL('failpoint-runtime.ts', import.meta.url)),
    join(copy.source, 'src/failpoint-runtime.ts'),
  );
  copy.rewrite('src/main.ts', (text) => `import './failpoint-runtime.ts';\n${text}`);
  return points;
}

/** Plays every scene without a blow, and finds out in which one each place is reached first. */
async function explore(trials: Trials, folder: string): Promise<Map<string, Scene>> {
  for (const scene of SCENES) {
    await trials.run(scene, CALLS, () => order(folder, scene.name));
    rmSync(join(folder, 'order'), { force: true });
  }
  const sceneOf = new Map<string, Scene>();
  for (const line of readFileSync(join(folder, 'reached'), 'utf8').split('\n')) {
    const [name, place = ''] = line.split('\t');
    const scene = SCENES.find((each) => each.name === name);
    if (scene !== undefined && !sceneOf.has(place)) sceneOf.set(place, scene);
  }
  return sceneOf;
}

/** Null when nobody came to that place, however often it was tried. */
async function strikeAt(trials: Trials, folder: string, place: string, scene: Scene) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    rmSync(join(folder, 'struck'), { force: true });
    const struck = (): boolean => existsSync(join(folder, 'struck'));
    const trial = await trials.run(scene, CALLS, () => order(folder, scene.name, place), {
      until: struck,
      patienceMs: REACH_MS,
    });
    rmSync(join(folder, 'order'), { force: true });
    if (struck() || trial.findings.length > 0) return trial;
  }
  return null;
}

/** In one step: a process reads it at any time. */
function order(folder: string, scene: string, deadly = ''): void {
  writeFileSync(join(folder, 'next'), `${scene}\t${deadly}`);
  renameSync(join(folder, 'next'), join(folder, 'order'));
}
