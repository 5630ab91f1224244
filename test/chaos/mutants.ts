import type { Finding } from './checks.ts';
import { planArrivals, planReadings, type InboxPlan } from './inbox-schedule.ts';
import { inboxes, storms } from './modes.ts';
import * as provocations from './provocations.ts';
import { createRandom } from './random.ts';
import { rolling, WHOLE } from './rolling.ts';
import { runMode, type RunOptions, type RunResult } from './run.ts';
import type { Plan } from './schedule.ts';
import type { Patch } from './source-copy.ts';
import type { Strike } from './strikes.ts';

/** A copy of Peyk with one promise broken that the simulation cannot see broken: in the statements, on the wire, in the chat, between processes. */
export interface Mutant {
  readonly name: string;
  readonly about: string;
  readonly patches: readonly Patch[];
  /** What brings the fault to light, in so many rounds at most. */
  readonly provoke: (rounds: number, options: RunOptions) => Promise<RunResult>;
  /** Which findings are what it must be caught by; anything else may have another cause. */
  readonly caughtBy: readonly Finding['kind'][];
}

/** What a broken copy has lost does not come any more. */
const PATIENCE_MS = 15_000;
const RECIPIENTS = 5000;

const BY_FETCH = `((async (call, { target, beforeWrite }) => {
        if (beforeWrite !== undefined && !(await beforeWrite().catch(() => false)))
          return { kind: 'failed', stage: 'fence', reason: 'fence', bytesMayHaveLeft: false } as const;
        try {
          const { path, method, headers, body } = call;
          const answer = await fetch(\`http://\${target.host}:\${target.port}\${path}\`, {
            method,
            headers: { 'content-type': 'application/json', ...headers },
            ...(body === undefined ? {} : { body }),
            signal: AbortSignal.timeout(60_000),
          });
          return { kind: 'answered', answer: { httpStatus: answer.status, body: new Uint8Array(await answer.arrayBuffer()) } } as const;
        } catch {
          return { kind: 'failed', stage: 'answer', reason: 'reset', bytesMayHaveLeft: true } as const;
        }
      }) satisfies typeof writeOnce)`;

const NO_UPDATE_DEDUPE: Patch = {
  file: 'src/storage/chat/update-store.ts',
  find: /return rows\.map\(\(row\) => row\.update_id\)\.toSorted\(\(a, b\) => a - b\);/gu,
  put: 'return rows.length < 0 ? [] : updates.map((update) => update.id);',
};

/** The process ends with 0 at the first signal, whatever it has in hand. */
const ENDS_AT_ONCE: Patch = {
  file: 'src/app/run.ts',
  find: /(?<=return;\s+)stopped\.abort\(\);/gu,
  put: 'process.exit(0);',
};

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'fetch',
    about: 'the runtime’s own fetch makes the calls',
    patches: [
      {
        file: 'src/gateway/transport/transport.ts',
        find: /(?<=async write\([^]*?)writeOnce(?=\()/gu,
        put: BY_FETCH,
      },
    ],
    provoke: storming(provocations.invitedRepeats),
    caughtBy: ['doubled'],
  },
  {
    name: 'no-update-dedupe',
    about: 'an update that comes again is handled again',
    patches: [NO_UPDATE_DEDUPE],
    provoke: storming(provocations.repeatedUpdates),
    caughtBy: ['replay', 'doubled'],
  },
  {
    name: 'no-draft-dedupe',
    about: 'an update that comes again is handled again, and makes another draft',
    patches: [
      NO_UPDATE_DEDUPE,
      {
        file: 'src/storage/sending/draft-store.ts',
        find: /where bot_id = \$\{draft\.botId\} and source_update = \$\{draft\.updateId\}/gu,
        put: 'where false and bot_id = ${draft.botId} and source_update = ${draft.updateId}',
      },
      {
        file: 'src/storage/sending/draft-store.ts',
        find: /(?<=\$\{draft\.botId\},\s+)\$\{draft\.updateId\}(?=,)/gu,
        put: '${Math.floor(Math.random() * 1e15)}',
      },
    ],
    provoke: storming(provocations.repeatedUpdates),
    caughtBy: ['replay', 'doubled'],
  },
  {
    name: 'forgetful',
    about: 'nobody notices that the database has lost what it had confirmed',
    patches: [
      {
        file: 'src/storage/restore/continuity.ts',
        find: /if \(found\.beats !== null\) \{\s+beats = found\.beats;/gu,
        put: "if (found.server !== '') {\n      beats = found.beats ?? beats;",
      },
    ],
    provoke: storming(provocations.calm, { goesBack: true }),
    caughtBy: ['wrong', 'doubled'],
  },
  {
    name: 'wordless-limit',
    about: 'what is too much at once is left out without a word',
    patches: [
      {
        file: 'src/telegram/dispatch/limiter.ts',
        find: /if \(!tell \|\| kind === 'press'\) return;/gu,
        put: 'if (tell || kind !== scope) return;',
      },
    ],
    provoke: storming(provocations.tooMuch),
    caughtBy: ['silent'],
  },
  {
    name: 'deaf-limit',
    about: 'what is too much at once is said to be left out, and is done',
    patches: [
      {
        file: 'src/telegram/dispatch/limiter.ts',
        find: /await refuse\(ctx, refusal\);/gu,
        put: '$&\n      return await next();',
      },
    ],
    provoke: storming(provocations.tooMuch),
    caughtBy: ['wrong'],
  },
  {
    name: 'no-cap',
    about: 'the caps of a chat are not judged',
    patches: [
      {
        file: 'src/domain/limits.ts',
        find: /if \(over !== null\) return over;/gu,
        put: '',
      },
    ],
    provoke: storming(provocations.overCaps),
    caughtBy: ['unordered'],
  },
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
    provoke: receiving({ lengthMs: 7000, places: 1, seconds: 6, latencyMs: 60 }, [
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
    provoke: receiving({ lengthMs: 4000, places: 4, seconds: 3.5, isRead: true }, []),
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
    provoke: receiving({ lengthMs: 3000, places: 4, seconds: 1.5 }, []),
    caughtBy: ['doubled'],
  },
  {
    name: 'stored-before-due',
    about: 'a message is stored first, and what is to be told of it a moment later',
    patches: [
      {
        file: 'src/storage/inbox/inbound-store.ts',
        find: /: await tellEachIn\(tx, account\.chat_id, stored\);/gu,
        put: `: (setTimeout(() => void sql.begin(async (later) => {
              await enqueueNotify(later, await tellEachIn(later, account.chat_id, stored));
            }).catch(() => undefined), 300), []);`,
      },
    ],
    provoke: receiving({ lengthMs: 6000, places: 4, seconds: 5.5 }, [...killAll(2500), ...killAll(5200)]),
    caughtBy: ['untold'],
  },
  {
    name: 'told-before-said',
    about: 'a place counts as told before Telegram has taken the words',
    patches: [
      {
        file: 'src/storage/alerts/notification-next.ts',
        find: /set state = 'sending', tries = tries \+ 1/gu,
        put: "set state = 'sent', tries = tries + 1",
      },
    ],
    provoke: receiving({ lengthMs: 5000, places: 4, seconds: 4.5 }, [
      { kind: 'telegram', at: 1000, rule: { method: 'sendMessage', times: 3, drop: 'before' } },
    ]),
    caughtBy: ['untold'],
  },
  {
    name: 'marks-read',
    about: 'captured messages are marked read although nobody has asked for it',
    patches: [{ file: 'src/features/inbox/read-inbox.ts', find: /if \(work\.marksRead && /gu, put: 'if (' }],
    provoke: receiving({ lengthMs: 3000, places: 4, seconds: 2, isRead: true }, []),
    caughtBy: ['marked'],
  },
  {
    name: 'ends-at-once',
    about: 'a process that is told to end forgets the calls in flight',
    patches: [ENDS_AT_ONCE],
    provoke: restarting,
    caughtBy: ['unknown'],
  },
  {
    name: 'begins-anew',
    about: 'what an ended process had on the wire is planned again',
    patches: [
      ENDS_AT_ONCE,
      {
        file: 'src/domain/attempt.ts',
        find: /on_wire: 'unknown' \},\n\n/gu,
        put: "on_wire: 'planned' },\n\n",
      },
      {
        file: 'src/storage/sending/call-store.ts',
        find: /epoch = case a\.state when 'on_wire' then a\.epoch else a\.epoch \+ 1 end/gu,
        put: 'epoch = a.epoch + 1',
      },
    ],
    provoke: restarting,
    caughtBy: ['doubled'],
  },
  {
    name: 'gateway-first',
    about: 'the way to the gateway is closed before the calls on it have ended',
    patches: [
      {
        file: 'src/app/app.ts',
        find: /started\.push\(\{ name: 'gateway', stop: \(\) => accounts\.close\(\) \}\);/gu,
        put: "options.signal?.addEventListener('abort', () => void accounts.close());",
      },
    ],
    provoke: restarting,
    caughtBy: ['unknown'],
  },
];

/** Rounds of sends, which leave at once. */
function storming(plan: (round: number) => Plan, { goesBack = false } = {}): Mutant['provoke'] {
  return async (rounds, options) =>
    await runMode(storms({ goesBack }), plansOf(goesBack ? 1 : rounds, plan), {
      ...options,
      // Only what becomes of a database that is set back shows it.
      ...(goesBack ? { enough: () => false } : {}),
    });
}

/** Rounds of received messages; `isRead`: another program fetches some of them. */
function receiving(
  of: {
    readonly lengthMs: number;
    readonly places: number;
    readonly seconds: number;
    readonly latencyMs?: number;
    readonly isRead?: boolean;
  },
  strikes: readonly Strike[],
): Mutant['provoke'] {
  const { lengthMs, places, seconds, latencyMs = 0, isRead = false } = of;
  const plan = (round: number): InboxPlan => {
    const random = createRandom(`inbox control ${round}`);
    return {
      round,
      lengthMs,
      latencyMs,
      switches: { lagMs: 0, shuffled: false, oldestFirst: false },
      arrivals: planArrivals(random.fork('arrivals'), round, { places, seconds }),
      readings: isRead ? planReadings(random.fork('readings'), places, seconds) : [],
      strikes,
    };
  };
  return async (rounds, options) => await runMode(inboxes(PATIENCE_MS), plansOf(rounds, plan), options);
}

/** Orderly restarts, once, in a small job. */
async function restarting(_rounds: number, options: RunOptions): Promise<RunResult> {
  const mode = await rolling(WHOLE, { patienceMs: PATIENCE_MS });
  return await runMode(mode, [{ recipients: RECIPIENTS, turns: 1 }], options);
}

function plansOf<P>(rounds: number, plan: (round: number) => P): P[] {
  return Array.from({ length: rounds }, (_, index) => plan(index + 1));
}

function killAll(at: number): Strike[] {
  return [0, 1, 2].map((process): Strike => ({ kind: 'kill', at, process, downMs: 0 }));
}
