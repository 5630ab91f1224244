import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toTable, type Benchmark } from './benchmark.ts';
import { bulk } from './bulk.ts';
import { setCalibration, type Calibration } from './calibration.ts';
import { confirm } from './confirm.ts';
import { costs } from './costs.ts';
import { credit } from './credit.ts';
import { fillFigures } from './document.ts';
import { importing } from './import.ts';
import { intake } from './intake.ts';
import { isolation } from './isolation.ts';
import { memory } from './memory.ts';
import { polling } from './polling.ts';
import { replicas } from './replicas.ts';
import { reports } from './reports.ts';
import { readResult, recorded } from './result.ts';
import { scaling } from './scaling.ts';
import { start } from './start.ts';
import { year } from './year.ts';

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  intake,
  confirm,
  credit,
  isolation,
  bulk,
  import: importing,
  memory,
  polling,
  replicas,
  reports,
  costs,
  start,
  scaling,
  year,
};

const DOCUMENTS = ['README.md', 'docs/performance.md', 'docs/scaling.md'] as const;

/**
 * `npm run bench -- [names] [--document]`: runs the named benchmarks one after the other and writes the figures of their
 * last runs into the documents. Without a word it runs all of them; with `--document` alone, none.
 */
async function main(words: readonly string[]): Promise<void> {
  const names = words.filter((word) => word !== '--document');
  const unknown = names.filter((name) => BENCHMARKS[name] === undefined);
  if (unknown.length > 0) {
    console.error(`no benchmark ${unknown.join(', ')}; there are ${Object.keys(BENCHMARKS).join(', ')}`);
    process.exitCode = 2;
    return;
  }
  const chosen = words.length > 0 ? names : Object.keys(BENCHMARKS);
  if (chosen.length > 0) {
    await using calibration = await setCalibration();
    for (const name of chosen) await run(name, calibration);
  }
  if (words.length === names.length && words.length > 0) return;
  for (const name of DOCUMENTS) {
    const path = join(import.meta.dirname, '..', name);
    writeFileSync(path, fillFigures(readFileSync(path, 'utf8'), readResult));
    console.log(`written into ${name}`);
  }
}

/** One that fails leaves what it found the last time, and does not keep the others from being run. */
async function run(name: string, calibration: Calibration): Promise<void> {
  const benchmark = BENCHMARKS[name];
  if (benchmark === undefined) return;
  console.log(`\n${name}: ${benchmark.about}`);
  try {
    const { figures, loop, othersCores } = await recorded(name, calibration, async () => {
      return await benchmark.run((progress) => console.log(`  ${progress}`));
    });
    console.log(
      `\n${toTable(figures, loop)}\n\nthe fixed loop: ${loop.ms.toFixed(2)} ms; cores of others: ${othersCores}`,
    );
  } catch (error) {
    console.error(`${name} failed:`, error);
    process.exitCode = 1;
  }
}

await main(process.argv.slice(2));
