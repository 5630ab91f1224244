import { EXIT } from '../process/exit-codes.ts';
import { createLogger } from '../process/log.ts';
import type { Config } from '../process/config.ts';
import { migrationsFolder } from '../storage/database/migrations-folder.ts';
import { startApp } from './app.ts';
import { isGuarded, readSettings, secretsOf, type Environment } from './settings.ts';
import { startFailure } from './start-failure.ts';
import { startTryMode, type TryMode } from './try-mode.ts';

const SAME_PRESS_MS = 500;

/** Runs Peyk until it is told to end: settings, start, signals. Sets the exit code of the process. */
export async function run(env: Environment): Promise<void> {
  const config = configOf(env);
  if (config === null) return;
  const secrets = secretsOf(config);
  const tryMode = config.mode === 'try';
  const pretty = config.log.pretty ?? process.stdout.isTTY;
  // In try mode the screen is for the person; the log says only what is wrong unless it was asked for more.
  const quiet = tryMode && env['LOG_LEVEL'] === undefined;
  const log = createLogger({ level: quiet ? 'warn' : config.log.level, pretty, secrets });

  const stopped = new AbortController();
  let meansNow = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // The database recovers by itself at the next start.
      if (meansNow) process.exit(EXIT.wrong);
      if (stopped.signal.aborted) return;
      stopped.abort();
      // npm passes a terminal's Ctrl-C on, so that one press arrives twice. A process that is busy hears the second one
      // late: what is there to be heard comes before a second press counts.
      setTimeout(() => setImmediate(() => (meansNow = true)), SAME_PRESS_MS).unref();
    });
  }
  // Without a listener, Node opens its inspector at this signal.
  if (isGuarded(config)) process.on('SIGUSR1', () => log.warn({}, 'SIGUSR1 opens no inspector here'));
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'an error that nobody took care of');
    process.exitCode = EXIT.wrong;
    stopped.abort();
  });

  // Left to itself, the runtime prints the error with everything that it holds. Nothing can be trusted after it.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error that nobody took care of');
    process.exit(EXIT.wrong);
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
      process.exitCode = EXIT.wrong;
    }
    await app.stop();
  } catch (error) {
    // A Ctrl-C in a terminal ends what the start has begun too, which is no mistake of anybody's.
    if (stopped.signal.aborted) return;
    const failure = startFailure(error);
    if (failure === null) log.fatal({ err: error }, 'Peyk could not start');
    else process.stderr.write(`${failure.text}\n`);
    process.exitCode = failure?.exitCode ?? EXIT.wrong;
  } finally {
    await parts?.stop();
  }
}

/** Null where they cannot be used, which was told then. */
function configOf(env: Environment): Config | null {
  try {
    return readSettings(env);
  } catch (error) {
    const failure = startFailure(error);
    if (failure === null) throw error;
    process.stderr.write(`${failure.text}\n`);
    process.exitCode = failure.exitCode;
    return null;
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
