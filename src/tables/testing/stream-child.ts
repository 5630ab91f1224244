import { peakMemory } from '../../../test/support/peak-memory.ts';
import { isAppError } from '../../domain/errors.ts';
import { createTables } from '../tables.ts';

/*
 * Streams a file in a process of its own, whose heap the one who starts it limits, and tells what came of it.
 * Arguments: the path, limits as JSON.
 */
const [path = '', limits = '{}'] = process.argv.slice(2);
const before = process.memoryUsage.rss();
const told = { rows: 0, last: 0, blocks: 0, reason: null as unknown, megabytes: 0 };
try {
  const { blocks } = await createTables().stream({ name: 'file', path }, JSON.parse(limits));
  for await (const block of blocks) {
    told.blocks += 1;
    told.rows += block.length;
    told.last = block.at(-1)?.number ?? 0;
  }
} catch (error) {
  if (!isAppError(error, 'bad_input')) throw error;
  told.reason = error.params['reason'];
}
told.megabytes = Math.round((peakMemory() - before) / 1e6);
process.stdout.write(JSON.stringify(told));
