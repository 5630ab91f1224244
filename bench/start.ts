import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';
import { z } from 'zod';
import type { Benchmark, Figure } from './benchmark.ts';
import { startChild, type Child } from './child.ts';
import { inPairs, ratioOf } from './pairs.ts';
import { startPostgres } from './postgres.ts';
import { median } from './statistics.ts';

const ROOT = join(import.meta.dirname, '..');
const PAIRS = 5;
const PATIENCE_MS = 60_000;

type Say = (progress: string) => void;

/** How long it takes until Peyk can be used. The first start of each kind, which makes the database, is left out. */
export const start: Benchmark = {
  about: `from the command to use, ${PAIRS} warm starts each`,
  async run(say) {
    const folder = mkdtempSync(join(tmpdir(), 'peyk-bench-start-'));
    const child = startChild('start-child.ts');
    try {
      return [...(await tryMode(child, folder, say)), ...(await production(child, folder, say))];
    } finally {
      await child.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** As `npm start` does it, and what of that is not Peyk's: a database, and the packages that were loaded until then. */
async function tryMode(child: Child, folder: string, say: Say): Promise<Figure[]> {
  const PACKAGES = join(folder, 'packages');
  const started = async (parameters: string[], DATA_DIR: string, says: string): Promise<number> => {
    const settings = { DATA_DIR: join(folder, DATA_DIR), PORT: '0', PACKAGES };
    const { startedAt, readyAt } = await within(child.ask('run', { parameters, settings, says }, Ran));
    await child.ask('end', {}, z.unknown());
    return readyAt - startedAt;
  };
  const product = () => started(['src/main.ts'], 'try', 'Peyk is ready');
  const peer = () => started(['bench/start-peer.ts'], 'peer', 'ready');
  await started(['--import', './bench/start-packages.ts', 'src/main.ts'], 'try', 'Peyk is ready');
  await peer();
  return await figuresOf(say, 'try mode', 'start-try', { product, peer });
}

/** Beside a database server that runs already, as in production. */
async function production(child: Child, folder: string, say: Say): Promise<Figure[]> {
  execFileSync('npm', ['run', 'build'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  const bare = join(folder, 'grammy.mjs');
  await build({
    input: join(import.meta.dirname, 'start-grammy.ts'),
    platform: 'node',
    logLevel: 'silent',
    output: { file: bare, format: 'esm', codeSplitting: false, keepNames: true },
  });
  await using server = await startPostgres();
  const telegram = startChild('telegram-child.ts');
  try {
    const apiRoot = await telegram.ask('listen', {}, z.string());
    const settings = {
      DATA_DIR: join(folder, 'bundle'),
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
    };
    const polls = (file: string) => async (): Promise<number> => {
      const polled = telegram.ask('polled', {}, z.number());
      const { startedAt } = await child.ask('run', { parameters: [file], settings }, Ran);
      const at = await within(polled);
      await child.ask('end', {}, z.unknown());
      return at - startedAt;
    };
    const sides = { product: polls(join(ROOT, 'dist', 'main.js')), peer: polls(bare) };
    await sides.product();
    await sides.peer();
    return await figuresOf(say, 'bundle', 'start-bundle', sides);
  } finally {
    await telegram.stop();
  }
}

async function figuresOf(
  say: Say,
  what: string,
  goal: 'start-try' | 'start-bundle',
  sides: Parameters<typeof inPairs>[1],
): Promise<Figure[]> {
  const pairs = await inPairs(PAIRS, sides);
  for (const { product, peer } of pairs) say(`${what}: ${product.toFixed()} ms, peer ${peer.toFixed()} ms`);
  const ms = { what, digits: 0, unit: 'ms', isTold: true };
  return [
    { what, measure: 'Peyk ÷ peer', ...ratioOf(pairs), goal },
    { ...ms, measure: 'Peyk', figure: median(pairs.map(({ product }) => product)) },
    { ...ms, measure: 'peer', figure: median(pairs.map(({ peer }) => peer)) },
  ];
}

const Ran = z.object({ startedAt: z.number(), readyAt: z.number() });

async function within<T>(ready: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`not ready after ${PATIENCE_MS} ms`)), PATIENCE_MS).unref();
  });
  return await Promise.race([ready, late]);
}
