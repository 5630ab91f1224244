import type { InboxFacts } from '../../domain/inbound.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';

export interface StallWatchDeps {
  readonly accounts: Pick<Stores['accounts'], 'stalled' | 'alarmed'>;
  readonly alarms: Pick<Stores['alarms'], 'find'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly inboxSeconds: number;
}

/** A process that died is made up for within half a minute: only what is later than that is worth a word. */
const LEAST_LATE = 30;
const LEAST_GRACE = 10;
/** Three times the longest pause between two readings. */
const REFUSED_POLLS = 60;

/**
 * Looks for inboxes that nobody reads, whichever process should. An account is told of only after it was seen so for a
 * while: after a stop of everything all of them are late for a moment.
 */
export function createStallWatch({
  accounts,
  alarms,
  clock,
  inboxSeconds,
}: StallWatchDeps): () => Promise<void> {
  const seen = new Map<string, number>();
  const lateSeconds = Math.max(LEAST_LATE, 2 * inboxSeconds);
  const refusedSeconds = Math.max(LEAST_LATE, REFUSED_POLLS * inboxSeconds);
  const graceMs = Math.max(LEAST_GRACE, inboxSeconds) * 1000;

  return async () => {
    const stalled = await accounts.stalled({ lateSeconds, refusedSeconds });
    const alarmed = await accounts.alarmed('stalled');
    const finding = { kind: 'inbox', subject: 'stalled' } as const;
    const late = new Set(stalled.map(({ accountId }) => accountId));
    for (const accountId of seen.keys()) if (!late.has(accountId)) seen.delete(accountId);
    const known = new Set(alarmed.map(({ accountId }) => accountId));
    for (const { accountId, chatId, since } of stalled) {
      const first = seen.get(accountId) ?? clock.monotonic();
      seen.set(accountId, first);
      if (known.has(accountId) || clock.monotonic() - first < graceMs) continue;
      const facts: InboxFacts = { reason: 'stalled', since: since.toISOString() };
      await alarms.find({ ...finding, chatId, accountId, level: 1, facts });
    }
    for (const { accountId, chatId } of alarmed)
      if (!late.has(accountId)) await alarms.find({ ...finding, chatId, accountId, level: 0, facts: {} });
  };
}
