import { existsSync } from 'node:fs';
import process from 'node:process';
import manifest from '../package.json' with { type: 'json' };
import { readCommandLine, type CommandName } from './operator/command-line.ts';
import { EXIT } from './process/exit-codes.ts';

type Program = (args: readonly string[]) => Promise<number | void>;

/** What each command runs; loaded when it is asked for. */
const PROGRAMS: Readonly<Record<CommandName, () => Promise<Program>>> = {
  try: async () => {
    const [{ run }, { tryEnvironment }] = await Promise.all([
      import('./app/run.ts'),
      import('./process/config.ts'),
    ]);
    return async () => await run(tryEnvironment(process.env));
  },
  doctor: async () => {
    const { doctor } = await import('./operator/doctor.ts');
    return async () => await doctor(process.env);
  },
  keys: async () => (await import('./operator/keys.ts')).keys,
  halt: async () => (await import('./operator/halt.ts')).halt,
  audit: async () => (await import('./operator/audit.ts')).audit,
  forget: async () => (await import('./operator/forget.ts')).forget,
};

/** The program `peyk`: what stands behind its name decides. */
async function main(): Promise<number | void> {
  const asked = readCommandLine(process.argv.slice(2));
  if (asked.kind === 'help') return say(asked.text);
  if (asked.kind === 'version') return say(`peyk ${manifest.version}`);
  if (asked.kind === 'mistake') {
    process.stderr.write(`${asked.text}\n`);
    return EXIT.badUse;
  }
  if (existsSync('.env')) process.loadEnvFile('.env');
  if (asked.kind === 'command') {
    const program = await PROGRAMS[asked.name]();
    return await program(asked.args);
  }
  const { run } = await import('./app/run.ts');
  return await run(process.env);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The database's driver can be connecting while it is closed: nobody ends that connection, which would hold the process. */
const LEFT_OPEN_MS = 2000;

const code = await main();
if (code !== undefined) process.exitCode = code;
setTimeout(() => process.exit(), LEFT_OPEN_MS).unref();
