/*
 * A process that leads until it is killed. Arguments: the parts of the database's target, then the name.
 * Prints `leads` when it does.
 */
import { startLeader } from '../../src/storage/database/leader.ts';
import { createMemoryLog } from './memory-log.ts';

const [socketDir = '', port = '', user = '', database = '', name = ''] = process.argv.slice(2);
startLeader({
  target: { socketDir, port: Number(port), user, database },
  name,
  log: createMemoryLog(),
  work: async (signal) => {
    process.stdout.write('leads\n');
    await new Promise<void>((over) => {
      signal.addEventListener('abort', () => over(), { once: true });
    });
  },
});
