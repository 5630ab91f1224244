import type { Finding } from './checks.ts';
import { planArrivals, planReadings, type InboxPlan } from './inbox-schedule.ts';
import { createRandom } from './random.ts';
import type { Patch } from './source-copy.ts';
import type { Strike } from './strikes.ts';

/** A copy of Peyk that breaks a promise about received messages. */
export interface InboxMutant {
  readonly name: string;
  readonly about: string;
  readonly patches: readonly Patch[];
  readonly provoke: (round: number) => InboxPlan;
  readonly caughtBy: readonly Finding['kind'][];
}

export const INBOX_MUTANTS: readonly InboxMutant[] = [
  {
    name: 'known-is-enough',
    about: 'a scan of the inbox ends at the first message that is known',
    patches: [
      {
        file: 'src/features/inbox/capture.ts',
        find: /\(page > 1 && last\.fresh === 0\)/gu,
        put: 'last.fresh < last.messages.length',
      },
      {
        file: 'src/features/inbox/capture.ts',
        find: /(last = next;\s+\}\s+)return total === before \+ scan\.sums\(\)\.stored \? total : null;/gu,
        put: '$1return total;',
      },
    ],
    // What has piled up takes several pages, and while they are read others come in front of them.
    provoke: (round) =>
      plan(round, { lengthMs: 7000, places: 1, seconds: 6, latencyMs: 60 }, [
        { kind: 'refuse', at: 0, wire: 'gateway', ms: 3000, open: true },
      ]),
    caughtBy: ['lost'],
  },
  {
    name: 'unread-only',
    about: 'what another program has read is not captured',
    patches: [
      {
        file: 'src/features/inbox/scan.ts',
        find: /inbox\.page\(\{ page, pageSize: asked \}\)/gu,
        put: 'inbox.page({ page, pageSize: asked, read: false })',
      },
    ],
    provoke: (round) => plan(round, { lengthMs: 4000, places: 4, seconds: 3.5, isRead: true }, []),
    caughtBy: ['lost'],
  },
  {
    name: 'stored-again',
    about: 'each process knows only what it has captured itself',
    patches: [
      {
        file: 'src/features/inbox/new-inbound.ts',
        find: /key: isOwn && id !== null \? id : hash/gu,
        put: 'key: `${id} ${process.pid}`',
      },
    ],
    provoke: (round) => plan(round, { lengthMs: 3000, places: 4, seconds: 1.5 }, []),
    caughtBy: ['doubled'],
  },
  {
    name: 'stored-before-due',
    about: 'a message is stored first, and what is to be told of it a moment later',
    patches: [
      {
        file: 'src/storage/inbound-store.ts',
        find: /: await tellEachIn\(tx, account\.chat_id, stored\);/gu,
        put: `: (setTimeout(() => void sql.begin(async (later) => {
              await enqueueNotify(later, await tellEachIn(later, account.chat_id, stored));
            }).catch(() => undefined), 300), []);`,
      },
    ],
    provoke: (round) =>
      plan(round, { lengthMs: 6000, places: 4, seconds: 5.5 }, [...killAll(2500), ...killAll(5200)]),
    caughtBy: ['untold'],
  },
  {
    name: 'told-before-said',
    about: 'a place counts as told before Telegram has taken the words',
    patches: [
      {
        file: 'src/storage/notification-next.ts',
        find: /set state = 'sending', tries = tries \+ 1/gu,
        put: "set state = 'sent', tries = tries + 1",
      },
    ],
    provoke: (round) =>
      plan(round, { lengthMs: 5000, places: 4, seconds: 4.5 }, [
        { kind: 'telegram', at: 1000, rule: { method: 'sendMessage', times: 3, drop: 'before' } },
      ]),
    caughtBy: ['untold'],
  },
  {
    name: 'marks-read',
    about: 'captured messages are marked read although nobody has asked for it',
    patches: [{ file: 'src/features/inbox/read-inbox.ts', find: /if \(work\.marksRead && /gu, put: 'if (' }],
    provoke: (round) => plan(round, { lengthMs: 3000, places: 4, seconds: 2, isRead: true }, []),
    caughtBy: ['marked'],
  },
];

function killAll(at: number): Strike[] {
  return [0, 1, 2].map((process): Strike => ({ kind: 'kill', at, process, downMs: 0 }));
}

function plan(
  round: number,
  of: {
    readonly lengthMs: number;
    readonly places: number;
    readonly seconds: number;
    readonly latencyMs?: number;
    /** Whether another program fetches messages. */
    readonly isRead?: boolean;
  },
  strikes: readonly Strike[],
): InboxPlan {
  const { lengthMs, places, seconds, latencyMs = 0, isRead = false } = of;
  const random = createRandom(`inbox control ${round}`);
  return {
    round,
    lengthMs,
    latencyMs,
    switches: { lagMs: 0, shuffled: false, oldestFirst: false },
    arrivals: planArrivals(random.fork('arrivals'), round, { places, seconds }),
    readings: isRead ? planReadings(random.fork('readings'), places, seconds) : [],
    blocks: [],
    strikes,
  };
}
