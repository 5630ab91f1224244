import type { Finding } from './checks.ts';
import * as provocations from './provocations.ts';
import type { Plan } from './schedule.ts';
import type { Patch } from './source-copy.ts';

/** A copy of Peyk with one promise broken. */
export interface Mutant {
  readonly name: string;
  readonly about: string;
  readonly patches: readonly Patch[];
  /** What brings the fault to light. */
  readonly provoke: (round: number) => Plan;
  /** Which findings are what it must be caught by; anything else may have another cause. */
  readonly caughtBy: readonly Finding['kind'][];
  /** For how long a send can be undone; by default not at all, so that it leaves at once. */
  readonly undoSeconds?: number;
  /** Only what is concluded at the end shows it, or what becomes of a database that is set back. */
  readonly atEnd?: 'settled' | 'set back';
}

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
  file: 'src/storage/update-store.ts',
  find: /return rows\.map\(\(row\) => row\.update_id\)\.toSorted\(\(a, b\) => a - b\);/gu,
  put: 'return rows.length < 0 ? [] : updates.map((update) => update.id);',
};

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'no-write-ahead',
    about: 'the fence says yes without a commit',
    patches: [
      {
        file: 'src/features/sending/run/one-call.ts',
        find: /beforeWrite: \(\) => jobs\.goOnWire\([^)]*\)/gu,
        put: 'beforeWrite: () => Promise.resolve(true)',
      },
    ],
    provoke: provocations.calm,
    caughtBy: ['wrong', 'doubled'],
  },
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
    provoke: provocations.invitedRepeats,
    caughtBy: ['doubled'],
  },
  {
    name: 'blind-retry',
    about: 'a call whose answer was lost is made again',
    patches: [
      {
        file: 'src/features/sending/run/one-call.ts',
        find: /return \{ outcome: 'unknown', reason: answer\.reason, raw: answer\.raw \?\? '' \};/gu,
        put: "return { outcome: 'not_sent', reason: 'timeout' };",
      },
    ],
    provoke: provocations.lostAnswers,
    caughtBy: ['doubled'],
  },
  {
    name: 'optimist',
    about: 'what may have been sent is called accepted',
    patches: [
      {
        file: 'src/features/sending/run/one-call.ts',
        find: /return \{ outcome: 'unknown', reason: answer\.reason, raw: answer\.raw \?\? '' \};/gu,
        put: "return { outcome: 'accepted', raw: '', messageIds: [] };",
      },
    ],
    provoke: provocations.lostCalls,
    caughtBy: ['wrong'],
  },
  {
    name: 'rescued-as-planned',
    about: 'what a dead process had on the wire is planned again',
    patches: [
      {
        file: 'src/domain/attempt.ts',
        find: /on_wire: 'unknown' \},\n\n/gu,
        put: "on_wire: 'planned' },\n\n",
      },
      {
        file: 'src/storage/call-store.ts',
        find: /epoch = case a\.state when 'on_wire' then a\.epoch else a\.epoch \+ 1 end/gu,
        put: 'epoch = a.epoch + 1',
      },
    ],
    provoke: provocations.killedWhileWaiting,
    caughtBy: ['doubled', 'wrong'],
  },
  {
    name: 'no-update-dedupe',
    about: 'an update that comes again is handled again',
    patches: [NO_UPDATE_DEDUPE],
    provoke: provocations.repeatedUpdates,
    caughtBy: ['replay', 'doubled'],
  },
  {
    name: 'no-draft-dedupe',
    about: 'an update that comes again is handled again, and makes another draft',
    patches: [
      NO_UPDATE_DEDUPE,
      {
        file: 'src/storage/draft-store.ts',
        find: /where bot_id = \$\{draft\.botId\} and source_update = \$\{draft\.updateId\}/gu,
        put: 'where false and bot_id = ${draft.botId} and source_update = ${draft.updateId}',
      },
      {
        file: 'src/storage/draft-store.ts',
        find: /(?<=\$\{draft\.botId\},\s+)\$\{draft\.updateId\}(?=,)/gu,
        put: '${Math.floor(Math.random() * 1e15)}',
      },
    ],
    provoke: provocations.repeatedUpdates,
    caughtBy: ['replay', 'doubled'],
  },
  {
    name: 'trusting-reconcile',
    about: 'a list that may be cut short counts as whole',
    patches: [
      {
        file: 'src/features/sending/reconcile/reconciler.ts',
        find: /const \{ rows, complete \} = (await lookIntoOutbox\([^;]*\));/gu,
        put: 'const { rows } = $1;\n    const complete = true;',
      },
    ],
    provoke: provocations.lostAmongOthers,
    caughtBy: ['wrong'],
    atEnd: 'settled',
  },
  {
    name: 'forgetful',
    about: 'nobody notices that the database has lost what it had confirmed',
    patches: [
      {
        file: 'src/storage/continuity.ts',
        find: /if \(look\.beats !== null\) \{\s+beats = look\.beats;/gu,
        put: "if (look.server !== '') {\n      beats = look.beats ?? beats;",
      },
    ],
    provoke: provocations.calm,
    caughtBy: ['wrong', 'doubled'],
    atEnd: 'set back',
  },
];
