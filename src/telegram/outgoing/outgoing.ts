import type { Api, Transformer } from 'grammy';
import type { ApiResponse } from 'grammy/types';
import type { Tracer } from '../../ports/tracer.ts';
import { LeftOut, SurelyUnsent } from './errors.ts';
import type { TelegramLog } from './http.ts';
import { createCardEditor, type CardEditor, type EditPayload } from './outgoing-editor.ts';
import {
  createGate,
  createQueue,
  createWaiting,
  type Gate,
  type PaceClock,
  type PaceLimit,
  type Queue,
} from './outgoing-pace.ts';
import {
  type Call,
  chatOf,
  costOf,
  done,
  fail,
  gone,
  isDone,
  jitter,
  laneOf,
  mayRepeat,
  standsForAll,
  tryOnce,
} from './outgoing-rules.ts';
import { traceCalls } from './traced-calls.ts';

/**
 * What a call is worth beside all else in its chat. `urgent`: goes before what waits. `spare`: is said in its turn where
 * half of the pace is free, and else fails with {@link LeftOut}. `later`: does not wait for the pace either, and comes back.
 */
export type Worth = 'urgent' | 'ordinary' | 'spare' | 'later';

/** `null` sets a limit aside. */
interface OutgoingLimits {
  readonly privateChat: PaceLimit | null;
  readonly group: PaceLimit | null;
  readonly overall: PaceLimit | null;
}

export interface OutgoingOptions {
  readonly clock?: PaceClock;
  readonly log?: TelegramLog;
  readonly limits?: Partial<OutgoingLimits>;
  /** Least distance between two edits of one message, in milliseconds, unless an edit says otherwise. */
  readonly editGapMs?: number;
  /** A group got a new id. Called again for each call that still used the old one, which is repeated when it has ended. */
  readonly onMigrate?: (oldId: number, newId: number) => void | Promise<void>;
  /** Absent: no traces are made. */
  readonly tracer?: Tracer | undefined;
}

export interface Outgoing {
  /** For `api.config.use`; {@link Outgoing.install} does it. */
  readonly transformer: Transformer;
  readonly editor: CardEditor;
  /** For the API of one update: asks at each call what it is worth, and tells when one has to wait for the pace. */
  weigh(worth: () => Worth, waits: () => void): Transformer;
  /** Puts the transformer on a bot's API, and lets the editor call it. */
  install(api: Api): void;
  /** Resolves when no call is running or waiting and no edit is pending. */
  idle(): Promise<void>;
  /** Fails what waits with {@link SurelyUnsent} and resolves when what is on the wire has ended. */
  close(): Promise<void>;
  /** Chats whose pace is remembered. */
  size(): number;
}

/**
 * Everything that a bot says, at Telegram's pace: sends of one chat in order, each chat by itself,
 * `retry_after` obeyed, a send never repeated unless it surely did not happen.
 *
 * Files should be given as bytes or as a path, since a stream cannot be sent a second time after a
 * flood limit.
 */
export function createOutgoing(options: OutgoingOptions = {}): Outgoing {
  const clock = options.clock ?? SYSTEM_CLOCK;
  const limits: OutgoingLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const waiting = createWaiting(clock);
  const overall = createGate(limits.overall, clock, waiting);
  const chats = new Map<string, Chat>();
  const running = new Set<Promise<unknown>>();
  const newestOf = new WeakMap<object, () => EditPayload>();
  const worthOf = new WeakMap<object, Worth>();
  const waitsOf = new WeakMap<object, (ms: number) => void>();
  let sweepAt = SWEEP_FROM;
  let api: Api | null = null;

  const editor = createCardEditor({
    clock,
    waiting,
    defaultGapMs: options.editGapMs ?? 5000,
    send(current, newest, worth, waits) {
      if (api === null) throw new Error('install() comes before the first edit');
      const payload = { ...current };
      newestOf.set(payload, newest);
      worthOf.set(payload, worth);
      waitsOf.set(payload, waits);
      return api.raw.editMessageText(payload);
    },
  });

  const transformer: Transformer = (prev, method, payload, signal) => {
    if (method === 'getUpdates') return prev(method, payload, signal);
    const work = conduct(
      {
        method,
        payload,
        signal,
        attempt: (now) => prev(method, now, signal),
        // Messages are numbered anew there.
        withChat: (chatId) => Object.assign({}, payload, { chat_id: chatId, reply_parameters: undefined }),
        refresh() {
          const newest = newestOf.get(payload);
          if (newest === undefined) return payload;
          // The newest content may have no buttons where the first one had some.
          return Object.assign({}, payload, { reply_markup: undefined }, newest());
        },
      },
      false,
    );
    running.add(work);
    const forget = (): void => {
      running.delete(work);
    };
    work.then(forget, forget);
    return work;
  };

  /** Takes a call through its chat's queue. Sends and edits have one each, and take turns. */
  async function conduct<P extends object, T>(call: Call<P, T>, migrated: boolean): Promise<ApiResponse<T>> {
    if (waiting.stopped()) throw new SurelyUnsent('CLOSED');
    const chatId = chatOf(call.payload);
    const lane = laneOf(call.method);
    if (chatId === undefined || lane === null) {
      const admit = lane === null ? null : (): Promise<void> => overall.pass(1, call.signal);
      return pursue(call, chatId, admit, migrated);
    }
    const chat = chatState(chatId);
    const worth = worthOf.get(call.payload);
    const leaveOut = (inLine: boolean): void => {
      if (worth === 'spare' && !(chat.gate.hasRoom() && overall.hasRoom())) throw new LeftOut(0);
      if (worth !== 'later') return;
      const who = 'message_id' in call.payload ? `${chatId} ${String(call.payload.message_id)}` : chatId;
      const [here, everywhere] = inLine
        ? [chat.gate.blockedMs(), overall.blockedMs()]
        : [chat.gate.turnMs(who, chat.users, chat.standing < MAX_STANDING), overall.turnMs(who, 0, true)];
      const afterMs = Math.max(here, everywhere);
      if (afterMs > 0) throw new LeftOut(afterMs);
    };
    leaveOut(false);
    const cost = costOf(call.payload);
    const tellShut = (): void => {
      const [here, everywhere] = [chat.gate.shutMs(), overall.shutMs()];
      if (here !== null || everywhere !== null)
        waitsOf.get(call.payload)?.(Math.max(here ?? 0, everywhere ?? 0));
    };
    tellShut();
    chat.users += 1;
    if (worth === 'later') chat.standing += 1;
    try {
      return await chat[lane].run(
        call.signal,
        async () => {
          // What was said before it may have used up the room.
          leaveOut(true);
          const admit = async (): Promise<void> => {
            tellShut();
            await chat.gate.pass(cost, call.signal);
            await overall.pass(cost, call.signal);
          };
          return await pursue(call, chatId, admit, migrated);
        },
        worth === 'urgent',
      );
    } finally {
      chat.users -= 1;
      if (worth === 'later') chat.standing -= 1;
    }
  }

  /** Calls until there is an answer worth handing over. */
  async function pursue<P extends object, T>(
    call: Call<P, T>,
    chatId: string | undefined,
    admit: (() => Promise<void>) | null,
    migrated: boolean,
  ): Promise<ApiResponse<T>> {
    for (let repeats = 0; ;) {
      await admit?.();
      const outcome = await tryOnce(call);
      if (outcome.failure === null) return outcome.response;
      const { failure, response } = outcome;
      options.log?.debug({ method: call.method, kind: failure.kind, repeats }, 'telegram call failed');

      if (failure.kind === 'too_many') {
        if (call.method === 'sendChatAction') return done();
        const ms = (failure.retryAfter ?? 1) * 1000;
        options.log?.warn({ method: call.method, chatId, ms }, 'telegram asks to slow down');
        if (chatId !== undefined) chatState(chatId).gate.block(ms);
        else if (standsForAll(call.method)) overall.block(ms);
        if (['spare', 'later'].includes(worthOf.get(call.payload) ?? '')) throw new LeftOut(ms);
        if (admit !== null) continue;
        if (response === null || ms > MAX_SIDE_WAIT || repeats >= MAX_REPEATS) return fail(outcome);
        repeats += 1;
        await waiting.sleep(ms, call.signal);
        continue;
      }
      if (failure.migrateTo !== undefined && !migrated) {
        // Written down first: whoever answers what is said under the new id finds the account there.
        await reportMigration(chatId, failure.migrateTo);
        if ('message_id' in call.payload) return gone(call.method);
        const payload = call.withChat(failure.migrateTo);
        return conduct({ ...call, payload, refresh: () => payload }, true);
      }
      if (isDone(call.method, failure)) return done();
      if (!mayRepeat(call.method, failure) || repeats >= MAX_REPEATS || call.signal?.aborted === true) {
        return fail(outcome);
      }
      repeats += 1;
      await waiting.sleep(jitter(repeats), call.signal);
    }
  }

  function chatState(chatId: string): Chat {
    const known = chats.get(chatId);
    if (known !== undefined) return known;
    if (chats.size >= sweepAt) {
      for (const [id, chat] of chats) {
        if (chat.users === 0 && chat.gate.idle()) chats.delete(id);
      }
      sweepAt = Math.max(SWEEP_FROM, chats.size * 2);
    }
    const limit = /^\d/u.test(chatId) ? limits.privateChat : limits.group;
    const chat = {
      gate: createGate(limit, clock, waiting),
      sends: createQueue(waiting),
      edits: createQueue(waiting),
      users: 0,
      standing: 0,
    };
    chats.set(chatId, chat);
    return chat;
  }

  async function reportMigration(oldId: string | undefined, newId: number): Promise<void> {
    if (oldId === undefined) return;
    try {
      await options.onMigrate?.(Number(oldId), newId);
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown';
      options.log?.warn({ oldId, newId, name }, 'a chat migration could not be recorded');
    }
  }

  async function idle(): Promise<void> {
    do {
      await editor.idle();
      await Promise.allSettled(running);
    } while (running.size > 0);
  }

  return {
    transformer,
    editor,
    weigh: (worth, waits) => (prev, method, payload, signal) => {
      worthOf.set(payload, worth());
      waitsOf.set(payload, waits);
      return prev(method, payload, signal);
    },
    install(target) {
      if (options.tracer !== undefined) target.config.use(traceCalls(options.tracer));
      target.config.use(transformer);
      api = target;
    },
    idle,
    async close() {
      waiting.stop();
      await idle();
    },
    size: () => chats.size,
  };
}

/** Milliseconds that never step back, and a plain timer. */
const SYSTEM_CLOCK: PaceClock = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      // A longer timer would fire at once; whoever waits looks at the clock again.
      const timer = setTimeout(end, Math.min(ms, 2 ** 31 - 1));
      signal?.addEventListener('abort', end);
    }),
};

const DEFAULT_LIMITS: OutgoingLimits = {
  privateChat: { count: 60, windowMs: 60_000, burst: 5 },
  group: { count: 20, windowMs: 60_000, burst: 10 },
  overall: { count: 30, windowMs: 1000, burst: 30 },
};
const MAX_REPEATS = 3;
const MAX_STANDING = 3;
const MAX_SIDE_WAIT = 60_000;
const SWEEP_FROM = 64;

interface Chat {
  readonly gate: Gate;
  readonly sends: Queue;
  readonly edits: Queue;
  users: number;
  /** Of these who came back at their time: each holds a place of the queue of work. */
  standing: number;
}
