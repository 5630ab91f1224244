import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from './checks.ts';

interface Patch {
  readonly file: string;
  /** Must be found exactly once. */
  readonly find: RegExp;
  readonly put: string;
}

/** A copy of Peyk with one promise broken. */
export interface Mutant {
  readonly name: string;
  readonly about: string;
  readonly patches: readonly Patch[];
  /** Which findings are what it must be caught by; anything else may have another cause. */
  readonly caughtBy: readonly Finding['kind'][];
  /** Only what is concluded at the end shows it. */
  readonly atEnd?: boolean;
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
  find: /return rows\.map\(\(row\) => Number\(row\.update_id\)\)\.toSorted\(\(a, b\) => a - b\);/gu,
  put: 'return rows.length < 0 ? [] : updates.map((update) => update.id);',
};

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'no-write-ahead',
    about: 'the fence says yes without a commit',
    patches: [
      {
        file: 'src/features/send/sender.ts',
        find: /beforeWrite: \(\) => jobs\.goOnWire\([^)]*\)/gu,
        put: 'beforeWrite: () => Promise.resolve(true)',
      },
    ],
    caughtBy: ['wrong', 'doubled'],
  },
  {
    name: 'fetch',
    about: 'the runtime’s own fetch makes the calls',
    patches: [
      {
        file: 'src/gateway/transport/transport.ts',
        find: /(?<=write: [^]*?)writeOnce(?=\()/gu,
        put: BY_FETCH,
      },
    ],
    caughtBy: ['doubled'],
  },
  {
    name: 'blind-retry',
    about: 'a call whose answer was lost is made again',
    patches: [
      {
        file: 'src/features/send/sender.ts',
        find: /return \{ outcome: 'unknown', reason: answer\.reason, raw: answer\.raw \?\? '' \};/gu,
        put: "return { outcome: 'not_sent', reason: 'timeout' };",
      },
    ],
    caughtBy: ['doubled'],
  },
  {
    name: 'rescued-as-planned',
    about: 'what a dead process had on the wire is planned again',
    patches: [
      {
        file: 'src/storage/job-store.ts',
        find: /state = case a\.state when 'on_wire' then 'unknown' else 'planned' end/gu,
        put: "state = 'planned'",
      },
      {
        file: 'src/storage/job-store.ts',
        find: /epoch = case a\.state when 'on_wire' then a\.epoch else a\.epoch \+ 1 end/gu,
        put: 'epoch = a.epoch + 1',
      },
    ],
    caughtBy: ['doubled', 'wrong'],
  },
  {
    name: 'no-update-dedupe',
    about: 'an update that comes again is handled again',
    patches: [NO_UPDATE_DEDUPE],
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
    caughtBy: ['replay', 'doubled'],
  },
  {
    name: 'trusting-reconcile',
    about: 'a list that may be cut short counts as whole',
    patches: [
      {
        file: 'src/features/send/reconciler.ts',
        find: /const \{ rows, complete \} = (await lookIntoOutbox\([^;]*\));/gu,
        put: 'const { rows } = $1;\n    const complete = true;',
      },
    ],
    caughtBy: ['wrong'],
    atEnd: true,
  },
];

/** Makes the copy in a folder of its own. Throws when a patch does not apply: the code has changed, and the control with it. */
export function makeMutant(mutant: Mutant, root: string): { readonly source: string; remove(): void } {
  const source = mkdtempSync(join(tmpdir(), 'peyk-mutant-'));
  const remove = (): void => rmSync(source, { recursive: true, force: true });
  try {
    for (const name of ['src', 'drizzle', 'package.json'])
      cpSync(join(root, name), join(source, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
    for (const patch of mutant.patches) apply(mutant, patch, source);
  } catch (error) {
    remove();
    throw error;
  }
  return { source, remove };
}

function apply({ name }: Mutant, { file, find, put }: Patch, source: string): void {
  const path = join(source, file);
  const text = readFileSync(path, 'utf8');
  const found = [...text.matchAll(find)].length;
  if (found !== 1)
    throw new Error(`the control ${name} does not fit ${file} any more: ${found} places instead of one`);
  writeFileSync(path, text.replace(find, put));
}
