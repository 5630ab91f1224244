import type { Update } from '@grammyjs/types';
import type { Metrics } from '../../ports/metrics.ts';
import { withCorrelation } from '../../ports/correlation.ts';
import type { Log } from '../../ports/runtime.ts';
import type { Tracer } from '../../ports/tracer.ts';
import type { Stores } from '../../storage/stores.ts';
import type { StateSealer } from '../forms/open-form.ts';
import { chatOrderOf, waitForEarlier } from './chat-order.ts';

export interface IntakeDeps extends Pick<Stores, 'updates'> {
  readonly botId: number;
  readonly sealer: StateSealer;
  readonly handle: (update: Update) => Promise<void>;
  /** Whether this process handles updates; what another one has written down is announced to it. */
  readonly leads: () => boolean;
  readonly metrics: Pick<Metrics, 'update'>;
  /** Absent: no traces are made. */
  readonly tracer?: Tracer | undefined;
  /** Sees each update as it comes into hand, in their order. */
  readonly arrived?: (update: Update) => void;
  /** How many may be in hand before no more are asked for; absent: 2000. */
  readonly mostInHand?: number | undefined;
  readonly log: Log;
}

/**
 * The one way by which updates come in, from long polling and webhook alike. `accept` writes them down before
 * Telegram is told that they have arrived. One process handles them, whichever has written them down: each once, those
 * of one chat in their order, different chats beside each other. Once an answer waits for the pace of its chat, only its
 * own person waits for it. What a killed process left is taken up by `resume`.
 */
export interface Intake {
  accept(updates: readonly Update[]): Promise<void>;
  /** Takes up what is open and not being handled: at the start, and now and then for what failed. */
  resume(): Promise<void>;
  /** An answer to this update waits for the pace: what others want in its chat goes on. */
  letOn(updateId: number): void;
  /** Resolves when nothing is being handled. */
  idle(): Promise<void>;
  /** Null when there is room in hand for what Telegram has; or else resolves when there is, or the signal is aborted. */
  room(signal: AbortSignal): Promise<void> | null;
  /** Whether so much is open, here or with the process that leads, that more had better stay with Telegram. */
  isFull(): Promise<boolean>;
}

/** What is in hand of one person in one chat. */
interface InHand {
  updates: number;
  /** Resolved once an answer to any of it had to wait. */
  readonly paced: PromiseWithResolvers<void>;
}

/** An update that has brought the process down this often is left alone, and the log says so. */
const MAX_TRIES = 15;
/** At most some 20 MB, and seconds of work. What is not taken in is kept by Telegram, for a day. */
const MAX_IN_HAND = 2000;

export function createIntake(deps: IntakeDeps): Intake {
  const { botId, updates, sealer, leads, metrics, log, mostInHand = MAX_IN_HAND } = deps;
  const handle = deps.tracer === undefined ? deps.handle : traced(deps.handle, deps.tracer);
  const lanes = new Map<string, Promise<void>>();
  const homes = new Map<string, InHand>();
  const homeOf = new Map<number, InHand>();
  const under = new Set<number>();
  let finished: number[] = [];
  /** Handled, and kept in hand until the database takes that down: what is done twice is at least an answer twice. */
  const unmarked: number[] = [];
  let flushing: Promise<void> | null = null;
  let door: Promise<unknown> = Promise.resolve();
  /** Some that are open wait in the database until there is room. Whatever comes after them waits there too. */
  let isBehind = false;
  let isTaking = false;
  const waiting = new Set<() => void>();

  return {
    accept: (batch) =>
      throughDoor(async () => {
        const rows = batch.map((update) => ({
          id: update.update_id,
          payload: sealer.sealShort(JSON.stringify(update), aad(update.update_id)),
        }));
        const fresh = new Set(await updates.accept(botId, rows));
        for (const update of batch) if (fresh.has(update.update_id)) metrics.update(kindOf(update));
        if (!leads()) {
          if (fresh.size > 0) await announce();
          return;
        }
        if (isBehind) return;
        for (const update of batch) {
          if (fresh.delete(update.update_id)) enter(update);
        }
      }),

    resume: () => throughDoor(takeUp),

    letOn: (updateId) => homeOf.get(updateId)?.paced.resolve(),

    async idle() {
      while (lanes.size > 0 || flushing !== null) {
        await Promise.all(lanes.values());
        await flushing;
      }
    },

    room: (signal) => (isFullHere() ? roomOr(signal) : null),

    isFull: async () => (leads() ? isFullHere() : (await updates.open(botId, mostInHand)) >= mostInHand),
  };

  async function takeUp(): Promise<void> {
    for (const id of unmarked.splice(0)) finish(id);
    const room = mostInHand - under.size;
    isBehind = room <= 0 || isBehind;
    if (room <= 0) return;
    const open = await updates.reopen(botId, [...under], room);
    isBehind = open.length === room;
    const begun = new Set<string>();
    for (const { id, payload, tries } of open) {
      const update = opened(id, payload);
      if (update === null) continue;
      const { lane } = chatOrderOf(update);
      // What waited behind another one of its chat was not begun, and has ended nothing.
      if (tries > MAX_TRIES && !begun.has(lane)) {
        log.error({ update: id, tries }, 'an update is given up: it ended the process again and again');
        await updates.done(botId, [id]);
      } else enter(update);
      begun.add(lane);
    }
    if (!isFullHere()) for (const wake of waiting) wake();
  }

  function isFullHere(): boolean {
    return isBehind || under.size >= mostInHand;
  }

  /** Something is done: there may be room for what waits in the database, or else with Telegram. */
  function madeRoom(): void {
    if (isBehind && !isTaking && leads() && under.size <= mostInHand / 2) {
      isTaking = true;
      void throughDoor(takeUp)
        .catch((error: unknown) => log.warn({ err: error }, 'open updates stay open'))
        .finally(() => {
          isTaking = false;
        });
    }
    if (!isFullHere()) for (const wake of waiting) wake();
  }

  async function roomOr(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => resolve();
    waiting.add(wake);
    signal.addEventListener('abort', wake);
    if (signal.aborted) wake();
    await promise;
    waiting.delete(wake);
    signal.removeEventListener('abort', wake);
  }

  /** One at a time: else a sweep finds a row that was just written, not yet known to be in hand, and it is handled twice. */
  async function throughDoor(work: () => Promise<void>): Promise<void> {
    const request = door.then(work);
    door = request.catch(() => undefined);
    await request;
  }

  /** The updates are safe by now: whoever leads finds them soon in any case. */
  async function announce(): Promise<void> {
    await updates.announce(botId).catch((error: unknown) => {
      log.warn({ err: error }, 'updates could not be announced');
    });
  }

  function enter(update: Update): void {
    const { lane, beside, person } = chatOrderOf(update);
    const own = (name: string): string => `${name} of ${person}`;
    const key = own([lane, beside].toSorted().join());
    const home = homes.get(key) ?? { paced: Promise.withResolvers<void>(), updates: 0 };
    home.updates += 1;
    homes.set(key, home);
    homeOf.set(update.update_id, home);
    under.add(update.update_id);
    deps.arrived?.(update);
    const before = lanes.get(lane);
    const earlier = [before, lanes.get(own(lane))].filter(isThere);
    const across = [lanes.get(beside), lanes.get(own(beside))].filter(isThere);
    if (across.length > 0) earlier.push(waitForEarlier(Promise.all(across), update));
    // Mostly nothing came before: then there is nothing to wait for, but the others of the batch come into hand first.
    const ready = earlier.length > 0 ? Promise.all(earlier) : undefined;
    const request = work();
    lanes.set(own(lane), request);
    const passed = endOr(home.paced.promise);
    lanes.set(lane, passed);

    async function work(): Promise<void> {
      await ready;
      try {
        await withCorrelation(update.update_id, () => handle(update));
        finish(update.update_id);
      } catch (error) {
        // The handler answers for its own errors; one that comes here could not even be told. `resume` tries it again.
        under.delete(update.update_id);
        madeRoom();
        log.error({ update: update.update_id, err: error }, 'an update could not be handled');
      }
      leave(own(lane), request);
      homeOf.delete(update.update_id);
      home.updates -= 1;
      if (home.updates === 0) homes.delete(key);
    }

    async function endOr(paced: Promise<void>): Promise<void> {
      await before;
      await Promise.race([request, paced]);
      leave(lane, passed);
    }
  }

  /** Nothing comes after it in this lane: whoever comes has nobody to wait for. */
  function leave(lane: string, last: Promise<void>): void {
    if (lanes.get(lane) === last) lanes.delete(lane);
  }

  /** Marks what is done in one statement for all that ended while the last one ran. */
  function finish(updateId: number): void {
    finished.push(updateId);
    flushing ??= flush();
  }

  async function flush(): Promise<void> {
    while (finished.length > 0) {
      const ids = finished;
      finished = [];
      try {
        await updates.done(botId, ids);
        for (const id of ids) under.delete(id);
      } catch (error) {
        unmarked.push(...ids);
        log.error({ updates: ids.length, err: error }, 'updates could not be marked as done');
      }
      madeRoom();
    }
    // In the same step as the last look: what ends after it begins another flush.
    flushing = null;
  }

  /** One that cannot be read, for want of its master key, must not keep the others from being resumed. */
  function opened(id: number, payload: Uint8Array): Update | null {
    try {
      const update: Update = JSON.parse(Buffer.from(sealer.openShort(payload, aad(id))).toString('utf8'));
      return update;
    } catch (error) {
      log.error({ update: id, err: error }, 'an open update cannot be read');
      return null;
    }
  }

  function aad(updateId: number) {
    return { purpose: 'update', bot: String(botId), update: String(updateId) };
  }
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}

function traced(handle: IntakeDeps['handle'], tracer: Tracer): IntakeDeps['handle'] {
  return async (update) => {
    const attributes = { 'peyk.update': update.update_id };
    await tracer.span('update', `update ${kindOf(update)}`, attributes, () => handle(update));
  };
}

function kindOf(update: Update): Parameters<Metrics['update']>[0] {
  if (update.message !== undefined) return 'message';
  if (update.callback_query !== undefined) return 'press';
  return update.my_chat_member === undefined ? 'other' : 'member';
}
