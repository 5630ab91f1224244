/*
 * What the product asks besides the states of its tables, before it makes a move. Each guard of the model stands for words
 * of one function: `test/proof/rules.test.ts` looks whether they are there, so that who changes them comes by here.
 */

interface Source {
  /** File, and the function in it. */
  readonly at: `src/${string}.ts › ${string}`;
  readonly asks: readonly string[];
}

const GUARDS_OF_MODEL = {
  // Drafts
  version: {
    at: 'src/storage/sending/draft-press.ts › holdDraft',
    asks: ['held.draft.version !== version', "held.draft.state === 'confirmed'"],
  },
  'second person': {
    at: 'src/storage/sending/draft-confirmation.ts › confirmIn',
    asks: ['approved: false', 'if (limited !== null) return limited'],
  },
  'another person': {
    at: 'src/storage/sending/draft-confirmation.ts › approveIn',
    asks: ["if (!may.is_other) return { result: 'own' }", "draft.state !== 'asked'"],
  },
  'still asked': {
    at: 'src/storage/sending/draft-confirmation.ts › resentIn',
    asks: ["state = 'asked' for update", 'if (asked.length < resends.length) return null'],
  },
  // Jobs
  due: {
    at: 'src/storage/sending/schedule-start.ts › startDueIn',
    asks: ['j.hold_until <= now() for update of j'],
  },
  'switch at the start': {
    at: 'src/storage/sending/schedule-start.ts › startDueIn',
    asks: ['(halted !== null || heldAt !== null) && !job.is_late'],
  },
  'nothing asked': {
    at: 'src/storage/sending/schedule-change.ts › nothingAsked',
    asks: ["a.state <> 'planned' and a.outcome is distinct from 'blocked'"],
  },
  'nothing left': {
    at: 'src/storage/sending/job-charge.ts › nothingLeft',
    asks: ['a.state in ${listed(sql, UNANSWERED)}'],
  },
  // Taking calls
  'reserve runs': {
    at: 'src/storage/sending/reserve-in.ts › holdJob',
    asks: ['for share of j', "job?.state === 'running'"],
  },
  'no equal in doubt': {
    at: 'src/storage/sending/take-calls.ts › takeCalls',
    asks: ['a.state in ${listed(tx, UNPROVEN)}', 'select id from hindered'],
  },
  'reserve epoch': { at: 'src/storage/sending/take-calls.ts › takeCalls', asks: ['epoch = (a.epoch + 1 +'] },
  'fresh epoch': {
    at: 'src/storage/sending/take-calls.ts › takeCalls',
    asks: ['floor(random() * ${EPOCHS})'],
  },
  'reserve owner': { at: 'src/storage/sending/take-calls.ts › takeCalls', asks: ['owner = ${owner}'] },
  'leave out whole': {
    at: 'src/storage/sending/call-store.ts › dropBlocked',
    asks: ['deployment where held_at is not null) and ${knowsAll(sql, hand.server)}'],
  },
  // The fence
  fence: {
    at: 'src/gateway/transport/write-once.ts › writeOnce',
    asks: ['const mayWrite = await askFence(socket', 'exchange(call, options.target, socket, mayWrite'],
  },
  'doubtful commit': {
    at: 'src/gateway/transport/write-once.ts › callSafely',
    asks: ['allowed === true', 'return false'],
  },
  'fence epoch': {
    at: 'src/storage/sending/call-writes.ts › fence',
    asks: ['using (id, epoch)', 'a.epoch = h.epoch'],
  },
  'fence runs': { at: 'src/storage/sending/call-writes.ts › fence', asks: ["j.state = 'running'"] },
  'fence switch': {
    at: 'src/storage/sending/call-writes.ts › fence',
    asks: ['l.halted_at is not null', 'deployment where held_at is not null'],
  },
  'fence knows all': {
    at: 'src/storage/database/server-start.ts › foundAll',
    asks: ['${startOf(sql)} = ${server}', 'p.gone_at is null and p.server <> ${startOf(sql)}'],
  },
  'decides knowing all': {
    at: 'src/storage/sending/decide.ts › createDecide',
    asks: ['${foundAll(tx, server)} and (lost_at is null or lost_done_at is not null)'],
  },
  fenced: { at: 'src/storage/restore/loss-store.ts › lookAt', asks: ['a.id is null or a.fenced < p.epoch'] },
  // What came of a call
  'bytes left': {
    at: 'src/domain/attempt.ts › classify',
    asks: ["seen.bytesMayHaveLeft\n      ? { outcome: 'unknown'"],
  },
  'record epoch': {
    at: 'src/storage/sending/call-writes.ts › recordAll',
    asks: ['where a.id = h.id and a.epoch = h.epoch and g.id = a.id and ${may}'],
  },
  lock: { at: 'src/storage/database/liveness.ts › free', asks: ['where pg_try_advisory_xact_lock('] },
  'sweep epoch': {
    at: 'src/storage/sending/call-store.ts › giveUpIn',
    asks: ["epoch = case a.state when 'on_wire' then a.epoch else a.epoch + 1 end"],
  },
  // Lists, and copies
  claims: {
    at: 'src/storage/sending/reconcile-store.ts › found',
    asks: ['if (await anyClaimed(tx, attemptId, messages)) return false'],
  },
  'whole lists': {
    at: 'src/domain/reconcile.ts › resolve',
    asks: ['complete && clockKnown && settled', 'const explained = proven && found.size > 0'],
  },
  'restore doubts': {
    at: 'src/storage/restore/restored-backup.ts › chatIn',
    asks: ['await doubtCallsIn(tx, jobId, from)', "move(tx, 'job', 'give_up')"],
  },
} as const satisfies Record<string, Source>;

export type Guard = keyof typeof GUARDS_OF_MODEL;
export const GUARDS: Readonly<Record<Guard, Source>> = GUARDS_OF_MODEL;

/** Left out alone these do no harm: the fence, and the epoch that each new holder gets, stand behind them. */
export const SPARE: readonly Guard[] = ['switch at the start', 'reserve runs', 'sweep epoch'];

/** Each file of the product that makes moves, and what in the model stands for them. */
export const MOVES: Readonly<Record<string, string>> = {
  'src/storage/sending/take-calls.ts': 'attempt.reserve',
  'src/storage/sending/take-back.ts': 'attempt.take_back job.pause',
  'src/storage/sending/book-change.ts': 'attempt.take_back',
  'src/storage/sending/call-store.ts': 'attempt.leave_out attempt.lose_owner',
  'src/storage/sending/call-writes.ts':
    'attempt.write_ahead attempt.hear_accepted attempt.hear_rejected attempt.hear_unknown attempt.hear_not_sent',
  'src/storage/sending/reconcile-store.ts':
    'attempt.find attempt.find_blocked attempt.ask attempt.look_again attempt.decide_sent attempt.decide_not_sent',
  'src/storage/restore/restored-backup.ts': 'attempt.doubt job.give_up',
  'src/storage/sending/draft-confirmation.ts': 'draft.ask draft.reject draft.confirm attempt.send_again',
  'src/storage/sending/draft-store.ts': 'draft.edit draft.cancel',
  'src/storage/sending/draft-rewrite.ts': 'draft.edit',
  'src/storage/sending/bulk-store.ts': 'draft.cancel draft.edit',
  'src/storage/sending/resent-in.ts': 'draft.cancel',
  'src/storage/sending/unsent-store.ts': 'draft.cancel',
  'src/storage/sending/schedule-reopen.ts': 'draft.edit draft.reopen',
  'src/storage/sending/schedule-change.ts': 'job.cancel draft.cancel attempt.ask_again',
  'src/storage/sending/schedule-store.ts': 'job.cancel draft.ask',
  'src/storage/sending/schedule-start.ts': 'job.start job.halt',
  'src/storage/sending/series.ts': 'job.miss',
  'src/storage/sending/job-control.ts': 'job.undo job.stop job.finish job.run_out job.start',
  'src/storage/sending/job-resume.ts': 'attempt.resume job.resume job.resume_hold job.resume_wait',
  'src/storage/sending/limits-store.ts': 'job.halt',
  'src/storage/sending/operator-halt.ts': 'job.halt',
  'src/storage/sending/ended-binding.ts': 'job.stop',
};
