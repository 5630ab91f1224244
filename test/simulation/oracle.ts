import type { Taken } from './gateway.ts';
import type { CallRow, Db, DraftRow } from './memory/db.ts';

/*
 * Promises 1 to 5 over the rows and the gateway's ledger. The ledger is what really happened; the rows are what the product
 * says of it.
 */

/** States in which a message may be out: it left, it may have left, or a person has said so. */
const MAY_BE_OUT: ReadonlySet<string> = new Set([
  'on_wire',
  'accepted',
  'sent',
  'unknown',
  'asked',
  'closed',
]);

/** What is said of messages, by number and text. */
interface Said {
  surely: number;
  maybe: number;
}

/** What the database knew and does not know any more. */
export interface Forgotten {
  /** Calls that it knows, and took for out: until the loss is seen to its end they need not be said to be. */
  readonly calls: Set<string>;
  /** How often a message may be out of which there is no row. */
  readonly messages: Map<string, Map<string, number>>;
  /**
   * Lists do not show whether a message is flash. Once a copy has come back, two that differ in nothing else may be in
   * doubt at once: which of them a row belongs to is not known then.
   */
  readonly flash: boolean;
}

export const nothingForgotten = (flash = false): Forgotten => ({
  calls: new Set(),
  messages: new Map(),
  flash,
});

/** The database goes back by this: what it forgets. */
export function forget(db: Db, goBack: () => void): Forgotten {
  const out = [...db.calls.values()]
    .filter(({ state, settled_by: by }) => MAY_BE_OUT.has(state) || by !== null)
    .map((call) => ({ call, message: messageOf(db, call, { flash: true }) }));
  goBack();
  const forgotten = nothingForgotten(true);
  for (const { call, message } of out)
    if (db.calls.has(call.id)) forgotten.calls.add(call.id);
    else for (const recipient of call.recipients) add(forgotten.messages, message, recipient);
  return forgotten;
}

/** What is wrong with the rows at this moment, beside what the gateway has taken; null: nothing. */
export function wrongNow(
  db: Db,
  taken: readonly Taken[],
  forgotten: Forgotten = nothingForgotten(),
): string | null {
  const out = count(taken, forgotten);
  const said = new Map<string, Map<string, Said>>();
  for (const call of db.calls.values()) {
    const byPerson = call.settled_by !== null;
    const surely = (call.state === 'accepted' || call.state === 'sent') && !byPerson;
    const maybe = MAY_BE_OUT.has(call.state) || byPerson || forgotten.calls.has(call.id);
    const message = messageOf(db, call, forgotten);
    const numbers = said.get(message) ?? new Map<string, Said>();
    said.set(message, numbers);
    for (const recipient of call.recipients) {
      const own = numbers.get(recipient) ?? { surely: 0, maybe: 0 };
      if (surely) own.surely += 1;
      if (maybe) own.maybe += 1;
      numbers.set(recipient, own);
    }
  }
  for (const [message, numbers] of said)
    for (const [recipient, { surely, maybe }] of numbers) {
      const times = out.get(message)?.get(recipient) ?? 0;
      const most = maybe + (forgotten.messages.get(message)?.get(recipient) ?? 0);
      if (surely > times)
        return `said to be sent ${surely} times, was sent ${times} times: ${recipient} ${message}`;
      if (times > most)
        return `was sent ${times} times, and by what is said ${most} times at most: ${recipient} ${message}`;
    }
  for (const [message, numbers] of out)
    for (const [recipient, times] of numbers)
      if (
        said.get(message)?.has(recipient) !== true &&
        times > (forgotten.messages.get(message)?.get(recipient) ?? 0)
      )
        return `was sent, and nothing is said of it: ${recipient} ${message}`;
  for (const [draftId, jobs] of Map.groupBy(db.jobs.values(), (job) => job.draft_id))
    if (jobs.length > 1) return `a draft was confirmed ${jobs.length} times: ${draftId}`;
  return null;
}

/**
 * What is wrong in the end, once everything answers again and nobody does anything more; null: nothing.
 * @param heard what the gateway has told somebody who lives that it has accepted
 */
export function wrongAtLast(
  db: Db,
  taken: readonly Taken[],
  heard: readonly Taken[],
  forgotten: Forgotten,
): string | null {
  const wrong = wrongNow(db, taken, { ...forgotten, calls: new Set() });
  if (wrong !== null) return wrong;
  if (db.deployment.held_at !== null) return 'the operator has let sends go on, and they are held';
  for (const job of db.jobs.values())
    if (job.state === 'running' || job.state === 'holding' || job.state === 'scheduled')
      return `a job stays ${job.state}`;
  for (const { id, job_id: jobId, state } of db.calls.values()) {
    const job = db.jobs.get(jobId);
    if (state === 'reserved' || state === 'on_wire' || state === 'unknown')
      return `a call stays ${state}: ${id}`;
    if (state === 'planned' && job?.state === 'done') return `a job is done, and a call of it is not: ${id}`;
  }
  for (const job of db.jobs.values()) {
    const { recipients } = draftOf(db, job.id);
    const named = [...db.calls.values()]
      .filter((each) => each.job_id === job.id)
      .flatMap((attempt) => [...attempt.recipients, ...attempt.blocked]);
    if (named.toSorted().join() !== [...recipients].toSorted().join())
      return `the calls of a job do not name its recipients: ${job.id}`;
  }
  for (const { attempt_id: id, open } of db.reports.values())
    if (open > 0) return `a report of a call is never heard: ${id}`;
  const known = new Map<string, number>();
  for (const call of db.calls.values()) {
    if (
      call.state !== 'accepted' &&
      call.state !== 'sent' &&
      call.state !== 'closed' &&
      call.settled_by === null
    )
      continue;
    for (const recipient of call.recipients) {
      const key = `${recipient} ${messageOf(db, call, forgotten)}`;
      known.set(key, (known.get(key) ?? 0) + 1);
    }
  }
  for (const [message, numbers] of count(heard, forgotten))
    for (const [recipient, times] of numbers)
      if (times > (known.get(`${recipient} ${message}`) ?? 0))
        return `an acceptance was heard, and is not known: ${recipient} ${message}`;
  // Whole lists that do not show it were taken for a proof.
  const free = count(taken, forgotten);
  const less = (message: string, recipient: string): void => {
    const numbers = free.get(message);
    numbers?.set(recipient, (numbers.get(recipient) ?? 0) - 1);
  };
  for (const [message, numbers] of forgotten.messages)
    for (const [recipient, times] of numbers) for (let n = 0; n < times; n += 1) less(message, recipient);
  const proven: (readonly [string, string])[] = [];
  for (const call of db.calls.values()) {
    const { state, outcome, settled_by: settledBy, recipients } = call;
    const message = messageOf(db, call, forgotten);
    for (const recipient of recipients) {
      if (outcome === 'absent' && (state === 'asked' || settledBy !== null))
        proven.push([message, recipient]);
      else if (MAY_BE_OUT.has(state) || settledBy !== null) less(message, recipient);
    }
  }
  for (const [message, recipient] of proven)
    if ((free.get(message)?.get(recipient) ?? 0) > 0)
      return `said to be in no list, though it was sent: ${recipient} ${message}`;
  return null;
}

/** A message but for who gets it: by account, line, way and text. */
function messageOf(
  db: Db,
  call: Pick<CallRow, 'job_id' | 'binding_id'>,
  forgotten: Pick<Forgotten, 'flash'>,
): string {
  const { line, flash, text } = draftOf(db, call.job_id);
  const account = db.bindings.get(call.binding_id)?.gateway_user ?? '';
  return wordsOf({ account, line, flash, text }, forgotten);
}

function wordsOf(
  { account, line, flash, text }: Pick<Taken, 'account' | 'line' | 'flash' | 'text'>,
  forgotten: Pick<Forgotten, 'flash'>,
): string {
  return `${account} ${line} ${forgotten.flash ? 'some way' : flash ? 'flash' : 'plain'} ${text}`;
}

/** How often each message was taken, by who got it. */
function count(
  taken: readonly Taken[],
  forgotten: Pick<Forgotten, 'flash'>,
): Map<string, Map<string, number>> {
  const out = new Map<string, Map<string, number>>();
  for (const row of taken) add(out, wordsOf(row, forgotten), row.recipient);
  return out;
}

function add(to: Map<string, Map<string, number>>, message: string, recipient: string): void {
  const numbers = to.get(message) ?? new Map<string, number>();
  to.set(message, numbers.set(recipient, (numbers.get(recipient) ?? 0) + 1));
}

function draftOf(db: Db, jobId: string): DraftRow {
  const draft = db.drafts.get(db.jobs.get(jobId)?.draft_id ?? '');
  if (draft === undefined) throw new Error('a call without a draft');
  return draft;
}
