import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { startEmbeddedPostgres } from '../src/storage/embedded.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { machineTime, startChild } from './child.ts';
import { median } from './statistics.ts';

const ROOT = join(import.meta.dirname, '..');
const BUNDLE = join(ROOT, 'dist', 'main.js');
const STARTS = 5;
const PATIENCE_MS = 60_000;

/** How long it takes until Peyk can be used. The first start of each kind, which makes the database, is left out. */
export const start: Benchmark = {
  about: `from the command to use, ${STARTS} warm starts each`,
  async run(say) {
    const figures = [await tryMode(say)];
    if (existsSync(BUNDLE)) figures.push(await production(say));
    else say('no dist/main.js: npm run build makes it');
    return figures;
  },
};

async function tryMode(say: (progress: string) => void): Promise<Figure> {
  const times = await starts(say, 'try mode', async (dataDir) => {
    const began = machineTime();
    const run = launch('npm', ['start'], { DATA_DIR: dataDir, PORT: '0' });
    await within(run.saysReady, run);
    return { ms: machineTime() - began, run };
  });
  return {
    what: 'start',
    measure: 'npm start in try mode to ready, warm, p50',
    figure: median(times) / 1000,
    unit: 's',
    goal: 'start-try',
  };
}

/** Beside a database server that runs already, as in production. */
async function production(say: (progress: string) => void): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'peyk-bench-start-'));
  const server = await startEmbeddedPostgres({ dataDir: folder });
  const telegram = startChild('telegram-child.ts');
  try {
    const apiRoot = await telegram.ask('listen', {}, z.string());
    const times = await starts(say, 'bundle', async (dataDir) => {
      const polled = telegram.ask('polled', {}, z.number());
      const began = machineTime();
      const run = launch(process.execPath, [BUNDLE], {
        DATA_DIR: dataDir,
        PORT: '0',
        DATABASE_URL: `postgres:///${server.target.database}`,
        // An address has no place for the folder of a socket.
        PGHOST: server.target.socketDir,
        PGUSER: server.target.user,
        MASTER_KEYS: `bench:${randomBytes(32).toString('base64')}`,
        TELEGRAM_BOT_TOKEN: `7700000001:${'x'.repeat(35)}`,
        TELEGRAM_API_ROOT: apiRoot,
        // Nobody asks the gateway before the first update.
        GATEWAY_BASE_URL: apiRoot,
        GATEWAY_WS_URL: apiRoot,
      });
      return { ms: (await within(polled, run)) - began, run };
    });
    return {
      what: 'start',
      measure: 'bundle to the first poll, Postgres running, p50',
      figure: median(times) / 1000,
      unit: 's',
      goal: 'start-bundle',
    };
  } finally {
    await telegram.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function starts(
  say: (progress: string) => void,
  name: string,
  once: (dataDir: string) => Promise<{ ms: number; run: Run }>,
): Promise<number[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'peyk-bench-start-'));
  const times: number[] = [];
  try {
    for (let index = 0; index <= STARTS; index += 1) {
      const { ms, run } = await once(dataDir);
      await run.stop();
      say(`${name}, ${index === 0 ? 'cold' : 'warm'}: ${Math.round(ms)} ms`);
      if (index > 0) times.push(ms);
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  return times;
}

interface Run {
  readonly saysReady: Promise<void>;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Starts a program in a process group of its own, with no settings but these. */
function launch(command: string, parameters: string[], settings: Readonly<Record<string, string>>): Run {
  const { PATH, HOME } = process.env;
  const child = spawn(command, parameters, {
    cwd: ROOT,
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const saysReady = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString('utf8');
        if (output.includes('Peyk is ready')) resolve();
      });
    }
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  return {
    saysReady,
    ended: ended.then(() => {
      throw new Error(`${command} has ended:\n${output}`);
    }),
    async stop() {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      await ended;
    },
  };
}

async function within<T>(ready: Promise<T>, run: Run): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`not ready after ${PATIENCE_MS} ms`)), PATIENCE_MS).unref();
  });
  run.ended.catch(() => undefined);
  try {
    return await Promise.race([ready, run.ended.then(() => Promise.reject(new Error('it ended'))), late]);
  } catch (error) {
    await run.stop().catch(() => undefined);
    throw error;
  }
}
