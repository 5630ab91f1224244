import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createDriver, type Driver } from '../../src/playground/control/driver.ts';
import type { CallbackAnswer } from '../../src/playground/events.ts';
import { startPlayground, type Playground } from '../../src/playground/server.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { type PeykProcess, spawnPeyk } from '../support/peyk-process.ts';
import { type Collector, startCollector } from '../support/collector.ts';
import { type HttpTap, startHttpTap } from './http-tap.ts';
import { type LoudPostgres, startLoudPostgres } from './postgres.ts';
import { BOT_ID, createSecrets, type Secrets } from './secrets.ts';

/** An installation of which everything that leaves it is kept. */
export interface Stage {
  readonly secrets: Secrets;
  readonly sandbox: Sandbox;
  readonly playground: Playground;
  readonly driver: Driver;
  readonly postgres: LoudPostgres;
  readonly taps: { readonly rest: HttpTap; readonly ws: HttpTap; readonly telegram: HttpTap };
  /** Takes the traces of all processes in. */
  readonly collector: Collector;
  /** What people were told of their presses. */
  readonly told: readonly CallbackAnswer[];
  /** What Postgres and the system say of running processes and statements, each text once, and the server's log. */
  readonly running: ReadonlyMap<string, ReadonlySet<string>>;
  readonly serverLog: readonly Buffer[];
  /** What else came out. */
  readonly kept: readonly { readonly kind: string; readonly place: string; readonly text: string }[];
  keep(kind: string, place: string, text: string): void;
  readonly processes: readonly { readonly name: string; readonly peyk: PeykProcess }[];
  /** Where processes work, and the folder for their files that do not last. */
  readonly folders: { readonly work: string; readonly temporary: string };
  /** The settings of a process that works, to add to. */
  readonly settings: Readonly<Record<string, string>>;
  peyk(name: string, settings: Readonly<Record<string, string>>): PeykProcess;
  /** Has a process in the list of those that are looked at. */
  watch(name: string, pid: number): void;
  close(): Promise<void>;
}

const LOOK_MS = 100;
const VICTIM = pathToFileURL(join(import.meta.dirname, '../support/canary-victim.ts')).href;

export async function startStage(): Promise<Stage> {
  const secrets = createSecrets();
  const folder = mkdtempSync(join(tmpdir(), 'peyk-canary-'));
  const folders = { work: join(folder, 'work'), temporary: join(folder, 'tmp') };
  for (const each of [...Object.values(folders), join(folder, 'data')]) mkdirSync(each);
  const sandbox = await startSandbox({ deliverySeconds: 0.3, accounts: [] });
  const playground = await startPlayground({
    tokens: [`${BOT_ID}:${secrets['bot token']}`],
    webhookRetryMs: 100,
  });
  const driver = createDriver(playground);
  const told: CallbackAnswer[] = [];
  playground.emulator.bus.listen((event) => {
    if (event.type === 'callback_answer') told.push(event.data);
  });
  const postgres = await startLoudPostgres(join(folder, 'data'), secrets['database password']);
  const taps = {
    rest: await startHttpTap(sandbox.baseUrl),
    ws: await startHttpTap(sandbox.wsUrl),
    telegram: await startHttpTap(playground.apiRoot),
  };
  const collector = await startCollector();
  const processes: { readonly name: string; readonly peyk: PeykProcess }[] = [];
  const watched = new Map<string, number>();
  const looking = lookAt(postgres, watched);
  const kept: { kind: string; place: string; text: string }[] = [];

  return {
    secrets,
    sandbox,
    playground,
    driver,
    postgres,
    taps,
    collector,
    told,
    running: looking.seen,
    serverLog: looking.serverLog,
    kept,
    keep: (kind, place, text) => void kept.push({ kind, place, text }),
    processes,
    folders,
    settings: {
      TELEGRAM_BOT_TOKEN: playground.token,
      TELEGRAM_API_ROOT: taps.telegram.url,
      GATEWAY_BASE_URL: taps.rest.url,
      GATEWAY_WS_URL: taps.ws.url,
      DATABASE_URL: postgres.url(),
      MASTER_KEYS: `old:${secrets['old master key']}`,
      UNDO_SECONDS: '0',
      RATE_LIMIT: '0',
      STATUS_POLL_SECONDS: '0.2',
      INBOX_POLL_SECONDS: '0.5',
      CREDIT_POLL_SECONDS: '1',
      LOG_LEVEL: 'trace',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: `x-key=${secrets['key of the collector']}`,
      PORT: '0',
      TMPDIR: folders.temporary,
      NODE_OPTIONS: `--import=${VICTIM}`,
    },
    peyk(name, settings) {
      const peyk = spawnPeyk(settings, folders.work);
      processes.push({ name, peyk });
      watched.set(name, peyk.pid);
      void peyk.ended.then(() => watched.delete(name));
      return peyk;
    },
    watch: (name, pid) => void watched.set(name, pid),
    async close() {
      await looking.stop();
      for (const { peyk } of processes) await peyk[Symbol.asyncDispose]();
      driver.close();
      for (const tap of Object.values(taps)) await tap.close();
      await collector.close();
      await playground.close();
      await sandbox.close();
      await postgres.stop().catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Looks again and again at what runs: statements and sessions of the server, and command lines and titles of processes. */
function lookAt({ admin, pid, dataDir }: LoudPostgres, watched: ReadonlyMap<string, number>) {
  const logFile = join(dataDir, 'postgres.log');
  const serverLog: Buffer[] = [];
  let read = 0;
  const seen = new Map<string, Set<string>>();
  const note = (kind: string, text: string): void => {
    const known = seen.get(kind) ?? new Set();
    seen.set(kind, known.add(text));
  };
  const look = async (): Promise<void> => {
    // It is cut when it has become large, so it is read as it grows.
    const { size } = statSync(logFile);
    if (size < read) read = 0;
    if (size > read) {
      const piece = Buffer.alloc(size - read);
      const file = openSync(logFile, 'r');
      readSync(file, piece, 0, piece.length, read);
      closeSync(file);
      serverLog.push(piece);
    }
    read = size;
    const sessions = await admin<{ pid: number; text: string }[]>`
      select pid, to_jsonb(a)::text as text from pg_stat_activity a where pid <> pg_backend_pid()`;
    for (const session of sessions) note('pg_stat_activity', session.text);
    for (const each of [pid, ...sessions.map((session) => session.pid)])
      note('process titles', titleOf(each));
    for (const each of watched.values()) note('process titles', titleOf(each));
  };
  let stopped = false;
  const looking = (async () => {
    while (!stopped) {
      await look().catch(() => undefined);
      await new Promise((later) => setTimeout(later, LOOK_MS));
    }
  })();
  return {
    seen,
    serverLog,
    async stop() {
      stopped = true;
      await looking;
    },
  };
}

/** Its command line and its name. The environment is the operator's own, and only they can read it. */
function titleOf(pid: number): string {
  try {
    return ['cmdline', 'comm', 'stat'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8')).join('\n');
  } catch {
    return '';
  }
}
