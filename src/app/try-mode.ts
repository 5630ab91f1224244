import { AppError } from '../domain/errors.ts';
import { Secret } from '../domain/secret.ts';
import { startPlayground, type Playground } from '../playground/server.ts';
import type { Config } from '../process/config.ts';
import { startSandbox } from '../sandbox/server.ts';

export interface TryMode {
  /** The settings, with what was missing filled in by the local parts. */
  readonly config: Config;
  /** What a newcomer reads first. */
  readonly screen: (botUsername: string) => string;
  stop(): Promise<void>;
}

const ALL_ROLES = 3;

/** With no settings at all: a sandbox gateway and a Bot API emulator on loopback, with a page to chat on. */
export async function startTryMode(config: Config): Promise<TryMode> {
  if (config.roles.length < ALL_ROLES) {
    throw new AppError('config', 'one process does everything in try mode', {
      params: { ROLES: 'needs TELEGRAM_BOT_TOKEN: without it one process does everything' },
    });
  }
  const sandbox = await startSandbox({ deliverySeconds: 6 });
  const playground = await startPage(config.http.port);
  const demo = 'sandbox-key-demo';
  return {
    config: {
      ...config,
      telegram: { ...config.telegram, token: new Secret(playground.token), apiRoot: playground.apiRoot },
      gateway: {
        ...config.gateway,
        baseUrl: config.gateway.baseUrl ?? sandbox.baseUrl,
        wsUrl: config.gateway.wsUrl ?? sandbox.wsUrl,
      },
    },
    screen: (botUsername) =>
      [
        '',
        '  Peyk is ready. Nothing here leaves this machine.',
        '',
        `  Open     ${playground.pageUrl}`,
        `           Choose a person at the top left, then the chat with @${botUsername}, and press Start.`,
        '',
        `  Account  API key ${demo}, sender line 3000123456 (a sandbox: its rial are play money)`,
        '',
        '  Type     /connect                    send the API key when asked, press Link, send the line',
        '           /send 09121234567 Hello     see the preview, press Send',
        '           /help                       for the rest',
        '',
        `  Ctrl-C stops all of it. What Peyk knows stays in ${config.database.dataDir}, what was said on the page does not.`,
        '',
      ].join('\n'),
    async stop() {
      await playground.close();
      await sandbox.close();
    },
  };
}

/** On the usual port, so that a bookmark lasts; on any other where that one is taken. */
async function startPage(port: number): Promise<Playground> {
  const world = { seedWorld: true, firstId: secondsSince2026() };
  try {
    return await startPlayground({ ...world, port });
  } catch {
    return await startPlayground({ ...world, port: 0 });
  }
}

/** The emulator forgets with the process and the database does not: each run's ids come after those of the last. */
function secondsSince2026(): number {
  return Math.floor((Date.now() - Date.UTC(2026, 0, 1)) / 1000);
}
