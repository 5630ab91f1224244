import { Socket } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { startApp, type App } from '../src/app/app.ts';
import { loadConfig } from '../src/process/config.ts';
import { createLogger, createSecretRegistry } from '../src/process/log.ts';
import { serve } from './child.ts';
import { Target } from './postgres.ts';
import { resources, watchLive } from './resources.ts';

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

const EXECUTE = 0x45;
const SIMPLE_QUERY = 0x51;

/**
 * Counts from now on what this process has Postgres execute, by looking at what it writes to unix sockets: the
 * messages Execute and Query of the protocol, `begin` and `commit` among them.
 * @returns how many there were so far
 */
function countStatements(): () => number {
  const greeted = new WeakSet<Socket>();
  const { write } = Socket.prototype;
  let count = 0;
  Reflect.set(
    Socket.prototype,
    'write',
    function counting(this: Socket, ...parameters: Parameters<Socket['write']>): boolean {
      const [bytes] = parameters;
      if (Buffer.isBuffer(bytes) && this.remoteAddress === undefined) {
        // The first message of a connection has another form.
        if (greeted.has(this)) count += statementsIn(bytes);
        greeted.add(this);
      }
      return Reflect.apply(write, this, parameters);
    },
  );
  return () => count;
}

function statementsIn(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    if (bytes[at] === EXECUTE || bytes[at] === SIMPLE_QUERY) count += 1;
  }
  return count;
}
