import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFailed } from 'vitest';
import { createDriver } from '../../src/playground/control/driver.ts';
import { startPlayground } from '../../src/playground/server.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { clusterFolder } from '../../src/storage/database/embedded/cluster.ts';
import { stopOrphan } from '../../src/storage/database/embedded/orphan.ts';
import { type PeykProcess, spawnPeyk } from './peyk-process.ts';
import type { Stage } from './story.ts';
import { given } from './talk.ts';

export interface EmbeddedStage extends Stage {
  /** Of the data, which each process finds as the one before it has left it. */
  readonly folder: string;
  /** What a process is started with. */
  readonly env: Readonly<Record<string, string>>;
  /** Every line that any of the processes has logged, of those that have ended. */
  readonly logged: readonly string[];
  /** A process that is up. */
  start(settings?: Readonly<Record<string, string>>): Promise<PeykProcess>;
}

/** Gives the tests of a file a gateway, a Telegram, and a folder in which one process after the other has its database. */
export function useEmbeddedStage(options: { readonly deliverySeconds?: number } = {}): () => EmbeddedStage {
  let stage: EmbeddedStage | undefined;
  let close: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'peyk-embedded-'));
    const sandbox = await startSandbox(options);
    const playground = await startPlayground();
    const driver = createDriver(playground);
    const logged: string[] = [];
    const env = {
      TELEGRAM_BOT_TOKEN: playground.token,
      TELEGRAM_API_ROOT: playground.apiRoot,
      GATEWAY_BASE_URL: sandbox.baseUrl,
      GATEWAY_WS_URL: sandbox.wsUrl,
      DATA_DIR: folder,
      TMPDIR: folder,
      UNDO_SECONDS: '0',
      PORT: '0',
      LOG_LEVEL: 'trace',
    };
    stage = {
      driver,
      playground,
      sandbox,
      folder,
      env,
      logged,
      async start(settings = {}) {
        const peyk = spawnPeyk({ ...env, ...settings }, folder);
        onTestFailed(() => {
          process.stdout.write(`${peyk.lines.slice(-40).join('\n')}\n${peyk.complaints()}\n`);
        });
        await peyk.line('Peyk is running');
        void peyk.ended.then(() => logged.push(...peyk.lines, peyk.complaints()));
        return peyk;
      },
    };
    close = async () => {
      driver.close();
      await playground.close();
      await sandbox.close();
      // A test that failed may have left the database of a killed process behind.
      await stopOrphan(clusterFolder(folder));
      rmSync(folder, { recursive: true, force: true });
    };
  });
  afterAll(async () => await close?.());

  return () => given(stage);
}
