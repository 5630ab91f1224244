import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type Disk, mountSmallDisk } from '../support/small-disk.ts';
import { type Child, startChild, startServant } from './child.ts';
import { createGatewayOracle, type GatewayOracle } from './gateway-oracle.ts';
import { createInboxOracle, type InboxOracle } from './inbox-oracle.ts';
import { createPeykSlot, type PeykSlot } from './peyk.ts';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';
import { type FaultyProxy, startFaultyProxy } from './proxy.ts';
import type { Wire } from './strikes.ts';
import { createTelegramOracle, type TelegramOracle } from './telegram-oracle.ts';

type Wires = Readonly<Record<Wire, readonly FaultyProxy[]>>;

/** Everything that a run consists of. */
export interface Stand {
  readonly folder: string;
  readonly postgres: PostgresServer;
  /** Where the database has one of its own. */
  readonly disk: Disk | undefined;
  readonly gateway: GatewayOracle;
  readonly inbox: InboxOracle;
  readonly telegram: TelegramOracle;
  readonly wires: Wires;
  /** Those of each process alone, in their order. */
  readonly ownWires: readonly Wires[];
  readonly peyks: readonly PeykSlot[];
  /** What must never be seen in a log or a chat. */
  readonly secrets: readonly string[];
  /** Restarts the database at once, without a shutdown; `keep` and `back` as the server itself. */
  restartPostgres(how?: 'keep' | 'back'): Promise<void>;
  /** Throws the operator’s switch over the sends of all chats, or takes it back. Resolves to whether it was done. */
  halt(word: 'on' | 'off'): Promise<boolean>;
  /** Ends everything that was started; `keep` leaves the folder with logs and ledgers. */
  close(keep: boolean): Promise<void>;
}

const ROOT = join(import.meta.dirname, '../..');
const DISK_MEGABYTES = 600;
const SandboxReady = z.object({ baseUrl: z.url(), wsUrl: z.url(), adminUrl: z.url() });
const PlaygroundReady = z.object({ apiRoot: z.url(), pageUrl: z.url(), token: z.string() });

/**
 * Starts the oracles, the database, the proxies between them and Peyk, and the Peyk processes. Each is a process
 * of its own; only Peyk's run from `source`.
 */
export async function startStand(options: {
  readonly source: string;
  readonly processes: number;
  /** Whether the database gets a disk of its own, which can be full: in memory, where this process may mount. */
  readonly ownDisk?: boolean;
  /** For the Peyk processes, beside what all of them get. */
  readonly env?: Readonly<Record<string, string>>;
  /** For one of them alone. */
  readonly envOf?: (index: number) => Readonly<Record<string, string>>;
}): Promise<Stand> {
  const folder = mkdtempSync(join(tmpdir(), 'peyk-chaos-'));
  const closers: (() => Promise<void>)[] = [];
  const close = async (keep: boolean): Promise<void> => {
    for (let end = closers.pop(); end !== undefined; end = closers.pop()) await end().catch(() => undefined);
    if (!keep) rmSync(folder, { recursive: true, force: true });
  };
  const servant = async (name: string, args: readonly string[]): Promise<unknown> => {
    const logFile = join(folder, `${name}.log`);
    const { child, ready } = await startServant({ name, args, env: {}, cwd: folder, logFile });
    closers.push(() => child.kill());
    failWith(child);
    return ready;
  };
  const proxy = async (url: string): Promise<FaultyProxy> => {
    const { hostname, port } = new URL(url);
    return keepProxy(await startFaultyProxy({ host: hostname, port: Number(port) }));
  };
  const keepProxy = (made: FaultyProxy): FaultyProxy => {
    closers.push(() => made.close());
    return made;
  };

  try {
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir);
    const disk = options.ownDisk === true ? mountSmallDisk(dataDir, DISK_MEGABYTES) : undefined;
    closers.push(() => Promise.resolve(disk?.unmount()));
    const postgres = await startPostgresServer(dataDir);
    closers.push(() => postgres.stop());
    const ledgerFile = join(folder, 'gateway-ledger.jsonl');
    const sandbox = SandboxReady.parse(
      await servant('gateway', [
        join(ROOT, 'src/sandbox/main.ts'),
        '--port=0',
        '--ws-port=0',
        '--admin-port=0',
        `--ledger=${ledgerFile}`,
        '--delivery-seconds=2',
      ]),
    );
    const playground = PlaygroundReady.parse(
      await servant('telegram', [join(ROOT, 'src/playground/main.ts')]),
    );
    const wiring = await Promise.all(
      Array.from({ length: options.processes }, async () => {
        const rest = await proxy(sandbox.baseUrl);
        const ws = await proxy(sandbox.wsUrl);
        const bot = await proxy(playground.apiRoot);
        const database = keepProxy(await startFaultyProxy({ path: postgres.socket() }));
        return {
          wires: { gateway: [rest, ws], telegram: [bot], postgres: [database] },
          env: {
            TELEGRAM_API_ROOT: `http://127.0.0.1:${bot.port}`,
            GATEWAY_BASE_URL: `http://127.0.0.1:${rest.port}`,
            GATEWAY_WS_URL: `http://127.0.0.1:${ws.port}`,
            DATABASE_URL: `postgres://peyk@127.0.0.1:${database.port}/peyk`,
          },
        };
      }),
    );
    const ownWires: readonly Wires[] = wiring.map(({ wires }) => wires);
    const all = (wire: Wire): FaultyProxy[] => ownWires.flatMap((wires) => wires[wire]);

    const masterKey = randomBytes(32).toString('base64');
    const env = {
      TELEGRAM_BOT_TOKEN: playground.token,
      MASTER_KEYS: `chaos:${masterKey}`,
      UNDO_SECONDS: '0',
      STATUS_POLL_SECONDS: '0.5',
      RATE_LIMIT: '0',
      LOG_LEVEL: 'debug',
      ...options.env,
    };
    const peyks = Array.from({ length: options.processes }, (_, index) =>
      createPeykSlot({
        index,
        source: options.source,
        folder,
        env: { ...env, ...wiring[index]?.env, ...options.envOf?.(index) },
      }),
    );
    closers.push(async () => {
      await Promise.all(peyks.map((peyk) => peyk.stop()));
    });
    return {
      folder,
      postgres,
      disk,
      gateway: createGatewayOracle(sandbox, ledgerFile),
      inbox: createInboxOracle({ ...sandbox, ledgerFile }),
      telegram: createTelegramOracle(playground.pageUrl, join(folder, 'telegram-calls.jsonl')),
      wires: { gateway: all('gateway'), telegram: all('telegram'), postgres: all('postgres') },
      ownWires,
      peyks,
      secrets: [playground.token, masterKey],
      async restartPostgres(how) {
        await postgres.restart(how);
        for (const database of all('postgres')) database.lead({ path: postgres.socket() });
      },
      async halt(word) {
        const { ended } = startChild({
          name: 'halt',
          args: [join(options.source, 'src/main.ts'), 'halt', word],
          env: { ...env, ...wiring[0]?.env },
          cwd: folder,
          logFile: join(folder, 'halt.log'),
        });
        return (await ended) === 0;
      },
      close,
    };
  } catch (error) {
    await close(true);
    throw error;
  }
}

/** Without its oracles a run proves nothing. */
function failWith(child: Child): void {
  void child.ended.then((how) => {
    if (how !== 'SIGKILL') process.stderr.write(`${child.name} ended by itself with ${how}\n`);
  });
}
