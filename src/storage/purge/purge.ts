import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import type { Database } from '../database/database.ts';
import { auditSteps } from './audit-steps.ts';
import { sendSteps } from './send-steps.ts';
import { fileSteps, inboxSteps, otherSteps, passingSteps, type Step } from './steps.ts';

/** Days after which what is past its time goes; 0 for never. */
export interface KeptDays {
  readonly sends: number;
  readonly inbox: number;
  readonly audit: number;
  readonly other: number;
}

/** After each batch the database has so many times its length for everybody else, and at least so long. */
const REST = 3;
const LEAST_REST_MS = 20;

/**
 * Takes out what is past its time: docs/database.md has what, when and why. In small batches, each a transaction of its
 * own that waits for no lock and passes over what somebody holds; one process at a time.
 */
export function createPurge({ sql }: Database, days: KeptDays) {
  return {
    /**
     * Goes through everything once; what it passed over is found by the next run.
     * @returns rows that went, by what they were; nothing of which none went
     */
    async run(signal?: AbortSignal): Promise<Readonly<Record<string, number>>> {
      const steps = [
        ...passingSteps(),
        ...fileSteps(),
        ...sendSteps(days.sends),
        ...inboxSteps(days.inbox),
        ...otherSteps(days.other),
        ...(await auditSteps(sql, days.audit)),
      ];
      const gone: Record<string, number> = {};
      for (const step of steps) {
        for (let more = true; more && signal?.aborted !== true;) {
          const since = performance.now();
          const batch = await runBatch(sql, step);
          if (batch.removed > 0) gone[step.name] = (gone[step.name] ?? 0) + batch.removed;
          more = batch.more;
          const restMs = Math.max(LEAST_REST_MS, REST * (performance.now() - since));
          if (more) await sleep(restMs, undefined, { signal }).catch(() => undefined);
        }
      }
      return gone;
    },
  };
}

const NOTHING = { removed: 0, more: false };

async function runBatch(sql: Sql, { batch }: Step): Promise<{ removed: number; more: boolean }> {
  try {
    return await sql.begin(async (tx) => {
      await tx`select set_config('lock_timeout', '100ms', true)`;
      const [mine] = await tx<{ ok: boolean }[]>`
        select pg_try_advisory_xact_lock(hashtextextended('purge', 0)) as ok`;
      return mine?.ok === true ? await batch(tx) : NOTHING;
    });
  } catch (error) {
    if (isLocked(error)) return NOTHING;
    throw error;
  }
}

const LOCK_NOT_AVAILABLE = '55P03';

function isLocked(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
}
