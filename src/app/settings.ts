import * as inspector from 'node:inspector';
import { loadConfig, type Config } from '../process/config.ts';
import { refuseExposure } from '../process/exposing-options.ts';
import { createSecretRegistry, type SecretRegistry } from '../process/log.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings that a start goes by. Throws AppError `config` for mistakes, and where the memory of this process is open
 * to others.
 */
export function readSettings(env: Environment): Config {
  const config = loadConfig(env);
  if (isGuarded(config))
    refuseExposure({
      execArgv: process.execArgv,
      nodeOptions: env['NODE_OPTIONS'],
      inspectorUrl: inspector.url(),
    });
  return config;
}

/** Real keys are at stake, and nobody has said that others may look at them. */
export function isGuarded({ mode, allowInspector }: Config): boolean {
  return mode === 'real' && !allowInspector;
}

/** A registry that knows every secret of the settings. */
export function secretsOf({ telegram, database, proxy, masterKeys, traces }: Config): SecretRegistry {
  const secrets = createSecretRegistry();
  const given = [telegram.token, telegram.webhook?.secret, database.url, proxy?.url, traces?.headers];
  for (const secret of [...given, ...masterKeys.map(({ key }) => key)])
    if (secret !== null && secret !== undefined) secrets.keep(secret);
  return secrets;
}
