import type { Delivery, QueuedUpdate, UpdateKind } from '../types.ts';
import { conflict, refusals, type ApiError } from '../errors.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Acknowledged updates that can still be delivered once more by {@link UpdateQueue.replay}. */
const HISTORY = 20_000;
/** Dead slots before the live ones are moved to the front: keeps every operation O(1) on average. */
const COMPACT_AT = 4096;

export interface UpdateQueue {
  /** Queues an update of a kind, whose content is the JSON text `body`. */
  push: (kind: UpdateKind, body: string, lane: string) => QueuedUpdate;
  /** The next updates; waits up to `timeoutMs` for the first one. Rejects with 409 when another poll takes over. */
  poll: (options: PollOptions) => Promise<QueuedUpdate[]>;
  /** Fails the waiting poll, as setWebhook does. */
  interrupt: (reason: ApiError) => void;
  /** Resolves as soon as a poll waits (the bot is up and has nothing left to fetch). */
  whenPolled: () => Promise<void>;
  clear: () => void;
  size: () => number;
  /** Delivers an update once more, whatever was acknowledged since. False when it is not known. */
  replay: (id: number) => boolean;
  history: () => QueuedUpdate[];
  /** For the webhook: the oldest waiting updates, and taking one away when it was delivered. */
  waiting: (limit: number) => QueuedUpdate[];
  remove: (id: number) => void;
  onPush: (listener: (() => void) | undefined) => void;
  close: () => void;
}

interface PollOptions {
  offset: number;
  limit: number;
  timeoutMs: number;
  signal?: AbortSignal;
}

interface Waiter {
  offset: number;
  limit: number;
  timer: NodeJS.Timeout;
  settle: (updates: QueuedUpdate[]) => void;
  fail: (reason: ApiError) => void;
}

/**
 * One bot's updates, in order, until they are acknowledged. `now` is in ms. Nothing older than 24 hours is
 * given out, as with Telegram.
 */
export function createUpdateQueue(now: () => number, firstId = 1): UpdateQueue {
  let items: (QueuedUpdate | undefined)[] = [];
  let head = 0;
  let live = 0;
  let nextId = firstId;
  const past = new Map<number, QueuedUpdate>();
  let replays: QueuedUpdate[] = [];
  let waiter: Waiter | undefined;
  let listener: (() => void) | undefined;
  let polled: (() => void)[] = [];

  const skipDead = (): void => {
    const oldest = now() - DAY_MS;
    while (head < items.length) {
      const item = items[head];
      if (item !== undefined && item.at >= oldest) break;
      if (item !== undefined) live--;
      items[head++] = undefined;
    }
    if (head > COMPACT_AT && head * 2 > items.length) {
      items = items.slice(head);
      head = 0;
    }
  };
  /** Ids grow by one with the index, so the place of an update is a subtraction away. */
  const indexOf = (id: number): number => items.length - (nextId - id);
  const discard = (before: number): QueuedUpdate[] => {
    const end = Math.min(indexOf(before), items.length);
    const gone = items.slice(head, Math.max(end, head)).filter((item) => item !== undefined);
    live -= gone.length;
    items.fill(undefined, head, Math.max(end, head));
    head = Math.max(end, head);
    skipDead();
    return gone;
  };
  const acknowledge = (before: number): void => {
    for (const { delivery } of discard(before)) if (delivery !== undefined) delivery.heardAt ??= now();
  };
  const take = (limit: number): QueuedUpdate[] => {
    const batch = replays.splice(0, limit);
    for (let i = head; i < items.length && batch.length < limit; i++) {
      const item = items[i];
      if (item !== undefined) batch.push(item);
    }
    for (const update of batch) given(update, 'polling', now());
    return batch;
  };
  const release = (): Waiter | undefined => {
    const current = waiter;
    waiter = undefined;
    if (current !== undefined) clearTimeout(current.timer);
    return current;
  };
  const wake = (): void => {
    const current = release();
    current?.settle(take(current.limit));
  };
  const remember = (update: QueuedUpdate): void => {
    past.set(update.id, update);
    if (past.size > HISTORY) past.delete(past.keys().next().value ?? -1);
  };

  return {
    push(kind, body, lane) {
      const id = nextId++;
      const json = `{"update_id":${id},"${kind}":${body}}`;
      const update = { id, kind, at: now(), lane, json, delivery: undefined };
      items.push(update);
      live++;
      remember(update);
      if (waiter !== undefined) wake();
      listener?.();
      return update;
    },
    async poll({ offset, limit, timeoutMs, signal }) {
      if (offset > 0) acknowledge(offset);
      else if (offset < 0) acknowledge(nextId + offset);
      skipDead();
      const batch = take(limit);
      if (batch.length > 0 || timeoutMs <= 0 || signal?.aborted === true) return batch;
      release()?.fail(conflict(refusals.otherGetUpdates));
      return new Promise((settle, fail) => {
        const timer = setTimeout(() => {
          release();
          settle([]);
        }, timeoutMs);
        const mine: Waiter = { offset, limit, timer, settle, fail };
        waiter = mine;
        for (const tell of polled) tell();
        polled = [];
        signal?.addEventListener('abort', () => {
          if (waiter !== mine) return;
          release();
          settle([]);
        });
      });
    },
    interrupt(reason) {
      release()?.fail(reason);
    },
    whenPolled() {
      if (waiter !== undefined) return Promise.resolve();
      return new Promise((resolve) => polled.push(resolve));
    },
    clear() {
      discard(nextId);
      replays = [];
    },
    size() {
      skipDead();
      return live + replays.length;
    },
    replay(id) {
      const update = past.get(id);
      if (update === undefined) return false;
      replays.push(update);
      if (waiter !== undefined) wake();
      listener?.();
      return true;
    },
    history: () => [...past.values()],
    waiting(limit) {
      skipDead();
      const batch = replays.slice(0, limit);
      for (let i = head; i < items.length && batch.length < limit; i++) {
        const item = items[i];
        if (item !== undefined) batch.push(item);
      }
      return batch;
    },
    remove(id) {
      const replayed = replays.findIndex((update) => update.id === id);
      if (replayed >= 0) {
        replays.splice(replayed, 1);
        return;
      }
      const index = indexOf(id);
      if (index >= head && items[index] !== undefined) {
        items[index] = undefined;
        live--;
      }
      skipDead();
    },
    onPush(next) {
      listener = next;
    },
    close() {
      release()?.settle([]);
      listener = undefined;
    },
  };
}

/** Notes on an update that it is being given to its bot, at a time in ms. */
export function given(update: QueuedUpdate, by: Delivery['by'], at: number): Delivery {
  const { times = 0, heardAt } = update.delivery ?? {};
  update.delivery = { by, at, times: times + 1, error: undefined, heardAt };
  return update.delivery;
}
