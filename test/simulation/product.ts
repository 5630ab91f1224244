import { isAppError } from '../../src/domain/errors.ts';
import { createCards } from '../../src/features/sending/cards.ts';
import { createSendFeature } from '../../src/features/sending/index.ts';
import { createReconcileFeature } from '../../src/features/sending/reconcile/index.ts';
import { AGAIN } from '../../src/jobs/queue-tables.ts';
import type { JobStore } from '../../src/ports/jobs.ts';
import type { HeldCall } from '../../src/storage/sending/call-writes.ts';
import { createCallTasks } from '../../src/features/sending/job-call-card.ts';
import { createSendTasks } from '../../src/features/sending/tasks.ts';
import { createFormat } from '../../src/i18n/format.ts';
import type { Clock, Log, Task } from '../../src/ports/runtime.ts';
import { createContinuity } from '../../src/storage/restore/continuity.ts';
import { type CallsInHand, createCallsInHand } from '../../src/storage/restore/calls-in-hand.ts';
import type { Action } from '../../src/telegram/action.ts';
import { LeftOut } from '../../src/telegram/outgoing/errors.ts';
import type { RequestContext } from '../../src/telegram/request-context.ts';
import type { Draws } from './draws.ts';
import type { SimulatedGateway } from './gateway.ts';
import { mayDecide } from './memory/calls.ts';
import { transact, type Connection, type Db } from './memory/db.ts';
import { takeTask, taskDone, taskFailed, type TaskRow } from './memory/queue.ts';
import { createMemoryStores } from './memory/stores.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimulatedTelegram } from './telegram.ts';

export const TIME_ZONE = 'Asia/Tehran';
const BEAT_MS = 2000;
/** Tasks of one process at a time. */
const SLOTS = 4;

/** Where a process runs. */
export interface Surroundings {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly db: Db;
  readonly gateway: SimulatedGateway;
  readonly telegram: SimulatedTelegram;
  /** Whether the process reaches the database just now. */
  reaches(owner: string): boolean;
  readonly undoSeconds: number;
  /** How likely a statement, or its answer, is lost. */
  readonly loses: () => number;
  readonly skewMs: (owner: string) => number;
  /** Answers are put into words, for a history. */
  readonly tells: boolean;
  /** After so long a process looks whether the database has kept what it knows; null: it need not. */
  looksAfter(hand: CallsInHand): number | null;
  /** A statement is about to be carried out. */
  before(name: string): void;
  /** The rows may have changed. */
  changed(): void;
  /** Something of the product's own that should not be. */
  wrong(what: string): void;
}

/** The send path as it runs in one process. */
export interface Process {
  readonly id: string;
  readonly stores: ReturnType<typeof createMemoryStores>;
  readonly actions: ReadonlyMap<string, Action>;
  readonly cards: ReturnType<typeof createCards>;
  readonly connection: Connection;
  readonly clock: Clock;
  /** Calls of which it has heard that they may leave, and that may have. */
  readonly left: ReadonlyMap<string, HeldCall>;
  /** How far it knows that it has counted up its row. */
  beats(): number;
  /** It takes part from then on; rejected: it could not start. */
  readonly started: Promise<void>;
  /** It has ended, and says so. */
  close(): Promise<void>;
  /** Whether it works on a task, or on how many. */
  works(taskId: number): boolean;
  busy(): number;
  /** Has room for another task. */
  hasRoom(): boolean;
  /** Takes what is due from the queue and works on it until it is done. */
  work(): Promise<void>;
  /** What the sweeps of a living process do. */
  sweep(gone: (owners: readonly string[]) => readonly string[]): Promise<void>;
  /** Told to end: takes nothing more, and what runs is to come to an end. */
  stop(): void;
  isStopping(): boolean;
}

/** Statements by which no call, and no send, becomes another. */
const READS: ReadonlySet<string> = new Set([
  'enter',
  'look',
  'leave',
  'unfinished',
  'chats',
  'held chats',
  'take',
  'done',
  'card',
  'judge',
  'claim card',
  'set card',
  'show later',
  'schedule',
  'read start',
  'draft of',
  'owners',
  'look up',
  'doubt',
  'accepted calls',
  'unnamed',
  'claimed',
  'doubt of job',
  'resent by',
  'to report',
  'open reports',
]);

/** What people decide, in `createDecide` of the product. */
const DECISIONS = /^(?:confirm|ask|approve|reject|cancel|undo|stop|pause|resume|decide|look again)$/u;

/** A statement that did not reach the database, or whose answer was lost. */
class DatabaseAway extends Error {}

const quiet = (): undefined => undefined;
const LOG: Log = { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet, child: () => LOG };

export function startProcess(id: string, world: Surroundings): Process {
  const { scheduler, gateway, telegram } = world;
  const hand = createCallsInHand();
  const connection = connect(id, world, hand);
  const stores = createMemoryStores(connection, { hand, timeZone: TIME_ZONE });
  const { drafts, reconciles } = stores;
  const left = new Map<string, HeldCall>();
  const jobs = noteLeft(stores.jobs, left);
  const clock = scheduler.clock(id, () => world.skewMs(id));
  const gateways = gateway.for(id);
  const notifier = telegram.notifier(id);
  const cards = createCards({
    drafts,
    notifier,
    settle: async (draftId) => await jobs.settle(draftId),
    clock,
    timeZone: TIME_ZONE,
    undoSeconds: world.undoSeconds,
  });
  const stopping = new AbortController();
  const all: Task[] = [
    ...createCallTasks({ jobs, drafts, cards, notifier, clock, timeZone: TIME_ZONE }),
    ...createSendTasks({
      jobs,
      gateways,
      reconciles,
      gauges: absent,
      drafts,
      clock,
      cards,
      tellLate: async () => await Promise.resolve(),
      tellLapse: async () => await Promise.resolve(),
      owner: id,
      pollSeconds: 5,
    }),
  ];
  const tasks = new Map(
    all.filter(({ name }) => name !== 'gauge' && name !== 'open-drafts').map((task) => [task.name, task]),
  );
  const deps = { ...stores, cards, clock, undoSeconds: world.undoSeconds, gateways };
  const beside = {
    tables: absent,
    rests: absent,
    schedule: absent,
    bindings: absent,
    identities: absent,
    templates: absent,
    people: absent,
    notifications: absent,
  };
  const features = [
    createSendFeature({ ...deps, ...beside, checkCredit: async () => await Promise.resolve() }),
    createReconcileFeature({ ...deps, ...beside }),
  ];
  const working = new Set<number>();
  let [busy, beats] = [0, 0];
  /** Each statement has an answer here: only the next look is waited for. */
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    const looksAfter = ms > BEAT_MS ? null : world.looksAfter(hand);
    if (looksAfter !== null) return await clock.sleep(Math.max(ms, looksAfter), signal);
    signal?.throwIfAborted();
    await new Promise<void>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  const { losses } = stores;
  const store: typeof losses = {
    ...losses,
    async look(of, proofs) {
      const look = await losses.look(of, proofs);
      beats = look.beats ?? beats;
      return look;
    },
  };
  let isStarted = false;
  const watch = createContinuity({ store, hand, id, log: LOG, beatMs: BEAT_MS, clock: { sleep } });

  return {
    id,
    stores,
    cards,
    connection,
    clock,
    left,
    beats: () => beats,
    started: watch.then(() => void (isStarted = true)),
    close: async () => await watch.then(async (each) => await each.close(), quiet),
    actions: new Map(features.flatMap(({ actions = [] }) => actions).map((action) => [action.name, action])),
    works: (taskId) => working.has(taskId),
    busy: () => busy,
    hasRoom: () => isStarted && busy < SLOTS && !stopping.signal.aborted,
    stop: () => stopping.abort('the process is to end'),
    isStopping: () => !isStarted || stopping.signal.aborted,

    async work() {
      busy += 1;
      try {
        const taken = await connection.run('take', (rows) => takeTask(rows, id)).catch(() => null);
        if (taken === null) return;
        working.add(taken.id);
        const failed = await run(taken);
        await insist(async () => {
          await connection.run('done', (rows) => {
            if (failed) taskFailed(rows, taken.id, id);
            else taskDone(rows, taken.id, id);
          });
        });
        working.delete(taken.id);
      } finally {
        busy -= 1;
      }
    },

    async sweep(gone) {
      try {
        await jobs.takeUp(id);
        const owners = gone((await jobs.owners()).filter((owner) => owner !== id));
        if (owners.length > 0) await jobs.abandon(owners);
      } catch (error) {
        mind(error, 'a sweep');
      }
    },
  };

  /** Whether it has to come again. */
  async function run({ name, payload, key, attempts }: TaskRow): Promise<boolean> {
    const task = tasks.get(name);
    if (task === undefined) return false;
    try {
      await task.run(task.schema.parse(payload), {
        log: LOG,
        signal: stopping.signal,
        mustGo: () => false,
        attempt: key?.startsWith(AGAIN) === true ? attempts + 1 : attempts,
        last: false,
        takePlace: () => true,
      });
      return false;
    } catch (error) {
      mind(error, `the task ${name}`);
      return true;
    }
  }

  function mind(error: unknown, where: string): void {
    if (error instanceof DatabaseAway || error instanceof LeftOut || isAppError(error)) return;
    world.wrong(`${where} threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }

  async function insist(write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await write();
      } catch {
        await scheduler.wait(id, 500, 'a pause');
      }
    }
  }
}

/** Notes which calls may have left, whatever the product remembers of them. */
function noteLeft(jobs: JobStore, left: Map<string, HeldCall>): JobStore {
  return {
    ...jobs,
    async goOnWire(id, epoch) {
      const passed = await jobs.goOnWire(id, epoch);
      if (passed) left.set(id, { id, epoch });
      return passed;
    },
    async release(id, epoch) {
      left.delete(id);
      await jobs.release(id, epoch);
    },
    async record(id, epoch, result) {
      if (result.outcome === 'not_sent') left.delete(id);
      await jobs.record(id, epoch, result);
    },
  };
}

/** One statement after the other may be lost on its way, or its answer; what has reached the database is carried out. */
export function connect(id: string, world: Surroundings, hand?: CallsInHand): Connection {
  const { scheduler, draws, db } = world;
  const slow = (name: string): number => 1 + draws.of(name) ** 6 * 400;
  return {
    random: () => draws.of('random'),
    id() {
      const word = (): string =>
        Math.floor(draws.of('id') * 0x1_00_00_00_00)
          .toString(16)
          .padStart(8, '0');
      const [a, b, c] = [word(), word(), word()];
      return `${word()}-${a.slice(0, 4)}-4${a.slice(5)}-8${b.slice(1, 4)}-${b.slice(4)}${c}`;
    },
    run: async (name, work) =>
      await new Promise((resolve, reject) => {
        const { server } = db;
        if (!world.reaches(id) || draws.happens(`lost ${id}`, world.loses())) {
          scheduler.after(id, slow(`db ${id}`), `${name} does not reach the database`, () =>
            reject(new DatabaseAway()),
          );
          return;
        }
        scheduler.after(null, slow(`db ${id}`), name, () => {
          let [answer, said] = [(): void => undefined, ''];
          if (db.server !== server || (DECISIONS.test(name) && !mayDecide(db, hand?.server ?? null))) {
            scheduler.after(id, 1, `${name} has lost its connection`, () => reject(new DatabaseAway()));
            return;
          }
          world.before(name);
          try {
            const result = transact(() => work(db));
            answer = () => resolve(result);
            if (world.tells) said = ` (${(JSON.stringify(result) ?? 'nothing').slice(0, 100)})`;
          } catch (error) {
            answer = () => reject(error);
          }
          if (!READS.has(name)) world.changed();
          const isLost = !world.reaches(id) || draws.happens(`unheard ${id}`, world.loses());
          const heard = isLost ? 'not answered' : 'answered';
          scheduler.after(id, slow(`answer ${id}`), `${name} is ${heard} to ${id}${said}`, () => {
            if (isLost || db.server !== server) reject(new DatabaseAway());
            else answer();
          });
        });
      }),
  };
}

/** Stands where the simulated part asks for nothing; whoever does is told. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has nothing, and says so
const absent = new Proxy(
  {},
  { get: (_, name) => Promise.reject(new Error(`${String(name)} is not simulated`)) },
) as never;

/** A press, as the handler of an action sees it. */
export function contextOf(
  process: Process,
  telegram: SimulatedTelegram,
  press: {
    readonly updateId: number;
    readonly personId: number;
    readonly chat: { readonly id: string; readonly telegramId: number };
    readonly bindingId: string;
    readonly messageId: number | null;
  },
): RequestContext {
  const { id } = process;
  const given: Partial<RequestContext> = {
    updateId: press.updateId,
    bot: { id: 1, username: 'peyk_bot' },
    chat: {
      ...press.chat,
      type: 'supergroup',
      title: 'Shop',
      lang: 'en',
      timeZone: TIME_ZONE,
      showsNumbers: true,
    },
    isAway: false,
    isPrivate: false,
    threadId: undefined,
    person: { id: press.personId, name: `Person ${press.personId}`, lang: 'en', mobile: null },
    role: 'owner',
    locale: 'en',
    format: createFormat('en', TIME_ZONE, true),
    binding: { id: press.bindingId, kinds: ['api_key'], keyTail: '', accountName: 'Demo', line: null },
    log: LOG,
    pressedMessageId: press.messageId,
    messageId: null,
    say: async (content, { buttons = [] } = {}) =>
      await telegram.say(id, press.chat.telegramId, { content, buttons }),
    disarm: async (messageId) => await telegram.disarm(id, messageId),
    endQuestion: async () => await Promise.resolve(),
    ask: async () => await Promise.resolve(),
    sendFile: async () => await Promise.resolve(0),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest is not asked for by a press of a card
  return given as RequestContext;
}
