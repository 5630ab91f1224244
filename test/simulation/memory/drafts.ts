import { ASKED_SECONDS, TAKEN_UP_SECONDS } from '../../../src/domain/draft.ts';
import { kindOf } from '../../../src/domain/kinds/index.ts';
import { dueAt, NOTHING_FOUND, type Limits } from '../../../src/domain/limits.ts';
import { callsOf, messageCount, withoutBlocked, type Payload } from '../../../src/domain/outgoing.ts';
import { encodedParts, estimate, estimatePrint } from '../../../src/domain/price.ts';
import { can } from '../../../src/domain/roles.ts';
import type {
  CardView,
  Confirmed,
  DraftStore,
  Limited,
  NewDraft,
  NotOpen,
} from '../../../src/ports/stores.ts';
import { expiryJob } from '../../../src/storage/sending/draft-expiry.ts';
import { countedParts, turnsIn } from '../../../src/storage/sending/draft-press.ts';
import { APPROVERS_SHOWN, toCard } from '../../../src/storage/sending/draft-store.ts';
import { cardJob, gaugeJob } from '../../../src/storage/enqueue.ts';
import { messageKeys, readOutgoing, writeOutgoing } from '../../../src/storage/sending/kinds/details.ts';
import { readResendOf } from '../../../src/storage/sending/resent-in.ts';
import {
  addCall,
  at,
  attemptTo,
  change,
  draftTo,
  must,
  notSimulated,
  put,
  roleOf,
  writeAudit,
  type CallRow,
  type Connection,
  type Db,
  type DraftRow,
} from './db.ts';
import { sendTask, resendsIn, resentCalls } from './job-rules.ts';
import { jobRow, readJob } from './job-view.ts';
import { judge, limitsOf, showCapUse } from './limits.ts';
import { enqueue, enqueueAll, forgetTasks } from './queue.ts';

type Press = Parameters<DraftStore['confirm']>[0];

/** A draft that is decided about. */
interface Held {
  readonly draft: DraftRow;
  readonly payload: Payload;
  readonly limits: Limits;
}

export function createDrafts(connection: Connection): DraftStore {
  return {
    create: async (draft) => await connection.run('create', (db) => insertDraft(db, connection, draft)),

    async card(draftId, press) {
      const read = await connection.run('card', (db) => {
        const draft = db.drafts.get(draftId);
        if (draft === undefined) return null;
        const limits = limitsOf(db, draft.chat_id);
        const card = toCard(cardRow(db, draft), limits);
        return { card, limits, draft: { ...draft, now: at(db) }, row: jobRow(db, draftId) };
      });
      if (read === null) return null;
      const { card, limits, draft, row } = read;
      const job = row === null ? null : await readJob(connection, row);
      const canLeave = (draft.state === 'open' || draft.state === 'asked') && !card.draft.expired;
      let judged: CardView['judged'];
      if (press !== undefined && job === null && canLeave) {
        const timeZone = card.timeZone ?? press.timeZone;
        const leavesAt = dueOf(draft, draft.now, press.undoSeconds);
        const verdict = await connection.run('judge', (db) =>
          judgeHeld(
            db,
            { draft, payload: card.draft, limits },
            { timeZone, personId: draft.author_id, approved: draft.state === 'asked', leavesAt },
          ),
        );
        const { undoSeconds } = press;
        const turnsInMs = turnsIn(draft, { limits, found: NOTHING_FOUND, leavesAt, undoSeconds, timeZone });
        judged = { verdict, leavesAt, turnsInMs };
      }
      return { ...card, sample: null, job, gauge: null, judged, twin: null, template: null };
    },

    findByCode: async (chatId, code) =>
      await find('code', (of) => of.chat_id === chatId && of.code === code.toUpperCase()),
    findByMessage: async (chatId, id) =>
      await find(
        'message',
        (of) => of.chat_id === chatId && (of.card_message_id === id || of.call_message_id === id),
      ),
    findBySource: async (chatId, id) =>
      await find(
        'source',
        (of) => of.chat_id === chatId && [of.details['saidBy'], of.details['textBy']].includes(id),
      ),
    newest: async (chatId, personId, which) =>
      await find(
        'newest',
        (of, db) => of.chat_id === chatId && of.author_id === personId && (which === 'any' || isOpen(db, of)),
      ),

    showLater: async (draftId, afterMs = 1000, why = 'card') =>
      await connection.run('show later', (db) =>
        enqueue(db, { ...cardJob(draftId), key: `${why}:${draftId}`, afterMs }, 'earliest'),
      ),
    showOpen: async (chatId) => {
      const open = await connection.run('show open', (db) =>
        [...db.drafts.values()].filter((of) => (chatId === null || of.chat_id === chatId) && isOpen(db, of)),
      );
      for (const { id } of open) await connection.run('show one', (db) => enqueue(db, cardJob(id)));
    },

    setCard: async (draftId, { messageId, threadId }, shownBy) =>
      await connection.run('set card', (db) => {
        const draft = db.drafts.get(draftId);
        if (draft === undefined) return null;
        const { card_message_id: until } = draft;
        change(draft, { card_message_id: messageId, thread_id: threadId, card_shown_by: shownBy });
        return until;
      }),
    claimCard: async (draftId, shownBy) => await write('claim card', draftId, { card_shown_by: shownBy }),
    setCall: async (draftId, messageId) => await write('set call', draftId, { call_message_id: messageId }),
    forgetCall: async (draftId, messageId) =>
      await write(
        'forget call',
        draftId,
        { call_message_id: null },
        (of) => of.call_message_id === messageId,
      ),
    setBlocked: async (draftId, version, { blocked, untold }) =>
      await write(
        'set blocked',
        draftId,
        (of) => ({ blocked: [...blocked], details: { ...of.details, untold } }),
        (of, db) =>
          of.version === version &&
          (of.state === 'open' || of.state === 'asked' || db.jobOf.get(draftId)?.state === 'missed'),
      ),
    turn: async (draftId, panel, row) =>
      await write('turn', draftId, { panel, ...(row === undefined ? {} : { shown_row: row }) }),

    edit: async (draftId, version, to) =>
      await connection.run('edit', (db) => {
        const draft = db.drafts.get(draftId);
        const state = draft === undefined ? undefined : draftTo('edit', draft.state);
        if (draft === undefined || state === undefined || draft.version !== version) return false;
        if (draft.expires_at.getTime() <= db.now) return false;
        const isTimed = to.when !== undefined && to.when !== null;
        if (isTimed && draft.details['resends'] !== undefined) return false;
        const sendAt = to.when === null ? null : (to.when?.sendAt ?? draft.send_at);
        if (isTimed && to.when?.recur !== null) notSimulated();
        change(draft, {
          version: version + 1,
          state,
          expires_at:
            draft.state === 'asked'
              ? at(db, kindOf(readOutgoing(draft)).openSeconds * 1000)
              : draft.expires_at,
          text: to.text ?? draft.text,
          details: {
            ...draft.details,
            ...(to.textBy === undefined ? {} : { textBy: to.textBy }),
            ...(to.when === undefined ? {} : { timedOnCard: true }),
          },
          line: to.line ?? draft.line,
          blocked: to.line === undefined ? draft.blocked : null,
          flash: to.flash ?? draft.flash,
          send_at: sendAt,
        });
        enqueue(db, expiryJob(draftId, (draft.expires_at.getTime() - db.now) / 1000));
        if (to.line !== undefined) enqueue(db, gaugeJob({ bindingId: draft.binding_id, draftId }));
        return true;
      }),

    cancel: async (draftId, version, personId, updateId) =>
      await connection.run('cancel', (db) => {
        const draft = db.drafts.get(draftId);
        const state = draft === undefined ? undefined : draftTo('cancel', draft.state);
        if (draft === undefined || state === undefined || draft.version !== version) return false;
        change(draft, { state, version: version + 1, expires_at: at(db) });
        forgetTasks(db, `expiry:${draftId}`);
        const { chat_id: chatId, code } = draft;
        writeAudit(db, { chatId, personId, updateId, action: 'draft_cancelled', details: { code } });
        return true;
      }),

    confirm: async (press) =>
      await connection.run('confirm', (db) => {
        const held = holdForSending(db, press);
        if ('result' in held) return held;
        if (held.draft.state === 'asked') return { result: 'waits' };
        const confirmedBy = press.personId;
        return (
          limited(db, held, press, { confirmedBy, approved: false }) ??
          makeJob(db, connection, held, { ...press, confirmedBy, approvedBy: null })
        );
      }),

    ask: async (press) =>
      await connection.run('ask', (db) => {
        const held = holdForSending(db, press);
        if ('result' in held) return held;
        const { draft, payload, limits } = held;
        const { id, chat_id: chatId } = draft;
        if (draft.state === 'asked') return { result: 'already' };
        if (limits.approvalParts === null || countedParts(payload) <= limits.approvalParts)
          return { result: 'not_needed' };
        const isPrivate = must(db.chats.get(chatId)).type === 'private';
        if (isPrivate || approvers(db, draft).length === 0) return { result: 'nobody' };
        change(draft, {
          state: draftTo('ask', draft.state) ?? draft.state,
          expires_at: at(db, ASKED_SECONDS * 1000),
        });
        tell(db, held, press, 'approval_asked');
        enqueueAll(db, expiryJob(id, ASKED_SECONDS), cardJob(id));
        return { result: 'asked' };
      }),

    approve: async (press) =>
      await connection.run('approve', (db) => {
        const held = holdForSending(db, press);
        if ('result' in held) return held;
        const { draft } = held;
        if (draft.state !== 'asked') return { result: 'changed' };
        const confirmedBy = draft.author_id;
        if (confirmedBy === press.personId) return { result: 'own' };
        if (!can(roleOf(db, draft.chat_id, press.personId), 'send.approve')) return { result: 'role' };
        if (!can(roleOf(db, draft.chat_id, confirmedBy), 'send.confirm')) return { result: 'author_role' };
        const forbidden = limited(db, held, press, { confirmedBy, approved: true });
        if (forbidden !== null) return forbidden;
        return makeJob(db, connection, held, { ...press, confirmedBy, approvedBy: press.personId });
      }),

    reject: async (press) =>
      await connection.run('reject', (db) => {
        const held = hold(db, press);
        if ('result' in held) return held;
        const { draft } = held;
        if (draft.state !== 'asked') return { result: 'changed' };
        if (draft.author_id === press.personId) return { result: 'own' };
        if (!can(roleOf(db, draft.chat_id, press.personId), 'send.approve')) return { result: 'role' };
        const state = draftTo('reject', draft.state) ?? draft.state;
        change(draft, { state, version: draft.version + 1, expires_at: at(db, TAKEN_UP_SECONDS * 1000) });
        tell(db, held, press, 'send_rejected_by_approver');
        enqueue(db, cardJob(draft.id));
        return { result: 'rejected' };
      }),

    cancelNewest: notSimulated,
    takeUp: notSimulated,
  };

  async function find(by: string, is: (of: DraftRow, db: Db) => boolean): Promise<string | null> {
    return await connection.run(`find by ${by}`, (db) => {
      const found = [...db.drafts.values()].filter((of) => is(of, db));
      return found.toSorted((one, other) => Number(other.created_at) - Number(one.created_at))[0]?.id ?? null;
    });
  }

  async function write(
    name: string,
    draftId: string,
    to: Partial<DraftRow> | ((of: DraftRow) => Partial<DraftRow>),
    may: (of: DraftRow, db: Db) => boolean = () => true,
  ): Promise<void> {
    await connection.run(name, (db) => {
      const draft = db.drafts.get(draftId);
      if (draft !== undefined && may(draft, db)) change(draft, typeof to === 'function' ? to(draft) : to);
    });
  }
}

function isOpen(db: Db, { state, expires_at: end }: DraftRow): boolean {
  return (state === 'open' || state === 'asked') && end.getTime() > db.now;
}

function insertDraft(db: Db, connection: Connection, draft: NewDraft): { id: string; created: boolean } {
  for (const known of db.drafts.values())
    if (known.bot_id === draft.botId && known.source_update === draft.updateId)
      return { id: known.id, created: false };
  if (draft.isEdit === true || draft.recur !== undefined || draft.outgoing.kind !== 'text') notSimulated();
  const { kind, details } = writeOutgoing(draft.outgoing);
  const { resends, resendOf, answers, saidBy, chatId, bindingId } = draft;
  const { openSeconds } = kindOf(draft.outgoing);
  const given = Object.entries({ ...details, resends, resendOf, answers, saidBy });
  const row = newDraft(db, {
    id: connection.id(),
    chat_id: chatId,
    binding_id: bindingId,
    bot_id: draft.botId,
    source_update: draft.updateId,
    author_id: draft.authorId,
    kind,
    details: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    text: draft.text,
    recipients: [...draft.recipients],
    repeated: [...draft.repeated],
    invalid: [...draft.invalid],
    line: draft.line,
    flash: draft.flash ?? false,
    lang: draft.lang,
    send_at: draft.sendAt ?? null,
    pace_per_hour: null,
    pace_from: null,
    pace_to: null,
    thread_id: draft.threadId ?? null,
    expires_at: at(db, openSeconds * 1000),
  });
  const shown = estimatePrint(estimate(encodedParts(draft), null));
  enqueueAll(db, expiryJob(row.id, openSeconds), gaugeJob({ bindingId, draftId: row.id, shown }));
  return { id: row.id, created: true };
}

type Fresh =
  | 'code'
  | 'state'
  | 'version'
  | 'blocked'
  | 'recur'
  | 'shown_row'
  | 'panel'
  | 'created_at'
  | 'card_message_id'
  | 'card_shown_by'
  | 'call_message_id'
  | 'tag';

/** Writes a draft under a code of its own. */
export function newDraft(db: Db, given: Omit<DraftRow, Fresh>): DraftRow {
  const chat = must(db.chats.get(given.chat_id));
  change(chat, { last_card: chat.last_card + 1 });
  const draft: DraftRow = {
    ...given,
    code: `A${chat.last_card}`,
    state: 'open',
    version: 1,
    blocked: null,
    recur: null,
    shown_row: 0,
    panel: null,
    created_at: at(db),
    card_message_id: null,
    card_shown_by: null,
    call_message_id: null,
    tag: null,
  };
  put(db.drafts, draft.id, draft);
  return draft;
}

function cardRow(db: Db, draft: DraftRow): Parameters<typeof toCard>[0] {
  const chat = must(db.chats.get(draft.chat_id));
  const isOver = draft.expires_at.getTime() <= db.now;
  const isUndecided = draft.state === 'open' || draft.state === 'asked';
  const rejection = db.audit.findLast(
    ({ chatId, action, details }) =>
      chatId === draft.chat_id && action === 'send_rejected_by_approver' && details['code'] === draft.code,
  );
  const rejectedBy = draft.state === 'cancelled' ? rejection?.personId : undefined;
  return {
    ...draft,
    author_name: must(db.people.get(draft.author_id)).name,
    replaced_state: null,
    replaced_at: null,
    chat_telegram_id: chat.telegram_id,
    time_zone: chat.time_zone,
    expired: isUndecided && isOver,
    shows_numbers: null,
    approvers: isUndecided && chat.type !== 'private' ? approvers(db, draft).slice(0, APPROVERS_SHOWN) : [],
    rejected_by: db.people.get(rejectedBy ?? 0)?.name ?? null,
  };
}

/** People other than the author who may approve it. */
function approvers(db: Db, { chat_id: chatId, author_id: authorId }: DraftRow) {
  return db.members
    .filter((of) => of.chat_id === chatId && of.person_id !== authorId && can(of.role, 'send.approve'))
    .map(({ person_id: id }) => ({ id, name: must(db.people.get(id)).name }))
    .toSorted((one, other) => one.name.localeCompare(other.name) || one.id - other.id);
}

function hold(
  db: Db,
  { draftId, version }: { readonly draftId: string; readonly version: number },
): Held | NotOpen {
  const draft = db.drafts.get(draftId);
  if (draft === undefined || draft.state === 'cancelled') return { result: 'cancelled' };
  if (draft.state === 'confirmed') return { result: 'already' };
  if (draft.version !== version) return { result: 'changed' };
  return draft.expires_at.getTime() <= db.now ? { result: 'expired' } : held(db, draft);
}

export function held(db: Db, draft: DraftRow): Held {
  const { line, text, flash, recipients } = draft;
  const whole = { outgoing: readOutgoing(draft), line, text, flash, recipients };
  return { draft, payload: withoutBlocked(whole, draft.blocked ?? []), limits: limitsOf(db, draft.chat_id) };
}

function holdForSending(
  db: Db,
  press: { readonly draftId: string; readonly version: number },
): Held | NotOpen {
  const of = hold(db, press);
  if ('result' in of) return of;
  const { draft, payload } = of;
  if (db.bindings.get(draft.binding_id)?.state !== 'live') return { result: 'not_connected' };
  if (draft.send_at !== null && draft.send_at.getTime() < db.now) return { result: 'past' };
  return messageCount(payload) === 0 ? { result: 'changed' } : of;
}

function dueOf(draft: DraftRow, now: Date, undoSeconds: number): Date {
  const holdUntil = new Date(now.getTime() + undoSeconds * 1000);
  return dueAt({ outgoing: readOutgoing(draft), sendAt: draft.send_at, holdUntil });
}

export function judgeHeld(
  db: Db,
  { draft, payload, limits }: Held,
  by: {
    readonly timeZone: string;
    readonly personId: number;
    readonly approved: boolean;
    readonly leavesAt: Date;
    readonly exceptJob?: string;
  },
) {
  const parts = countedParts(payload);
  return judge(db, { ...by, limits, chatId: draft.chat_id, parts, priceRial: null });
}

function limited(
  db: Db,
  of: Held,
  { undoSeconds, timeZone }: Press,
  { confirmedBy, approved }: { readonly confirmedBy: number; readonly approved: boolean },
): Limited | null {
  const leavesAt = dueOf(of.draft, at(db), undoSeconds);
  const verdict = judgeHeld(db, of, { timeZone, personId: confirmedBy, approved, leavesAt });
  return verdict.kind === 'ok' ? null : { result: 'limited', verdict, leavesAt };
}

function makeJob(
  db: Db,
  connection: Connection,
  of: Held,
  {
    confirmedBy,
    approvedBy,
    updateId,
    undoSeconds,
  }: Press & { readonly confirmedBy: number; readonly approvedBy: number | null },
): Confirmed | { readonly result: 'changed' } {
  const { draft, payload } = of;
  if (!closeResent(db, draft, confirmedBy)) return { result: 'changed' };
  const [now, holdUntil] = [at(db), at(db, undoSeconds * 1000)];
  const { id: draftId, chat_id: chatId, binding_id: bindingId, send_at: later } = draft;
  const jobId = connection.id();
  change(draft, { state: draftTo('confirm', draft.state) ?? draft.state });
  forgetTasks(db, `expiry:${draftId}`);
  const job = {
    id: jobId,
    draft_id: draftId,
    chat_id: chatId,
    binding_id: bindingId,
    state: later === null ? ('holding' as const) : ('scheduled' as const),
    confirmed_by: confirmedBy,
    approved_by: approvedBy,
    parts: countedParts(payload),
    price_rial: null,
    confirmed_at: now,
    leaves_at: dueOf(draft, now, undoSeconds),
    hold_until: later !== null && later > holdUntil ? later : holdUntil,
    started_at: null,
    ended_at: null,
    stop_reason: null,
    stopped_by: null,
    poll_after_seconds: 0,
    pace_ms: null,
    pace_until: null,
    kept: 'all' as const,
  };
  put(db.jobs, jobId, job);
  put(db.jobOf, draftId, job);
  planCalls(db, connection, jobId, of);
  if (approvedBy !== null) tell(db, of, { personId: approvedBy, updateId }, 'send_approved');
  const details = { code: draft.code, recipients: kindOf(payload.outgoing).people(payload) };
  writeAudit(db, { chatId, personId: confirmedBy, updateId, action: 'send_confirmed', details });
  const afterMs = Math.max(undoSeconds * 1000, later === null ? 0 : later.getTime() - db.now);
  const resent = readResendOf(draft.details);
  enqueueAll(db, { ...sendTask(jobId), afterMs }, cardJob(draftId));
  if (resent !== null) enqueue(db, cardJob(resent.draftId));
  showCapUse(db, connection, chatId);
  return { result: 'confirmed', jobId, authorId: draft.author_id };
}

function planCalls(db: Db, connection: Connection, jobId: string, { draft, payload }: Held): void {
  const call = (chunk: number, of: Partial<CallRow>): void =>
    addCall(db, {
      ...EMPTY,
      id: connection.id(),
      job_id: jobId,
      binding_id: draft.binding_id,
      chunk,
      line: draft.line,
      ...of,
    });
  const calls = callsOf(payload);
  for (const [chunk, each] of calls.entries())
    call(chunk, { message_keys: messageKeys(payload, each), recipients: [...each.recipients] });
  const blocked = (draft.blocked ?? []).map(({ recipient }) => recipient);
  if (blocked.length > 0)
    call(calls.length, { state: 'rejected', outcome: 'blocked', ended_at: at(db), blocked });
}

const EMPTY: Omit<CallRow, 'id' | 'job_id' | 'binding_id' | 'chunk' | 'line'> = {
  n: 1,
  state: 'planned',
  epoch: 0,
  fenced: 0,
  pace_ms: null,
  owner: null,
  message_keys: [],
  recipients: [],
  message_ids: null,
  blocked: [],
  uncounted: 0,
  messages: null,
  blocked_messages: null,
  tries: 0,
  reserved_at: null,
  on_wire_at: null,
  ended_at: null,
  outcome: null,
  gateway_code: null,
  checks: 0,
  last_look: null,
  shared: false,
  settled_by: null,
  raw: null,
};

/** What a person has sent again is in doubt no longer: all of it or nothing. */
function closeResent(db: Db, draft: DraftRow, personId: number): boolean {
  const { details } = draft;
  const calls = resentCalls(db, details).filter(({ state }) => attemptTo('send_again', state) !== undefined);
  if (calls.length < resendsIn(details).length) return false;
  if (calls.length === 0) return true;
  const inDoubt = calls.flatMap((each) => each.recipients);
  if (inDoubt.length !== messageCount({ ...draft, outgoing: readOutgoing(draft) })) return false;
  for (const call of calls) {
    change(call, { state: attemptTo('send_again', call.state) ?? call.state, settled_by: personId });
    enqueue(db, cardJob(must(db.jobs.get(call.job_id)).draft_id));
  }
  return true;
}

function tell(
  db: Db,
  { draft, payload }: Held,
  { personId, updateId }: { readonly personId: number; readonly updateId: number },
  action: string,
): void {
  const recipients = kindOf(payload.outgoing).people(payload);
  const details = { code: draft.code, recipients, parts: countedParts(payload) };
  writeAudit(db, { chatId: draft.chat_id, personId, updateId, action, details });
}
