import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFailed } from 'vitest';
import { createDriver } from '../../src/playground/control/driver.ts';
import { startPlayground } from '../../src/playground/server.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { clusterFolder } from '../../src/storage/database/embedded/cluster.ts';
import { stopOrphan } from '../../src/storage/database/embedded/orphan.ts';
import { type PeykProcess, spawnPeyk } from './peyk-process.ts';
import { runTool } from './run-tool.ts';
import type { Stage } from './story.ts';

/** Data directories by their names, of which one may be an older copy of another, and Peyk in processes of its own. */
export interface OlderCopies extends Stage {
  /** A process that is up on this data directory. */
  startOn(name: string): Promise<PeykProcess>;
  /** What `peyk halt` says on this data directory. */
  halt(name: string, ...args: readonly string[]): Promise<string>;
  /** Ends a process as a crash does, and copies its data. The database of a killed Peyk is stopped in order before. */
  backUp(peyk: PeykProcess, life: string, backup: string): Promise<void>;
  close(): Promise<void>;
}

export async function startOlderCopies(
  settings: Readonly<Record<string, string>> = {},
): Promise<OlderCopies> {
  const folder = mkdtempSync(join(tmpdir(), 'peyk-restore-'));
  const sandbox = await startSandbox({ deliverySeconds: 600 });
  const playground = await startPlayground();
  const driver = createDriver(playground);
  const settingsOf = (name: string) => ({
    TELEGRAM_BOT_TOKEN: playground.token,
    TELEGRAM_API_ROOT: playground.apiRoot,
    GATEWAY_BASE_URL: sandbox.baseUrl,
    GATEWAY_WS_URL: sandbox.wsUrl,
    DATA_DIR: join(folder, name),
    UNDO_SECONDS: '8',
    PORT: '0',
    LOG_LEVEL: 'trace',
    ...settings,
  });
  return {
    driver,
    playground,
    sandbox,
    async startOn(name) {
      const peyk = spawnPeyk(settingsOf(name), folder);
      onTestFailed(() => {
        process.stdout.write(`${peyk.lines.slice(-40).join('\n')}\n${peyk.complaints()}\n`);
      });
      await peyk.line('Peyk is running');
      return peyk;
    },
    async halt(name, ...args) {
      const { code, text } = await runTool(['halt', ...args], settingsOf(name), folder);
      expect(text).not.toMatch(/\bat .*\.ts:/u);
      expect(code).toBe(0);
      return text;
    },
    async backUp(peyk, life, backup) {
      await peyk.kill();
      await stopOrphan(clusterFolder(join(folder, life)));
      cpSync(join(folder, life), join(folder, backup), { recursive: true });
    },
    async close() {
      driver.close();
      await playground.close();
      await sandbox.close();
      // A test that failed may have left the database of a killed process behind.
      for (const name of readdirSync(folder)) await stopOrphan(clusterFolder(join(folder, name)));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
