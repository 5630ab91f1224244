import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './support/project-files.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'peyk-totals-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe.concurrent('the last line of a test run', () => {
  it('counts what passed, and the run succeeds', async () => {
    const run = await runTests('passing', { 'a.test.mjs': 'it("a", () => {}); it("b", () => {});' });
    expect(run).toMatchObject({ code: 0, last: '2 passed, 0 failed', failed: [] });
  });

  it('counts failed tests, hooks and files that do not load', async () => {
    const run = await runTests('failing', {
      'a.test.mjs': 'it("a", () => {}); it("b", () => { throw new Error("wrong"); });',
      'b.test.mjs': 'import "./absent.mjs"; it("c", () => {});',
      'c.test.mjs':
        'describe("d", () => { beforeAll(() => { throw new Error("no"); }); it("e", () => {}); });',
    });
    expect(run).toMatchObject({ code: 1, last: '1 passed, 3 failed' });
    expect(run.failed).toEqual([
      'failed: a.test.mjs > b: wrong',
      expect.stringMatching(/^failed: b\.test\.mjs: .*absent\.mjs/u),
      'failed: c.test.mjs > d: no',
    ]);
  });

  it('names the files by the time that they took, the longest first', async () => {
    const waits = (ms: number): string =>
      `it("a", () => new Promise((done) => { setTimeout(done, ${ms}); }));`;
    const run = await runTests('slow', { 'a.test.mjs': waits(0), 'b.test.mjs': waits(2000) });
    expect(run.files).toEqual(['b.test.mjs', 'a.test.mjs']);
  });

  it('counts an error that no test waited for', async () => {
    const run = await runTests('stray', {
      'a.test.mjs': 'it("a", () => { void Promise.reject(new Error("stray")); });',
    });
    expect(run).toMatchObject({ code: 1, last: '1 passed, 1 failed', failed: ['failed: the run: stray'] });
  });

  it('tells a failure when there is nothing to run', async () => {
    expect(await runTests('empty', {})).toMatchObject({ code: 1, last: '0 passed, 1 failed', failed: [] });
  });

  it('tells a failure when every test was left out', async () => {
    const run = await runTests('skipped', { 'a.test.mjs': 'it["sk" + "ip"]("a", () => {});' });
    expect(run).toMatchObject({ code: 1, last: '0 passed, 1 failed', failed: [] });
  });

  it('tells a failure when the set-up of the run fails', async () => {
    const setup = 'export function setup() { throw new Error("no server"); }';
    const run = await runTests('setup', { 'a.test.mjs': 'it("a", () => {});' }, setup);
    expect(run).toMatchObject({ code: 1, last: '0 passed, 1 failed', failed: [] });
  });
});

interface Run {
  readonly code: number;
  readonly last: string | undefined;
  readonly failed: readonly string[];
  /** Named with their time. */
  readonly files: readonly string[];
}

/** Runs vitest by itself on these files, with the project's reporters. */
async function runTests(name: string, files: Record<string, string>, globalSetup?: string): Promise<Run> {
  const root = join(folder, name);
  mkdirSync(root);
  const reporter = JSON.stringify(join(ROOT, 'test/support/totals.ts'));
  const config = `
    import { createTotalsReporter } from ${reporter};
    const globalSetup = ${globalSetup === undefined ? '[]' : '["./global-setup.mjs"]'};
    const reporters = ['default', createTotalsReporter()];
    export default { test: { globals: true, include: ['*.test.mjs'], reporters, globalSetup } };`;
  const all = { ...files, 'vitest.config.mjs': config, 'global-setup.mjs': globalSetup ?? '' };
  for (const [path, text] of Object.entries(all)) writeFileSync(join(root, path), text);
  const args = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', root];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { env: { PATH: process.env['PATH'] } }, (_, stdout) => {
      const lines = stdout.trimEnd().split('\n');
      const failed = lines.filter((line) => line.startsWith('failed: ')).toSorted();
      const files = lines.flatMap((line) => /^ *[\d.]+ s (?<file>\S+)$/u.exec(line)?.groups?.['file'] ?? []);
      resolve({ code: child.exitCode ?? -1, last: lines.at(-1), failed, files });
    });
  });
}
