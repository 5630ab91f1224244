import { readFileSync } from 'node:fs';
import { startEmbeddedPostgres } from '../src/storage/database/embedded.ts';

/* The least that try mode needs: its packages, and a database. */

const { PACKAGES = '', DATA_DIR = '' } = process.env;
for (const url of new Set(readFileSync(PACKAGES, 'utf8').trim().split('\n'))) await import(url);
const server = await startEmbeddedPostgres({ dataDir: DATA_DIR });
process.once('SIGTERM', () => {
  void server.stop().then(() => process.exit(0));
});
process.stdout.write('ready\n');
setInterval(() => undefined, 60_000);
