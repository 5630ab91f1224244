import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMet, toTable, type Benchmark } from './benchmark.ts';
import { bulk } from './bulk.ts';
import { confirm } from './confirm.ts';
import { credit } from './credit.ts';
import { importing } from './import.ts';
import { intake } from './intake.ts';
import { isolation } from './isolation.ts';
import { memory } from './memory.ts';
import { polling } from './polling.ts';
import { start } from './start.ts';

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  intake,
  confirm,
  credit,
  isolation,
  bulk,
  import: importing,
  memory,
  polling,
  start,
};

/** `npm run bench -- [names]`: runs the named benchmarks, or all, one after the other. */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => BENCHMARKS[name] === undefined);
  if (unknown.length > 0) {
    console.error(`no benchmark ${unknown.join(', ')}; there are ${Object.keys(BENCHMARKS).join(', ')}`);
    process.exitCode = 2;
    return;
  }
  const results = join(import.meta.dirname, 'results');
  mkdirSync(results, { recursive: true });
  for (const name of names.length > 0 ? names : Object.keys(BENCHMARKS)) {
    const benchmark = BENCHMARKS[name];
    if (benchmark === undefined) continue;
    console.log(`\n${name}: ${benchmark.about}`);
    const figures = await benchmark.run((progress) => console.log(`  ${progress}`));
    console.log(`\n${toTable(figures)}`);
    const json = figures.map((figure) => ({ ...figure, met: isMet(figure) }));
    writeFileSync(join(results, `${name}.json`), `${JSON.stringify(json, null, 2)}\n`);
  }
}

await main(process.argv.slice(2));
