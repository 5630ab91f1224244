import { heardLate, type AttemptState } from '../../../src/domain/attempt.ts';
import type { AttemptView, CallStore, LateAnswer, Reservation } from '../../../src/ports/jobs.ts';
import { FORGOTTEN_SECONDS, PROCESS_DAYS } from '../../../src/storage/sending/call-store.ts';
import { toRow, type CallRecord, type HeldCall } from '../../../src/storage/sending/call-writes.ts';
import type { CallsInHand } from '../../../src/storage/restore/calls-in-hand.ts';
import { cardJob, FIRST_LOOK_MS } from '../../../src/storage/enqueue.ts';
import { readOutgoing } from '../../../src/storage/sending/kinds/details.ts';
import { idsOf, UNTRUE } from '../../../src/storage/sending/record-late.ts';
import { readResendOf } from '../../../src/storage/sending/resent-in.ts';
import { EPOCHS, LAST_EPOCH } from '../../../src/storage/sending/take-calls.ts';
import {
  at,
  attemptTo,
  callsIn,
  change,
  draftTo,
  drop,
  must,
  notSimulated,
  writeAudit,
  type CallRow,
  type Connection,
  type Db,
} from './db.ts';
import { miss, pauseRest, raise, resendsOf, sendTask, trackTask } from './job-rules.ts';
import { enqueue, enqueueCard } from './queue.ts';

/** In these states an equal message of another job stands against a call. */
export const IN_DOUBT: readonly AttemptState[] = ['reserved', 'on_wire', 'unknown', 'asked'];

export const reconcileTask = (attemptId: string, afterMs = FIRST_LOOK_MS) => {
  return { task: 'reconcile', payload: { attemptId }, key: `reconcile:${attemptId}`, afterMs };
};

/** The calls of jobs; each alone where the real store gathers them. */
export function createCalls(connection: Connection, hand: CallsInHand): CallStore {
  return {
    reserve: async (jobId, owner, most = 1, from = 0) =>
      await connection.run('reserve', (db) => reserve(db, connection, { jobId, owner, most, from })),

    dropBlocked: async (id, epoch, numbers) =>
      await connection.run('drop blocked', (db) => {
        const call = heldCall(db, { id, epoch });
        const leaves = call === undefined ? undefined : attemptTo('leave_out', call.state);
        if (call === undefined || leaves === undefined) return null;
        if (db.deployment.held_at !== null || !knowsAll(db, hand.server)) return null;
        leaveOut(call, new Set(numbers));
        const { recipients } = call;
        if (recipients.length === 0) change(call, { state: leaves, outcome: 'blocked', ended_at: at(db) });
        return { recipients, messages: null };
      }),

    async goOnWire(id, epoch) {
      const call = { id, epoch };
      hand.take(call);
      const passed = await connection.run('fence', (db) => fence(db, call, hand.server));
      if (passed) hand.left(call);
      return passed;
    },

    async release(id, epoch) {
      const call = { id, epoch };
      hand.back(call);
      const isGiven = await connection.run('release', (db) => {
        const row = heldCall(db, call);
        const state = row === undefined ? undefined : attemptTo('hear_not_sent', row.state);
        if (row === undefined || state === undefined) return false;
        change(row, { state, owner: null, on_wire_at: null });
        const job = must(db.jobs.get(row.job_id));
        enqueueCard(db, job.draft_id, job.state === 'running');
        return true;
      });
      if (!isGiven) await recordAlone({ ...call, result: { outcome: 'not_sent', reason: 'fence' } });
      hand.drop(call);
    },

    async record(id, epoch, result) {
      const given = { id, epoch, result };
      if (result.outcome === 'not_sent') hand.back(given);
      const isDone = await connection.run('record', (db) => write(db, given)).catch(() => false);
      const isWritten = isDone || (await recordAlone(given));
      if (!isWritten && hand.has(given) && result.outcome !== 'not_sent') hand.miss({ id, epoch });
      hand.drop(given);
    },

    owners: async () =>
      await connection.run('owners', (db) => {
        const alive = db.processes.values().filter((each) => each.gone_at === null);
        const owners = new Set([...alive].map(({ id }) => id));
        for (const { state, owner } of db.calls.values())
          if ((state === 'reserved' || state === 'on_wire') && owner !== null) owners.add(owner);
        return [...owners];
      }),

    abandon: async (owners) =>
      await connection.run('abandon', (db) => {
        for (const each of db.processes.values()) {
          if (owners.includes(each.id) && each.gone_at === null) change(each, { gone_at: at(db) });
          if (each.gone_at !== null && each.gone_at < at(db, -PROCESS_DAYS * 86_400_000))
            drop(db.processes, each.id);
        }
        return giveUp(db, (call) => call.owner !== null && owners.includes(call.owner));
      }),

    async takeUp(owner) {
      const rows = await connection.run('look up', (db) => {
        const forgotten = at(db, -FORGOTTEN_SECONDS * 1000);
        return [...db.calls.values()].flatMap((call) => {
          const { id, epoch, state, reserved_at: since } = call;
          const isOld = state === 'reserved' && since !== null && since < forgotten;
          return call.owner === owner && (state === 'on_wire' || isOld) ? [{ id, epoch, state }] : [];
        });
      });
      const lost = rows.filter((call) => !hand.has(call));
      if (lost.length === 0) return [];
      return await connection.run('take up', (db) =>
        giveUp(
          db,
          (call) =>
            call.owner === owner &&
            lost.some(
              ({ id, epoch, state }) => call.id === id && call.epoch === epoch && call.state === state,
            ),
        ),
      );
    },

    nameNumbers: notSimulated,
    askAboutBook: notSimulated,
  };

  async function recordAlone(given: CallRecord): Promise<boolean> {
    return await connection.run('record alone', (db) => {
      const { result } = given;
      const call = heldCall(db, given);
      const sent = new Set(result.outcome === 'accepted' ? result.recipients : []);
      if (call !== undefined && sent.size > 0 && sent.isSubsetOf(new Set(call.recipients)))
        leaveOut(call, new Set(call.recipients).difference(sent));
      const isDone = write(db, given);
      if (!isDone) recordLate(db, connection, given);
      return isDone;
    });
  }
}

/** Takes numbers out of a call, with what belongs to them. */
function leaveOut(call: CallRow, numbers: ReadonlySet<string>): void {
  const { recipients, message_keys: keys } = call;
  change(call, {
    recipients: recipients.filter((number) => !numbers.has(number)),
    message_keys: keys.filter((_, place) => !numbers.has(recipients[place] ?? '')),
    blocked: [...call.blocked, ...recipients.filter((number) => numbers.has(number))],
  });
}

function heldCall(db: Db, { id, epoch }: HeldCall): CallRow | undefined {
  const call = db.calls.get(id);
  return call?.epoch === epoch ? call : undefined;
}

/** Whether people may decide what becomes of sends. */
export function mayDecide(db: Db, server: string | null): boolean {
  const { lost_at: lostAt, lost_done_at: isDone } = db.deployment;
  return knowsAll(db, server) && (server === null || lostAt === null || isDone !== null);
}

/** Whether the server is the one in which all who are alive have found what they knew. */
function knowsAll(db: Db, server: string | null): boolean {
  if (server === null) return true;
  return (
    server === db.server &&
    !db.processes.values().some((each) => each.gone_at === null && each.server !== db.server)
  );
}

function reserve(
  db: Db,
  connection: Connection,
  {
    jobId,
    owner,
    most,
    from,
  }: { readonly jobId: string; readonly owner: string; readonly most: number; readonly from: number },
): Reservation {
  const job = db.jobs.get(jobId);
  if (job?.state !== 'running') return { ok: false, reason: 'not_running' };
  const { text, flash, ...draft } = must(db.drafts.get(job.draft_id));
  const outgoing = readOutgoing(draft);
  const against = equalsInDoubt(db, jobId, must(db.bindings.get(job.binding_id)).gateway_user);
  const taken: AttemptView[] = [];
  const obstacles = new Set<AttemptState>();
  let next = from;
  for (const call of callsIn(db, jobId)) {
    if (taken.length === most) break;
    if (call.chunk < from) continue;
    next = call.chunk + 1;
    const state = attemptTo('reserve', call.state);
    if (state === undefined) continue;
    const hindering = against(call);
    for (const each of hindering) obstacles.add(each);
    if (hindering.size > 0) continue;
    const epoch = (call.epoch + 1 + Math.floor(connection.random() * EPOCHS)) % LAST_EPOCH;
    change(call, { state, epoch, owner, reserved_at: at(db) });
    const { id, binding_id: bindingId, line, recipients, tries } = call;
    const own = {
      id,
      jobId,
      bindingId,
      state: 'reserved' as const,
      epoch,
      line,
      recipients: [...recipients],
      tries,
    };
    taken.push({ ...own, text, flash, outgoing, messages: null });
  }
  const [one, ...more] = taken;
  if (one !== undefined) return { ok: true, attempts: [one, ...more], next };
  if (obstacles.has('on_wire') || obstacles.has('reserved'))
    return { ok: false, reason: 'earlier_in_flight' };
  return { ok: false, reason: obstacles.size > 0 ? 'earlier_unknown' : 'none_left' };
}

/** Whether a call equals one of another job of the same user that is in flight or in doubt: the states of those. */
function equalsInDoubt(db: Db, jobId: string, user: string): (call: CallRow) => ReadonlySet<AttemptState> {
  const states = new Map<string, Set<AttemptState>>();
  for (const other of db.calls.values()) {
    if (other.job_id === jobId || !IN_DOUBT.includes(other.state)) continue;
    if (db.bindings.get(other.binding_id)?.gateway_user !== user) continue;
    for (const key of other.message_keys) states.set(key, (states.get(key) ?? new Set()).add(other.state));
  }
  return ({ message_keys: keys }) =>
    new Set(states.size === 0 ? [] : keys.flatMap((key) => [...(states.get(key) ?? [])]));
}

function fence(db: Db, given: HeldCall, server: string | null): boolean {
  const call = heldCall(db, given);
  const state = call === undefined ? undefined : attemptTo('write_ahead', call.state);
  if (call === undefined || state === undefined) return false;
  const job = must(db.jobs.get(call.job_id));
  const isHalted = (db.limits.get(job.chat_id)?.halted_at ?? null) !== null || db.deployment.held_at !== null;
  if (job.state !== 'running' || isHalted) return false;
  if (db.bindings.get(call.binding_id)?.state !== 'live' || !knowsAll(db, server)) return false;
  change(call, { state, on_wire_at: at(db), fenced: call.epoch });
  enqueueCard(db, job.draft_id, true);
  return true;
}

/** Writes down what came of a call that is still in its holder's hands. */
function write(db: Db, given: CallRecord): boolean {
  const call = heldCall(db, given);
  const { move, outcome, code, raw, ids, size } = toRow(given);
  const state = call === undefined ? undefined : attemptTo(move, call.state);
  if (
    call === undefined ||
    state === undefined ||
    (size ?? call.recipients.length) !== call.recipients.length
  )
    return false;
  const isUnsent = move === 'hear_not_sent';
  change(call, {
    state,
    outcome,
    tries: call.tries + 1,
    gateway_code: code,
    raw,
    message_ids: ids === null ? null : [...ids],
    ended_at: isUnsent ? null : at(db),
    ...(isUnsent ? { on_wire_at: null, owner: null } : {}),
  });
  const job = must(db.jobs.get(call.job_id));
  if (state === 'unknown') enqueue(db, reconcileTask(call.id));
  if (state === 'accepted' && job.state !== 'running') enqueue(db, trackTask(job.id));
  enqueueCard(db, job.draft_id, job.state === 'running');
  return true;
}

/** Writes down what came of a call that others have gone on without. */
function recordLate(db: Db, connection: Connection, given: CallRecord): void {
  const call = heldCall(db, given);
  if (call === undefined) return;
  const { result } = given;
  const before = call.state;
  const state = heardLate(before, result.outcome, call.settled_by !== null);
  if (state === undefined) return;
  const knownAt = call.ended_at?.getTime() ?? 0;
  const { outcome, code, raw } = toRow(given);
  change(call, {
    state,
    outcome,
    tries: call.tries + 1,
    gateway_code: code,
    raw,
    message_ids: result.outcome === 'accepted' ? idsOf(call.recipients, result) : null,
    ended_at: at(db),
  });
  const job = must(db.jobs.get(call.job_id));
  const { id: jobId, draft_id: draftId, chat_id: chatId } = job;
  enqueue(db, cardJob(draftId));
  if (state === 'accepted') enqueue(db, trackTask(jobId));
  if (state === 'unknown') enqueue(db, reconcileTask(call.id));
  const untrue = UNTRUE[before];
  if (untrue === undefined || (untrue === 'said_sent' && state === 'accepted')) return;
  const voidResends = (ofId: string) => {
    for (const draft of resendsOf(db, ofId)) {
      const cancelled = draftTo('cancel', draft.state);
      if (cancelled === undefined) continue;
      change(draft, { state: cancelled, version: draft.version + 1 });
      enqueue(db, cardJob(draft.id));
    }
  };
  if (untrue === 'said_not_sent') {
    raise(db, connection, job, knownAt < (job.started_at?.getTime() ?? Infinity) ? call : null);
    voidResends(draftId);
  }
  const [calls, drafts] = [new Set([call.id]), new Set([draftId])];
  for (let before = 0; before < drafts.size;) {
    before = drafts.size;
    for (const { id, chat_id: of, details } of db.drafts.values()) {
      const resends = (details['resends'] as readonly string[] | undefined) ?? [];
      const isAgain =
        drafts.has(readResendOf(details)?.draftId ?? '') || resends.some((each) => calls.has(each));
      if (of !== chatId || !isAgain) continue;
      drafts.add(id);
      for (const each of db.callsOf.get(db.jobOf.get(id)?.id ?? '') ?? []) calls.add(each.id);
    }
  }
  const again = [...db.drafts.values()].filter(
    (draft) => draft.id !== draftId && drafts.has(draft.id) && draft.state === 'confirmed',
  );
  for (const { id } of state === 'accepted' ? again : []) {
    voidResends(id);
    enqueue(db, cardJob(id));
  }
  for (const { id } of state === 'accepted' ? again : []) {
    const waiting = db.jobOf.get(id);
    const draft = must(db.drafts.get(id));
    const resent = waiting?.ended_at === null ? draft.details['resendOf'] : undefined;
    if (typeof resent === 'object')
      change(draft, { details: { ...draft.details, resendOf: { ...resent, answered: true } } });
    if (waiting?.state === 'running') pauseRest(db, waiting, null);
    else if (waiting?.stop_reason === 'restored' && typeof resent === 'object') continue;
    else if (waiting?.state === 'paused' || waiting?.state === 'missed')
      change(waiting, { stop_reason: 'answered' });
    else if (waiting !== undefined) miss(db, connection, waiting, 'answered');
  }
  const recipients = call.recipients.length;
  const details = { code: must(db.drafts.get(draftId)).code, recipients, sent: state === 'accepted' };
  writeAudit(db, { chatId, personId: null, updateId: null, action: 'send_heard_late', details });
  const told: LateAnswer = {
    jobId,
    untrue,
    recipients,
    by: db.people.get(call.settled_by ?? 0)?.name ?? '',
    again: again.at(-1)?.code ?? null,
  };
  enqueue(db, { task: 'late-answer', payload: told, key: `late-answer:${call.id}` });
}

/** Nobody knows of these any more: reserved goes back to planned, on the wire becomes unknown. The jobs concerned. */
function giveUp(db: Db, which: (call: CallRow) => boolean): string[] {
  const jobs = new Set<string>();
  for (const call of db.calls.values()) {
    const state = attemptTo('lose_owner', call.state);
    if (state === undefined || !which(call)) continue;
    if (call.state === 'on_wire') {
      change(call, { state, outcome: 'owner_gone', ended_at: at(db) });
      enqueue(db, reconcileTask(call.id));
    } else change(call, { state, ended_at: null, epoch: call.epoch + 1, owner: null });
    jobs.add(call.job_id);
  }
  for (const jobId of jobs) {
    enqueue(db, cardJob(must(db.jobs.get(jobId)).draft_id));
    enqueue(db, sendTask(jobId));
  }
  return [...jobs];
}
