import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { surroundings } from './surroundings.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Runs the program to its end, with these settings and no others; what it said on both streams. */
export async function runTool(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<{ readonly code: unknown; readonly text: string }> {
  const child = spawn(join(ROOT, 'node_modules/.bin/node'), [join(ROOT, 'src/main.ts'), ...args], {
    cwd,
    env: { ...surroundings(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      text += bytes.toString('utf8');
    });
  const [code]: unknown[] = await once(child, 'close');
  return { code, text };
}
