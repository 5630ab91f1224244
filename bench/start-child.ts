import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { machineTime, serve } from './child.ts';

/* A program that is started and ended, with no settings but those that are named; it ends with this process. */

const Run = z.object({
  parameters: z.array(z.string()),
  settings: z.record(z.string(), z.string()),
  /** Ready when it has said so; absent: nobody waits for it. */
  says: z.string().optional(),
});

let running: ChildProcess | null = null;

serve(
  {
    /** Resolves with when it was started and when it was ready. */
    run: async (payload) => {
      const { parameters, settings, says } = Run.parse(payload);
      const { PATH, HOME } = process.env;
      const startedAt = machineTime();
      const child = spawn(process.execPath, parameters, {
        cwd: join(import.meta.dirname, '..'),
        env: { PATH, HOME, ...settings },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      running = child;
      let output = '';
      const readyAt = new Promise<number>((resolve, reject) => {
        if (says === undefined) resolve(startedAt);
        for (const stream of [child.stdout, child.stderr]) {
          stream.on('data', (chunk: Buffer) => {
            output += chunk.toString('utf8');
            if (says !== undefined && output.includes(says)) resolve(machineTime());
          });
        }
        child.once('exit', (code) => {
          if (code !== 0) console.error(output);
          reject(new Error(`${parameters.join(' ')} has ended`));
        });
      });
      return { startedAt, readyAt: await readyAt };
    },
    end,
  },
  end,
);

async function end(): Promise<void> {
  const child = running;
  if (child === null) return;
  running = null;
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  child.kill('SIGTERM');
  await ended;
}
