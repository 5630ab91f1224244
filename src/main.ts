import { existsSync } from 'node:fs';
import * as inspector from 'node:inspector';
import process from 'node:process';
import { startApp } from './app/app.ts';
import { startTryMode, type TryMode } from './app/try-mode.ts';
import { isAppError } from './domain/errors.ts';
import { describeConfigMistakes, loadConfig, type Config } from './process/config.ts';
import { refuseExposure } from './process/exposing-options.ts';
import { createLogger, createSecretRegistry } from './process/log.ts';
import { migrationsFolder } from './storage/migrations-folder.ts';
import { UnusableDatabase } from './storage/session-check.ts';

const UNREACHABLE = 69;
const BAD_SETTINGS = 78;
const SAME_PRESS_MS = 500;

/** The process: settings, start, signals, exit codes. */
async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig();
  const secrets = createSecretRegistry();
  for (const secret of [
    config.telegram.token,
    config.telegram.webhook?.secret,
    config.database.url,
    config.proxy?.url,
    ...config.masterKeys.map(({ key }) => key),
  ]) {
    if (secret !== null && secret !== undefined) secrets.keep(secret);
  }
  const tryMode = config.mode === 'try';
  const pretty = config.log.pretty ?? process.stdout.isTTY;
  // In try mode the screen is for the person; the log says only what is wrong unless it was asked for more.
  const quiet = tryMode && process.env['LOG_LEVEL'] === undefined;
  const log = createLogger({ level: quiet ? 'warn' : config.log.level, pretty, secrets });

  const stopped = new AbortController();
  let askedAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (!stopped.signal.aborted) {
        askedAt = performance.now();
        stopped.abort();
        return;
      }
      // npm passes a terminal's Ctrl-C on, so that one press arrives twice. A second press means now: the
      // database recovers by itself at the next start.
      if (performance.now() - askedAt > SAME_PRESS_MS) process.exit(1);
    });
  }
  // Without a listener, Node opens its inspector at this signal.
  if (isGuarded(config)) process.on('SIGUSR1', () => log.warn({}, 'SIGUSR1 opens no inspector here'));
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'an error that nobody took care of');
    process.exitCode = 1;
    stopped.abort();
  });

  // Left to itself, the runtime prints the error with everything that it holds. Nothing can be trusted after it.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error that nobody took care of');
    process.exit(1);
  });

  const tell = (step: string): void => {
    if (tryMode) process.stdout.write(`  · ${step}\n`);
    else log.info({}, step);
  };

  let parts: TryMode | null = null;
  try {
    if (tryMode) process.stdout.write('\n  Peyk starts. Nothing is installed or downloaded.\n\n');
    parts = tryMode ? await startTryMode(config, tell) : null;
    const running = parts?.config ?? config;
    if (running.telegram.token !== null) secrets.keep(running.telegram.token);
    const app = await startApp({
      config: running,
      log,
      secrets,
      migrations: migrationsFolder(),
      tell,
      ...(tryMode ? {} : { http: config.http }),
      signal: stopped.signal,
    });
    if (parts !== null) process.stdout.write(`${parts.screen(app.botUsername)}\n`);
    const broken = await Promise.race([untilAborted(stopped.signal), app.broken.then(() => true)]);
    if (broken) {
      log.fatal({}, 'the embedded database has ended by itself');
      process.exitCode = 1;
    }
    await app.stop();
  } catch (error) {
    // A Ctrl-C in a terminal ends what the start has begun too, which is no mistake of anybody's.
    if (stopped.signal.aborted) return;
    if (isAppError(error, 'config')) {
      process.stderr.write(`${describeConfigMistakes(error)}\n`);
      process.exitCode = BAD_SETTINGS;
    } else if (error instanceof UnusableDatabase) {
      process.stderr.write(`Peyk could not start. DATABASE_URL: ${error.message}\n`);
      process.exitCode = error.isLasting ? BAD_SETTINGS : UNREACHABLE;
    } else {
      log.fatal({ err: error }, 'Peyk could not start');
      process.exitCode = 1;
    }
  } finally {
    await parts?.stop();
  }
}

/** Real keys are at stake, and nobody has said that others may look at them. */
function isGuarded({ mode, allowInspector }: Config): boolean {
  return mode === 'real' && !allowInspector;
}

function readConfig(): Config {
  try {
    const config = loadConfig(process.env);
    if (isGuarded(config))
      refuseExposure({
        execArgv: process.execArgv,
        nodeOptions: process.env['NODE_OPTIONS'],
        inspectorUrl: inspector.url(),
      });
    return config;
  } catch (error) {
    if (!isAppError(error, 'config')) throw error;
    process.stderr.write(`${describeConfigMistakes(error)}\n`);
    process.exit(BAD_SETTINGS);
  }
}

async function untilAborted(signal: AbortSignal): Promise<false> {
  if (!signal.aborted) {
    await new Promise<void>((aborted) => {
      signal.addEventListener('abort', () => aborted(), { once: true });
    });
  }
  return false;
}

await main();
