import type { Neighbour } from '../pages/neighbour.ts';
import { createCallLog, type CallLog } from './control/calls.ts';
import { createEventBus, type EventBus } from './events.ts';
import { createFaultRules, type FaultRules } from './control/faults.ts';
import { createFileStore, type FileStore } from './files.ts';
import { createLimiter, type Limiter } from './bot-api/limiter.ts';
import { createUpdateQueue, type UpdateQueue } from './bot-api/queue.ts';
import type { BotState, ChatState, World } from './types.ts';
import { shownWelcome, type ShownWelcome, type Welcome } from './welcome.ts';
import { createWorld } from './world.ts';

/** Everything that the methods and the control functions work on. */
export interface Emulator {
  world: World;
  queues: Map<number, UpdateQueue>;
  bus: EventBus;
  files: FileStore;
  calls: CallLog;
  faults: FaultRules;
  limiter: Limiter | undefined;
  /** Time in ms; `seconds` is the same for the dates of the Bot API. */
  now: () => number;
  seconds: () => number;
  /** Called when a bot's webhook was set, changed or taken away. */
  webhookChanged: (bot: BotState) => void;
  /** For newcomers, by language. */
  welcome: Readonly<Record<string, ShownWelcome>> | undefined;
  /** Where the page leads to. */
  beside: Neighbour | undefined;
}

export function createEmulator(options: {
  now: () => number;
  limiter: boolean;
  firstId?: number;
  welcome?: Readonly<Record<string, Welcome>> | undefined;
  beside?: Neighbour | undefined;
}): Emulator {
  const { welcome } = options;
  return {
    world: createWorld(options.firstId),
    queues: new Map(),
    bus: createEventBus(),
    files: createFileStore(),
    calls: createCallLog(),
    faults: createFaultRules(),
    limiter: options.limiter ? createLimiter(options.now) : undefined,
    now: options.now,
    seconds: () => Math.floor(options.now() / 1000),
    webhookChanged: () => undefined,
    beside: options.beside,
    welcome:
      welcome &&
      Object.fromEntries(
        Object.entries(welcome).map(([language, card]) => [language, shownWelcome(card)] as const),
      ),
  };
}

export function queueOf(em: Emulator, botId: number): UpdateQueue {
  const known = em.queues.get(botId);
  if (known !== undefined) return known;
  const queue = createUpdateQueue(em.now, 100_000_001 + em.world.firstId);
  em.queues.set(botId, queue);
  return queue;
}

/** Tells the page that a chat, its members or its topics changed. */
export function chatChanged(em: Emulator, chat: ChatState): void {
  em.world.version++;
  em.bus.emit({ type: 'chat', chatKey: chat.key, data: {} });
}
