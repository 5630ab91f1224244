import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Secret } from '../src/domain/secret.ts';
import { CERTIFICATE } from '../src/gateway/testing/certificate.ts';
import { openDatabase, type Database, type SocketTarget } from '../src/storage/database/database.ts';
import { migrate } from '../src/storage/database/migrate.ts';
import { startChild, type Child } from './child.ts';
import { pin, type Apart } from './cores.ts';
import { startPostgres } from './postgres.ts';

/** The whole of Peyk: bot, gateway and Bot API in a process each, on a durable database in a temporary folder. */
export interface Stage extends AsyncDisposable {
  readonly bot: Child;
  readonly telegram: Child;
  readonly gateway: Child;
  readonly gatewayUrl: string;
  readonly telegramUrl: string;
  readonly database: Database;
  readonly masterKey: { readonly kid: string; readonly key: Secret };
  /** Where the database is. */
  readonly target: SocketTarget;
  /** The process of the database server. */
  readonly postgresPid: number;
  /** Another process of the bot on the same database; or of another bot, with a Bot API of its own. */
  startAnother(other?: { readonly botId: number; readonly apiRoot: string }): Promise<Child>;
}

/** Where it is reached through TLS. */
async function behindTls(url: string, roundTripMs: number, ends: (() => Promise<void>)[]): Promise<string> {
  const front = startChild('tls-front-child.ts');
  ends.push(() => front.stop());
  const port = await front.ask('listen', { to: Number(new URL(url).port), roundTripMs }, z.int());
  return `https://127.0.0.1:${port}`;
}

/** What the stand-in of the Bot API has as `edits`: each editMessageText since that was asked last, and when it came, in ms. */
export const Edits = z.array(z.object({ at: z.number(), text: z.string() }));

export const BOT_ID = 7_700_000_001;

export async function setStage(
  options: {
    readonly accounts?: readonly string[];
    readonly countStatements?: boolean;
    readonly mostCalls?: number;
    /** Seconds from acceptance to the report of the last recipient (0.2), and of how many the gateway knows what they were sent (those of its default). */
    readonly reports?: { readonly seconds: number; readonly of: number };
    /** The stand-ins `<name>gateway-child.ts` and `<name>telegram-child.ts`; those that most benchmarks share. */
    readonly standIns?: 'polling-';
    /** The gateway is behind TLS, such a round trip away. */
    readonly tls?: { readonly roundTripMs: number };
    /** Each side has cores of its own. */
    readonly apart?: Apart | null;
  } = {},
): Promise<Stage> {
  const ends: (() => Promise<void>)[] = [];
  const dispose = async (): Promise<void> => {
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
  };
  try {
    const server = await startPostgres();
    ends.push(async () => await server[Symbol.asyncDispose]());
    const { apart = null } = options;
    if (apart !== null) pin(server.pid, apart.database);
    const database = openDatabase({ target: server.target, max: 4 });
    ends.push(() => database.close());
    await migrate(database.sql, join(import.meta.dirname, '../drizzle'));
    const { standIns = '', tls } = options;
    const ca = join(server.folder, 'ca.pem');
    writeFileSync(ca, CERTIFICATE);
    const bot = startChild('bot-child.ts', { NODE_EXTRA_CA_CERTS: ca });
    const telegram = startChild(`${standIns}telegram-child.ts`);
    const gateway = startChild(`${standIns}gateway-child.ts`);
    if (apart !== null) {
      pin(bot.pid, apart.processes);
      for (const { pid } of [telegram, gateway]) pin(pid, apart.standIns);
    }
    ends.push(
      () => telegram.stop(),
      () => bot.stop(),
      // First: calls that hang there are cut off, and the bot can end.
      () => gateway.stop(),
    );
    const apiRoot = await telegram.ask('listen', {}, z.string());
    const urls = await gateway.ask(
      'listen',
      { accounts: options.accounts ?? ['demo'], reports: options.reports },
      z.object({ baseUrl: z.string(), wsUrl: z.string() }),
    );
    const gatewayUrl =
      tls === undefined ? urls.baseUrl : await behindTls(urls.baseUrl, tls.roundTripMs, ends);
    const masterKey = { kid: 'bench', key: new Secret(randomBytes(32).toString('base64')) };
    const settingsOf = (own: { readonly botId: number; readonly apiRoot: string }) => ({
      settings: {
        TELEGRAM_BOT_TOKEN: `${own.botId}:${'x'.repeat(35)}`,
        TELEGRAM_API_ROOT: own.apiRoot,
        GATEWAY_BASE_URL: gatewayUrl,
        GATEWAY_WS_URL: urls.wsUrl,
        MASTER_KEYS: `${masterKey.kid}:${masterKey.key.reveal()}`,
        UNDO_SECONDS: '0',
        RATE_LIMIT: '0',
      },
      target: server.target,
      countStatements: options.countStatements ?? false,
      mostCalls: options.mostCalls,
    });
    const first = { botId: BOT_ID, apiRoot };
    await bot.ask('start', settingsOf(first), z.unknown());
    return {
      bot,
      telegram,
      gateway,
      gatewayUrl,
      telegramUrl: apiRoot,
      database,
      masterKey,
      target: server.target,
      postgresPid: server.pid,
      async startAnother(other = first) {
        const another = startChild('bot-child.ts');
        ends.push(() => another.stop());
        if (apart !== null) pin(another.pid, apart.processes);
        await another.ask('start', settingsOf(other), z.unknown());
        return another;
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}
