import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../src/storage/database/embedded.ts';
import { serve } from './child.ts';

/* A durable database in a temporary folder: both go with this process, and this process with the one that started it. */

const folder = mkdtempSync(join(tmpdir(), 'peyk-bench-'));
let starting: Promise<EmbeddedPostgres> | null = null;

serve(
  {
    start: async () => {
      starting = startEmbeddedPostgres({ dataDir: folder });
      const { target, pid } = await starting;
      return { target, pid, folder };
    },
  },
  async () => {
    try {
      await (await starting)?.stop();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
