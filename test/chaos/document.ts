import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { OUTPUT } from './output.ts';

const Result = z.looseObject({
  at: z.string(),
  commit: z.string().nullable(),
  node: z.string(),
  machine: z.string(),
  seconds: z.number(),
  seed: z.string().optional(),
  processes: z.number().optional(),
  recipients: z.number().optional(),
  from: z.string().optional(),
  figures: z.record(z.string(), z.number()).optional(),
  controls: z
    .array(
      z.object({
        name: z.string(),
        about: z.string(),
        caughtIn: z.number().nullable(),
        by: z.array(z.string()),
      }),
    )
    .optional(),
});
type Result = z.output<typeof Result>;

/** The commands of the document's tables, by the file that each leaves. */
const COMMANDS: Readonly<Record<string, (result: Result) => string>> = {
  'chaos.json': ({ figures, seed }) => `npm run chaos -- --rounds ${figures?.['rounds']} --seed ${seed}`,
  'chaos-inbox.json': ({ figures, seed }) =>
    `npm run chaos -- --inbox --rounds ${figures?.['rounds']} --seed ${seed}`,
  'chaos-rolling.json': ({ recipients }) => `npm run chaos -- --rolling --recipients ${recipients}`,
  'chaos-upgrade.json': ({ recipients, from }) =>
    `npm run chaos -- --rolling --from ${from} --recipients ${recipients}`,
  'chaos-controls.json': () => 'npm run chaos -- --controls',
  'chaos-syscalls.json': () => 'npm run chaos -- --syscalls',
  'fuzz.json': ({ seed }) => `npm run fuzz -- --goals --seed ${seed}`,
};

/**
 * Writes what the last runs found into a text, each between two comments that name its file. What has not been run
 * keeps the figures that it had. Returns the text and the names of the results that it took.
 */
export function fillFigures(
  text: string,
  read: (file: string) => string | null,
): { text: string; taken: string[] } {
  const taken: string[] = [];
  const filled = text.replaceAll(
    /(<!-- figures of ([\w.-]+) -->\n)[^]*?(<!-- end -->)/gu,
    (whole, begin: string, file: string, end: string) => {
      const command = COMMANDS[file];
      if (command === undefined) throw new Error(`nothing writes ${file}`);
      const json = read(file);
      if (json === null) return whole;
      taken.push(file);
      const result = Result.parse(JSON.parse(json));
      return `${begin}\n${tableOf(result, command(result))}\n\n${end}`;
    },
  );
  return { text: filled, taken };
}

/** Fills the figures of a document from the folder of results. */
export function fillDocument(path: string): string[] {
  const read = (file: string): string | null => {
    const from = join(OUTPUT, file);
    return existsSync(from) ? readFileSync(from, 'utf8') : null;
  };
  const { text, taken } = fillFigures(readFileSync(path, 'utf8'), read);
  writeFileSync(path, text);
  return taken;
}

function tableOf(result: Result, command: string): string {
  const { at, commit, node, machine, seconds, processes, figures = {}, controls = [] } = result;
  const of = processes === undefined ? '' : `, ${processes} processes`;
  const minutes = Math.max(1, Math.round(seconds / 60));
  const head = `\`${command}\`, ${at.slice(0, 10)}, commit ${commit ?? 'unknown'}, ${minutes} min${of}, Node ${node.slice(1)}, ${machine}.`;
  const rows = [
    ...Object.entries(figures).map(([name, value]) => [name, value.toLocaleString('en-US')]),
    ...controls.map(({ name, about, caughtIn, by }) => [
      `${name}: ${about}`,
      caughtIn === null ? 'not caught' : `caught (${by.join(', ')})`,
    ]),
  ];
  const widths = [0, 1].map((column) => Math.max(3, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[1] ?? 0))).join(' | ')} |`;
  return [
    head,
    '',
    line(['', '']),
    `| ${'-'.repeat(widths[0] ?? 3)} | ${'-'.repeat((widths[1] ?? 3) - 1)}: |`,
    ...rows.map(line),
  ].join('\n');
}
