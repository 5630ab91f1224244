/*
 * A process that takes a job and never ends it, to be killed. Arguments: the parts of the database's target. Prints `started`, and `taken` when the job runs.
 */
import { z } from 'zod';
import { createJobs } from '../../src/jobs/engine.ts';
import { defineTask } from '../../src/ports/runtime.ts';
import { pgPoolConfig } from '../../src/storage/database/database.ts';
import { createLiveness } from '../../src/storage/database/liveness.ts';
import { createMemoryLog } from './memory-log.ts';

const [socketDir = '', port = '', user = '', database = ''] = process.argv.slice(2);
const log = createMemoryLog();
const target = { socketDir, port: Number(port), user, database };
const liveness = await createLiveness({ target, log });
const hang = defineTask({
  name: 'test.hang',
  schema: z.object({ n: z.number() }),
  run: () => {
    process.stdout.write('taken\n');
    return new Promise<void>(() => undefined);
  },
});
const jobs = await createJobs({ connection: pgPoolConfig(target), tasks: [hang], liveness, log });
await jobs.start();
process.stdout.write('started\n');
