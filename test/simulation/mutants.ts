import type { Patch } from '../chaos/source-copy.ts';

/** A copy of the send path with one rule broken, which the simulation has to find. */
export interface Mutant {
  readonly name: string;
  readonly patches: readonly Patch[];
}

const mutant = (name: string, file: string, find: RegExp, put: string): Mutant => ({
  name,
  patches: [{ file, find, put }],
});

const RUN = 'src/features/sending/run';
const RECONCILE = 'src/features/sending/reconcile';
/** Guards that are words of a statement stand here once more, held to it by src/storage/sending/send-model.test.ts. */
const MEMORY = 'test/simulation/memory';

export const MUTANTS: readonly Mutant[] = [
  mutant(
    'the fence says yes without a commit',
    `${RUN}/one-call.ts`,
    /beforeWrite: \(\) => jobs\.goOnWire\([^)]*\)/gu,
    'beforeWrite: () => Promise.resolve(true)',
  ),
  mutant(
    'a call whose answer was lost is made again',
    `${RUN}/one-call.ts`,
    /return \{ outcome: 'unknown', reason: answer\.reason, raw: answer\.raw \?\? '' \};/gu,
    "return { outcome: 'not_sent', reason: 'timeout' };",
  ),
  mutant(
    'what may have been sent is called accepted',
    `${RUN}/one-call.ts`,
    /return \{ outcome: 'unknown', reason: answer\.reason, raw: answer\.raw \?\? '' \};/gu,
    "return { outcome: 'accepted', raw: '', messageIds: [] };",
  ),
  mutant(
    'what a dead process had on the wire is planned again',
    'src/domain/attempt.ts',
    /on_wire: 'unknown' \},\n\n/gu,
    "on_wire: 'planned' },\n\n",
  ),
  mutant(
    'a list that may be cut short counts as whole',
    `${RECONCILE}/reconciler.ts`,
    /const \{ rows, complete \} = (await lookIntoOutbox\([^;]*\));/gu,
    'const { rows } = $1;\n    const complete = true;',
  ),
  mutant(
    'one look proves an absence',
    `${RECONCILE}/reconciler.ts`,
    /settled: look !== null && agrees\(doubt\.lastLook, look\)/gu,
    'settled: look !== null',
  ),
  mutant(
    'nobody asks whose row it is',
    `${RECONCILE}/reconciler.ts`,
    /const claimed = \(\{ id, recipient \}: ListedMessage\) => taken\.has\([^)]*\);/gu,
    'const claimed = (row: ListedMessage) => taken.has(row.text);',
  ),
  mutant(
    'a call goes by the account of the call before it',
    `${RUN}/one-call.ts`,
    /await gateways\.of\(attempt\.bindingId\)/gu,
    "await gateways.of((Reflect.get(globalThis, 'last') as string | undefined) ?? (Reflect.set(globalThis, 'last', attempt.bindingId), attempt.bindingId))",
  ),
  mutant(
    'a call goes from another line',
    'src/features/sending/kinds/calls.ts',
    /await sending\.send\(\{ line, /gu,
    "await sending.send({ line: line.replace(/6$/u, '7'), ",
  ),
  mutant(
    'a call asks for the other way of showing it',
    'src/features/sending/kinds/calls.ts',
    /await sending\.send\(\{ line, recipients, text, flash \}/gu,
    'await sending.send({ line, recipients, text, flash: !flash }',
  ),
  mutant(
    'what was undone leaves when its hold is over',
    'src/domain/job.ts',
    /start: \{/gu,
    "start: { undone: 'running',",
  ),
  mutant('a job is undone when it runs', 'src/domain/job.ts', /undo: \{/gu, "undo: { running: 'undone',"),
  mutant(
    'nobody else has to agree',
    'src/domain/limits.ts',
    /approvalParts !== null && parts > approvalParts \? approvalParts : null/gu,
    'approvalParts !== null && parts < 0 ? approvalParts : null',
  ),
  mutant(
    'numbers on the blacklist are not left out',
    'src/features/sending/draft/blocked-numbers.ts',
    /active\.add\(number\)/gu,
    "if (line === '') active.add(number)",
  ),
  mutant(
    'an acceptance that comes late is not heard',
    'src/domain/attempt.ts',
    /late_accepted: \{[^}]*\}/gu,
    'late_accepted: {}',
  ),
  mutant(
    'an outcome that could not be written is forgotten',
    `${RUN}/sender.ts`,
    /if \(mustGo\(\)\) throw error;/gu,
    'if (error !== mustGo) return;',
  ),
  mutant(
    'a job that has to wait is not taken up again',
    `${RUN}/sender.ts`,
    /return await later\(end\.afterMs\);/gu,
    'return;',
  ),
  mutant(
    'a job with calls of others in hand is not looked at again',
    `${RUN}/sender.ts`,
    /if \(!\(await jobs\.finish\(jobId\)\)\) await later\(LOOK_AGAIN_MS\);/gu,
    'await jobs.finish(jobId);',
  ),
  mutant(
    'an older card goes over a newer one',
    'src/features/sending/cards.ts',
    /if \(lane\.shown > mine\) return false;/gu,
    '',
  ),
  mutant(
    'a card is not looked at once more',
    'src/features/sending/cards.ts',
    /await deps\.drafts\.showLater\(draftId\);\n  \}/gu,
    '}',
  ),
  mutant(
    'a card that may not be edited yet is not asked for again',
    'src/features/sending/cards.ts',
    /return await deps\.drafts\.showLater\(draftId, error\.afterMs\);/gu,
    'return;',
  ),
  mutant(
    'what is not decided is not looked for again',
    `${RECONCILE}/reconciler.ts`,
    /else await again\(null\);/gu,
    '',
  ),
  mutant(
    'reports that could not be read are not asked for again',
    'src/features/sending/track/tracker.ts',
    /await jobs\.schedule\(jobId, 'track', nextLookMs\(open\.ageSeconds, pollSeconds\)\);/gu,
    '',
  ),
  {
    name: 'what a card shows is remembered wherever it stands',
    patches: [/const printHere = [^;]*;/gu, /remember\(draftId, [^;]*;/gu].map((find, nth) => {
      return {
        file: 'src/features/sending/cards.ts',
        find,
        put: ['const printHere = print;', 'remember(draftId, print);'][nth] ?? '',
      };
    }),
  },

  mutant(
    'nobody notices that the database has lost what it had confirmed',
    'src/storage/restore/continuity.ts',
    /if \(look\.beats !== null\) \{\s+beats = look\.beats;/gu,
    "if (look.server !== '') {\n      beats = look.beats ?? beats;",
  ),
  mutant(
    'of a loss nothing is looked for',
    'src/storage/restore/losses.ts',
    /await doubtChats\(store, from\);/gu,
    '',
  ),
  mutant(
    'a loss that was seen to its end is seen anew for ever',
    'src/storage/restore/continuity.ts',
    /hand\.forget\(\);/gu,
    '',
  ),
  mutant(
    'a backup is started on as it is',
    'src/storage/restore/restored-backup.ts',
    /return \{ \.\.\.time, \.\.\.\(await doubtChats\(store, time\.from\)\) \};/gu,
    'return { ...time, calls: 0, asked: 0, drafts: 0 };',
  ),
  mutant(
    'a copy takes what is planned for planned',
    'src/domain/attempt.ts',
    /doubt: \{\s+planned: 'unknown',/gu,
    'doubt: {',
  ),
  mutant(
    'an epoch that was lost is given out again',
    'src/storage/sending/take-calls.ts',
    /export const EPOCHS = 1_000_000;/gu,
    'export const EPOCHS = 1;',
  ),
  mutant(
    'a process does not remember what it has let go',
    'src/storage/restore/calls-in-hand.ts',
    /left: \(call\) => void proofs\.set\(nameOf\(call\), call\),/gu,
    'left: () => undefined,',
  ),
  mutant(
    'a call that was taken again since counts as known',
    `${MEMORY}/losses.ts`,
    /db\.calls\.get\(each\.id\)\?\.fenced/gu,
    'db.calls.get(each.id)?.epoch',
  ),
];
