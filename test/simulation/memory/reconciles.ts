import { kindsWith } from '../../../src/domain/kinds/index.ts';
import type { FoundMessage, ReconcileStore } from '../../../src/ports/reconcile.ts';
import type { SeenCalls } from '../../../src/ports/stores.ts';
import { cardJob } from '../../../src/storage/enqueue.ts';
import { REMIND_AFTER_MS, SAMPLES, toDoubt } from '../../../src/storage/sending/reconcile-store.ts';
import {
  addCall,
  at,
  attemptTo,
  callsIn,
  change,
  must,
  notSimulated,
  writeAudit,
  type CallRow,
  type Connection,
  type Db,
} from './db.ts';
import { reconcileTask } from './calls.ts';
import { trackTask } from './job-rules.ts';
import { enqueue } from './queue.ts';
import { nameCall } from './reports.ts';

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 86_400_000;

/** What the gateway's lists say of calls whose answer was lost. */
export function createReconciles(connection: Connection): ReconcileStore {
  return {
    doubt: async (id) =>
      await connection.run('doubt', (db) => {
        const call = db.calls.get(id);
        if (call === undefined || call.state !== 'unknown') return null;
        const { kind, details, text, flash } = must(db.drafts.get(must(db.jobs.get(call.job_id)).draft_id));
        return toDoubt({
          ...call,
          attempt_id: id,
          account: userOf(db, call),
          kind,
          details,
          text,
          flash,
          from_s: seconds(call.on_wire_at ?? call.reserved_at) ?? 0,
          to_s: seconds(call.ended_at ?? at(db)) ?? 0,
          now_s: db.now / 1000,
        });
      }),

    acceptedCalls: async (bindingId) =>
      await connection.run('accepted calls', (db) => {
        const user = must(db.bindings.get(bindingId)).gateway_user;
        const calls = [...db.calls.values()].filter(
          (call) =>
            call.state === 'accepted' &&
            userOf(db, call) === user &&
            call.on_wire_at !== null &&
            call.ended_at !== null &&
            call.ended_at > at(db, -WEEK_MS),
        );
        const found = calls.flatMap((call) => {
          const { kind, text } = must(db.drafts.get(must(db.jobs.get(call.job_id)).draft_id));
          const ids = new Set(idsIn(db, call).filter((id) => id !== ''));
          const [first] = [...ids].toSorted();
          if (first === undefined || !kindsWith('tellsClock').includes(kind)) return [];
          const { line, recipients, on_wire_at: left, ended_at: end } = call;
          const [from, to] = [seconds(left) ?? 0, seconds(end) ?? 0];
          return [{ messageId: first, from, to, line, recipients: recipients.length, ids: ids.size, text }];
        });
        return found.toSorted((one, other) => other.to - one.to).slice(0, SAMPLES);
      }),

    claimed: async (id, messages) => await connection.run('claimed', (db) => claimed(db, id, messages)),

    unnamed: async (id, { from, to }) =>
      await connection.run('unnamed', (db) => {
        const mine = must(db.calls.get(id));
        const keyOf = new Map(
          mine.recipients.map((recipient, place) => [recipient, mine.message_keys[place]]),
        );
        return [...db.calls.values()]
          .filter(
            (call) =>
              call.state === 'accepted' &&
              call.id !== id &&
              userOf(db, call) === userOf(db, mine) &&
              (seconds(call.on_wire_at) ?? Infinity) <= to &&
              (seconds(call.ended_at) ?? -Infinity) >= from,
          )
          .flatMap((call) => {
            const ids = idsIn(db, call);
            const isSure = isSurelyOne(db, mine, call);
            return call.recipients.flatMap((recipient, place) => {
              const messageId = ids[place] ?? '';
              if (keyOf.get(recipient) !== call.message_keys[place]) return [];
              if (messageId !== '' && ids.filter((each) => each === messageId).length === 1) return [];
              const window = { from: seconds(call.on_wire_at) ?? 0, to: seconds(call.ended_at) ?? 0 };
              return [{ recipient, messageId, ...window, isSure }];
            });
          })
          .toSorted((one, other) => one.from - other.from || (one.recipient < other.recipient ? -1 : 1));
      }),

    keepOpen: async (id, look, afterMs) =>
      await connection.run('keep open', (db) => {
        const call = db.calls.get(id);
        if (call === undefined || call.state !== 'unknown') return;
        change(call, { checks: call.checks + 1, last_look: lookOf(look) ?? call.last_look });
        enqueue(db, reconcileTask(id, afterMs));
      }),

    found: async (id, messages, shared) =>
      await connection.run('found', (db) => {
        const call = db.calls.get(id);
        const state = call === undefined ? undefined : attemptTo('find', call.state);
        if (call === undefined || state === undefined || claimed(db, id, messages).size > 0) return false;
        change(call, { state, shared, checks: call.checks + 1 });
        deliver(db, call, messages);
        show(db, call.job_id);
        return true;
      }),

    ask: async (id, { found, blocked, absent, proven, look }) =>
      await connection.run('ask about', (db) => {
        const call = db.calls.get(id);
        const state = call === undefined ? undefined : attemptTo('ask', call.state);
        if (call === undefined || state === undefined || claimed(db, id, found).size > 0) return false;
        const { job_id: jobId } = call;
        const keysOf = (recipients: readonly string[]): string[] =>
          recipients.flatMap((each) => call.message_keys[call.recipients.indexOf(each)] ?? []);
        const split = (
          event: 'find' | 'find_blocked',
          recipients: readonly string[],
          outcome: string,
        ): CallRow => {
          const part: CallRow = {
            ...call,
            id: connection.id(),
            chunk: (callsIn(db, jobId).at(-1)?.chunk ?? 0) + 1,
            n: 1,
            state: attemptTo(event, call.state) ?? call.state,
            message_keys: keysOf(recipients),
            recipients: [...recipients],
            outcome,
            checks: call.checks + 1,
            message_ids: null,
            blocked: [],
            uncounted: 0,
            gateway_code: null,
            last_look: null,
            shared: false,
            settled_by: null,
          };
          addCall(db, part);
          return part;
        };
        const there = found.map(({ recipient }) => recipient);
        if (there.length > 0) deliver(db, split('find', there, 'found'), found);
        if (blocked.length > 0) split('find_blocked', blocked, 'blocked');
        for (const [nth, afterMs] of REMIND_AFTER_MS.entries())
          enqueue(db, { task: 'remind', payload: { jobId }, key: `remind:${jobId}:${nth}`, afterMs });
        change(call, {
          state,
          checks: call.checks + 1,
          outcome: proven ? 'absent' : 'undecided',
          last_look: lookOf(look) ?? call.last_look,
          message_keys: keysOf(absent),
          recipients: [...absent],
        });
        show(db, jobId);
        return true;
      }),

    asked: async (jobId, seen) =>
      await connection.run('asked', (db) =>
        callsIn(db, jobId)
          .filter((call) => call.state === 'asked' && (seen === undefined || isSeen(call, seen)))
          .map(({ id, recipients }) => ({ attemptId: id, recipients: [...recipients], messages: null })),
      ),

    lookAgain: async (jobId, seen) =>
      await connection.run('look again', (db) => {
        const calls = moveSeen(db, jobId, seen, 'look_again');
        for (const { id } of calls) enqueue(db, reconcileTask(id, 0));
        if (calls.length > 0) show(db, jobId);
        return calls.length;
      }),

    decide: async ({ jobId, seen, sent, personId, updateId }) =>
      await connection.run('decide', (db) => {
        const calls = moveSeen(db, jobId, seen, sent ? 'decide_sent' : 'decide_not_sent');
        for (const call of calls) change(call, { settled_by: personId });
        const recipients = calls.reduce((n, call) => n + call.recipients.length, 0);
        if (recipients === 0) return 0;
        const { chat_id: chatId, draft_id: draftId } = must(db.jobs.get(jobId));
        const details = { code: must(db.drafts.get(draftId)).code, sent, recipients };
        writeAudit(db, { chatId, personId, updateId, action: 'send_settled', details });
        show(db, jobId);
        return recipients;
      }),

    waiting: notSimulated,
  };
}

const userOf = (db: Db, call: CallRow): string => must(db.bindings.get(call.binding_id)).gateway_user;

const seconds = (moment: Date | null): number | null => (moment === null ? null : moment.getTime() / 1000);

const lookOf = (look: { readonly at: number; readonly absent: readonly string[] } | null) =>
  look === null ? null : { at: look.at, absent: [...look.absent] };

/** The ids of a call's recipients in their order, as far as they are known. */
function idsIn(db: Db, call: CallRow): readonly string[] {
  return call.message_ids ?? db.reports.get(call.id)?.ids.split(',') ?? [];
}

function isSurelyOne(db: Db, mine: CallRow, other: CallRow): boolean {
  if (mine.binding_id === other.binding_id) return true;
  const prints = new Set(must(db.bindings.get(mine.binding_id)).prints);
  return must(db.bindings.get(other.binding_id)).prints.some((print) => prints.has(print));
}

/** Of some messages those that another call has, as `id recipient`. */
function claimed(db: Db, id: string, messages: readonly FoundMessage[]): Set<string> {
  const mine = must(db.calls.get(id));
  const keys = new Set(mine.message_keys);
  const from = (mine.on_wire_at?.getTime() ?? Infinity) - HOUR_MS;
  const to = (mine.ended_at?.getTime() ?? db.now) + HOUR_MS;
  const claims = new Set<string>();
  for (const call of db.calls.values()) {
    if (call.id === id) continue;
    const left = call.on_wire_at?.getTime() ?? Infinity;
    const isNear = left >= from && left <= to;
    const isOwn = userOf(db, call) === userOf(db, mine);
    const isEqual = call.message_keys.some((key) => keys.has(key));
    const isFiled = db.reports.has(call.id) && (isOwn || (isNear && isEqual));
    const isUnfiled = call.message_ids !== null && isNear && (isOwn || isEqual);
    if (!isFiled && !isUnfiled) continue;
    const ids = idsIn(db, call);
    for (const { messageId, recipient } of messages)
      if (call.recipients.some((each, place) => each === recipient && ids[place] === messageId))
        claims.add(`${messageId} ${recipient}`);
  }
  return claims;
}

function deliver(db: Db, call: CallRow, messages: readonly FoundMessage[]): void {
  const idOf = new Map(messages.map(({ recipient, messageId }) => [recipient, messageId]));
  nameCall(
    db,
    call,
    call.recipients.map((recipient) => idOf.get(recipient) ?? ''),
  );
}

function isSeen({ chunk }: CallRow, seen: SeenCalls): boolean {
  return seen.some(([from, to]) => chunk >= from && chunk <= to);
}

function moveSeen(
  db: Db,
  jobId: string,
  seen: SeenCalls,
  event: 'look_again' | 'decide_sent' | 'decide_not_sent',
): CallRow[] {
  return callsIn(db, jobId).filter((call) => {
    const state = attemptTo(event, call.state);
    if (state === undefined || !isSeen(call, seen)) return false;
    change(call, { state });
    return true;
  });
}

function show(db: Db, jobId: string): void {
  enqueue(db, cardJob(must(db.jobs.get(jobId)).draft_id));
  enqueue(db, trackTask(jobId));
}
