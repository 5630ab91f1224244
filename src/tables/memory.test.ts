import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { TableLimits } from '../ports/tables.ts';
import { STREAM_LIMITS } from './limits.ts';
import { row, workbook } from './testing/files.ts';

const CHILD = fileURLToPath(import.meta.resolve('./testing/stream-child.ts'));
const run = promisify(execFile);
/** For a machine that does much else. */
const PATIENCE_MS = 200_000;
vi.setConfig({ testTimeout: PATIENCE_MS + 10_000 });

const toldSchema = z.object({
  rows: z.number(),
  last: z.number(),
  blocks: z.number(),
  reason: z.string().nullable(),
  /** By how much the process grew. */
  megabytes: z.number(),
});

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peyk-memory-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Streams a file in a process with a heap of 40 MB, which ends where that is not enough. */
async function stream(path: string, limits: TableLimits = {}): Promise<z.output<typeof toldSchema>> {
  const args = ['--max-old-space-size=40', CHILD, path, JSON.stringify(limits)];
  const { stdout } = await run(process.execPath, args, { timeout: PATIENCE_MS });
  return toldSchema.parse(JSON.parse(stdout));
}

/** A file of so many pieces. */
async function file(name: string, count: number, piece: (index: number) => string): Promise<string> {
  const path = join(folder, name);
  await using handle = await open(path, 'w');
  const at = 10_000;
  for (let from = 0; from < count; from += at) {
    const length = Math.min(at, count - from);
    await handle.write(Array.from({ length }, (_, index) => piece(from + index)).join(''));
  }
  return path;
}

const NAMES = ['علی', 'Maryam', 'رضا', 'Sara', 'سلمان'];
const nameOf = (index: number): string => NAMES[index % NAMES.length] ?? '';
const phoneOf = (index: number): string => `0912${String(index).padStart(7, '0')}`;

describe('a file as long as they may be', () => {
  it('costs little memory as a CSV of a million rows', async () => {
    const path = await file('million.csv', 1_000_001, (index) => `${phoneOf(index)},${nameOf(index)}\r\n`);
    const told = await stream(path, { bytes: 30_000_000 });
    expect(told).toMatchObject({ rows: 1_000_001, last: 1_000_001, blocks: 1_001, reason: null });
    expect(told.megabytes).toBeLessThan(100);
  });

  it('costs little memory as a workbook of 200,000 rows, whose texts are shared or not', async () => {
    const cells = (index: number) =>
      `<c r="A${index + 1}"><v>98${phoneOf(index).slice(1)}</v></c>` +
      `<c r="B${index + 1}" t="s"><v>${index}</v></c><c t="inlineStr"><is><t>${nameOf(index)}</t></is></c>`;
    const rows = Array.from({ length: 200_000 }, (_, index) => `<row r="${index + 1}">${cells(index)}</row>`);
    const strings = rows.map((_, index) => `<si><t>${nameOf(index)} ${index}</t></si>`);
    const path = join(folder, 'long.xlsx');
    await writeFile(path, await workbook({ rows: rows.join(''), strings: strings.join('') }));
    const told = await stream(path);
    expect(told).toMatchObject({ rows: 200_000, last: 200_000, reason: null });
    expect(told.megabytes).toBeLessThan(150);
  });

  it('costs little memory as a workbook of a million shared texts', async () => {
    const strings = Array.from(
      { length: 1_000_000 },
      (_, index) => `<si><t>${nameOf(index)} ${index}</t></si>`,
    );
    const rows = Array.from({ length: 200_000 }, (_, index) => row(`<c t="s"><v>${index * 5}</v></c>`));
    const path = join(folder, 'shared.xlsx');
    await writeFile(path, await workbook({ rows: rows.join(''), strings: strings.join('') }));
    const told = await stream(path);
    expect(told).toMatchObject({ rows: 200_000, last: 200_000, reason: null });
    expect(told.megabytes).toBeLessThan(150);
  });
});

describe('a file that is made to cost much', () => {
  it.each([
    ['one line of 50 MB', 'x', 50_000_000, 'too_long_cell'],
    ['one line of quotes and letters', '"x', 25_000_000, 'too_long_cell'],
    ['a quote that never closes', '"a,b\n', 10_000_000, 'open_quote'],
    ['nothing but quotes', '"', 50_000_000, 'too_long_cell'],
    ['nothing but separators', ',', 50_000_000, 'too_wide'],
    ['rows of 16,000 separators', `${','.repeat(16_000)}\n`, 3_000, 'empty'],
    ['rows of 16,000 cells', `${'a,'.repeat(16_000)}\n`, 1_000, 'too_wide'],
    ['a million empty lines', '\n', 1_000_000, 'empty'],
    ['fifty million empty lines', '\n', 50_000_000, 'too_many_rows'],
    ['ten million rows', '1\n', 10_000_000, 'too_many_rows'],
    ['rows of 255 empty cells and one', `${','.repeat(255)}1\n`, 190_000, null],
    ['rows of the longest cells', `${`${'x'.repeat(32_000)},`.repeat(255)}\n`, 6, null],
  ])('costs little memory: %s', async (_, piece, count, reason) => {
    const times = Math.max(1, Math.floor(10_000 / piece.length));
    const path = await file('hostile.csv', Math.ceil(count / times), () => piece.repeat(times));
    const told = await stream(path, { bytes: 60_000_000 });
    expect(told.reason).toBe(reason);
    expect(told.megabytes).toBeLessThan(150);
  });

  it('is refused unread where it is larger than Telegram hands out', async () => {
    const path = await file('large.csv', STREAM_LIMITS.bytes / 1_000 + 1, () => 'x'.repeat(1_000));
    expect(await stream(path)).toMatchObject({ rows: 0, reason: 'too_large' });
  });
});
