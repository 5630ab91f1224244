import { join } from 'node:path';
import { z } from 'zod';
import { startApp, type App } from '../src/app/app.ts';
import { loadConfig } from '../src/process/config.ts';
import { createLogger, createSecretRegistry } from '../src/process/log.ts';
import { serve } from './child.ts';
import { Target } from './postgres.ts';
import { resources, watchLive } from './resources.ts';
import { countStatements } from './statements.ts';

/* The whole bot, as main.ts starts it, on a database that is there; its log goes nowhere. */

const Start = z.object({
  settings: z.record(z.string(), z.string()),
  target: Target,
  countStatements: z.boolean(),
  mostCalls: z.int().optional(),
});

let app: App | null = null;
let statements = (): number => 0;
let live: ReturnType<typeof watchLive> | null = null;

serve(
  {
    start: async (payload) => {
      const options = Start.parse(payload);
      if (options.countStatements) statements = countStatements();
      const secrets = createSecretRegistry();
      app = await startApp({
        config: loadConfig(options.settings),
        log: createLogger({ level: 'info', pretty: false, secrets, destination: { write: () => undefined } }),
        secrets,
        migrations: join(import.meta.dirname, '../drizzle'),
        database: options.target,
        mostCalls: options.mostCalls,
        outgoingLimits: { privateChat: null, group: null, overall: null },
      });
    },
    resources: () => resources(),
    watchLive: () => {
      live = watchLive();
    },
    live: () => live?.(),
    statements: () => statements(),
  },
  async () => {
    await app?.stop();
  },
);
