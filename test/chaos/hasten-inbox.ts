import { hasten } from './hasten.ts';
import { applyPatches, type SourceCopy } from './source-copy.ts';

/**
 * In this copy leases, pauses and the minutes by which a flood is told from a trickle are shorter, and pages smaller, so
 * that takeovers, digests and scans of many pages fit into seconds. No order changes. A lease says which process has it.
 */
export function hastenInbox(copy: SourceCopy): void {
  hasten(copy);
  applyPatches(copy, 'the haste of a copy', [
    {
      file: 'src/features/inbox/poller.ts',
      find: /const LEASE_SECONDS = \d+;/gu,
      put: 'const LEASE_SECONDS = 2.5;',
    },
    { file: 'src/features/inbox/poller.ts', find: /const FRESH_MS = \d+;/gu, put: 'const FRESH_MS = 500;' },
    { file: 'src/features/inbox/poller.ts', find: /const IDLE_MS = \d+;/gu, put: 'const IDLE_MS = 100;' },
    { file: 'src/features/inbox/scan.ts', find: /const PAGE_SIZE = \d+;/gu, put: 'const PAGE_SIZE = 20;' },
    {
      file: 'src/features/inbox/read-inbox.ts',
      find: /const FETCH_SECONDS = \d+;/gu,
      put: 'const FETCH_SECONDS = 4;',
    },
    {
      file: 'src/app/poller.ts',
      find: /owner: liveness\.id/gu,
      put: "owner: `${process.env['CHAOS_SLOT'] ?? ''} ${liveness.id}`",
    },
    {
      file: 'src/storage/alerts/notification-next.ts',
      find: /export const SAYING_SECONDS = \d+;/gu,
      put: 'export const SAYING_SECONDS = 3;',
    },
    {
      file: 'src/storage/alerts/notification-next.ts',
      find: /const PER_MINUTE = \d+;/gu,
      put: 'const PER_MINUTE = 4;',
    },
    {
      file: 'src/storage/alerts/notification-next.ts',
      find: /const RETRY_SECONDS = \{[^}]*\}/gu,
      put: 'const RETRY_SECONDS = { least: 1, most: 5 }',
    },
    ...['now() - ', 'min(sent_at) + ', 'max(sent_at) + '].map((before) => ({
      file: 'src/storage/alerts/notification-next.ts',
      find: new RegExp(`${RegExp.escape(before)}interval '1 minute'`, 'gu'),
      put: `${before}interval '5 seconds'`,
    })),
    {
      file: 'src/telegram/alerts/notification-sender.ts',
      find: /const HOLD_MS = \d+_?\d*;/gu,
      put: 'const HOLD_MS = 900;',
    },
    {
      file: ['src/app/worker.ts', 'src/app/app.ts'],
      find: /const ALERT_SECONDS = \d+;/gu,
      put: 'const ALERT_SECONDS = 1;',
    },
    {
      file: 'src/storage/alerts/notification-store.ts',
      find: /n\.not_before < now\(\) - interval '30 seconds'/gu,
      put: "n.not_before < now() - interval '2 seconds'",
    },
  ]);
}
