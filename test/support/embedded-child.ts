/**
 * A process that holds an embedded database, for tests that kill it: `node embedded-child.ts <data
 * directory>`. Prints one JSON line, `{"ready":{…}}` or `{"refused":"…"}`. On SIGINT it uses the
 * database once more and stops it.
 */
import { AppError } from '../../src/domain/errors.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import { startEmbeddedPostgres } from '../../src/storage/database/embedded.ts';

const dataDir = process.argv[2]!;
try {
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  process.once('SIGINT', () => {
    void (async () => {
      const database = openDatabase({ target: server.target, max: 1 });
      const [row] = await database.sql`select 'alive' as state`;
      await database.close();
      await server.stop();
      print({ stopped: row!['state'] });
      process.exit(0);
    })();
  });
  setInterval(() => {}, 1000);
  print({ ready: { target: server.target, pid: server.pid, uid: process.getuid!() } });
} catch (error) {
  print({ refused: error instanceof AppError ? `${error.code}: ${error.message}` : String(error) });
}

function print(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
