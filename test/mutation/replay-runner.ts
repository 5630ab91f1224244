import * as fc from 'fast-check';
import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import process from 'node:process';
import { setInterval, setTimeout } from 'node:timers';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type RunnerTestCase, type RunnerTestSuite, TestRunner } from 'vitest';
import { z } from 'zod';
import { openNotes } from './notes.ts';

/*
 * Plays each test as it is, and then once more with each change that it comes by, in one process: to load modules anew for
 * each change takes longer than most tests do. What is changed where a module is loaded takes a new copy of the modules.
 * Where a change hangs, or leaves behind what makes a test red without it, the process ends; the next one goes on.
 */

const settings = z
  .object({
    MUTATION_NOTES: z.string(),
    /** Folders whose modules are loaded anew, as a pattern. */
    MUTATION_FRESH: z.string(),
    MUTATION_FILES: z.string().transform((files) => files.split(',')),
    /** What takes more waits for a later round: most changes are noticed by something that takes less. */
    MUTATION_MOST_MS: z.coerce.number(),
    MUTATION_LAST: z.stringbool(),
  })
  .parse(process.env);
/** Tests put a clock of their own in its place. */
const now = performance.now.bind(performance);
const notes = openNotes(settings.MUTATION_NOTES);
const FRESH = new RegExp(`^${pathToFileURL(process.cwd()).href}/(?:${settings.MUTATION_FRESH})/[^?]*$`, 'u');
const CHANGED = new Set(settings.MUTATION_FILES.map((file) => pathToFileURL(file).href));

/** What the sources look at, by names that Stryker has given them. */
interface Switches {
  activeMutant: string | undefined;
  currentTestId: string | undefined;
  hitCount: number | undefined;
  hitLimit: number;
  readonly mutantCoverage: {
    static: Record<string, number>;
    readonly perTest: Record<string, Record<string, number>>;
  };
  /** For statements, which are not woven by Stryker: whether this change is to be made. */
  is(id: string): boolean;
  /** Something comes by these changes. */
  pass(...ids: readonly string[]): void;
}
const switches: Switches = {
  activeMutant: undefined,
  currentTestId: undefined,
  hitCount: undefined,
  hitLimit: 0,
  mutantCoverage: { static: {}, perTest: {} },
  is: (id) => switches.activeMutant === id,
  pass(...ids) {
    const { perTest, static: loaded } = switches.mutantCoverage;
    const test = switches.currentTestId;
    const hits = test === undefined ? loaded : (perTest[test] ??= {});
    for (const id of ids) hits[id] = (hits[id] ?? 0) + 1;
  },
};
Object.assign(globalThis, { __stryker__: switches });

/** How often timers were come to, which change was played last (and one more, as 0 is none), and how often anything was. */
const shared = new Int32Array(new SharedArrayBuffer(12));
new Worker(new URL('hang-watch.ts', import.meta.url), {
  workerData: { shared, notes: settings.MUTATION_NOTES },
}).unref();
setInterval(() => Atomics.add(shared, 0, 1), 100).unref();

/** Whether what was loaded last has anything of what is changed. */
let isConcerned = false;
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const copy = /\?copy=\d+$/u.exec(context.parentURL ?? '')?.[0];
    if (copy === undefined || !FRESH.test(resolved.url)) return resolved;
    isConcerned ||= CHANGED.has(resolved.url);
    return { ...resolved, url: resolved.url + copy };
  },
});

/** Makes vitest play a test once more, with all that stands before and after it. */
const AGAIN = new Error('once more');
/** A test that waits for ever notices too: for so long, and then so many times as long as without a change. */
const ENOUGH_MS = 2000;
const ENOUGH_TIMES = 10;
/** Without a change. */
const LONGEST_MS = 200_000;

const MOST_DOUBTED = 25;

/** What is to be played with a test. */
interface Plan {
  readonly ids: string[];
  readonly hits: Readonly<Record<string, number>>;
  readonly ms: number;
  /** Noticed by it, but not known yet to be no more than what an earlier change has left behind. */
  readonly doubted: string[];
  /** Nothing was changed in it yet. */
  isFresh: boolean;
  mayBeSpoilt: boolean;
}

// oxlint-disable-next-line import/no-default-export -- vitest looks for its runner there
export default class ReplayRunner extends TestRunner {
  readonly #plans = new Map<string, Plan>();
  /** A file has its tests, and then those of each copy that was loaded with a change: up to which place they are whose. */
  #ends: { readonly id: string | null; readonly end: number }[] = [];
  #isConcerned = false;
  #copies = 0;
  #wasLate = false;

  override async importFile(path: string, source: 'collect' | 'setup'): Promise<unknown> {
    if (source === 'setup') return await super.importFile(path, source);
    const { tasks } = TestRunner.getCurrentSuite();
    const load = async (): Promise<unknown> =>
      await import(`${pathToFileURL(path).href}?copy=${(this.#copies += 1)}`);
    switches.mutantCoverage.static = {};
    isConcerned = false;
    const began = process.cpuUsage().user;
    const loaded = await load();
    this.#isConcerned = isConcerned;
    const ms = (process.cpuUsage().user - began) / 1000;
    this.#ends = [{ id: null, end: tasks.length }];
    const ids = ms > settings.MUTATION_MOST_MS ? [] : this.#idsToLoad(relative(process.cwd(), path));
    for (const id of ids) {
      if (await this.#isRed(id, { hits: {}, ms }, load)) notes.add({ noticed: id });
      this.#ends.push({ id, end: tasks.length });
    }
    // What a change makes red is not made smaller first.
    fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
    return loaded;
  }

  /** What is changed where modules are loaded; last of all also what may only have passed by what modules had kept. */
  #idsToLoad(path: string): readonly string[] {
    const ids = new Set(Object.keys(switches.mutantCoverage.static));
    if (settings.MUTATION_LAST)
      for (const [by, passed] of notes.passed)
        if (by.startsWith(`${path} > `)) for (const id of passed) ids.add(id);
    return [...ids].filter((id) => !notes.noticed.has(id));
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    // As often as there is a change to be played.
    test.retry = 1_000_000;
    if (!this.#isConcerned || notes.noticed.has(this.#copyOf(test) ?? '')) test.mode = 'skip';
    await super.onBeforeRunTask(test);
  }

  override onBeforeTryTask(test: RunnerTestCase): void {
    delete test.result?.errors;
    super.onBeforeTryTask(test);
  }

  override runTask = async (test: RunnerTestCase): Promise<void> => {
    const name = `${test.file.name} > ${test.fullTestName}`;
    const play = TestRunner.getTestFn(test);
    const id = this.#copyOf(test);
    const isFirst = !this.#plans.has(name);
    const plan = this.#plans.get(name) ?? (await this.#playFirst(name, play));
    // What stands before a test is for one play of it.
    if (isFirst && (id !== null || plan.ids.length > 0)) throw AGAIN;
    if (id !== null) {
      if (await this.#notices(id, `${name}, loaded`, plan, play)) notes.add({ noticed: id });
      return;
    }
    if (plan.mayBeSpoilt) {
      plan.mayBeSpoilt = false;
      const isSpoilt = await isRed(play, ENOUGH_MS + ENOUGH_TIMES * plan.ms);
      if (isSpoilt && !plan.isFresh) end({ spoilt: name });
      // Red the second time by itself: it would notice whatever there is.
      if (isSpoilt) plan.ids.length = 0;
      settle(plan);
    } else {
      plan.isFresh = false;
      const next = plan.ids.shift();
      if (next !== undefined && (await this.#notices(next, name, plan, play))) plan.doubted.push(next);
      const isCareful = notes.spoilt.has(name);
      // It is looked at in a turn of its own, with all that stands before it.
      plan.mayBeSpoilt =
        this.#wasLate || plan.doubted.length >= (isCareful || plan.ids.length === 0 ? 1 : MOST_DOUBTED);
      this.#wasLate = false;
      if (plan.mayBeSpoilt && isCareful) settle(plan);
    }
    if (plan.ids.length > 0 || plan.mayBeSpoilt) throw AGAIN;
  };

  /** As it is: what it comes by, and what that takes. */
  async #playFirst(name: string, play: () => unknown): Promise<Plan> {
    const began = now();
    switches.currentTestId = name;
    if (await isRed(play)) end(Atomics.load(shared, 1) === 0 ? { red: name } : { spoilt: name });
    switches.currentTestId = undefined;
    const ms = now() - began;
    const hits = switches.mutantCoverage.perTest[name] ?? {};
    const ids = Object.keys(hits).filter((id) => this.#isOpen(id, name, ms));
    const mayBeSpoilt = ids.length > 0 && notes.spoilt.has(name);
    const plan = { ids, hits, ms, doubted: [], isFresh: true, mayBeSpoilt };
    this.#plans.set(name, plan);
    return plan;
  }

  #isOpen(id: string, name: string, ms: number): boolean {
    return (
      ms <= settings.MUTATION_MOST_MS && !notes.noticed.has(id) && notes.passed.get(name)?.has(id) !== true
    );
  }

  async #notices(id: string, name: string, plan: Plan, play: () => unknown): Promise<boolean> {
    if (!this.#isOpen(id, name, plan.ms)) return false;
    const isNoticed = await this.#isRed(id, plan, play);
    if (!isNoticed) notes.add({ passed: id, by: name });
    return isNoticed;
  }

  async #isRed(id: string, { hits, ms }: Pick<Plan, 'hits' | 'ms'>, play: () => unknown): Promise<boolean> {
    // What is come by far more often than without it goes round in circles.
    Object.assign(switches, { activeMutant: id, hitCount: 0, hitLimit: 10_000 + 200 * (hits[id] ?? 0) });
    Atomics.store(shared, 1, Number(id) + 1);
    try {
      return await isRed(play, ENOUGH_MS + ENOUGH_TIMES * ms, () => {
        // It goes on, and what it holds in a database may hold up whatever is played after it: that is looked at now.
        notes.add({ noticed: id });
        this.#wasLate = true;
      });
    } finally {
      Object.assign(switches, { activeMutant: undefined, hitCount: undefined });
    }
  }

  /** The change with which the copy of a test was loaded. */
  #copyOf(test: RunnerTestCase): string | null {
    let top: RunnerTestCase | RunnerTestSuite = test;
    while (top.suite !== undefined && top.suite !== test.file) top = top.suite;
    const place = test.file.tasks.indexOf(top);
    return this.#ends.find((each) => place < each.end)?.id ?? null;
  }
}

function settle({ doubted }: Plan): void {
  for (const id of doubted.splice(0)) notes.add({ noticed: id });
}

async function isRed(
  play: () => unknown,
  enoughMs = LONGEST_MS,
  whenLate: () => void = () => {},
): Promise<boolean> {
  Atomics.add(shared, 2, 1);
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    whenLate();
    reject(new Error('too long'));
  }, enoughMs);
  try {
    await Promise.race([play(), late]);
    return false;
  } catch {
    return true;
  } finally {
    clearTimeout(timer);
  }
}

function end(note: Parameters<typeof notes.add>[0]): void {
  notes.add(note);
  process.kill(process.pid, 'SIGKILL');
}
