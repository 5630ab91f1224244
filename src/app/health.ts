import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Check } from '../http/health.ts';
import type { DeploymentHealth, ReadHealth } from '../ports/health.ts';
import type { OpenWork } from '../ports/metrics.ts';
import type { Clock } from '../ports/runtime.ts';
import type { Config } from '../process/config.ts';

export interface AppHealthOptions {
  readonly config: Config;
  readonly version: string;
  /** The database is somewhere else than in `DATA_DIR`. */
  readonly isElsewhere: boolean;
  /** Those of `/readyz`. */
  readonly checks: Readonly<Record<string, Check>>;
  readonly foreignSeals: () => Promise<number>;
  /** What `/metrics` tells. */
  readonly standing: () => Promise<OpenWork>;
  readonly putOff: () => Promise<number>;
  readonly leads: () => boolean;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** What `/health` shows, from what `/readyz` and `/metrics` read. */
export function createAppHealth(options: AppHealthOptions): ReadHealth {
  const { config, version, isElsewhere, clock } = options;
  const { database: askDatabase, telegram: askTelegram } = options.checks;
  const startedAt = clock.monotonic();
  const folder = resolve(config.database.dataDir);
  const isEmbedded = config.database.url === null && !isElsewhere;
  return async () => {
    const database = await answerOf(askDatabase, clock);
    const [standing, foreignSeals, problem, disk] = await Promise.all([
      options.standing().catch(() => null),
      options.foreignSeals().catch(() => null),
      askTelegram?.().catch(() => 'unknown') ?? null,
      isEmbedded ? roomIn(folder) : null,
    ]);
    return {
      version,
      upMs: clock.monotonic() - startedAt,
      roles: config.roles,
      leadsHere: options.leads(),
      database,
      standing,
      telegram: {
        way: config.telegram.webhook === null ? 'polling' : 'webhook',
        isWell: problem === null,
        putOff: await options.putOff(),
      },
      foreignSeals,
      disk,
      inboxSeconds: config.pacing.inboxPollSeconds,
    };
  };
}

async function answerOf(
  check: Check | undefined,
  { monotonic }: Pick<Clock, 'monotonic'>,
): Promise<DeploymentHealth['database']> {
  const askedAt = monotonic();
  const problem = await check?.().catch(() => 'unknown');
  return problem === null ? { answerMs: monotonic() - askedAt } : null;
}

async function roomIn(folder: string): Promise<DeploymentHealth['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, allBytes: blocks * bsize };
  } catch {
    return 'unread';
  }
}
